//! The page's files: embedded in the program, compressed when they are first needed, with names that change
//! with their content.
//!
//! Each file is there under its plain name, which browsers ask about again each time, and those that the page
//! needs also below `/a/` under a name with a hash, which they keep for ever. The page itself has its style inside and
//! one script with all modules, so that its first board takes one request and the rest a second one.

use std::{
    collections::{BTreeMap, HashMap},
    io::Write as _,
    sync::{LazyLock, OnceLock},
};

use axum::{
    body::{Body, Bytes},
    http::{HeaderMap, HeaderValue, Response, StatusCode, header},
};
use flate2::{Compression, write::GzEncoder};
use rust_embed::RustEmbed;
use sha2::{Digest, Sha256};

use crate::bundle::bundle;

#[derive(RustEmbed)]
#[folder = "page"]
struct Page;

/// The places in `index.html` that the server changes.
const STYLE: &str = "<link rel=\"stylesheet\" href=\"";
const LANG: &str = "<html lang=\"en\">";
const MAIN: &str = "<main id=\"main\" tabindex=\"-1\"></main>";

/// Takes the first board away where the address names another screen, of which the server does not know.
const HIDE: &str = "if(location.hash.length>1)document.getElementById('main').replaceChildren()";

/// How hard texts are compressed: files once, pages each time.
const FILE_QUALITY: i32 = 9;
const PAGE_QUALITY: i32 = 4;

/// How long browsers may keep something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Lifetime {
    /// As long as we say that it has not changed.
    Checked,
    /// A week without asking.
    Week,
    /// For ever: its name changes with its content.
    Ever,
}

impl Lifetime {
    const fn header(self) -> &'static str {
        match self {
            Self::Checked => "no-cache",
            Self::Week => "public, max-age=604800",
            Self::Ever => "public, max-age=31536000, immutable",
        }
    }
}

/// A file as it is sent.
struct Asset {
    kind: &'static str,
    lifetime: Lifetime,
    tag: String,
    plain: Bytes,
    /// Compressed, if that is smaller and was needed.
    brotli: OnceLock<Option<Bytes>>,
    gzip: OnceLock<Option<Bytes>>,
}

impl Asset {
    fn new(kind: &'static str, lifetime: Lifetime, plain: Bytes) -> Self {
        Self {
            kind,
            lifetime,
            tag: tag(&plain),
            brotli: OnceLock::new(),
            gzip: OnceLock::new(),
            plain,
        }
    }

    /// What is sent to those who understand a way to compress; nothing if that is not smaller.
    fn compressed(&self, coding: Coding) -> Option<&Bytes> {
        let plain = &self.plain;
        let smaller = |bytes: Vec<u8>| (bytes.len() < plain.len()).then(|| Bytes::from(bytes));
        let compressed = match coding {
            Coding::Brotli => self
                .brotli
                .get_or_init(|| smaller(brotli(plain, FILE_QUALITY))),
            Coding::Gzip => self
                .gzip
                .get_or_init(|| smaller(gzip(plain, Compression::best()))),
        };
        compressed.as_ref()
    }
}

/// All files, and what the page is made of.
struct Assets {
    files: HashMap<String, Asset>,
    page: String,
    policy: String,
    /// The addresses of files that are kept for ever, by their plain names.
    urls: BTreeMap<String, String>,
}

static ASSETS: LazyLock<Assets> = LazyLock::new(Assets::new);

