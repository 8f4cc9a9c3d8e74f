//! What pages of the noise lab cost.

use std::hint::black_box;
use std::time::Instant;

use serde::Serialize;

use super::stats::{median, rounded};
use crate::lab::sampler::Sampler;
use crate::lab::{Lab, pages};

/// Samples along an edge of every field.
pub const SAMPLES: usize = 512;

/// Time of one page.
#[derive(Serialize, Clone, Copy, Debug)]
pub struct PageTime {
    /// The page.
    pub page: &'static str,
    /// Median time of sampling all of it, on all cores.
    pub ms: f64,
}

/// Samples every page `rounds` times, in turns.
pub fn measure(rounds: usize) -> Vec<PageTime> {
    let names = pages::names();
    let labs: Vec<Lab> = names
        .iter()
        .filter_map(|name| Lab::open(name).ok())
        .collect();
    let mut times = vec![Vec::new(); labs.len()];
    // The first round bakes the textures, which are kept.
    for round in 0..=rounds {
        for (lab, times) in labs.iter().zip(&mut times) {
            let begun = Instant::now();
            black_box(lab.sheet(&Sampler::new(SAMPLES)));
            if round > 0 {
                times.push(1e3 * begun.elapsed().as_secs_f64());
            }
        }
    }
    let pages = names.iter().zip(times);
    pages
        .map(|(page, times)| PageTime {
            page,
            ms: rounded(median(&times)),
        })
        .collect()
}
