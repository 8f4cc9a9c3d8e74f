//! A page as a picture, without a window and without a GPU.

use std::collections::HashMap;

use bevy_egui::egui::epaint::{ClippedPrimitive, Mesh, Primitive, Vertex};
use bevy_egui::egui::{
    self, Color32, ColorImage, Context, ImageData, Pos2, Rect, TextureFilter, TextureId,
    TextureOptions, TexturesDelta, Vec2, vec2,
};

use super::Lab;
use super::paint::Painted;
use super::sampler::Sampler;
use super::sheet::Image;

/// What a page is laid out for, in points; other sizes are drawn larger or smaller.
const LAYOUT: Vec2 = vec2(1280.0, 800.0);

/// Draws a page. The same setting gives the same picture, unless it is `timed`.
///
/// # Panics
/// If a side is 0.
pub fn picture(lab: &Lab, [width, height]: [usize; 2], timed: bool) -> Image {
    assert!(width > 0 && height > 0, "a picture has pixels");
    let size = vec2(width as f32, height as f32);
    let scale = (size / LAYOUT).min_elem().clamp(0.05, 16.0);
    let ctx = Context::default();
    crate::ui::theme::apply(&ctx);
    let mut canvas = Canvas::new([width, height], scale);
    // Once to see how wide fields are, once with fields of that many samples.
    let mut resolution = 8;
    for _ in 0..2 {
        let sampler = Sampler {
            timed,
            ..Sampler::new(resolution)
        };
        let painted = Painted::new(&ctx, lab.sheet(&sampler));
        let mut widest = 0.0;
        let mut input = egui::RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, size / scale)),
            ..Default::default()
        };
        let window = input.viewports.entry(egui::ViewportId::ROOT).or_default();
        window.native_pixels_per_point = Some(scale);
        let output = ctx.run_ui(input, |ui| {
            widest = painted.show(ui, lab.page.about(), size / scale).widest;
        });
        canvas.take(output.textures_delta);
        let shapes = ctx.tessellate(output.shapes, output.pixels_per_point);
        canvas.clear();
        canvas.paint(&shapes);
        resolution = ((widest * scale).round() as usize).clamp(8, 2048);
    }
    canvas.image()
}

/// Pixels, and the textures that triangles are filled from.
struct Canvas {
    size: [usize; 2],
    scale: f32,
    pixels: Vec<[f32; 3]>,
    textures: HashMap<TextureId, (ColorImage, TextureOptions)>,
}

impl Canvas {
    fn new(size: [usize; 2], scale: f32) -> Self {
        Self {
            size,
            scale,
            pixels: vec![[0.0; 3]; size[0] * size[1]],
            textures: HashMap::new(),
        }
    }

    fn clear(&mut self) {
        let [r, g, b, _] = crate::ui::theme::PANEL.to_array();
        self.pixels.fill([r, g, b].map(f32::from));
    }

    /// Takes new and changed textures.
    fn take(&mut self, mut delta: TexturesDelta) {
        for (id, deltas) in std::mem::take(&mut delta.set) {
            for delta in deltas {
                let ImageData::Color(image) = delta.image;
                match (delta.pos, self.textures.get_mut(&id)) {
                    (Some([x, y]), Some((texture, _))) => {
                        let [width, height] = image.size;
                        for row in 0..height {
                            let start = (y + row) * texture.size[0] + x;
                            texture.pixels[start..][..width]
                                .copy_from_slice(&image.pixels[row * width..][..width]);
                        }
                    }
                    _ => {
                        self.textures.insert(id, ((*image).clone(), delta.options));
                    }
                }
            }
        }
    }

    fn paint(&mut self, shapes: &[ClippedPrimitive]) {
        for shape in shapes {
            if let Primitive::Mesh(mesh) = &shape.primitive {
                self.paint_mesh(mesh, shape.clip_rect);
            }
        }
    }