impl Assets {
    fn new() -> Self {
        let mut files = HashMap::new();
        for path in Page::iter() {
            if let Some(file) = Page::get(&path) {
                let bytes = Bytes::from(file.data.into_owned());
                let asset = Asset::new(kind(&path), Lifetime::Checked, bytes);
                files.insert(path.into_owned(), asset);
            }
        }
        let mut urls = BTreeMap::new();
        let lasting = |files: &mut HashMap<String, Asset>, path: &str, bytes: Bytes| {
            let name = hashed_name(path, &bytes);
            let asset = Asset::new(kind(path), Lifetime::Ever, bytes);
            files.insert(name.clone(), asset);
            format!("/{name}")
        };
        for path in Page::iter().filter(|path| is_lasting(path)) {
            if let Some(file) = Page::get(&path) {
                let url = lasting(&mut files, &path, file.data.into_owned().into());
                urls.insert(path.into_owned(), url);
            }
        }
        let (mut page, style) = with_style(&text("index.html").unwrap_or_default());
        // A test bundles; were it to fail all the same, browsers can load the modules one by one.
        if let Ok(script) = bundle("app.js", &|path| text(path), &urls) {
            let url = lasting(&mut files, "app.js", script.into());
            urls.insert("app.js".into(), url);
        }
        for (path, url) in &urls {
            page = page.replace(&format!("=\"{path}\""), &format!("=\"{url}\""));
        }
        // Other files are named from the root: the page is shown at many addresses.
        page = page
            .replace(" href=\"", " href=\"/")
            .replace(" href=\"//", " href=\"/");
        Self {
            files,
            policy: policy(&style),
            page,
            urls,
        }
    }
}

/// A page with the text of its style sheets in place of the first link to one, in their order; and that text.
fn with_style(page: &str) -> (String, String) {
    let links = || page.lines().filter_map(|line| line.strip_prefix(STYLE));
    let paths = links().filter_map(|rest| rest.split('"').next());
    let style: String = paths.filter_map(text).collect();
    let Some(begin) = page.find(STYLE) else {
        return (page.into(), style);
    };
    let (head, rest) = page.split_at(begin);
    let others = rest.lines().filter(|line| !line.starts_with(STYLE));
    let others: Vec<&str> = others.collect();
    let page = format!("{head}<style>{style}</style>\n{}\n", others.join("\n"));
    (page, style)
}

/// What the browser may do with our pages: nothing but run our own scripts and talk to us.
fn policy(style: &str) -> String {
    let [style, script] =
        [style, HIDE].map(|text| data_encoding::BASE64.encode(&Sha256::digest(text.as_bytes())));
    format!(
        "default-src 'none'; script-src 'self' 'sha256-{script}'; style-src 'self' 'sha256-{style}'; img-src 'self'; \
         connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; \
         frame-ancestors 'none'"
    )
}

/// Whether a file has a name that changes with its content: besides the script, which has one of its own,
/// texts that only some browsers need, icons, and the style of boards on other sites.
fn is_lasting(path: &str) -> bool {
    let language = path.strip_prefix("text/");
    path == "embed.css"
        || path.ends_with(".svg")
        || path.ends_with(".png")
        || language.is_some_and(|file| file != "languages.js" && file != "en.js")
}

fn text(path: &str) -> Option<String> {
    let file = Page::get(path)?;
    String::from_utf8(file.data.into_owned()).ok()
}

/// The name of a file with a part of its content's hash.
fn hashed_name(path: &str, bytes: &[u8]) -> String {
    let hash = data_encoding::HEXLOWER.encode(&Sha256::digest(bytes)[..8]);
    match path.rsplit_once('.') {
        Some((stem, ending)) => format!("a/{stem}.{hash}.{ending}"),
        None => format!("a/{path}.{hash}"),
    }
}

fn tag(bytes: &[u8]) -> String {
    let hash = data_encoding::HEXLOWER.encode(&Sha256::digest(bytes)[..12]);
    // Weak, since it is the same for every compression.
    format!("W/\"{hash}\"")
}

fn kind(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("webmanifest") => "application/manifest+json",
        _ => "application/octet-stream",
    }
}

fn brotli(bytes: &[u8], quality: i32) -> Vec<u8> {
    let parameters = brotli::enc::BrotliEncoderParams {
        quality,
        size_hint: bytes.len(),
        ..Default::default()
    };
    let mut compressed = Vec::new();
    match brotli::BrotliCompress(&mut &bytes[..], &mut compressed, &parameters) {
        Ok(_) => compressed,
        // What did not work is not sent: the plain text is smaller than this.
        Err(_) => bytes.iter().chain(bytes).copied().collect(),
    }
}

fn gzip(bytes: &[u8], level: Compression) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), level);
    let written = encoder.write_all(bytes).and_then(|()| encoder.finish());
    written.unwrap_or_else(|_| bytes.iter().chain(bytes).copied().collect())
}

