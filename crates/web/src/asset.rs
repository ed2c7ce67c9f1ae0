//! The page's files, embedded in the program.

use axum::{
    body::Body,
    http::{HeaderMap, HeaderValue, Response, StatusCode, header},
};
use rust_embed::{EmbeddedFile, RustEmbed};

#[derive(RustEmbed)]
#[folder = "page"]
struct Page;

/// What the browser may do with our pages: nothing but run our own scripts and talk to us.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
    manifest-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Adds the headers that every answer has.
pub(crate) fn protect(headers: &mut HeaderMap) {
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-cache"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
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

/// The file at a path, or the news that the browser has it already.
pub(crate) fn file(path: &str, request: &HeaderMap) -> Option<Response<Body>> {
    let EmbeddedFile { data, metadata } = Page::get(path)?;
    let hash = data_encoding::HEXLOWER.encode(&metadata.sha256_hash()[..12]);
    let tag = format!("\"{hash}\"");
    let known = request.get(header::IF_NONE_MATCH);
    let mut response = if known.is_some_and(|known| known.as_bytes() == tag.as_bytes()) {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        response
    } else {
        Response::new(Body::from(data.into_owned()))
    };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind(path)));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        headers.insert(header::ETAG, tag);
    }
    Some(response)
}

#[cfg(test)]
mod tests {
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
        assert!(total < 400_000, "the page has {total} bytes");
    }
}
