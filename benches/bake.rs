//! How much faster the base texture bakes than the same recipe through per-voxel calls of the noise
//! crate, on the same threads, in turns: `cargo bench --bench bake`.
//!
//! A plain program instead of a statistical harness: the slow side takes seconds, and what counts
//! is the ratio, which takes turns to measure on a busy machine.

use std::hint::black_box;
use std::time::{Duration, Instant};

use noise::core::perlin::perlin_3d;
use noise::core::worley::{ReturnType, distance_functions::euclidean_squared, worley_3d};
use noise::math::vectors::Vector3;
use noise::permutationtable::{NoiseHasher, PermutationTable};
use pyrocumulus::noise::NoiseParams;
use pyrocumulus::noise::bake::{BakeControl, Sizes, volume};
use pyrocumulus::noise::perlin_worley::{Base, perlin_worley};

const ROUNDS: usize = 7;
const TARGET: f64 = 8.0;
const OCTAVES: usize = 5;

fn main() {
    let params = NoiseParams::default();
    let size = Sizes::FULL.base;
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let ours = || {
        let base = volume(
            &Base::new(&params, size),
            size,
            threads,
            &BakeControl::default(),
        );
        black_box(base);
    };
    let theirs = || {
        black_box(bake_by_voxel(&params, size, threads));
    };
    let (mut cells, mut voxels) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        cells.push(timed(ours));
        voxels.push(timed(theirs));
    }
    let (cells, voxels) = (median(cells), median(voxels));
    let ratio = voxels.as_secs_f64() / cells.as_secs_f64();
    println!("base texture, {size}³ RGBA8, {threads} threads, median of {ROUNDS}");
    println!("  cell by cell                    {cells:>10.1?}");
    println!("  voxel by voxel, noise crate     {voxels:>10.1?}");
    println!("  ratio {ratio:.1}, target {TARGET}");
}

fn timed(work: impl Fn()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// The noise crate's hash made periodic.
struct Periodic {
    table: PermutationTable,
    period: isize,
}

impl NoiseHasher for Periodic {
    fn hash(&self, node: &[isize]) -> usize {
        // Every caller is three-dimensional.
        let wrapped = [0, 1, 2].map(|axis| node[axis].rem_euclid(self.period));
        self.table.hash(&wrapped)
    }
}

fn bake_by_voxel(params: &NoiseParams, size: usize, threads: usize) -> Vec<[u8; 4]> {
    let octaves: [Periodic; OCTAVES] = std::array::from_fn(|octave| Periodic {
        table: PermutationTable::new(params.seed.wrapping_add(octave as u32)),
        period: (params.base_frequency as isize) << octave,
    });
    let weights = params.worley_weights();
    let mut texels = vec![[0; 4]; size.pow(3)];
    let slab = size.div_ceil(threads);
    std::thread::scope(|scope| {
        for (index, texels) in texels.chunks_mut(slab * size * size).enumerate() {
            let octaves = &octaves;
            scope.spawn(move || {
                for (i, texel) in texels.iter_mut().enumerate() {
                    let at = [i % size, i / size % size, i / (size * size) + index * slab];
                    let p = at.map(|c| (c as f64 + 0.5) / size as f64);
                    *texel = voxel(p, octaves, weights);
                }
            });
        }
    });
    texels
}

fn voxel(p: [f64; 3], octaves: &[Periodic; OCTAVES], weights: [f32; 3]) -> [u8; 4] {
    let (mut perlin, mut amplitude) = (0.0, 0.5);
    let mut billows = [0.0; OCTAVES];
    for (hasher, billow) in octaves.iter().zip(&mut billows) {
        let [x, y, z] = p.map(|c| c * hasher.period as f64);
        let p = Vector3::new(x, y, z);
        perlin += amplitude * perlin_3d(p, hasher);
        amplitude *= 0.5;
        let distance = worley_3d(hasher, euclidean_squared, ReturnType::Distance, p);
        *billow = (0.5 - 0.5 * distance) as f32;
    }
    let [low, mid, high] = [0, 1, 2].map(|first: usize| {
        weights
            .iter()
            .zip(&billows[first..])
            .map(|(weight, billow)| weight * billow)
            .sum()
    });
    let shape = perlin_worley((0.5 + 0.5 * perlin) as f32, low);
    [shape, low, mid, high].map(|channel: f32| (channel * 255.0 + 0.5) as u8)
}