/// A way to send fewer bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Coding {
    Brotli,
    Gzip,
}

impl Coding {
    const fn word(self) -> &'static str {
        match self {
            Self::Brotli => "br",
            Self::Gzip => "gzip",
        }
    }

    /// The best one that a browser understands.
    fn accepted(request: &HeaderMap) -> Option<Self> {
        let headers = request.get_all(header::ACCEPT_ENCODING).iter();
        let text: Vec<&str> = headers.filter_map(|value| value.to_str().ok()).collect();
        let text = text.join(",");
        let is_accepted = |coding: &Self| {
            text.split(',').any(|entry| {
                let mut parts = entry.split(';').map(str::trim);
                let name = parts.next().unwrap_or_default();
                let refused =
                    parts.any(|part| matches!(part, "q=0" | "q=0.0" | "q=0.00" | "q=0.000"));
                name.eq_ignore_ascii_case(coding.word()) && !refused
            })
        };
        [Self::Brotli, Self::Gzip].into_iter().find(is_accepted)
    }
}

/// Compresses now what the first visitor would wait for: the script, as nearly all browsers want it. The rest
/// is small, or rarely asked for.
pub(crate) fn prepare() {
    let script = url("app.js").map(|url| url.trim_start_matches('/'));
    if let Some(script) = script.and_then(|name| ASSETS.files.get(name)) {
        script.compressed(Coding::Brotli);
    }
}

/// Adds the headers that every answer has, unless it has its own.
pub(crate) fn protect(headers: &mut HeaderMap) {
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, ASSETS.policy.as_str()),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, Lifetime::Checked.header()),
    ] {
        if let Ok(value) = HeaderValue::from_str(value) {
            headers.entry(name).or_insert(value);
        }
    }
}

/// The file at a path, or the news that the browser has it already.
pub(crate) fn file(path: &str, request: &HeaderMap) -> Option<Response<Body>> {
    let asset = ASSETS.files.get(path)?;
    let coding = Coding::accepted(request);
    let compressed = coding.and_then(|coding| asset.compressed(coding));
    let (bytes, coding) = match compressed {
        Some(bytes) => (bytes, coding),
        None => (&asset.plain, None),
    };
    let mut response = send(
        bytes.clone(),
        asset.kind,
        asset.lifetime,
        &asset.tag,
        request,
    );
    name_coding(response.headers_mut(), coding);
    Some(response)
}

/// The address under which a file is kept for ever, if it has one.
pub(crate) fn url(path: &str) -> Option<&'static str> {
    ASSETS.urls.get(path).map(String::as_str)
}

/// What the page is given besides what it always has.
pub(crate) struct PageParts<'a> {
    /// The code of the language that is spoken.
    pub(crate) lang: &'a str,
    /// More for its head, as HTML.
    pub(crate) head: &'a str,
    /// A board to be seen until the script has drawn one, as SVG.
    pub(crate) board: &'a str,
    /// What the script is told first, as JSON.
    pub(crate) welcome: Option<&'a str>,
}

/// The page itself.
pub(crate) fn page(parts: &PageParts<'_>, request: &HeaderMap) -> Response<Body> {
    let lang = parts.lang;
    let mut head = String::from(parts.head);
    if let Some(url) = url(&format!("text/{lang}.js")) {
        head.push_str(&format!("<link rel=\"modulepreload\" href=\"{url}\">\n"));
    }
    let welcome = match parts.welcome {
        // Within a script, only this letter could end it.
        Some(json) => format!(
            "<script type=\"application/json\" id=\"welcome\" lang=\"{lang}\">{}</script>\n",
            json.replace('<', "\\u003c")
        ),
        None => String::new(),
    };
    let page = ASSETS
        .page
        .replacen(LANG, &format!("<html lang=\"{lang}\">"), 1)
        .replacen("</head>", &format!("{head}</head>"), 1)
        .replacen(MAIN, &main(parts.board), 1)
        .replacen("</body>", &format!("{welcome}</body>"), 1);
    respond_text(page, kind("index.html"), request)
}

