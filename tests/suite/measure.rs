//! What `bench` measures with.

use bevy::prelude::*;

use crate::studio::{in_studio, shot};

/// What `bench` measures is what the screen shows.
#[test]
fn a_picture_in_floating_point_agrees_with_one_in_8_bits() {
    in_studio(|studio| {
        let bytes: Vec<Vec4> = shot(studio, 48, 27).pixels().collect();
        studio.focus((48, 27)).expect("the size is possible");
        let float = studio.read_frame(0).expect("the renderer works");
        assert_eq!(float.size, (48, 27));
        let mut distinct = std::collections::HashSet::new();
        for (byte, float) in bytes.iter().zip(&float.pixels) {
            let difference = (byte.truncate() - *float).abs().max_element();
            // Rounding and dither: a byte step of sRGB is up to 0.009 of linear light.
            assert!(difference < 0.01, "{byte} is {float} in floating point");
            distinct.insert(float.x.to_bits());
        }
        assert!(distinct.len() > 256, "{} levels of red", distinct.len());
    });
}
