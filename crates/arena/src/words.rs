//! A command line as words, in the manner of a shell but without one.

/// Splits a command line at blanks. Quotation marks keep blanks; a backslash keeps the next
/// character, except between single quotation marks. Nothing if a quotation has no end.
#[must_use]
pub fn split(text: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match (letter, quote) {
            (_, Some(mark)) if letter == mark => quote = None,
            ('\\', None | Some('"')) => {
                word.get_or_insert_default().push(letters.next()?);
            }
            ('\'' | '"', None) => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (_, None) if letter.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_as_in_a_shell() {
        for (text, words) in [
            ("", &[][..]),
            ("  a  b ", &["a", "b"]),
            ("'a b' c", &["a b", "c"]),
            ("a\"b c\"d", &["ab cd"]),
            ("a\\ b", &["a b"]),
            ("'a\\b' \"a\\\"b\"", &["a\\b", "a\"b"]),
            ("a ''", &["a", ""]),
            ("sh -c 'echo \"x\"'", &["sh", "-c", "echo \"x\""]),
        ] {
            assert_eq!(split(text).unwrap(), words, "{text}");
        }
        for text in ["'a", "a \"b", "a\\"] {
            assert_eq!(split(text), None, "{text}");
        }
    }
}