/// The page's main part with a board where the start page draws one (`page/views/home.js`).
fn main(board: &str) -> String {
    match board {
        "" => MAIN.into(),
        board => format!(
            "<main id=\"main\" tabindex=\"-1\" class=\"home\"><section class=\"hero\">\
             <div class=\"hero-text\"></div><div class=\"hero-board\">\
             <div class=\"board-frame\">{board}</div></div></section></main><script>{HIDE}</script>"
        ),
    }
}

/// A text that is made for this request.
pub(crate) fn respond_text(
    text: String,
    kind: &'static str,
    request: &HeaderMap,
) -> Response<Body> {
    let plain = Bytes::from(text);
    let tag = tag(&plain);
    let coding = Coding::accepted(request);
    let bytes = match coding {
        Some(Coding::Brotli) => brotli(&plain, PAGE_QUALITY).into(),
        Some(Coding::Gzip) => gzip(&plain, Compression::fast()).into(),
        None => plain,
    };
    let mut response = send(bytes, kind, Lifetime::Checked, &tag, request);
    name_coding(response.headers_mut(), coding);
    response
}

/// Bytes that are as small as they get.
pub(crate) fn respond(
    bytes: Bytes,
    kind: &'static str,
    lifetime: Lifetime,
    request: &HeaderMap,
) -> Response<Body> {
    let tag = tag(&bytes);
    send(bytes, kind, lifetime, &tag, request)
}

fn send(
    bytes: Bytes,
    kind: &'static str,
    lifetime: Lifetime,
    tag: &str,
    request: &HeaderMap,
) -> Response<Body> {
    let known = request.get(header::IF_NONE_MATCH);
    let known = known
        .and_then(|known| known.to_str().ok())
        .unwrap_or_default();
    // There may be several, weak or not.
    let mut response = if known.contains(tag.trim_start_matches("W/")) {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        response
    } else {
        Response::new(Body::from(bytes))
    };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    let lifetime = HeaderValue::from_static(lifetime.header());
    headers.insert(header::CACHE_CONTROL, lifetime);
    if let Ok(tag) = HeaderValue::from_str(tag) {
        headers.insert(header::ETAG, tag);
    }
    response
}

