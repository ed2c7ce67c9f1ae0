//! Boards for other sites: one position and links to the others, without a script.

mod de;
mod en;
mod it;

use std::fmt::Write as _;

use axum::{
    body::Body,
    http::{HeaderMap, HeaderValue, Response, header},
};
use tablut_host::{Host, speech::sentence};
use tablut_rules::{in_language, text::Lang};

use crate::{
    asset,
    exhibit::{Address, Exhibit, asked},
    image::{NoPicture, Wanted},
};

/// Any site may show these boards, which can do nothing: no scripts, and nothing that is sent.
const POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; \
    form-action 'none'; frame-ancestors *";

/// After how many seconds a game that goes on is looked at again.
const AGAIN: &str = "5";

/// What the links are called.
struct LinkLabels {
    first: &'static str,
    back: &'static str,
    forward: &'static str,
    last: &'static str,
    open: &'static str,
}

const fn labels(lang: Lang) -> &'static LinkLabels {
    in_language!(lang, LABELS)
}

/// Text as it stands in HTML, within quotes or not.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            letter => escaped.push(letter),
        }
    }
    escaped
}

/// The board at a path behind `/embed/`.
pub(crate) async fn answer(
    host: &Host,
    (path, query): (&str, &str),
    lang: Lang,
    headers: &HeaderMap,
) -> Result<Response<Body>, NoPicture> {
    let wanted = Wanted::read(query)?;
    let exhibit = Exhibit::find(host, &Address::read(path)?).await?;
    let last = exhibit.plies();
    let board = Embedded {
        path,
        lang,
        exhibit: &exhibit,
        theme: asked(query, "theme").map(|_| wanted.style.brightness.word()),
        turn: wanted.style.quarters.get(),
        // Whoever steps back stays there while the game goes on.
        ply: wanted.ply.unwrap_or(last).min(last),
    };
    let page = board.page();
    let mut response = asset::respond_text(page, "text/html; charset=utf-8", headers);
    let headers = response.headers_mut();
    let policy = HeaderValue::from_static(POLICY);
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    if exhibit.is_live && board.ply == last {
        headers.insert("refresh", HeaderValue::from_static(AGAIN));
    }
    Ok(response)
}

/// A position of an exhibit on somebody's site.
struct Embedded<'a> {
    /// The address of the exhibit in the page.
    path: &'a str,
    lang: Lang,
    exhibit: &'a Exhibit,
    /// The brightness that was asked for; else the reader's own.
    theme: Option<&'static str>,
    turn: u8,
    ply: usize,
}

impl Embedded<'_> {
    /// What an address asks for, besides the board itself.
    fn query(&self, ply: usize, theme: Option<&str>) -> String {
        let mut query = format!("?ply={ply}");
        // Writing to a string does not fail.
        if self.turn != 0 {
            let _ = write!(query, "&amp;turn={}", self.turn);
        }
        if let Some(theme) = theme {
            let _ = write!(query, "&amp;theme={theme}");
        }
        query
    }

    fn picture(&self) -> String {
        let path = escape(self.path);
        let source = |theme| format!("/image/{path}.svg{}", self.query(self.ply, Some(theme)));
        let (setup, _) = self.exhibit.at(self.ply);
        let image = |theme| {
            let source = source(theme);
            format!("<img src=\"{source}\" width=\"480\" height=\"480\" alt=\"{setup}\">")
        };
        match self.theme {
            Some(theme) => image(theme),
            None => format!(
                "<picture><source media=\"(prefers-color-scheme: dark)\" srcset=\"{}\">{}</picture>",
                source("dark"),
                image("light")
            ),
        }
    }

    fn step(&self, ply: Option<usize>, label: &str, sign: &str) -> String {
        let href = match ply.filter(|&ply| ply != self.ply && ply <= self.exhibit.plies()) {
            Some(ply) => format!(" href=\"{}\"", self.query(ply, self.theme)),
            None => String::new(),
        };
        format!("<a{href} aria-label=\"{label}\" title=\"{label}\">{sign}</a>")
    }

    fn page(&self) -> String {
        let labels = labels(self.lang);
        let (ply, last) = (self.ply, self.exhibit.plies());
        let title = escape(&self.exhibit.title());
        let outcome = self.exhibit.outcome.filter(|_| ply == last);
        let note = match outcome {
            Some(outcome) => sentence(&outcome.sentence(self.lang)),
            None => self.exhibit.rules.set().name_in(self.lang).to_string(),
        };
        let steps = [
            self.step(Some(0), labels.first, "«"),
            self.step(ply.checked_sub(1), labels.back, "‹"),
            format!("<span>{ply} / {last}</span>"),
            self.step(Some(ply + 1), labels.forward, "›"),
            self.step(Some(last), labels.last, "»"),
        ];
        format!(
            "<!doctype html>\n<html lang=\"{lang}\" class=\"{theme}\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{title}</title>\n<link rel=\"stylesheet\" href=\"{style}\">\n</head>\n<body>\n<main>\n\
             <h1>{title} <span class=\"muted\">{note}</span></h1>\n\
             <div class=\"board\">{picture}</div>\n<nav>{steps}\
             <a class=\"open\" href=\"/{path}{query}\" target=\"_blank\" rel=\"noopener\">{open}</a></nav>\n\
             </main>\n</body>\n</html>\n",
            lang = self.lang.code(),
            theme = self.theme.unwrap_or_default(),
            style = asset::url("embed.css").unwrap_or("/embed.css"),
            note = escape(&note),
            picture = self.picture(),
            steps = if last == 0 {
                String::new()
            } else {
                steps.concat()
            },
            path = escape(self.path),
            query = self.query(ply, None),
            open = labels.open,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_break_out_of_a_page() {
        assert_eq!(
            escape("<b onclick='x'>\"&"),
            "&lt;b onclick=&#39;x&#39;&gt;&quot;&amp;"
        );
    }
}
