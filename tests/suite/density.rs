//! The cloud's density on the graphics adapter against its twin on the CPU.

use bevy::math::{Vec3, Vec4};
use bevy::render::render_resource::encase::UniformBuffer;
use pyrocumulus::param::{Kind, Value, declarations};
use pyrocumulus::reference::density::{
    CloudNoise, TiledTexture, density_of, detailed_field, field_bound, lobed_field, profile,
};
use pyrocumulus::volume::CloudParams;

use crate::gpu::{Bindings, Volume3d, gpu};

const PROBE: &str = "
#import pyrocumulus::params::CloudParams
#import pyrocumulus::density::{CloudNoise, profile, field_bound, lobed_field, detailed_field, density_of}
@group(0) @binding(2) var<uniform> params: CloudParams;
@group(0) @binding(3) var tiling: sampler;
@group(0) @binding(4) var base: texture_3d<f32>;
@group(0) @binding(5) var detail: texture_3d<f32>;
fn evaluate(i: u32) -> vec4<f32> {
    let p = inputs[i].xyz;
    let noise = CloudNoise(vec3(0.1, 0.2, 0.3), vec3(0.4, 0.5, 0.6), vec3(0.7, 0.8, 0.9));
    let s = profile(p, params);
    let lobed = lobed_field(p, s, params, noise, base, tiling);
    let detailed = detailed_field(p, lobed, params, noise, detail, tiling);
    return vec4(field_bound(p, s, params), lobed.x, detailed, density_of(detailed, params));
}
";

/// A hash of 32 bits (Wellons 2018, "Prospecting for Hash Functions", lowbias32).
fn hash(mut x: u32) -> u32 {
    x = (x ^ (x >> 16)).wrapping_mul(0x7feb_352d);
    x = (x ^ (x >> 15)).wrapping_mul(0x846c_a68b);
    x ^ (x >> 16)
}

fn texture(edge: usize, seed: u32) -> TiledTexture {
    let texels = (0..edge.pow(3) as u32)
        .map(|i| hash(i ^ (seed << 20)).to_le_bytes())
        .collect();
    TiledTexture { edge, texels }
}

fn points(count: u32) -> Vec<Vec3> {
    let coordinate = |i: u32, axis: u32| hash(3 * i + axis) as f32 / u32::MAX as f32 * 2.0 - 1.0;
    (0..count)
        .map(|i| Vec3::new(coordinate(i, 0), coordinate(i, 1), coordinate(i, 2)))
        .collect()
}

/// Parameters spread over their ranges, different for each `draw`.
fn drawn_params(draw: u32) -> CloudParams {
    let mut params = CloudParams::default();
    for (i, declaration) in declarations(<CloudParams as bevy::reflect::Typed>::type_info())
        .iter()
        .enumerate()
    {
        if let Kind::Float { range, .. } = &declaration.kind {
            let t = hash(draw * 101 + i as u32) as f32 / u32::MAX as f32;
            let value = range.start() + t * (range.end() - range.start());
            declaration
                .set(
                    &mut params,
                    Value::Float(value.clamp(*range.start(), *range.end())),
                )
                .unwrap();
        }
    }
    params
}

#[test]
fn density_equals_its_twin() {
    let noise = CloudNoise {
        base_phase: Vec3::new(0.1, 0.2, 0.3),
        detail_phase: Vec3::new(0.4, 0.5, 0.6),
        seed_offset: Vec3::new(0.7, 0.8, 0.9),
        base: texture(8, 1),
        detail: texture(4, 2),
    };
    let upload = |texture: &TiledTexture| Volume3d {
        edge: texture.edge as u32,
        texels: texture.texels.concat(),
    };
    let points = points(4000);
    let inputs: Vec<Vec4> = points.iter().map(|p| p.extend(0.0)).collect();
    for draw in 0..6 {
        let params = if draw == 0 {
            CloudParams::default()
        } else {
            drawn_params(draw)
        };
        let mut uniform = UniformBuffer::new(Vec::<u8>::new());
        uniform.write(&params).unwrap();
        let mut bytes = uniform.into_inner();
        bytes.resize(bytes.len().next_multiple_of(16), 0);
        let bindings = Bindings {
            uniform: bytes,
            textures: vec![upload(&noise.base), upload(&noise.detail)],
        };
        let values = gpu().evaluate(PROBE, &inputs, inputs.len(), &bindings);
        for (p, value) in points.iter().zip(values) {
            let s = profile(*p, &params);
            let lobed = lobed_field(*p, s, &params, &noise);
            let detailed = detailed_field(*p, lobed, &params, &noise);
            let bound = field_bound(*p, s, &params);
            let expected = Vec4::new(bound, lobed.x, detailed, density_of(detailed, &params));
            // Adapters interpolate with 8 bits of fraction; the noise of these textures is as steep as can be.
            let fields = (value - expected).truncate().abs().max_element();
            assert!(
                fields < 0.03 * (1.0 + expected.truncate().abs().max_element()),
                "{params:?} at {p}: {value}, expected {expected}"
            );
            assert!(value.y <= value.x + 1e-4, "the bound holds at {p}: {value}");
            assert!((0.0..=1.0).contains(&value.w), "{value}");
        }
    }
}

/// The march skips by the field, and ends at the sphere.
#[test]
fn no_cloud_reaches_the_bounding_sphere() {
    for draw in 0..200 {
        let params = CloudParams {
            coverage: 1.0,
            ..drawn_params(draw)
        };
        for p in points(100) {
            let p = p.normalize_or(Vec3::Y);
            let bound = field_bound(p, profile(p, &params), &params);
            assert!(bound <= 0.0, "{params:?} at {p}: {bound}");
        }
    }
}
