//! The noise bake against the same recipe through per-voxel calls of the noise crate.

use std::hint::black_box;
use std::time::Instant;

use noise::core::perlin::perlin_3d;
use noise::core::worley::{ReturnType, distance_functions::euclidean_squared, worley_3d};
use noise::math::vectors::Vector3;
use noise::permutationtable::{NoiseHasher, PermutationTable};
use serde::Serialize;

use super::stats::{median, rounded};
use crate::noise::NoiseParams;
use crate::noise::bake::{BakeControl, Sizes, volume};
use crate::noise::perlin_worley::{Base, perlin_worley};

const OCTAVES: usize = 5;

/// How fast the base texture bakes.
#[derive(Serialize, Clone, Copy, Debug, PartialEq)]
pub struct BakeTimes {
    /// Median time of the bake.
    pub ms: f64,
    /// Median time of the noise crate for the same texture.
    pub noise_crate_ms: f64,
    /// How many times longer the noise crate takes.
    pub ratio: f64,
    /// Threads that each of them had.
    pub threads: usize,
}

/// Bakes both ways in turns, `rounds` times, on all cores.
pub fn measure(rounds: usize) -> BakeTimes {
    let params = NoiseParams::default();
    let size = Sizes::FULL.base;
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let (mut cells, mut voxels) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        cells.push(milliseconds(|| {
            let recipe = Base::new(&params, size);
            black_box(volume(&recipe, size, threads, &BakeControl::default()));
        }));
        voxels.push(milliseconds(|| {
            black_box(bake_by_voxel(&params, size, threads));
        }));
    }
    let (cells, voxels) = (median(&cells), median(&voxels));
    BakeTimes {
        ms: rounded(cells),
        noise_crate_ms: rounded(voxels),
        ratio: rounded(voxels / cells),
        threads,
    }
}

fn milliseconds(work: impl Fn()) -> f64 {
    let start = Instant::now();
    work();
    1e3 * start.elapsed().as_secs_f64()
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
