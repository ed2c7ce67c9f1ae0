//! What other sites show of a link to a game, a study or a position: a title and a picture.

use tablut_host::{Host, speech::sentence};
use tablut_rules::text::Lang;

use crate::{
    embed::escape,
    exhibit::{Address, Exhibit},
};

/// The width of the picture, in pixels.
const WIDTH: u16 = 600;

/// The most moves of a line that are named.
const NAMED_MOVES: usize = 12;

/// The tags for the head of the page at a path; none if it names nothing that everybody may see. `site` is
/// where this server is, as in `https://tablut.example`.
pub(crate) async fn tags(host: &Host, site: &str, path: &str, query: &str, lang: Lang) -> String {
    let Ok(address) = Address::read(path) else {
        return String::new();
    };
    let Ok(exhibit) = Exhibit::find(host, &address).await else {
        return String::new();
    };
    let title = match exhibit.players {
        None if exhibit.name.is_none() => exhibit.title(),
        _ => format!("{} · Tablut", exhibit.title()),
    };
    let site = escape(site);
    let path = escape(path);
    let sight =
        ["turn", "ply"].map(|key| crate::exhibit::asked(query, key).map(|value| (key, value)));
    let sight = sight.into_iter().flatten();
    let sight = sight.filter(|(_, value)| value.bytes().all(|byte| byte.is_ascii_digit()));
    let sight: String = sight
        .map(|(key, value)| format!("&amp;{key}={value}"))
        .collect();
    let image = format!("{site}/image/{path}.png?size={WIDTH}{sight}");
    let tags = [
        ("og:site_name", "Tablut".to_string()),
        ("og:type", "website".into()),
        ("og:title", escape(&title)),
        ("og:description", escape(&description(&exhibit, lang))),
        ("og:image", image),
        ("og:image:width", WIDTH.to_string()),
        ("og:image:height", WIDTH.to_string()),
    ];
    let tags =
        tags.map(|(name, value)| format!("<meta property=\"{name}\" content=\"{value}\">\n"));
    tags.concat() + "<meta name=\"twitter:card\" content=\"summary_large_image\">\n"
}

/// The rules, and how the game ended or what was played.
fn description(exhibit: &Exhibit, lang: Lang) -> String {
    let rules = exhibit.rules.set().name_in(lang).to_string();
    let more = match (exhibit.outcome, &exhibit.game) {
        (Some(outcome), _) => sentence(&outcome.sentence(lang)),
        (None, Some(game)) if !game.plies().is_empty() => {
            let plies = game.plies();
            let named = plies
                .iter()
                .take(NAMED_MOVES)
                .map(|ply| ply.step.to_string());
            let named: Vec<String> = named.collect();
            let dots = if plies.len() > NAMED_MOVES {
                " …"
            } else {
                ""
            };
            format!("{}{dots}", named.join(" "))
        }
        _ => exhibit.start.to_string(),
    };
    format!("{rules}. {more}")
}
