//! Colours of fire: one table row each, baked into a lookup texture.

use bevy::math::Vec3;
use bevy::prelude::*;

use crate::lookup;
use crate::reference::blackbody;

/// A colour on the way from a flame's edge (0) to its core (1).
struct Stop {
    /// Intensity at which the colour stands.
    at: f32,
    /// Emitted colour, linear Rec. 709, 1 is the fire's `intensity`; for a scattering stop the albedo.
    color: [f32; 3],
    /// Share of the medium here that scatters light like smoke, and does not glow.
    scatter: f32,
}

/// How a palette finds its colours.
enum Colors {
    /// Interpolated between stops.
    Stops(&'static [Stop]),
    /// Planck's law; the row is indexed by temperature over [`MAX_KELVIN`].
    Blackbody,
}

/// One palette.
struct Palette {
    name: &'static str,
    colors: Colors,
}

const fn glow(at: f32, r: f32, g: f32, b: f32) -> Stop {
    Stop {
        at,
        color: [r, g, b],
        scatter: 0.0,
    }
}

const fn haze(at: f32, r: f32, g: f32, b: f32, scatter: f32) -> Stop {
    Stop {
        at,
        color: [r, g, b],
        scatter,
    }
}

/// Temperature at the right end of a blackbody row.
pub const MAX_KELVIN: f32 = 12_000.0;

/// The palettes. To add one, add a row.
const PALETTES: &[Palette] = &[
    Palette {
        name: "fire",
        colors: Colors::Stops(&[
            glow(0.0, 0.0, 0.0, 0.0),
            glow(0.12, 0.10, 0.004, 0.0),
            glow(0.30, 0.48, 0.045, 0.002),
            glow(0.52, 0.95, 0.22, 0.014),
            glow(0.76, 1.0, 0.50, 0.085),
            glow(1.0, 1.0, 0.80, 0.36),
        ]),
    },
    Palette {
        name: "blackbody",
        colors: Colors::Blackbody,
    },
    Palette {
        name: "plasma",
        colors: Colors::Stops(&[
            glow(0.0, 0.0, 0.0, 0.0),
            glow(0.18, 0.05, 0.0, 0.22),
            glow(0.42, 0.36, 0.02, 0.70),
            glow(0.68, 0.85, 0.12, 0.75),
            glow(0.86, 0.75, 0.55, 1.0),
            glow(1.0, 0.85, 0.95, 1.0),
        ]),
    },
    Palette {
        name: "smoke",
        colors: Colors::Stops(&[
            haze(0.0, 0.55, 0.54, 0.53, 1.0),
            haze(0.5, 0.42, 0.41, 0.40, 1.0),
            haze(1.0, 0.24, 0.235, 0.23, 1.0),
        ]),
    },
    Palette {
        name: "lava",
        colors: Colors::Stops(&[
            haze(0.0, 0.05, 0.04, 0.04, 1.0),
            haze(0.28, 0.04, 0.03, 0.03, 0.95),
            glow(0.42, 0.25, 0.012, 0.0),
            glow(0.62, 0.80, 0.085, 0.004),
            glow(0.82, 1.0, 0.30, 0.02),
            glow(1.0, 1.0, 0.62, 0.16),
        ]),
    },
    // Smoke already cold on the outside, soot still burning below it.
    Palette {
        name: "explosion",
        colors: Colors::Stops(&[
            haze(0.0, 0.16, 0.145, 0.13, 1.0),
            haze(0.25, 0.10, 0.085, 0.075, 1.0),
            haze(0.38, 0.12, 0.02, 0.006, 0.5),
            glow(0.52, 0.55, 0.06, 0.003),
            glow(0.70, 1.0, 0.26, 0.018),
            glow(0.86, 1.0, 0.52, 0.09),
            glow(1.0, 1.0, 0.82, 0.40),
        ]),
    },
    // A faint mantle around the bright cone where the premixed gas burns; the unburnt inside is dark.
    Palette {
        name: "gas",
        colors: Colors::Stops(&[
            glow(0.0, 0.0, 0.0, 0.0),
            glow(0.18, 0.006, 0.012, 0.10),
            glow(0.42, 0.010, 0.045, 0.34),
            glow(0.52, 0.05, 0.26, 0.85),
            glow(0.60, 0.20, 0.62, 1.0),
            glow(0.70, 0.04, 0.20, 0.72),
            glow(1.0, 0.010, 0.06, 0.40),
        ]),
    },
    Palette {
        name: "copper",
        colors: Colors::Stops(&[
            glow(0.0, 0.0, 0.0, 0.0),
            glow(0.25, 0.0, 0.10, 0.03),
            glow(0.55, 0.02, 0.55, 0.22),
            glow(0.8, 0.22, 1.0, 0.45),
            glow(1.0, 0.75, 1.0, 0.72),
        ]),
    },
];

/// Their names, in order.
pub const NAMES: [&str; PALETTES.len()] = {
    let mut names = [""; PALETTES.len()];
    let mut i = 0;
    while i < names.len() {
        names[i] = PALETTES[i].name;
        i += 1;
    }
    names
};

impl Palette {
    /// Colour and scatter share at `intensity`, 0..1.
    fn sample(&self, intensity: f32) -> [f32; 4] {
        match self.colors {
            Colors::Blackbody => {
                let [r, g, b] = blackbody::chromaticity(intensity * MAX_KELVIN).to_array();
                // The sign of the scatter share marks a row that is indexed by temperature.
                [r, g, b, -1.0]
            }
            Colors::Stops(stops) => {
                let above = stops
                    .iter()
                    .position(|s| s.at >= intensity)
                    .unwrap_or(stops.len() - 1);
                let (low, high) = (&stops[above.saturating_sub(1)], &stops[above]);
                let span = (high.at - low.at).max(f32::EPSILON);
                let t = ((intensity - low.at) / span).clamp(0.0, 1.0);
                let mix = |a: f32, b: f32| a + (b - a) * t;
                [
                    mix(low.color[0], high.color[0]),
                    mix(low.color[1], high.color[1]),
                    mix(low.color[2], high.color[2]),
                    mix(low.scatter, high.scatter),
                ]
            }
        }
    }
}

/// Mean emitted colour of a palette, linear: what the light of a fire has.
pub fn mean_color(palette: usize, kelvin: f32) -> Vec3 {
    let palette = &PALETTES[palette.min(PALETTES.len() - 1)];
    if matches!(palette.colors, Colors::Blackbody) {
        return 0.5 * blackbody::chromaticity(0.85 * kelvin);
    }
    const SAMPLES: usize = 16;
    let sum: Vec3 = (0..SAMPLES)
        .map(|i| {
            let [r, g, b, scatter] = palette.sample((i as f32 + 0.5) / SAMPLES as f32);
            Vec3::new(r, g, b) * (1.0 - scatter)
        })
        .sum();
    sum / SAMPLES as f32
}

/// The lookup texture, one row a palette.
#[derive(Resource)]
pub struct PaletteTexture(pub Handle<Image>);

/// Bakes the lookup texture.
pub(super) fn bake(mut commands: Commands, mut images: ResMut<Assets<Image>>) {
    const WIDTH: u32 = 256;
    let size = UVec2::new(WIDTH, PALETTES.len() as u32);
    let table = lookup::table(size, |x, row| {
        PALETTES[row as usize].sample(x as f32 / (WIDTH - 1) as f32)
    });
    commands.insert_resource(PaletteTexture(images.add(table)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fire_runs_from_black_over_red_and_orange_to_near_white() {
        let fire = &PALETTES[0];
        assert_eq!(fire.sample(0.0)[..3], [0.0; 3]);
        let samples: Vec<_> = (0..=100).map(|i| fire.sample(i as f32 / 100.0)).collect();
        for pair in samples.windows(2) {
            assert!((0..3).all(|c| pair[1][c] >= pair[0][c]), "a band: {pair:?}");
        }
        assert!(samples.iter().all(|[r, g, b, _]| r >= g && g >= b));
    }

    /// A stop out of order or out of range shows as a hard band, or as more light than `intensity` says.
    #[test]
    fn stops_ascend_and_stay_within_the_intensity() {
        for palette in PALETTES {
            let Colors::Stops(stops) = palette.colors else {
                continue;
            };
            assert!(
                stops.windows(2).all(|pair| pair[0].at < pair[1].at),
                "{}",
                palette.name
            );
            for stop in stops {
                let bounded = stop
                    .color
                    .iter()
                    .chain([&stop.scatter])
                    .all(|c| (0.0..=1.0).contains(c));
                assert!(bounded, "{} at {}", palette.name, stop.at);
            }
        }
    }

    #[test]
    fn the_mean_colour_of_smoke_is_dark() {
        let smoke = NAMES.iter().position(|name| *name == "smoke").unwrap();
        assert_eq!(mean_color(smoke, 2000.0), Vec3::ZERO);
    }
}
