//! How values become colours.

/// A colour map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ColorMap {
    /// Black to white.
    #[default]
    Gray,
    /// Dark blue over green to yellow: equal differences look equal.
    Even,
    /// Blue over white to red: shows the sign.
    Sign,
    /// Gray with a dark line at each tenth of the range: shows the shape.
    Contours,
}

impl ColorMap {
    /// All of them, in the order of [`NAMES`](Self::NAMES).
    pub const ALL: [Self; 4] = [Self::Gray, Self::Even, Self::Sign, Self::Contours];
    /// Their names.
    pub const NAMES: [&str; 4] = ["gray", "even", "sign", "contours"];

    /// The colour, sRGB, of a value at `t` of the range; what is no number is magenta.
    pub fn color(self, t: f32) -> [u8; 3] {
        if t.is_nan() {
            return [255, 0, 255];
        }
        let t = t.clamp(0.0, 1.0);
        match self {
            Self::Gray => [(255.0 * t).round() as u8; 3],
            Self::Even => between(&EVEN, t),
            Self::Sign => between(&SIGN, t),
            Self::Contours => {
                let part = 10.0 * t;
                let near = (part - part.round()).abs();
                let line = (1.0 - near / 0.12).max(0.0);
                [(255.0 * (0.25 + 0.75 * t) * (1.0 - 0.8 * line)).round() as u8; 3]
            }
        }
    }
}

/// Lightness rises evenly along it.
const EVEN: [[u8; 3]; 6] = [
    [54, 10, 84],
    [60, 72, 136],
    [36, 122, 140],
    [46, 168, 118],
    [134, 208, 70],
    [250, 230, 40],
];

const SIGN: [[u8; 3]; 5] = [
    [24, 60, 150],
    [110, 160, 220],
    [245, 245, 242],
    [232, 140, 104],
    [160, 24, 40],
];

fn between<const N: usize>(stops: &[[u8; 3]; N], t: f32) -> [u8; 3] {
    let at = t * (N - 1) as f32;
    let first = (at as usize).min(N - 2);
    let part = at - first as f32;
    std::array::from_fn(|channel| {
        let [from, to] = [stops[first], stops[first + 1]].map(|stop| f32::from(stop[channel]));
        (from + part * (to - from)).round() as u8
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lightness of CIE 1976 over luminance.
    fn lightness([r, g, b]: [u8; 3]) -> f32 {
        let linear = |c: u8| (f32::from(c) / 255.0).powf(2.2);
        let luminance = 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
        116.0 * luminance.cbrt() - 16.0
    }

    #[test]
    fn the_even_map_rises_evenly() {
        let steps: Vec<f32> = (0..=10)
            .map(|i| lightness(ColorMap::Even.color(i as f32 / 10.0)))
            .collect();
        for pair in steps.windows(2) {
            let rise = pair[1] - pair[0];
            assert!((4.0..12.0).contains(&rise), "{rise} in {steps:?}");
        }
    }

    #[test]
    fn the_sign_map_is_light_in_the_middle() {
        let [low, middle, high] = [0.0, 0.5, 1.0].map(|t| lightness(ColorMap::Sign.color(t)));
        assert!(middle > low + 30.0 && middle > high + 30.0);
    }

    #[test]
    fn what_is_no_number_stands_out() {
        for map in ColorMap::ALL {
            assert_eq!(map.color(f32::NAN), [255, 0, 255]);
            assert_eq!(map.color(-5.0), map.color(0.0));
            assert_eq!(map.color(f32::INFINITY), map.color(1.0));
        }
    }
}
