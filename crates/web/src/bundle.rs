//! The page's modules as one, so that a browser asks once for all of them.
//!
//! This is no general bundler: it knows the few forms of `import` and `export` that the page uses, each at
//! the beginning of a line, and refuses all others. Every module becomes a function that is called once and
//! gives what it exports; the first module, which may `await`, comes last and as it is.

use std::{
    collections::{BTreeMap, HashMap},
    fmt::Write as _,
};

/// Why modules do not become one.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum BundleError {
    #[error("{0} is imported, but is not there")]
    Missing(String),
    #[error("{0} imports itself, by way of others")]
    Circle(String),
    #[error("{module}: this form of import or export is not known here: {line}")]
    Form { module: String, line: String },
}

/// One module for a module and all that it imports. `read` gives the text of a file; `urls` are the
/// addresses of files that are imported only when they are needed.
pub(crate) fn bundle(
    first: &str,
    read: &dyn Fn(&str) -> Option<String>,
    urls: &BTreeMap<String, String>,
) -> Result<String, BundleError> {
    let mut bundle = Bundle {
        read,
        numbers: HashMap::new(),
        open: Vec::new(),
        text: String::new(),
    };
    let list = urls.iter().map(|(name, url)| format!("'{name}':'{url}'"));
    let list: Vec<String> = list.collect();
    // Writing to a string does not fail.
    let _ = writeln!(bundle.text, "const $urls = {{{}}};", list.join(","));
    let module = bundle.module(first)?;
    bundle.text.push_str(&module.imports);
    bundle.text.push_str(&module.body);
    Ok(bundle.text)
}

struct Bundle<'a> {
    read: &'a dyn Fn(&str) -> Option<String>,
    /// The modules that are written already.
    numbers: HashMap<String, usize>,
    /// Those that wait for what they import.
    open: Vec<String>,
    text: String,
}

/// A module in parts.
#[derive(Default)]
struct Module {
    /// What it takes from others.
    imports: String,
    /// Its code without `import` and `export`.
    body: String,
    /// What it exports: the name for others, and its own.
    exports: Vec<(String, String)>,
}

impl Bundle<'_> {
    /// Reads a module, after writing all that it imports.
    fn module(&mut self, path: &str) -> Result<Module, BundleError> {
        if self.open.iter().any(|open| open == path) {
            return Err(BundleError::Circle(path.into()));
        }
        let text = (self.read)(path).ok_or_else(|| BundleError::Missing(path.into()))?;
        self.open.push(path.into());
        let mut module = Module::default();
        let mut lines = without_comments(&text).into_iter();
        while let Some(line) = lines.next() {
            if line.starts_with("import ") {
                let mut statement = line.to_string();
                while !statement.trim_end().ends_with(';') {
                    let Some(more) = lines.next() else { break };
                    statement.push_str(more.trim());
                }
                self.import(path, &statement, &mut module)?;
            } else {
                let line = late_imports(path, line)?;
                match line.strip_prefix("export ") {
                    Some(rest) => export(path, rest, &mut module)?,
                    None => module.body.push_str(&line),
                }
            }
            module.body.push('\n');
        }
        self.open.pop();
        Ok(module)
    }

    /// The number of a module, which is written if it is not yet.
    fn number(&mut self, path: &str) -> Result<usize, BundleError> {
        if let Some(&number) = self.numbers.get(path) {
            return Ok(number);
        }
        let module = self.module(path)?;
        let number = self.numbers.len();
        self.numbers.insert(path.into(), number);
        let exports = module.exports.iter();
        let exports = exports.map(|(name, own)| match name == own {
            true => name.clone(),
            false => format!("{name}: {own}"),
        });
        let exports: Vec<String> = exports.collect();
        let _ = writeln!(
            self.text,
            "const $m{number} = (() => {{\n{}{}return {{ {} }};\n}})();",
            module.imports,
            module.body,
            exports.join(", ")
        );
        Ok(number)
    }

    /// Writes what a statement imports: `import NAME, { a, b as c } from './file.js';`.
    fn import(
        &mut self,
        path: &str,
        statement: &str,
        module: &mut Module,
    ) -> Result<(), BundleError> {
        let unknown = || BundleError::Form {
            module: path.into(),
            line: statement.into(),
        };
        let inner = statement.trim_end().trim_end_matches(';');
        let inner = inner.strip_prefix("import ").ok_or_else(unknown)?;
        let (names, file) = inner.rsplit_once(" from ").ok_or_else(unknown)?;
        let file = file.trim().trim_matches(['\'', '"']);
        let target = resolve(path, file).ok_or_else(unknown)?;
        let number = self.number(&target)?;
        let (whole, some) = match names.split_once('{') {
            Some((whole, some)) => (whole, some.trim().strip_suffix('}').ok_or_else(unknown)?),
            None => (names, ""),
        };
        let whole = whole.trim().trim_end_matches(',');
        if whole.contains(['*', ' ']) {
            return Err(unknown());
        }
        let mut taken = Vec::new();
        if !whole.is_empty() {
            taken.push(format!("default: {whole}"));
        }
        for name in some
            .split(',')
            .map(str::trim)
            .filter(|name| !name.is_empty())
        {
            taken.push(name.replacen(" as ", ": ", 1));
        }
        let _ = writeln!(
            module.imports,
            "const {{ {} }} = $m{number};",
            taken.join(", ")
        );
        Ok(())
    }
}

