//! What programs try, and that it changes nothing but their own result.

use std::{
    fs,
    os::unix::net::UnixListener,
    path::Path,
    process::{Child, Command, Stdio},
};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use super::world::{PROGRAM, World, faults, has, text};
use crate::patience::until;

#[test]
fn a_program_sees_its_own_folder_and_nothing_of_the_user() {
    let world = World::new();
    let socket = world.user.path().join("socket");
    let _listener = UnixListener::bind(&socket).unwrap();
    let precious = world.precious().display().to_string();
    let own = world.program.path().display().to_string();
    fs::write(world.program.path().join("weights.txt"), "weights").unwrap();
    let look = world.script(
        "look.sh",
        &format!(
            "cat {own}/weights.txt; cat {precious} && echo READ; echo x >>{precious} && echo WROTE\n\
             [ -e {socket} ] && echo SOCKET; env | grep SECRET_TOKEN\n\
             cat /proc/1/environ && echo ENVIRONMENT\n\
             touch {own}/new && echo OWN; touch /usr/new && echo SYSTEM; touch /tmp/new && echo temporary\n\
             touch ~/new && echo home; echo 9 >/proc/sys/kernel/printk && echo KERNEL\n\
             echo processes: $(ls -d /proc/[0-9]* | wc -l)\n\
             grep -E 'CapEff|NoNewPrivs|Seccomp:' /proc/self/status\n\
             unshare -U true && echo NAMESPACE; kill -9 $PPID; kill -STOP $PPID; echo alive\n\
             ls /sys /home /root/.ssh 2>/dev/null; (exec 4<>/dev/tcp/192.0.2.1/80) && echo NETWORK\n\
             ls /proc/self/fd | tr '\\n' ' '",
            socket = socket.display(),
        ),
    );
    world.play(&format!("client:{look}"), "60", &["--startup", "60"]);
    let said = world.printed();
    for part in [
        "weights",
        "temporary\n",
        "home\n",
        "alive\n",
        "NoNewPrivs:\t1",
        "Seccomp:\t2",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(said.contains("CapEff:\t0000000000000000"), "{said}");
    for part in [
        "READ",
        "SOCKET",
        "SECRET_TOKEN",
        "ENVIRONMENT",
        "OWN",
        "SYSTEM\n",
        "KERNEL",
        "NAMESPACE",
        "NETWORK",
    ] {
        assert!(!said.contains(part), "{part}: {said}");
    }
    let processes = said
        .split("processes: ")
        .nth(1)
        .unwrap()
        .lines()
        .next()
        .unwrap();
    assert!(processes.parse::<u32>().unwrap() < 8, "{said}");
    assert_eq!(fs::read_to_string(world.precious()).unwrap(), "precious");

    // What is allowed is allowed.
    drop(fs::remove_dir_all(world.output()));
    world.play(
        &format!("client:{look}"),
        "60",
        &["--startup", "60", "--allow-read", &precious, "--writable"],
    );
    let said = world.printed();
    assert!(said.contains("READ") && said.contains("OWN"), "{said}");
    assert!(!said.contains("WROTE"), "{said}");

    // Its own folder may be written to, also in a larger one that may be read.
    fs::create_dir(world.program.path().join("team")).unwrap();
    let write = world.script(
        "team/write.sh",
        &format!("touch {own}/team/in && echo INNER; touch {own}/out && echo OUTER"),
    );
    drop(fs::remove_dir_all(world.output()));
    world.play(
        &format!("client:{write}"),
        "60",
        &["--startup", "60", "--allow-read", &own, "--writable"],
    );
    let said = world.printed();
    assert!(said.contains("INNER") && !said.contains("OUTER"), "{said}");
    assert_eq!(fs::read_to_string(world.precious()).unwrap(), "precious");
    assert!(world.program.path().join("new").exists());
}

#[test]
fn an_engine_is_shut_in_like_a_client() {
    let world = World::new();
    let precious = world.precious().display().to_string();
    let deeds = format!(
        "cat {precious} >&2 && echo READ >&2; echo x >>{precious}\n(setsid sleep {} &)\n\
         echo processes: $(ls -d /proc/[0-9]* | wc -l) >&2; kill -9 $PPID; read line\n\
         exec {PROGRAM} engine",
        world.mark
    );
    let engine = world.script("engine.sh", &deeds);
    // The first line is lost, so the protocol fails; a loss, and nothing left.
    let lost = world.play(&format!("engine:{engine}"), "1", &["--startup", "2"]);
    assert_eq!(lost["total"]["lost"], 2, "{lost}");
    assert!(!world.printed().contains("READ"), "{}", world.printed());
    assert_eq!(fs::read_to_string(world.precious()).unwrap(), "precious");
    world.wait_for_marked(false);
    let good = world.script("good.sh", &format!("exec {PROGRAM} engine"));
    let played = world.play(&format!("engine:{good}"), "0.2", &["--startup", "60"]);
    assert_eq!(faults(&played), ["", ""], "{played}");
}

/// A match of a program that has left daemons behind and does nothing more.
fn littering(world: &World) -> Child {
    let daemon = format!(
        "(setsid bash -c 'sleep {0} & sleep {0}' &)\nsleep 1000",
        world.mark
    );
    let client = world.rogue("litter.sh", &daemon);
    let series = world
        .tablut(&["match", &client, "random", "-n", "2", "-t", "1000"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    world.wait_for_marked(true);
    series
}

/// The supervisor that a match has started.
fn supervisor(series: &Child) -> Pid {
    let threads = fs::read_dir(format!("/proc/{}/task", series.id())).unwrap();
    let children = threads.map(|thread| {
        fs::read_to_string(thread.unwrap().path().join("children")).unwrap_or_default()
    });
    let children: String = children.collect();
    Pid::from_raw(children.split_whitespace().next().unwrap().parse().unwrap()).unwrap()
}

#[test]
fn nothing_is_left_however_a_match_or_a_supervisor_dies() {
    let world = World::new();
    let mut series = littering(&world);
    series.kill().unwrap();
    series.wait().unwrap();
    world.wait_for_marked(false);

    // A stopped supervisor cannot help; the first process of the sandbox sees the end itself.
    let mut series = littering(&world);
    let stopped = supervisor(&series);
    kill_process(stopped, Signal::STOP).unwrap();
    series.kill().unwrap();
    series.wait().unwrap();
    world.wait_for_marked(false);
    kill_process(stopped, Signal::KILL).unwrap();

    let mut series = littering(&world);
    let before = world.marked();
    kill_process(supervisor(&series), Signal::KILL).unwrap();
    // The game is lost, the next one begins, and what was before is gone.
    until("the end of the first game", || {
        world.marked().iter().all(|pid| !before.contains(pid))
    });
    world.wait_for_marked(true);
    series.kill().unwrap();
    series.wait().unwrap();
    world.wait_for_marked(false);
}

#[test]
fn too_much_of_anything_ends_the_program_and_is_told() {
    let world = World::new();
    let eater = "(head -c 200000000 /dev/zero; sleep 1000) | tail";
    let bomb = format!(
        "for i in $(seq 400); do sleep {} & done; sleep 1000",
        world.mark
    );
    let filler =
        "for i in $(seq 9); do head -c 7000000 /dev/zero >/tmp/$i || exit 7; done; sleep 1000";
    let large = "head -c 30000000 /dev/zero >/tmp/large; echo ended with $?; exit 9";
    for (name, deed, flag, part) in [
        (
            "eater",
            eater,
            ["--memory", "100"],
            "killed: it used more than 100 MiB of memory",
        ),
        (
            "bomb",
            &bomb,
            ["--processes", "60"],
            "killed: it had more than 60 processes",
        ),
        (
            "filler",
            filler,
            ["--disk", "20"],
            "No space left on device",
        ),
        ("large", large, ["--disk", "20"], "ended with 153"),
    ] {
        let client = world.rogue(name, deed);
        let lost = world.play(&client, "60", &flag);
        assert_eq!(lost["total"]["lost"], 2, "{lost}");
        for fault in faults(&lost) {
            assert!(fault.contains(part), "{name}: {fault}");
        }
    }
    world.wait_for_marked(false);
}

/// Ways to use memory that a count of each process's own pages misses, or counts too often.
const EATERS: &str = r#"
import ctypes, mmap, os, sys, threading, time
how = sys.argv[1]
mib = 1 << 20
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t] + [ctypes.c_int] * 3 + [ctypes.c_long]
libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
libc.memset.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_size_t]

def wait():
    while True:
        time.sleep(1000)

if how == "shared":
    # Pages that are dropped from the process stay in memory.
    memory = mmap.mmap(-1, 256 * mib)
    for start in range(0, 256 * mib, 8 * mib):
        memory[start:start + 8 * mib] = b"x" * 8 * mib
        memory.madvise(mmap.MADV_DONTNEED)
    wait()
elif how == "remains":
    # So do those of which only the first is still mapped.
    for _ in range(64):
        address = libc.mmap(None, 4 * mib, 3, mmap.MAP_SHARED | mmap.MAP_ANONYMOUS, -1, 0)
        libc.memset(address, 1, 4 * mib)
        libc.munmap(address + 4096, 4 * mib - 4096)
    wait()
elif how == "leader":
    # The first thread has ended, the memory is still there.
    def eat():
        time.sleep(0.2)
        memory = bytearray(b"x") * (180 * mib)
        wait()
    threading.Thread(target=eat).start()
    libc.syscall({"x86_64": 60}.get(os.uname().machine, 93), 0)
elif how == "unseen":
    # Nobody may look at the memory of such a process.
    libc.prctl(4, 0, 0, 0, 0)
    memory = mmap.mmap(-1, 256 * mib)
    for start in range(0, 256 * mib, 8 * mib):
        memory[start:start + 8 * mib] = b"x" * 8 * mib
        memory.madvise(mmap.MADV_DONTNEED)
    wait()
elif how == "workers":
    # An honest one: tables that all its workers read, and some that all write to.
    table, shared = bytearray(b"x") * (40 * mib), mmap.mmap(-1, 40 * mib)
    for _ in range(40):
        shared.write(b"x" * mib)
    workers = [os.fork() for _ in range(6) if os.getpid() == int(os.environ["FIRST"])]
    if 0 in workers:
        for _ in range(20):
            assert table[17] == shared[17]
            time.sleep(0.05)
        os._exit(0)
    for worker in workers:
        os.waitpid(worker, 0)
    print("all workers have ended")
    sys.exit(5)
"#;

#[test]
fn memory_that_is_hidden_counts_and_memory_that_is_shared_counts_once() {
    if !has("python3") {
        return;
    }
    let world = World::new();
    let eaters = world.program.path().join("eaters.py");
    fs::write(&eaters, EATERS).unwrap();
    let killed = "killed: it used more than 130 MiB of memory";
    for (how, part) in [
        ("shared", killed),
        ("remains", killed),
        ("leader", killed),
        ("unseen", killed),
        ("workers", "all workers have ended"),
    ] {
        let deed = format!("FIRST=$$ exec python3 {} {how}", eaters.display());
        let lost = world.play(&world.rogue(how, &deed), "60", &["--memory", "130"]);
        assert_eq!(lost["total"]["lost"], 2, "{lost}");
        for fault in faults(&lost) {
            assert!(fault.contains(part), "{how}: {fault}");
        }
    }
}

/// A cup of four; gives the points of the first.
fn cup(world: &World, name: &str, teams: [(&str, String); 4]) -> Value {
    let mut file =
        format!("name = \"{name}\"\nseconds = 3\nmax_plies = 6\n[limits]\nmemory_mb = 200\n");
    for (team, plays) in teams {
        file += &format!("[[team]]\nname = {team:?}\ngroup = \"all\"\nplays = {plays:?}\n");
    }
    // The store is in the programs' own folder, where it is easiest to find.
    let path = |end: &str| {
        world
            .program
            .path()
            .join(format!("{name}.{end}"))
            .display()
            .to_string()
    };
    fs::write(path("toml"), file).unwrap();
    let (plan, store, out) = (path("toml"), path("db"), path("out"));
    let run = [
        "tournament",
        "run",
        &plan,
        "--store",
        &store,
        "--startup",
        "60",
    ];
    let output = world.tablut(&run).output().unwrap();
    assert!(output.status.success(), "{}", text(&output));
    let export = ["tournament", "export", "--store", &store, "--to", &out];
    let output = world.tablut(&export).output().unwrap();
    assert!(output.status.success(), "{}", text(&output));
    let results = fs::read_to_string(Path::new(&out).join("results.json")).unwrap();
    serde_json::from_str(&results).unwrap()
}

#[test]
fn forgers_killers_and_eaters_win_nothing_in_a_cup() {
    let world = World::new();
    let own = world.program.path().display();
    // What it may find are its own processes only.
    let forge = format!(
        "for db in $(cat /proc/*/cmdline | tr '\\0' '\\n' | grep '[.]db$') {own}/*.db*; do\n\
         [ -s $db ] && echo FOUND $db; echo forged >>$db; done; sleep 1000"
    );
    let kill = format!(
        "for p in /proc/[0-9]*; do p=${{p#/proc/}}; [ $p = $$ ] && continue\n\
         grep -a -q {own} /proc/$p/cmdline && kill -9 $p && echo KILLED $p; done\n\
         kill -9 $PPID; kill -STOP $PPID; sleep 1000"
    );
    let eat = "(head -c 300000000 /dev/zero; sleep 1000) | tail";
    let honest = || format!("client:{PROGRAM} player {{side}} 20 {{address}} --random");
    let bad = [
        ("Honest", honest()),
        ("Forger", world.rogue("forger", &forge)),
        ("Killer", world.rogue("killer", &kill)),
        ("Eater", world.rogue("eater", eat)),
    ];
    let lost = |name| (name, world.rogue(name, "exit 1"));
    let tame = [
        ("Honest", honest()),
        lost("One"),
        lost("Two"),
        lost("Three"),
    ];
    let points = |results: &Value| {
        let groups = results["groups"].as_array().unwrap();
        let table = groups[0]["table"].as_array().unwrap();
        let row = table.iter().find(|row| row["team"] == "Honest").unwrap();
        row["points"].clone()
    };
    let (bad, tame) = (cup(&world, "bad", bad), cup(&world, "tame", tame));
    assert_eq!(points(&bad), points(&tame), "{bad}");
    assert_eq!(points(&bad), 18, "{bad}");
    for game in bad["games"].as_array().unwrap() {
        let fault = game["result"]["fault"].as_str().unwrap_or_default();
        assert!(
            !fault.contains("FOUND") && !fault.contains("KILLED"),
            "{game}"
        );
        assert!(!fault.starts_with("Honest"), "{game}");
    }
}

#[test]
fn a_machine_that_cannot_start_programs_decides_no_game() {
    let world = World::new();
    let client = format!("client:{PROGRAM} player {{side}} 20 {{address}} --random");
    let plan = world.user.path().join("cup.toml");
    let teams = [("One", client.as_str()), ("Two", "random")];
    let teams = teams
        .map(|(name, plays)| {
            format!("[[team]]\nname = {name:?}\ngroup = \"all\"\nplays = {plays:?}\n")
        })
        .concat();
    fs::write(&plan, format!("name = \"cup\"\nmax_plies = 4\n{teams}")).unwrap();
    let run = |temporary: &str| {
        let mut command = world.tablut(&["tournament", "run", "cup.toml", "--store", "cup.db"]);
        command.args(["--startup", "60", "--patience", "1"]);
        command.env("TMPDIR", world.user.path().join(temporary));
        command.output().unwrap()
    };
    // There is no place for what a program prints.
    let unable = run("precious.txt");
    let said = text(&unable);
    assert_eq!(unable.status.code(), Some(2), "{said}");
    let part = "this machine cannot start programs at the moment: Not a directory";
    assert!(said.contains(part), "{said}");
    let played = run("temporary");
    assert!(played.status.success(), "{}", text(&played));
    let export = ["tournament", "export", "--store", "cup.db", "--to", "out"];
    assert!(world.tablut(&export).output().unwrap().status.success());
    let results = fs::read_to_string(world.user.path().join("out/results.json")).unwrap();
    let results: Value = serde_json::from_str(&results).unwrap();
    for game in results["games"].as_array().unwrap() {
        assert!(game["result"]["fault"].is_null(), "{results}");
    }
}

#[test]
fn a_crash_is_told_with_its_last_lines_and_leaves_no_folder() {
    let world = World::new();
    let crash = world.rogue("crash.sh", "printf 'one\\n\\033[2Jtwo\\n' >&2; exit 3");
    let output = world
        .tablut(&["match", &crash, "random", "-n", "2", "-t", "20"])
        .output()
        .unwrap();
    let said = text(&output);
    let part =
        "the program ended (exit status: 3); the last lines it printed: one | \u{fffd}[2Jtwo";
    assert!(said.contains(part), "{said}");
    let file = crash.strip_prefix("client:").unwrap();
    let checked = world
        .tablut(&["check-client", "-t", "20", "--", file])
        .output()
        .unwrap();
    assert!(text(&checked).contains(part), "{}", text(&checked));
    let engine = world.script("engine.sh", "read line; echo broken >&2; kill -SEGV $$");
    let output = world
        .tablut(&["match", &format!("engine:{engine}"), "random", "-n", "2"])
        .output()
        .unwrap();
    let said = text(&output);
    let part = "the program has ended (signal: 11 (SIGSEGV)); the last lines it printed: broken";
    assert!(said.contains(part), "{said}");
    let left = fs::read_dir(world.user.path().join("temporary")).unwrap();
    let left: Vec<_> = left.map(|entry| entry.unwrap().file_name()).collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn without_namespaces_programs_are_refused_unless_they_are_trusted() {
    if !has("unshare") {
        return;
    }
    let world = World::new();
    let client = format!("client:{PROGRAM} player {{side}} 20 {{address}} --random");
    // A user namespace in which no other can be made.
    let run = |words: &str| {
        let line = format!("echo 0 >/proc/sys/user/max_user_namespaces && exec {PROGRAM} {words}");
        let mut command = Command::new("unshare");
        command.args(["--user", "--map-root-user", "sh", "-c", &line]);
        command.current_dir(world.user.path()).output().unwrap()
    };
    let series = format!("match '{client}' random -n 2 -t 20 --max-plies 4 --json");
    let refused = run(&series);
    assert_eq!(refused.status.code(), Some(2), "{}", text(&refused));
    assert!(
        text(&refused).contains("add --trust-programs"),
        "{}",
        text(&refused)
    );
    let trusted = run(&format!("{series} --trust-programs"));
    assert!(trusted.status.success(), "{}", text(&trusted));
    let summary: Value = serde_json::from_slice(&trusted.stdout).unwrap();
    assert_eq!(faults(&summary), ["", ""], "{summary}");
    let doctor = text(&run("doctor --store games.db"));
    assert!(
        doctor.contains("note  sandbox     the system refuses namespaces"),
        "{doctor}"
    );
}

#[test]
fn a_program_stays_on_the_cores_of_its_game() {
    if !has("taskset") || !has("nproc") {
        return;
    }
    let world = World::new();
    let count = world.rogue("count.sh", "echo cores: $(nproc); exit 1");
    let output = Command::new("taskset")
        .args(["-c", "0", PROGRAM, "match", &count, "random", "-n", "2"])
        .args(["-t", "20", "--startup", "60"])
        .output()
        .unwrap();
    assert!(text(&output).contains("cores: 1"), "{}", text(&output));
}

#[test]
fn what_may_not_be_is_refused_with_a_reason() {
    let world = World::new();
    let client = world.rogue("client.sh", "exit 1");
    for (words, part) in [
        (
            vec![
                "match",
                &client,
                "random",
                "-n",
                "2",
                "--allow-read",
                "/no/where",
            ],
            "there is no /no/where to read",
        ),
        (
            vec!["match", &client, "random", "-n", "2", "--allow-read", "/"],
            "--trust-programs",
        ),
        (
            vec![
                "match",
                &client,
                "random",
                "-n",
                "2",
                "--isolate",
                "address",
            ],
            "has its own network",
        ),
        (
            vec!["match", &client, "random", "-n", "2", "--memory", "0"],
            "--memory",
        ),
    ] {
        let output = world.tablut(&words).output().unwrap();
        assert_eq!(
            output.status.code(),
            Some(2),
            "{words:?}: {}",
            text(&output)
        );
        assert!(text(&output).contains(part), "{words:?}: {}", text(&output));
    }
}
