//! Reviews the games of a record: `cargo run --release -p tablut-review --example review_game -- FILE [NODES]`.

use std::{env, error::Error, fs};

use tablut_engine::{Control, Engine, EngineOptions, SearchLimits};
use tablut_review::{MoveMark, review};
use tablut_rules::{BuiltIn, Setup, record, text::Lang};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let file = arguments.next().ok_or("name a file with records")?;
    let nodes = arguments.next().map_or(Ok(50_000), |word| word.parse())?;
    let mut engine = Engine::new(EngineOptions::default());
    for record in record::read_all(&fs::read_to_string(file)?) {
        let record = record?;
        let game = record.replay(&record.rules.parse::<BuiltIn>()?.rules())?;
        let limits = SearchLimits::nodes(nodes);
        let review = review(&game, &mut engine, &limits, &Control::new(), &mut |_| {});
        for reviewed in review.moves() {
            let sign = reviewed.mark.map_or("", MoveMark::sign);
            let words = reviewed.comment(Lang::En);
            println!("{:>3} {}{sign} {words}", reviewed.ply, reviewed.step);
            if !words.is_empty() {
                let before = &game.plies()[..reviewed.ply - 1];
                let before = before.last().map_or(game.start(), |ply| &ply.position);
                println!("        {}", Setup::from(before));
            }
        }
        for (side, summary) in review.summary() {
            println!("{side}: {summary:?}");
        }
    }
    Ok(())
}
