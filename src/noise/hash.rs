//! Integer hashing: the same on every machine, unlike anything that goes through `sin`.

/// Three well mixed words from three words.
///
/// `pcg3d` of Jarzynski and Olano 2020, "Hash Functions for GPU Rendering", Journal of Computer
/// Graphics Techniques 9(3), listing 5.
pub(crate) fn pcg3d([mut x, mut y, mut z]: [u32; 3]) -> [u32; 3] {
    let step = |v: u32| v.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
    (x, y, z) = (step(x), step(y), step(z));
    let mix = |x: &mut u32, y: &mut u32, z: &mut u32| {
        *x = x.wrapping_add(y.wrapping_mul(*z));
        *y = y.wrapping_add(z.wrapping_mul(*x));
        *z = z.wrapping_add(x.wrapping_mul(*y));
    };
    mix(&mut x, &mut y, &mut z);
    x ^= x >> 16;
    y ^= y >> 16;
    z ^= z >> 16;
    mix(&mut x, &mut y, &mut z);
    [x, y, z]
}

/// A hashed word as a number from 0 up to but not including 1: a multiple of 2⁻²⁴, exact in f32.
pub(crate) fn unit(word: u32) -> f32 {
    (word >> 8) as f32 * (1.0 / 16_777_216.0)
}

/// Seed of one part of something that has `seed`, so that its parts are independent.
pub(super) fn derive(seed: u32, part: u32) -> u32 {
    pcg3d([seed, part, 0])[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbouring_inputs_give_unrelated_words() {
        let count = 4096;
        let words: Vec<_> = (0..count).map(|i| pcg3d([i, 7, u32::MAX])).collect();
        for axis in 0..3 {
            let mean =
                words.iter().map(|w| f64::from(unit(w[axis]))).sum::<f64>() / f64::from(count);
            assert!((mean - 0.5).abs() < 0.02, "axis {axis}: mean {mean}");
            let flipped = words
                .windows(2)
                .map(|w| (w[0][axis] ^ w[1][axis]).count_ones())
                .sum::<u32>();
            let share = f64::from(flipped) / f64::from(32 * (count - 1));
            assert!(
                (share - 0.5).abs() < 0.02,
                "axis {axis}: {share} of the bits flip"
            );
        }
    }

    #[test]
    fn units_stay_below_one() {
        assert_eq!(unit(0), 0.0);
        assert!(unit(u32::MAX) < 1.0);
    }

    #[test]
    fn parts_have_seeds_of_their_own() {
        assert_ne!(derive(0, 0), derive(0, 1));
        assert_ne!(derive(0, 1), derive(1, 0));
        assert_ne!(derive(u32::MAX, 1), derive(0, 1));
    }
}
