//! `tablut rules show ID --html`: a page that is whole, says everything, and prints well.

use std::{collections::HashSet, fs, process::Command, sync::Arc};

use tablut_rules::{
    BuiltIn, RuleSet,
    text::{Lang, Section},
};

/// Elements of HTML that have no end.
const VOID: [&str; 1] = ["meta"];

fn page(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_tablut"))
        .args(["rules", "show", "--html"])
        .args(arguments)
        .output()
        .unwrap();
    assert!(output.status.success(), "{arguments:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// What a browser finds on a page.
#[derive(Default)]
struct Found {
    /// The name of each element, in order.
    elements: Vec<String>,
    /// The values of all attributes `id`.
    ids: Vec<String>,
    /// What stands between the tags of the body, without titles of pictures.
    text: String,
}

/// Reads a page strictly: every tag is closed where it should be, and nothing is left open.
fn read(html: &str) -> Found {
    let mut found = Found::default();
    let mut open: Vec<String> = Vec::new();
    let mut rest = html.strip_prefix("<!doctype html>").expect("a doctype");
    while let Some((text, after)) = rest.split_once('<') {
        assert!(!text.contains('>'), "a stray > in {text:?}");
        if open.iter().any(|name| name == "body") && open.last().is_none_or(|name| name != "title")
        {
            found.text += text;
            found.text.push(' ');
        }
        let (tag, after) = after.split_once('>').expect("a tag ends");
        rest = after;
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name), "closed in order");
            continue;
        }
        let name: String = tag
            .chars()
            .take_while(char::is_ascii_alphanumeric)
            .collect();
        assert!(!name.is_empty(), "a name in <{tag}>");
        assert_eq!(tag.matches('"').count() % 2, 0, "quoted values in <{tag}>");
        let ids = tag.split(" id=\"").skip(1);
        found
            .ids
            .extend(ids.map(|id| id.split('"').next().unwrap().into()));
        if !tag.ends_with('/') && !VOID.contains(&name.as_str()) {
            open.push(name.clone());
        }
        found.elements.push(name);
    }
    assert!(open.is_empty() && rest.trim().is_empty(), "{open:?} {rest}");
    found
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// That a page of a set is sound and says all that the set says.
fn check(html: &str, set: &RuleSet, lang: Lang) {
    let what = format!("{} in {lang}", set.id());
    let found = read(html);
    let count = |name: &str| found.elements.iter().filter(|one| *one == name).count();
    let rules = Arc::new(set.compile().unwrap());
    let shown = rules.demonstrations();
    assert!(!shown.is_empty(), "{what}");
    assert_eq!(count("figure"), shown.len(), "{what}");
    assert_eq!(count("figcaption"), shown.len(), "{what}");
    assert_eq!(
        count("svg"),
        shown.len() + 1,
        "the start is shown too: {what}"
    );
    for one in &shown {
        let sentence = tablut_host::speech::sentence(&one.sentence(lang));
        assert!(html.contains(&escaped(&sentence)), "{what}: {sentence}");
    }
    for Section {
        title, sentences, ..
    } in set.describe(lang)
    {
        for text in sentences.iter().map(String::as_str).chain([title]) {
            assert!(html.contains(&escaped(text)), "{what}: {text}");
        }
    }
    let ids: HashSet<&String> = found.ids.iter().collect();
    assert_eq!(ids.len(), found.ids.len(), "{what} names something twice");
    for id in html.split("url(#").skip(1) {
        let id = id.split(')').next().unwrap().to_string();
        assert!(ids.contains(&id), "{what} has no {id}");
    }
    // The keys of the file have underscores and dots between words; sentences have neither.
    let is_raw = |word: &&str| {
        let word = word.trim_matches(|letter: char| !letter.is_alphanumeric());
        word.contains('_') || word.split('.').filter(|part| !part.is_empty()).count() > 1
    };
    let raw: Vec<&str> = found.text.split_whitespace().filter(is_raw).collect();
    assert_eq!(raw, [""; 0], "{what}");
    // It can be printed or sent as it is: nothing is fetched, nothing runs.
    for outside in ["<script", "<link", "src=", "href=", "@import"] {
        assert!(!html.contains(outside), "{what} has {outside}");
    }
    assert!(html.contains("@media print") && html.contains("break-inside: avoid"));
    assert!(html.contains(&format!("<html lang=\"{lang}\">")), "{what}");
}

#[test]
fn the_page_of_every_set_is_sound_in_every_language() {
    for &set in BuiltIn::LISTED {
        for &lang in Lang::ALL {
            let html = page(&[set.id(), "--lang", &lang.to_string()]);
            check(&html, set.set(), lang);
        }
    }
}

#[test]
fn a_set_of_ones_own_has_a_page_and_its_name_is_no_markup() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.toml");
    let text = "base = \"ashton\"\nid = \"mine\"\nname = \"<b>Mine</b> & yours\"\n[end]\ngoals = \"corners\"\n";
    fs::write(&file, text).unwrap();
    let html = page(&[file.to_str().unwrap(), "--lang", "en"]);
    check(&html, &text.parse().unwrap(), Lang::ALL[0]);
    assert!(html.contains("<h1>&lt;b&gt;Mine&lt;/b&gt; &amp; yours</h1>"));
}
