//! The program as a user meets it: help, output and errors, held as sessions in `cmd/`.
//!
//! `TRYCMD=overwrite cargo test --release -p tablut --test cmd` writes them anew; then read the diff.

#[test]
fn sessions_print_what_they_did() {
    trycmd::TestCases::new()
        .default_bin_name("tablut")
        // Whatever language this machine speaks.
        .env("LC_ALL", "C")
        .case("tests/cmd/*.trycmd")
        .case("../../README.md");
}
