//! How much faster the base texture bakes than the same recipe through per-voxel calls of the noise
//! crate, on the same threads, in turns: `cargo bench --bench bake`.
//!
//! A plain program instead of a statistical harness: the slow side takes seconds, and what counts
//! is the ratio, which takes turns to measure on a busy machine. `pyrocumulus bench` measures the same.

use pyrocumulus::bench::bake::measure;

const ROUNDS: usize = 7;
const TARGET: f64 = 8.0;

fn main() {
    let times = measure(ROUNDS);
    println!(
        "base texture, {} threads, median of {ROUNDS}",
        times.threads
    );
    println!("  cell by cell                {:>10.1} ms", times.ms);
    println!(
        "  voxel by voxel, noise crate {:>10.1} ms",
        times.noise_crate_ms
    );
    println!("  ratio {:.1}, target {TARGET}", times.ratio);
}
