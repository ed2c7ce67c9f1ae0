//! A rule set as one HTML page to print or to put on a site: sentences and pictures, and nothing else needed.

use anyhow::Result;
use std::sync::Arc;
use tablut_host::speech::sentence;
use tablut_picture::{Arrow, Brush, Picture};
use tablut_rules::{Demonstration, DemonstrationTopic, Move, RuleSet, Rules, Setup, text::Lang};

/// The width of the pictures, in pixels.
const WIDTH: u16 = 300;

const STYLE: &str = "\
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #2a2723; background: #fff }
h1 { margin-bottom: 0 } h2 { margin: 1.6rem 0 .4rem; font-size: 1.15rem } li { margin: .2rem 0 }
.source { color: #6f675d; margin: .2rem 0 1rem } svg { width: 100%; height: auto; display: block }
.start { max-width: 24rem } figure { margin: 0; break-inside: avoid } figcaption { font-size: .92rem }
.boards { display: grid; grid-template-columns: repeat(auto-fill, minmax(12rem, 1fr)); gap: 1.2rem }
@media print { body { margin: 0; max-width: none } .boards { grid-template-columns: repeat(4, 1fr) } * { print-color-adjust: exact } }";

/// The page of a set.
pub(super) fn page(set: &RuleSet, lang: Lang) -> Result<String> {
    let rules = Arc::new(set.compile()?);
    let name = escaped(set.name_in(lang));
    let mut html = format!(
        "<!doctype html>\n<html lang=\"{lang}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{name}</title>\n\
         <style>\n{STYLE}\n</style>\n</head>\n<body>\n<h1>{name}</h1>\n<p class=\"source\">{}</p>\n<div class=\"start\">{}</div>\n",
        escaped(set.source()),
        picture(&rules, Setup::from(&rules.start()), None)?
    );
    for section in set.describe(lang) {
        html += &format!("<h2>{}</h2>\n<ul>\n", escaped(section.title));
        for text in section.sentences {
            html += &format!("<li>{}</li>\n", escaped(&text));
        }
        html += "</ul>\n";
    }
    let shown = rules.demonstrations();
    for topic in DemonstrationTopic::ALL {
        let some: Vec<&Demonstration> = shown.iter().filter(|one| one.topic == topic).collect();
        if some.is_empty() {
            continue;
        }
        html += &format!(
            "<h2>{}</h2>\n<div class=\"boards\">\n",
            escaped(topic.title(lang))
        );
        for one in some {
            // Of several moves the first is drawn: they go to and fro.
            html += &format!(
                "<figure>{}<figcaption>{}</figcaption></figure>\n",
                later_picture(&rules, one.setup, one.moves.first().copied())?,
                escaped(&sentence(&one.sentence(lang)))
            );
        }
        html += "</div>\n";
    }
    html += "</body>\n</html>\n";
    Ok(html)
}

fn picture(rules: &Rules, setup: Setup, step: Option<Move>) -> Result<String> {
    let arrows = step.map(|step| Arrow {
        brush: Brush::default(),
        step,
    });
    let picture = Picture::new(rules, setup)?.with_arrows(arrows.into_iter().collect());
    Ok(picture.svg(WIDTH)?)
}

/// A picture that follows another on the page, whose colours it shares: a page may define a name once.
fn later_picture(rules: &Rules, setup: Setup, step: Option<Move>) -> Result<String> {
    let whole = picture(rules, setup, step)?;
    Ok(
        match (whole.split_once("<defs>"), whole.split_once("</defs>")) {
            (Some((before, _)), Some((_, after))) => format!("{before}{after}"),
            _ => whole,
        },
    )
}

/// A text that stands between tags.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
