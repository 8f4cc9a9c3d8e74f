//! From parameters to the bytes of the textures.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::grid::Block;
use super::params::NoiseParams;
use super::perlin_worley::{Base, Detail, Recipe, Vectors};

/// Texels along an edge of each texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// [`Base`]
    pub base: usize,
    /// [`Detail`]
    pub detail: usize,
    /// [`Vectors`]
    pub vectors: usize,
}

impl Sizes {
    /// What clouds and fires are made for.
    pub const FULL: Self = Self {
        base: 128,
        detail: 32,
        vectors: 64,
    };
    /// Good enough for the first frames, and baked within one.
    pub const COARSE: Self = Self {
        base: 32,
        detail: 16,
        vectors: 16,
    };

    fn texels(self) -> usize {
        [self.base, self.detail, self.vectors]
            .iter()
            .map(|size| size.pow(3))
            .sum()
    }
}

/// A cubic texture that tiles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Volume {
    /// Texels along an edge.
    pub size: usize,
    /// RGBA, x first, then y, then z. The centre of texel i is at (i + ½) / `size` of the tile.
    pub texels: Vec<[u8; 4]>,
}

/// All textures of one set of parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Volumes {
    /// Shapes of clouds, see [`Base`].
    pub base: Volume,
    /// Erosion, see [`Detail`].
    pub detail: Volume,
    /// Displacement and fire, see [`Vectors`].
    pub vectors: Volume,
}

/// A bake seen from another thread.
#[derive(Debug, Default)]
pub struct BakeControl {
    cancelled: AtomicBool,
    texels: AtomicUsize,
    of: AtomicUsize,
}

impl BakeControl {
    /// Makes the bake give up within some milliseconds.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// Whether the bake was told to give up.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    /// Share of the texels that are done, 0 to 1.
    pub fn progress(&self) -> f32 {
        let done = self.texels.load(Ordering::Relaxed) as f32;
        done / self.of.load(Ordering::Relaxed).max(1) as f32
    }
}

/// Bakes all textures on `threads` threads, of which the caller's is one. The same parameters give
/// the same bytes on every machine and any number of threads. `None` if cancelled.
///
/// At [`Sizes::FULL`] this takes about a fifth of a second of one core.
pub fn bake(
    params: &NoiseParams,
    sizes: Sizes,
    threads: usize,
    control: &BakeControl,
) -> Option<Volumes> {
    control.of.store(sizes.texels(), Ordering::Relaxed);
    Some(Volumes {
        base: volume(&Base::new(params, sizes.base), sizes.base, threads, control)?,
        detail: volume(
            &Detail::new(params, sizes.detail),
            sizes.detail,
            threads,
            control,
        )?,
        vectors: volume(
            &Vectors::new(params, sizes.vectors),
            sizes.vectors,
            threads,
            control,
        )?,
    })
}

/// Slices of a texture that a thread bakes at a time: few, so that threads finish together and a
/// bake can be cancelled soon; several, because neighbouring slices share lattice cells.
const SLICES: usize = 4;

/// Bakes one texture of `size`³ texels on `threads` threads. `None` if cancelled.
pub fn volume(
    recipe: &impl Recipe,
    size: usize,
    threads: usize,
    control: &BakeControl,
) -> Option<Volume> {
    let mut texels = vec![[0; 4]; size.pow(3)];
    let blocks = Mutex::new(texels.chunks_mut((SLICES * size * size).max(1)).enumerate());
    let work = || {
        // The lock is held only to take a block.
        let take = || blocks.lock().unwrap_or_else(PoisonError::into_inner).next();
        while let Some((index, texels)) = take() {
            if control.is_cancelled() {
                return;
            }
            let first = index * SLICES;
            let block = Block {
                size,
                slices: first..(first + SLICES).min(size),
            };
            recipe.fill(&block, texels);
            control.texels.fetch_add(texels.len(), Ordering::Relaxed);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            // Where the system gives no further thread, those there are do its share.
            if std::thread::Builder::new()
                .name("noise bake".into())
                .spawn_scoped(scope, work)
                .is_err()
            {
                break;
            }
        }
        work();
    });
    (!control.is_cancelled()).then_some(Volume { size, texels })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// FNV-1a, 64 bits.
    fn checksum(volume: &Volume) -> u64 {
        volume
            .texels
            .as_flattened()
            .iter()
            .fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
                (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
            })
    }

    fn baked(params: &NoiseParams, sizes: Sizes, threads: usize) -> Volumes {
        bake(params, sizes, threads, &BakeControl::default()).expect("nobody cancels")
    }

    /// Base, detail, vectors.
    const DEFAULT_CHECKSUMS: [u64; 3] = [
        0x6c23_1337_7a47_386c,
        0x0e6a_be62_9d11_73b9,
        0xe794_df46_90bc_f4e9,
    ];

    /// Presets and golden pictures rest on these bytes.
    #[test]
    fn default_textures_never_change() {
        for threads in [1, 2, 7] {
            let volumes = baked(&NoiseParams::default(), Sizes::FULL, threads);
            let checksums = [&volumes.base, &volumes.detail, &volumes.vectors].map(checksum);
            assert_eq!(
                checksums, DEFAULT_CHECKSUMS,
                "{threads} threads: {checksums:#x?}"
            );
        }
    }

    #[test]
    fn sizes_are_as_asked() {
        let sizes = Sizes {
            base: 10,
            detail: 1,
            vectors: 6,
        };
        let volumes = baked(&NoiseParams::default(), sizes, 3);
        for (volume, size) in [
            (volumes.base, sizes.base),
            (volumes.detail, sizes.detail),
            (volumes.vectors, sizes.vectors),
        ] {
            assert_eq!(volume.size, size);
            assert_eq!(volume.texels.len(), size.pow(3));
        }
    }

    #[test]
    fn any_parameters_bake() {
        for (base_frequency, octaves) in [(0, 0), (2, 1), (3, 8), (7, 5), (8, 8)] {
            for weight in [0.0, 1.0] {
                let params = NoiseParams {
                    seed: u32::MAX,
                    base_frequency,
                    octaves,
                    worley_low: weight,
                    worley_mid: weight,
                    worley_high: weight,
                };
                let volume = baked(&params, Sizes::COARSE, 2).base;
                let (min, max) = (volume.texels.iter().min(), volume.texels.iter().max());
                assert_ne!(min, max, "{params:?}");
            }
        }
    }

    #[test]
    fn progress_ends_at_one() {
        let control = BakeControl::default();
        assert_eq!(control.progress(), 0.0);
        assert!(bake(&NoiseParams::default(), Sizes::COARSE, 2, &control).is_some());
        assert_eq!(control.progress(), 1.0);
    }

    #[test]
    fn a_cancelled_bake_gives_nothing() {
        let control = BakeControl::default();
        control.cancel();
        assert_eq!(
            bake(&NoiseParams::default(), Sizes::FULL, 2, &control),
            None
        );
        assert_eq!(control.progress(), 0.0);
    }
}