fn name_coding(headers: &mut HeaderMap, coding: Option<Coding>) {
    if let Some(coding) = coding {
        let word = HeaderValue::from_static(coding.word());
        headers.insert(header::CONTENT_ENCODING, word);
    }
    let name = HeaderValue::from_static("accept-encoding");
    headers.insert(header::VARY, name);
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use std::io::Read as _;

    use super::*;

    #[test]
    fn the_page_is_small_and_needs_nothing_from_elsewhere() {
        let mut total = 0;
        for path in Page::iter() {
            let file = Page::get(&path).expect("a listed file");
            let text = String::from_utf8_lossy(&file.data);
            total += file.data.len();
            for foreign in [
                "http://",
                "https://",
                "//cdn",
                "@import",
                "<script>",
                " style=\"",
            ] {
                let count = text.matches(foreign).count();
                // The name space of SVG is an address that nobody visits.
                let names = text.matches("http://www.w3.org/").count();
                let allowed = if foreign == "http://" { names } else { 0 };
                assert_eq!(count, allowed, "{foreign} in {path}");
            }
        }
        assert!(total < 605_000, "the page has {total} bytes");
    }

    #[test]
    fn the_modules_of_the_page_become_one() {
        let urls = BTreeMap::new();
        let script = bundle("app.js", &|path| text(path), &urls);
        let script = script.unwrap_or_else(|error| panic!("{error}"));
        assert!(script.contains("new App()"));
        for line in script.lines() {
            let is_left = line.starts_with("import ") || line.starts_with("export ");
            assert!(!is_left, "{line}");
        }
    }

    #[test]
    fn a_name_changes_with_the_content() {
        let [one, other] = ["a", "b"].map(|text| hashed_name("text/it.js", text.as_bytes()));
        assert_ne!(one, other);
        assert_eq!(one, hashed_name("text/it.js", b"a"));
        assert!(
            one.starts_with("a/text/it.") && one.ends_with(".js"),
            "{one}"
        );
    }

    fn requesting(coding: &str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        let value = HeaderValue::from_str(coding).unwrap();
        headers.insert(header::ACCEPT_ENCODING, value);
        headers
    }

    async fn body(response: Response<Body>) -> Vec<u8> {
        let bytes = axum::body::to_bytes(response.into_body(), usize::MAX).await;
        bytes.unwrap().to_vec()
    }

    #[tokio::test]
    async fn every_file_is_there_compressed_and_not() {
        for (path, asset) in &ASSETS.files {
            let plain = file(path, &HeaderMap::new()).unwrap();
            assert_eq!(plain.headers().get(header::CONTENT_ENCODING), None);
            let plain = body(plain).await;
            assert_eq!(plain, asset.plain, "{path}");
            let zipped = file(path, &requesting("gzip, br;q=0")).unwrap();
            if zipped.headers().contains_key(header::CONTENT_ENCODING) {
                let bytes = body(zipped).await;
                let mut whole = Vec::new();
                let mut decoder = flate2::read::GzDecoder::new(&bytes[..]);
                decoder.read_to_end(&mut whole).unwrap();
                assert_eq!(whole, plain, "{path}");
            }
            let small = file(path, &requesting("gzip, deflate, br")).unwrap();
            if small.headers().contains_key(header::CONTENT_ENCODING) {
                assert_eq!(small.headers()[header::CONTENT_ENCODING], "br");
                let bytes = body(small).await;
                let mut whole = Vec::new();
                brotli::BrotliDecompress(&mut &bytes[..], &mut whole).unwrap();
                assert_eq!(whole, plain, "{path}");
            }
            let is_text = asset.kind.starts_with("text/");
            assert!(
                !is_text
                    || [Coding::Brotli, Coding::Gzip]
                        .into_iter()
                        .all(|coding| asset.compressed(coding).is_some()),
                "{path}"
            );
        }
    }

    #[tokio::test]
    async fn the_page_comes_with_its_style_and_names_its_script_for_ever() {
        let parts = PageParts {
            lang: "it",
            head: "<meta name=\"x\">",
            board: "<svg/>",
            welcome: Some("{\"name\":\"</script>\"}"),
        };
        let page = page(&parts, &HeaderMap::new());
        assert_eq!(page.headers()[header::CACHE_CONTROL], "no-cache");
        let page = String::from_utf8(body(page).await).unwrap();
        assert!(
            page.contains("<html lang=\"it\">") && page.contains("<meta name=\"x\"></head>")
                || page.contains("<meta name=\"x\"><link")
        );
        assert!(!page.contains("rel=\"stylesheet\"") && !page.contains("src=\"app.js\""));
        let urls = page.split(['"']).filter(|part| part.starts_with("/a/"));
        let urls: Vec<&str> = urls.collect();
        for part in ["/a/app.", "/a/text/it.", "/a/icon."] {
            assert!(urls.iter().any(|url| url.starts_with(part)), "{urls:?}");
        }
        for url in urls {
            let file = file(&url[1..], &HeaderMap::new()).expect(url);
            let lifetime = &file.headers()[header::CACHE_CONTROL];
            assert!(lifetime.to_str().unwrap().contains("immutable"));
        }
        assert!(page.contains("<div class=\"board-frame\"><svg/></div>"));
        assert!(
            page.contains("{\"name\":\"\\u003c/script>\"}</script>"),
            "{page}"
        );
        // The style is the one that the policy allows.
        let style = page.split("<style>").nth(1).unwrap();
        let style = style.split("</style>").next().unwrap();
        assert_eq!(policy(style), ASSETS.policy);
    }

    #[test]
    fn a_compression_is_used_only_if_it_is_understood() {
        for (header, wanted) in [
            ("", None),
            ("identity", None),
            ("gzip", Some(Coding::Gzip)),
            ("gzip, deflate, br, zstd", Some(Coding::Brotli)),
            ("BR", Some(Coding::Brotli)),
            ("br;q=0, gzip;q=0.5", Some(Coding::Gzip)),
            ("brx", None),
        ] {
            assert_eq!(Coding::accepted(&requesting(header)), wanted, "{header}");
        }
    }
}
