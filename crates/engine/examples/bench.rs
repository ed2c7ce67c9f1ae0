//! Prints the signature and the speed: `bench [DEPTH]`.

use tablut_engine::bench;

fn main() {
    let depth = std::env::args().nth(1).and_then(|text| text.parse().ok());
    let done = bench::run(depth.unwrap_or(bench::DEPTH));
    let seconds = done.time.as_secs_f64();
    println!(
        "Bench: {}  ({seconds:.2} s, {:.2} M nodes/s)",
        done.nodes,
        done.nodes as f64 / seconds / 1e6
    );
}
