//! The noise lab: pages look as they did, and the programs it gives away make the same picture.

use bevy::math::Vec4;
use pyrocumulus::lab::sampler::Sampler;
use pyrocumulus::lab::sheet::Field;
use pyrocumulus::lab::{Code, Lab, pages, picture};

use crate::golden::{HOW_TO_ACCEPT, compare};
use crate::gpu::{Bindings, gpu};
use crate::lab_code;

/// Settings whose programs are tried: a page and what is set.
const PROGRAMS: [(&str, &[(&str, &str)]); 12] = [
    ("smooth", &[]),
    (
        "perlin",
        &[("gradients", "256 on the circle"), ("fade", "linear")],
    ),
    (
        "perlin",
        &[
            ("gradients", "12 edges"),
            ("fade", "cubic"),
            ("seed", "4294967295"),
        ],
    ),
    (
        "fbm",
        &[("octaves", "4"), ("lacunarity", "2.3"), ("gain", "0.6")],
    ),
    ("shaping", &[("relief", "ridged")]),
    ("shaping", &[("relief", "billow"), ("seed", "3")]),
    ("shaping", &[("relief", "marble")]),
    ("warp", &[("octaves", "3")]),
    ("worley", &[("jitter", "0.7"), ("seed", "12")]),
    ("simplex", &[]),
    (
        "simplex",
        &[("dimensions", "4d"), ("seed", "5"), ("time", "3.7")],
    ),
    ("time", &[("time", "1.3")]),
];

fn labs() -> impl Iterator<Item = (String, Lab)> {
    PROGRAMS
        .iter()
        .enumerate()
        .map(|(index, (page, settings))| {
            let mut lab = Lab::open(page).expect("a page of the lab");
            for (name, value) in *settings {
                lab.set(name, value).expect("a setting of the page");
            }
            (format!("{page}_{index}"), lab)
        })
}

/// The field that a page's program makes, and the places of its samples.
fn shown(lab: &Lab, code: &Code) -> (Field, Vec<[f64; 2]>) {
    let sheet = lab.sheet(&Sampler::new(48));
    let field = sheet.fields().nth(code.field).expect("the field").clone();
    let [width, height] = field.size;
    let places = (0..width * height).map(|i| {
        let [u, v] = [i % width, height - 1 - i / width].map(|c| c as f64 + 0.5);
        [
            u / width as f64 * field.extent[0],
            v / height as f64 * field.extent[1],
        ]
    });
    let places = places.collect();
    (field, places)
}

#[test]
fn pages_look_as_they_did() {
    let mut faults = Vec::new();
    for name in pages::names() {
        let lab = Lab::open(name).expect("a page of the lab");
        let image = picture::picture(&lab, [400, 250], false);
        let pixels = image.pixels.as_flattened().to_vec();
        let image = image::RgbImage::from_raw(400, 250, pixels).expect("a picture");
        faults.extend(compare(&format!("lab-{name}"), &image).err());
    }
    assert!(faults.is_empty(), "{}\n{HOW_TO_ACCEPT}", faults.join("\n"));
}

#[test]
fn wgsl_from_the_lab_makes_the_same_picture() {
    for (name, lab) in labs() {
        let code = lab.page.code(&lab.params);
        let (field, places) = shown(&lab, &code);
        let inputs: Vec<Vec4> = places
            .iter()
            .map(|[x, y]| Vec4::new(*x as f32, *y as f32, 0.0, 0.0))
            .collect();
        let probe = "fn evaluate(i: u32) -> vec4<f32> { return vec4(value(inputs[i].xy)); }";
        let source = format!("{}\n{probe}\n", code.wgsl);
        let values = gpu().evaluate(&source, &inputs, inputs.len(), &Bindings::default());
        for (place, (value, expected)) in places.iter().zip(values.iter().zip(&field.values)) {
            // The warp multiplies what is rounded by the slopes of the noise.
            assert!(
                (value.x - expected).abs() < 2e-4,
                "{name} at {place:?}: {} for {expected}",
                value.x
            );
        }
    }
}

#[test]
fn rust_from_the_lab_makes_the_same_picture() {
    let mut text = "//! What the lab gives away as Rust, page by page.\n\n".to_owned();
    let modules = labs().map(|(name, lab)| {
        let code = lab.page.code(&lab.params).rust;
        let indented: String = code
            .lines()
            .map(|line| {
                if line.is_empty() {
                    "\n".to_owned()
                } else {
                    format!("    {line}\n")
                }
            })
            .collect();
        format!("pub mod {name} {{\n{indented}}}\n")
    });
    text += &modules.collect::<Vec<_>>().join("\n");
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/suite/lab_code.rs");
    if std::env::var_os("PYROCUMULUS_WRITE").is_some() {
        std::fs::write(file, &text).expect("the file can be written");
    }
    let compiled = include_str!("lab_code.rs");
    assert!(
        compiled == text,
        "{file} is not what the lab gives away; {HOW_TO_ACCEPT}"
    );
    let noises: [Box<dyn Fn(f64, f64) -> f64>; PROGRAMS.len()] = [
        Box::new(lab_code::smooth_0::noise()),
        Box::new(lab_code::perlin_1::noise()),
        Box::new(lab_code::perlin_2::noise()),
        Box::new(lab_code::fbm_3::noise()),
        Box::new(lab_code::shaping_4::noise()),
        Box::new(lab_code::shaping_5::noise()),
        Box::new(lab_code::shaping_6::noise()),
        Box::new(lab_code::warp_7::noise()),
        Box::new(lab_code::worley_8::noise()),
        Box::new(lab_code::simplex_9::noise()),
        Box::new(lab_code::simplex_10::noise()),
        Box::new(lab_code::time_11::noise()),
    ];
    for ((name, lab), noise) in labs().zip(noises) {
        let (field, places) = shown(&lab, &lab.page.code(&lab.params));
        let apart =
            |([x, y], expected): (&[f64; 2], &f32)| (noise(*x, *y) - f64::from(*expected)).abs();
        let apart: Vec<f64> = places.iter().zip(&field.values).map(apart).collect();
        // The noise crate cuts Perlin noise where its scale takes it beyond 1: rarely, and by little.
        let cut = apart.iter().filter(|apart| **apart > 1e-5).count();
        let most = apart.iter().copied().fold(0.0, f64::max);
        assert!(
            cut <= apart.len() / 200 && most < 0.1,
            "{name}: {cut} differ, by up to {most}"
        );
    }
}