    fn paint_mesh(&mut self, mesh: &Mesh, clip: Rect) {
        let Some((texture, options)) = self.textures.get(&mesh.texture_id) else {
            return;
        };
        let edge = |c: f32, last: usize| (c * self.scale).round().clamp(0.0, last as f32) as usize;
        let clip = [
            edge(clip.left(), self.size[0])..edge(clip.right(), self.size[0]),
            edge(clip.top(), self.size[1])..edge(clip.bottom(), self.size[1]),
        ];
        let sampled = match options.magnification {
            TextureFilter::Nearest => nearest,
            TextureFilter::Linear => bilinear,
        };
        for corners in mesh.indices.chunks_exact(3) {
            let triangle = [corners[0], corners[1], corners[2]].map(|i| mesh.vertices[i as usize]);
            let Some(triangle) = Triangle::new(triangle, self.scale) else {
                continue;
            };
            let [columns, rows] = [0, 1].map(|axis| triangle.reach(axis, &clip[axis]));
            for y in rows {
                for x in columns.clone() {
                    if let Some([r, g, b, a]) = triangle.color([x, y], texture, sampled) {
                        let pixel = &mut self.pixels[y * self.size[0] + x];
                        let under = 1.0 - a / 255.0;
                        *pixel = [
                            r + under * pixel[0],
                            g + under * pixel[1],
                            b + under * pixel[2],
                        ];
                    }
                }
            }
        }
    }

    fn image(&self) -> Image {
        let byte = |c: f32| c.round().clamp(0.0, 255.0) as u8;
        Image {
            size: self.size,
            pixels: self.pixels.iter().map(|pixel| pixel.map(byte)).collect(),
        }
    }
}

/// A triangle in pixels, counter-clockwise in a world whose y points up.
struct Triangle {
    at: [[f64; 2]; 3],
    vertices: [Vertex; 3],
    area: f64,
}

impl Triangle {
    /// `None` if it covers nothing.
    fn new(mut vertices: [Vertex; 3], scale: f32) -> Option<Self> {
        let place =
            |vertex: Vertex| [vertex.pos.x, vertex.pos.y].map(|c| f64::from(c) * f64::from(scale));
        let mut at = vertices.map(place);
        let mut area = side(at[0], at[1], at[2]);
        if area < 0.0 {
            at.swap(1, 2);
            vertices.swap(1, 2);
            area = -area;
        }
        (area > 0.0 && area.is_finite()).then_some(Self { at, vertices, area })
    }

    /// The pixels along an axis that it may cover.
    fn reach(&self, axis: usize, clip: &std::ops::Range<usize>) -> std::ops::Range<usize> {
        let places = self.at.map(|at| at[axis]);
        let low = places
            .into_iter()
            .fold(f64::MAX, f64::min)
            .floor()
            .max(clip.start as f64);
        let high = places
            .into_iter()
            .fold(f64::MIN, f64::max)
            .ceil()
            .min(clip.end as f64);
        low as usize..(high.max(low)) as usize
    }

    /// Its colour, premultiplied, on a pixel whose middle it covers. The middle of a pixel on the common edge of two
    /// triangles belongs to one of them, or see-through shapes would have seams.
    fn color(&self, pixel: [usize; 2], texture: &ColorImage, sampled: Filter) -> Option<[f32; 4]> {
        let middle = pixel.map(|c| c as f64 + 0.5);
        let mut shares = [0.0; 3];
        for (corner, part) in shares.iter_mut().enumerate() {
            let [from, to] = [self.at[(corner + 1) % 3], self.at[(corner + 2) % 3]];
            let share = side(from, to, middle);
            let top_or_left = to[1] < from[1] || (to[1] == from[1] && to[0] > from[0]);
            if share < 0.0 || (share == 0.0 && !top_or_left) {
                return None;
            }
            *part = (share / self.area) as f32;
        }
        let mixed = |value: &dyn Fn(&Vertex) -> f32| -> f32 {
            self.vertices
                .iter()
                .zip(shares)
                .map(|(vertex, share)| share * value(vertex))
                .sum()
        };
        let texel = sampled(
            texture,
            [mixed(&|vertex| vertex.uv.x), mixed(&|vertex| vertex.uv.y)],
        );
        Some(std::array::from_fn(|channel| {
            mixed(&|vertex| f32::from(vertex.color.to_array()[channel])) * texel[channel] / 255.0
        }))
    }
}