/// Writes what follows `export`.
fn export(path: &str, rest: &str, module: &mut Module) -> Result<(), BundleError> {
    if let Some(value) = rest.strip_prefix("default ") {
        module.exports.push(("default".into(), "$default".into()));
        module.body.push_str("const $default = ");
        module.body.push_str(value);
        return Ok(());
    }
    let kinds = ["async function ", "function ", "class ", "const "];
    let named = kinds.iter().find_map(|kind| rest.strip_prefix(kind));
    let name: String = named
        .unwrap_or_default()
        .chars()
        .take_while(|&letter| letter.is_ascii_alphanumeric() || letter == '_' || letter == '$')
        .collect();
    if name.is_empty() {
        return Err(BundleError::Form {
            module: path.into(),
            line: format!("export {rest}"),
        });
    }
    module.exports.push((name.clone(), name));
    module.body.push_str(rest);
    Ok(())
}

/// Lets modules that are imported when they are needed be found by their addresses.
fn late_imports(path: &str, line: &str) -> Result<String, BundleError> {
    let Some(start) = line.find("import(`") else {
        return Ok(line.into());
    };
    let (before, rest) = line.split_at(start);
    let unknown = || BundleError::Form {
        module: path.into(),
        line: line.into(),
    };
    let (name, after) = rest["import(`".len()..]
        .split_once("`)")
        .ok_or_else(unknown)?;
    let name = resolve(path, name).ok_or_else(unknown)?;
    Ok(format!("{before}import($urls[`{name}`]){after}"))
}

/// The path of a file that is named relative to another.
fn resolve(from: &str, file: &str) -> Option<String> {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    let mut rest = file;
    if !rest.starts_with('.') {
        return None;
    }
    loop {
        if let Some(inner) = rest.strip_prefix("./") {
            rest = inner;
        } else if let Some(outer) = rest.strip_prefix("../") {
            parts.pop()?;
            rest = outer;
        } else {
            break;
        }
    }
    parts.push(rest);
    Some(parts.join("/"))
}

/// The lines of a text without those that are comments: browsers need none.
fn without_comments(text: &str) -> Vec<&str> {
    let mut kept = Vec::new();
    let mut is_inside = false;
    for line in text.lines() {
        let start = line.trim_start();
        if is_inside {
            is_inside = !line.contains("*/");
        } else if start.starts_with("/*")
            && start.find("*/").is_none_or(|end| end + 2 == start.len())
        {
            is_inside = !start.contains("*/");
        } else if !start.starts_with("//") && !start.is_empty() {
            kept.push(line);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bundled(files: &[(&str, &str)]) -> Result<String, BundleError> {
        let read = |path: &str| {
            let found = files.iter().find(|(name, _)| *name == path);
            found.map(|(_, text)| text.to_string())
        };
        let urls = BTreeMap::from([("text/it.js".into(), "/a/it.js".into())]);
        bundle("app.js", &read, &urls)
    }

    #[test]
    fn modules_become_one_in_the_order_of_their_need() {
        let text = bundled(&[
            (
                "app.js",
                "// @ts-check\nimport en, {\n  a, b as c,\n} from './x/y.js';\nimport { z } from './z.js';\nawait z(a, c, en);\n",
            ),
            (
                "x/y.js",
                "/** Words.\n * More. */\nimport { z } from '../z.js';\nexport const a = 1;\nexport function b() {}\nexport default { z };\n",
            ),
            (
                "z.js",
                "export async function z() { return import(`./text/${q}.js`); }\n",
            ),
        ]);
        let wanted = "const $urls = {'text/it.js':'/a/it.js'};\n\
             const $m0 = (() => {\nasync function z() { return import($urls[`text/${q}.js`]); }\nreturn { z };\n})();\n\
             const $m1 = (() => {\nconst { z } = $m0;\n\nconst a = 1;\nfunction b() {}\nconst $default = { z };\nreturn { a, b, default: $default };\n})();\n\
             const { default: en, a, b: c } = $m1;\nconst { z } = $m0;\n\n\nawait z(a, c, en);\n";
        assert_eq!(text.expect("a bundle"), wanted);
    }

    #[test]
    fn what_it_does_not_know_is_refused() {
        for (text, wrong) in [
            ("export let a = 1;", "not known"),
            ("export { a };", "not known"),
            ("import * as x from './x.js';", "not known"),
            ("import './x.js';", "not known"),
            ("import { a } from 'react';", "not known"),
            ("import { a } from '../x.js';", "not known"),
            ("import { a } from './none.js';", "not there"),
            ("import { a } from './app.js';", "imports itself"),
        ] {
            let error = bundled(&[("app.js", text), ("x.js", "")]).expect_err(text);
            assert!(error.to_string().contains(wrong), "{text}: {error}");
        }
    }
}
