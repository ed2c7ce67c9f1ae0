//! Help as wide as the terminal: prose is broken by hand in the source, and joined again here, so that
//! it is broken only once.

use clap::{Command, CommandFactory};

use crate::Arguments;

/// The command line with all its help.
pub(crate) fn command() -> Command {
    // The first screen has lines of its own.
    Arguments::command().mut_subcommands(joined)
}

fn joined(command: Command) -> Command {
    let after = command.get_after_help().map(|text| join(&text.to_string()));
    let command = match after {
        Some(after) => command.after_help(after),
        None => command,
    };
    command.mut_subcommands(joined)
}

/// Joins the lines of paragraphs; indented lines and those below a heading stay.
fn join(text: &str) -> String {
    let mut joined = String::with_capacity(text.len());
    let mut is_open = false;
    for line in text.lines() {
        let is_prose = !line.is_empty() && !line.starts_with(' ');
        if !joined.is_empty() {
            joined.push(if is_open && is_prose { ' ' } else { '\n' });
        }
        joined.push_str(line);
        is_open = is_prose && !line.ends_with(':');
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    fn each(command: &Command, look: &mut impl FnMut(&Command)) {
        for inner in command.get_subcommands() {
            look(inner);
            each(inner, look);
        }
    }

    #[test]
    fn help_is_broken_by_the_terminal_alone() {
        const WIDE: usize = 72;
        let mut count = 0;
        each(&command(), &mut |command| {
            let help = command.clone().term_width(WIDE).render_long_help();
            let help = help.to_string();
            let lines: Vec<&str> = help.lines().collect();
            for pair in lines.windows(2) {
                let [above, below] = [pair[0], pair[1]];
                let is_prose = |line: &str| line.starts_with(|c: char| !c.is_whitespace());
                if is_prose(above) && is_prose(below) && !above.ends_with(':') {
                    let next = below.split_whitespace().next().unwrap_or_default();
                    let sum = above.trim_end().chars().count() + 1 + next.chars().count();
                    assert!(sum > WIDE, "{}:\n{above}\n{below}", command.get_name());
                    count += 1;
                }
            }
        });
        assert!(count > 20, "{count}");
    }

    #[test]
    fn lists_fit_a_terminal_of_eighty_columns() {
        each(&command(), &mut |command| {
            let after = command.get_after_help().map(ToString::to_string);
            for line in after.unwrap_or_default().lines() {
                let is_item = line.starts_with("  ") && !line.contains("tablut ");
                let wide = line.chars().count();
                assert!(
                    !is_item || wide <= 80,
                    "{}: {wide}: {line}",
                    command.get_name()
                );
            }
        });
    }
}