/// Twice the area of a triangle; positive if `c` is to the right of the way from `a` to `b`, y pointing down.
fn side(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// A texture's colour at a place.
type Filter = fn(&ColorImage, [f32; 2]) -> [f32; 4];

/// The texel that a place lies in.
fn nearest(texture: &ColorImage, at: [f32; 2]) -> [f32; 4] {
    let [x, y] = [0, 1].map(|axis| {
        let size = texture.size[axis];
        ((at[axis] * size as f32) as usize).min(size - 1)
    });
    texture.pixels[y * texture.size[0] + x]
        .to_array()
        .map(f32::from)
}

/// A texture between its texels; the edge goes on for ever.
fn bilinear(texture: &ColorImage, [u, v]: [f32; 2]) -> [f32; 4] {
    let [width, height] = texture.size;
    let [x, y] = [u * width as f32 - 0.5, v * height as f32 - 0.5];
    let texel = |x: f32, y: f32| -> [f32; 4] {
        let x = x.clamp(0.0, width as f32 - 1.0) as usize;
        let y = y.clamp(0.0, height as f32 - 1.0) as usize;
        Color32::to_array(&texture.pixels[y * width + x]).map(f32::from)
    };
    let [left, top] = [x.floor(), y.floor()];
    let [s, t] = [x - left, y - top];
    let corners = [
        (texel(left, top), (1.0 - s) * (1.0 - t)),
        (texel(left + 1.0, top), s * (1.0 - t)),
        (texel(left, top + 1.0), (1.0 - s) * t),
        (texel(left + 1.0, top + 1.0), s * t),
    ];
    std::array::from_fn(|channel| {
        corners
            .iter()
            .map(|(texel, share)| share * texel[channel])
            .sum()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy_egui::egui::pos2;

    fn canvas(size: [usize; 2]) -> Canvas {
        let mut canvas = Canvas::new(size, 1.0);
        canvas.textures.insert(
            TextureId::default(),
            (
                ColorImage::filled([1, 1], Color32::WHITE),
                TextureOptions::LINEAR,
            ),
        );
        canvas
    }

    /// Every pixel of a see-through rectangle is painted once, also along the diagonal that parts its triangles.
    #[test]
    fn triangles_that_touch_paint_each_pixel_once() {
        for shift in [0.0, 0.25, 0.5] {
            let mut canvas = canvas([40, 30]);
            let mut mesh = Mesh::default();
            let rect = Rect::from_min_max(pos2(2.0 + shift, 3.0), pos2(38.0 + shift, 27.0));
            mesh.add_colored_rect(rect, Color32::from_rgba_premultiplied(100, 0, 0, 128));
            canvas.paint_mesh(&mesh, Rect::EVERYTHING);
            let painted = canvas.image().pixels;
            assert!(painted.iter().all(|pixel| pixel[0] == 0 || pixel[0] == 100));
            assert_eq!(
                painted.iter().filter(|pixel| pixel[0] == 100).count(),
                36 * 24
            );
        }
    }

    #[test]
    fn nothing_is_painted_outside_the_clip() {
        let mut canvas = canvas([10, 10]);
        let mut mesh = Mesh::default();
        mesh.add_colored_rect(
            Rect::EVERYTHING.intersect(Rect::from_min_max(pos2(-5.0, -5.0), pos2(50.0, 50.0))),
            Color32::WHITE,
        );
        canvas.paint_mesh(&mesh, Rect::from_min_max(pos2(2.0, 2.0), pos2(4.0, 5.0)));
        assert_eq!(
            canvas
                .image()
                .pixels
                .iter()
                .filter(|pixel| pixel[0] == 255)
                .count(),
            6
        );
    }

    #[test]
    fn pictures_of_any_size_show_the_page() {
        let lab = Lab::open("smooth").unwrap();
        for size in [[1, 1], [7, 900], [300, 200]] {
            let image = picture(&lab, size, false);
            assert_eq!(image.pixels.len(), size[0] * size[1]);
        }
        let image = picture(&lab, [300, 200], false);
        let distinct: std::collections::HashSet<_> = image.pixels.iter().collect();
        assert!(distinct.len() > 50, "{} colours", distinct.len());
    }
}
