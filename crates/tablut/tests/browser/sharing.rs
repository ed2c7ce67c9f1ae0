//! What is shared decodes where others see it: pictures, films, boards in frames, links.

use fantoccini::Locator;
use serde_json::json;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};

use crate::harness::{Browser, Server};

/// Waits for pictures to decode, and gives their widths and heights.
const DECODE: &str = "
    const done = arguments[arguments.length - 1];
    Promise.all(arguments[0].map(async (path) => {
        const image = new Image();
        image.src = path;
        await image.decode();
        return [image.naturalWidth, image.naturalHeight];
    })).then(done, (error) => done(String(error)))";

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn pictures_and_films_decode_in_a_browser() {
    let server = Server::start();
    let browser = Browser::open(&server, "").await;
    let paths = json!([
        "/image/analysis/ashton/start/e4d4.svg?size=300&arrows=d1c1",
        "/image/analysis/ashton/start/e4d4.png?size=301&theme=dark",
        "/image/analysis/ashton/start/e4d4.d1c1.gif?size=302",
        "/image/analysis/berkeley.png?size=303",
    ]);
    let sizes = browser.client.execute_async(DECODE, vec![paths]).await;
    let wanted = json!([[300, 300], [301, 301], [302, 302], [303, 303]]);
    assert_eq!(sizes.unwrap(), wanted);
    browser.close().await;
}

/// A site that shows in a frame whatever address follows its own.
async fn another_site() -> String {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let url = format!("http://{}/?", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut request = vec![0; 4096];
            let read = stream.read(&mut request).await.unwrap_or(0);
            let request = String::from_utf8_lossy(&request[..read]);
            let address = request.split([' ', '?']).nth(2).unwrap_or_default();
            let page = format!("<iframe src='{address}' width='400' height='480'></iframe>");
            let length = page.len();
            let answer = format!(
                "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{page}"
            );
            let _ = stream.write_all(answer.as_bytes()).await;
        }
    });
    url
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn another_site_shows_a_board_and_steps_through_its_moves() {
    let server = Server::start();
    let browser = Browser::open(&server, "").await;
    let board = format!("{}embed/analysis/ashton/start/e4d4.d1c1", server.url);
    let site = another_site().await;
    browser
        .client
        .goto(&format!("{site}{board}"))
        .await
        .unwrap();
    browser.client.enter_frame(0).await.unwrap();
    let shown = "const image = document.querySelector('.board img');
        return image?.complete && image.naturalWidth > 0 ? document.querySelector('nav span').innerText : null";
    browser.until(shown, &json!("2 / 2")).await;
    browser.click("nav a:nth-of-type(2)").await;
    browser.until(shown, &json!("1 / 2")).await;
    browser.click("nav a:nth-of-type(1)").await;
    browser.until(shown, &json!("0 / 2")).await;
    browser.client.enter_parent_frame().await.unwrap();
    // The page itself may not be shown so.
    let page = format!("{site}{}", server.url);
    browser.client.goto(&page).await.unwrap();
    browser.client.enter_frame(0).await.unwrap();
    let found = browser.client.find_all(Locator::Css("#bar")).await.unwrap();
    assert_eq!(found.len(), 0);
    browser.client.enter_parent_frame().await.unwrap();
    browser.close().await;
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn a_shared_path_opens_the_page_there() {
    let server = Server::start();
    let browser = Browser::open(&server, "rules/berkeley").await;
    let address = "return location.pathname + location.hash";
    browser.until(address, &json!("/#rules/berkeley")).await;
    browser.find("[data-field=\"rules\"]").await;
    browser.go("game/none#secret").await;
    browser.until(address, &json!("/#game/none/secret")).await;
    browser
        .says("[data-part=\"dead-end\"]", "There is no such game here.")
        .await;

    // A link says how it wants to be looked at: turned, and after the first move.
    let corner = "const cell = document.querySelector('.cell[data-square=a1]');
        return cell && cell.getAttribute('x') + ' ' + cell.getAttribute('y')";
    browser
        .go("analysis/ashton/start/e4d4.d1c1?turn=1&ply=1")
        .await;
    browser.moves(2).await;
    browser.piece("d4", Some("w")).await;
    browser.piece("d1", Some("b")).await;
    browser.until(corner, &json!("80 0")).await;

    browser.go("#play").await;
    browser.click("[data-choice=\"screen\"]").await;
    browser.act("start").await;
    browser.says(".turn", "White to move").await;
    for (number, step) in ["e4d4", "d1c1"].into_iter().enumerate() {
        browser.command(step).await;
        browser.moves(number + 1).await;
    }
    let hash = "return location.hash";
    let hash = browser.client.execute(hash, Vec::new()).await.unwrap();
    let game = hash.as_str().unwrap().trim_start_matches('#');
    browser.go(&format!("{game}?turn=2&ply=1")).await;
    browser.find(".move[data-ply=\"1\"][aria-current]").await;
    browser.piece("d4", Some("w")).await;
    browser.piece("d1", Some("b")).await;
    browser.until(corner, &json!("80 80")).await;
    browser.close().await;
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn the_first_visit_takes_few_requests_and_the_second_keeps_them() {
    let server = Server::start();
    let browser = Browser::open(&server, "").await;
    let scripts = "return performance.getEntriesByType('resource')
        .filter((entry) => entry.name.endsWith('.js') || entry.name.endsWith('.css'))
        .map((entry) => new URL(entry.name).pathname.replace(/[0-9a-f]{16}/, 'HASH'))";
    browser.until(scripts, &json!(["/a/app.HASH.js"])).await;
    browser.client.refresh().await.unwrap();
    browser.find("#bar nav").await;
    let again = "return performance.getEntriesByType('resource')
        .filter((entry) => entry.name.endsWith('.js')).map((entry) => entry.transferSize)";
    browser.until(again, &json!([0])).await;
    browser.close().await;
}
