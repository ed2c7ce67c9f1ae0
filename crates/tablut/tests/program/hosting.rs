//! The proxies of docs/hosting.md, as they stand there but for addresses: pages come through them to any
//! of several servers, and to another when one is gone.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    fs,
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use crate::{
    patience::{PATIENCE, until},
    server::launch_with,
};
use tablut_web::{
    client::Client,
    message::{Answer, Ask, NewGame},
};

const NAME: &str = "tablut.example.org";
/// A process that ends with the test.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}

/// A file of docs/hosting with the addresses of servers, of which the last is not there.
fn example(name: &str, servers: &[String]) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/hosting");
    let mut text = fs::read_to_string(folder.join(name)).unwrap();
    let gone = format!("127.0.0.1:{}", free_port());
    for (n, server) in servers.iter().chain([&gone]).enumerate() {
        let before = text.clone();
        text = text.replace(&format!("10.0.0.1{}:5880", n + 1), server);
        assert_ne!(before, text, "{name} has another server than before");
    }
    text
}

fn start(program: &str, arguments: &[&str], folder: &Path, port: u16) -> Process {
    let child = Command::new(program)
        .args(arguments)
        .env("XDG_DATA_HOME", folder)
        .env("XDG_CONFIG_HOME", folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap_or_else(|error| panic!("{program} is missing: apt-get install {program}: {error}"));
    let process = Process(child);
    until(&format!("{program} to start"), || {
        TcpStream::connect(("127.0.0.1", port)).is_ok()
    });
    process
}

/// What a proxy answers at a path: the status.
fn status(url: &str) -> String {
    let output = Command::new("curl")
        .args([
            "-sk",
            "-o",
            "/dev/null",
            "-w",
            "%{http_code}",
            "--max-time",
            "20",
        ])
        .args(["-H", &format!("Host: {NAME}"), url])
        .output()
        .unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// A page that comes through a proxy.
async fn page(port: u16, token: char) -> Client {
    let token: String = std::iter::repeat_n(token, 24).collect();
    let origin = format!("https://{NAME}");
    let more = [("host", NAME), ("origin", origin.as_str())];
    let begin = Instant::now();
    loop {
        let client = Client::call_with(&format!("127.0.0.1:{port}"), &token, &more).await;
        match client {
            Ok(client) => return client,
            Err(error) => assert!(begin.elapsed() < PATIENCE, "{error}"),
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// Two play through a proxy while one server after another is killed and started again.
async fn play(port: u16, servers: &mut [(Process, String)], store: &Path) {
    let (mut ann, mut bob) = (page(port, 'a').await, page(port, 'b').await);
    let new = NewGame::by_link("total:600000+0");
    let Answer::Game { game } = ann.ask(Ask::NewGame(new)).await.unwrap() else {
        panic!("no game was made");
    };
    let join = |secret| Ask::Join {
        game: game.clone(),
        secret,
    };
    ann.ask(join(None)).await.unwrap();
    let secret = ann.next_state().await.unwrap().invitation.clone();
    bob.ask(join(secret)).await.unwrap();
    let steps = ["e4d4", "d1c1", "d4e4", "c1c2"];
    for (ply, step) in steps.into_iter().enumerate() {
        let mover = if ply % 2 == 0 { &mut ann } else { &mut bob };
        while !mover
            .state
            .as_ref()
            .is_some_and(|state| state.started && state.plies.len() == ply)
        {
            mover.next_state().await.unwrap();
        }
        let step = step.to_string();
        mover.ask(Ask::Move { ply, step }).await.unwrap();
        if ply % 2 == 1 {
            let server = &mut servers[ply / 2];
            let port_of = server.1.rsplit(':').next().unwrap().to_string();
            server.0.0.kill().unwrap();
            server.0.0.wait().unwrap();
            (ann, bob) = (page(port, 'a').await, page(port, 'b').await);
            ann.ask(join(None)).await.unwrap();
            bob.ask(join(None)).await.unwrap();
            for player in [&mut ann, &mut bob] {
                let state = player.until_ply(ply + 1).await.unwrap();
                assert_eq!(state.plies.len(), ply + 1, "nothing is lost or doubled");
            }
            server.0 = serve(store, &port_of).0;
        }
    }
}

fn serve(store: &Path, port: &str) -> (Process, String) {
    let flags = ["--name", NAME, "--proxy-header", "X-Real-IP"];
    let (child, url) = launch_with(store.to_str().unwrap(), port, &flags);
    let address = url.trim_start_matches("http://").trim_end_matches('/');
    (Process(child), address.into())
}

fn two_servers(store: &Path) -> Vec<(Process, String)> {
    (0..2).map(|_| serve(store, "0")).collect()
}

fn addresses(servers: &[(Process, String)]) -> Vec<String> {
    servers.iter().map(|(_, address)| address.clone()).collect()
}

#[tokio::test]
#[ignore = "needs nginx: ./test --only hosting"]
async fn the_example_for_nginx_serves_a_game() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("games.db");
    let mut servers = two_servers(&store);
    let [port, tls_port, plain_port] = [free_port(), free_port(), free_port()];
    let at = |name: &str| -> PathBuf { folder.path().join(name) };
    let made = Command::new("openssl")
        .args([
            "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
        ])
        .args(["-subj", &format!("/CN={NAME}"), "-keyout"])
        .arg(at("key.pem"))
        .arg("-out")
        .arg(at("cert.pem"))
        .stderr(Stdio::null())
        .status();
    assert!(made.unwrap().success());
    let text = example("nginx.conf", &addresses(&servers));
    let text = text
        .replace(
            "listen 443 ssl;",
            &format!("listen 127.0.0.1:{tls_port} ssl; listen 127.0.0.1:{port};"),
        )
        .replace("listen 80;", &format!("listen 127.0.0.1:{plain_port};"))
        .replace("/etc/ssl/tablut.pem", at("cert.pem").to_str().unwrap())
        .replace("/etc/ssl/tablut.key", at("key.pem").to_str().unwrap());
    let here = folder.path().display();
    let temporary: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map(|kind| format!("{kind}_temp_path {here}/{kind};\n"))
        .concat();
    // One process, so that killing it leaves no worker behind.
    let whole = format!(
        "daemon off; master_process off; pid {here}/pid; error_log {here}/error.log;\nevents {{}}\n\
         http {{\naccess_log off;\n{temporary}{text}\n}}\n"
    );
    fs::write(at("nginx.conf"), whole).unwrap();
    let config = at("nginx.conf");
    let arguments = [
        "-p",
        folder.path().to_str().unwrap(),
        "-c",
        config.to_str().unwrap(),
    ];
    let _nginx = start("nginx", &arguments, folder.path(), port);
    assert_eq!(
        status(&format!("https://127.0.0.1:{tls_port}/readyz")),
        "200"
    );
    assert_eq!(
        status(&format!("http://127.0.0.1:{plain_port}/readyz")),
        "301"
    );
    assert_eq!(status(&format!("http://127.0.0.1:{port}/metrics")), "404");
    play(port, &mut servers, &store).await;
}

#[tokio::test]
#[ignore = "needs Caddy: ./test --only hosting"]
async fn the_example_for_caddy_serves_a_game() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("games.db");
    let mut servers = two_servers(&store);
    let port = free_port();
    let text = example("Caddyfile", &addresses(&servers));
    // Certificates come from the internet.
    let text = text.replace(
        &format!("\n{NAME} {{"),
        &format!("\nhttp://{NAME}:{port} {{"),
    );
    assert!(text.contains(&port.to_string()));
    let config = folder.path().join("Caddyfile");
    fs::write(&config, format!("{{\n\tadmin off\n}}\n{text}")).unwrap();
    let arguments = [
        "run",
        "--adapter",
        "caddyfile",
        "--config",
        config.to_str().unwrap(),
    ];
    let _caddy = start("caddy", &arguments, folder.path(), port);
    assert_eq!(status(&format!("http://127.0.0.1:{port}/readyz")), "200");
    assert_eq!(status(&format!("http://127.0.0.1:{port}/metrics")), "404");
    play(port, &mut servers, &store).await;
}
