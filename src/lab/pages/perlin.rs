//! Page 2: one lattice, and every number that goes into one value.

use bevy::reflect::Reflect;
use smart_default::SmartDefault;

use super::{code, same_for_all, seed, sphere};
use crate::lab::color_map::ColorMap;
use crate::lab::sampler::Sampler;
use crate::lab::sheet::{Body, Curve, Field, Mark, Panel, Plot, Sheet};
use crate::lab::{About, Carry, Code, LabParams, Page};
use crate::noise::lattice::{Corner, Fade, Gradients, Lattice, permutation};
use crate::param::{Choices, Section, Unit};
use crate::scene::Scene;

/// Perlin noise, inside.
#[derive(Reflect, SmartDefault, Clone, Copy, Debug, PartialEq)]
#[reflect(@Section { key: "perlin", title: "Perlin, inside" })]
pub struct PerlinPage {
    /// How a node's influence falls towards its neighbours.
    #[default(2)]
    #[reflect(@Choices(&Fade::NAMES))]
    pub fade: u32,
    /// Which directions the slopes at the nodes have.
    #[default(0)]
    #[reflect(@Choices(&Gradients::NAMES))]
    pub gradients: u32,
    /// What the second picture shows, where the fade's kinks show.
    #[default(1)]
    #[reflect(@Choices(&View::NAMES))]
    pub view: u32,
    /// Cells across that the lattice shows.
    #[default(3)]
    #[reflect(@1..=8_u32, @Unit("cells"))]
    pub cells: u32,
    /// Place of the point, from the left.
    #[default(1.35)]
    #[reflect(@0.0..=8.0_f32, @Unit("cells"))]
    pub point_x: f32,
    /// Place of the point, from below.
    #[default(1.6)]
    #[reflect(@0.0..=8.0_f32, @Unit("cells"))]
    pub point_y: f32,
}

/// What is shown of the noise.
#[derive(Clone, Copy, PartialEq, Eq)]
enum View {
    Relief,
    FirstDerivative,
    SecondDerivative,
}

impl View {
    const ALL: [Self; 3] = [Self::Relief, Self::FirstDerivative, Self::SecondDerivative];
    const NAMES: [&str; 3] = ["relief", "first derivative", "second derivative"];
}

static ABOUT: About = About {
    name: "perlin",
    title: "Perlin noise, inside",
    text: "Every node has a slope, its gradient. At a point, each corner of the cell says how high its slope is there: \
           gradient · offset. The fade weighs the answers. At a node only its own slope counts, and its height is 0. A \
           linear fade leaves kinks along the lattice, a cubic one jumps of the curvature; the quintic has neither. A node \
           finds its gradient in the permutation table: the numbers 0 to 255, shuffled, and read again from the \
           beginning at its end, so that the noise repeats after 256 cells. Point at the lattice to move the point.",
    formula: "n(p) = Σ w(p − c) · g(c)·(p − c),   w = Π fade,   fade = t,  3t² − 2t³  or  6t⁵ − 15t⁴ + 10t³",
    source: "Perlin 1985, \"An Image Synthesizer\"; Perlin 2002, \"Improving Noise\"",
};

impl PerlinPage {
    fn chosen(&self) -> (Fade, Gradients, View) {
        (
            Fade::ALL[(self.fade as usize).min(Fade::ALL.len() - 1)],
            Gradients::ALL[(self.gradients as usize).min(Gradients::ALL.len() - 1)],
            View::ALL[(self.view as usize).min(View::ALL.len() - 1)],
        )
    }

    /// The noise that the page shows.
    pub fn lattice(&self, lab: &LabParams) -> Lattice {
        let (fade, gradients, _) = self.chosen();
        Lattice::new(lab.seed, gradients, fade)
    }

    /// The point whose numbers are shown, in the lattice.
    pub fn point(&self, lab: &LabParams) -> [f64; 3] {
        let last = f64::from(self.cells) - 1e-6;
        let [x, y] = [self.point_x, self.point_y].map(|c| f64::from(c).min(last));
        [x, y, f64::from(lab.time)]
    }

    /// The lattice with its arrows, and the point.
    fn diagram(&self, lab: &LabParams, sampler: &Sampler, lattice: &Lattice) -> Field {
        let z = f64::from(lab.time);
        let width = f64::from(self.cells);
        let mut field = sampler.field_at([0.0; 2], width, lab, |[x, y]| lattice.at([x, y, z]));
        for line in 0..=self.cells {
            let at = f64::from(line);
            field.marks.push(Mark::Line([at, 0.0], [at, width]));
            field.marks.push(Mark::Line([0.0, at], [width, at]));
        }
        for x in 0..=i64::from(self.cells) {
            for y in 0..=i64::from(self.cells) {
                let [gx, gy, _] = lattice.gradient([x, y, z.floor() as i64]);
                let node = [x as f64, y as f64];
                field.marks.push(Mark::Arrow(node, [0.3 * gx, 0.3 * gy]));
                field.marks.push(Mark::Dot(node));
            }
        }
        let point = self.point(lab);
        for corner in lattice.corners(point) {
            let node = [corner.node[0] as f64, corner.node[1] as f64];
            field.marks.push(Mark::Line(node, [point[0], point[1]]));
        }
        field.marks.push(Mark::Ring([point[0], point[1]], 5.0));
        field
    }

    /// The second picture: the noise lit from the side, or a derivative along x.
    fn view(&self, lab: &LabParams, sampler: &Sampler, lattice: &Lattice) -> Panel {
        let z = f64::from(lab.time);
        let width = f64::from(self.cells);
        // Wide enough that rounding does not show, narrow enough for kinks to.
        let step = 1e-3;
        let at = |x: f64, y: f64| lattice.at([x, y, z]);
        let slope = |x: f64, y: f64| (at(x + step, y) - at(x - step, y)) / (2.0 * step);
        let bend =
            |x: f64, y: f64| (at(x + step, y) - 2.0 * at(x, y) + at(x - step, y)) / (step * step);
        let (fade, _, view) = self.chosen();
        let mut field = sampler.field_at([0.0; 2], width, lab, |[x, y]| match view {
            View::Relief => {
                // A surface 0.6 cells high, lit from the left above (Lambert).
                let normal = [
                    -0.6 * slope(x, y),
                    0.6 * (at(x, y - step) - at(x, y + step)) / (2.0 * step),
                    1.0,
                ];
                let length = normal.iter().map(|c| c * c).sum::<f64>().sqrt();
                let light = [-0.55, 0.45, 0.7];
                (0..3).map(|axis| normal[axis] * light[axis]).sum::<f64>() / length
            }
            View::FirstDerivative => slope(x, y),
            View::SecondDerivative => bend(x, y),
        });
        let (range, map) = match view {
            View::Relief => ([0.0, 1.0], ColorMap::Gray),
            View::FirstDerivative => ([-2.5, 2.5], ColorMap::Sign),
            View::SecondDerivative => ([-12.0, 12.0], ColorMap::Sign),
        };
        (field.range, field.map) = (range, map);
        let name = View::NAMES[view as usize];
        Body::Field(field).titled(format!(
            "{} of the {} fade",
            crate::param::panel::capitalized(name),
            Fade::NAMES[fade as usize]
        ))
    }

    fn fades(&self) -> Plot {
        let chosen = self.chosen().0;
        let curves = Fade::ALL.map(|fade| Curve {
            name: Fade::NAMES[fade as usize].to_owned(),
            points: (0..=80)
                .map(|i| f64::from(i) / 80.0)
                .map(|t| [t, fade.at(t)])
                .collect(),
            guide: fade != chosen,
        });
        Plot {
            x: "t".to_owned(),
            y: String::new(),
            logarithmic: false,
            curves: curves.into(),
        }
    }
}

/// The corners' numbers, and their sum.
fn table(corners: &[Corner], value: f64, dimensions: usize) -> Body {
    let vector = |v: [f64; 3]| {
        let parts: Vec<String> = v[..dimensions].iter().map(|c| number(*c)).collect();
        parts.join("  ")
    };
    let mut rows = vec![
        [
            "corner",
            "gradient",
            "offset",
            "dot",
            "weight",
            "dot · weight",
        ]
        .map(str::to_owned)
        .to_vec(),
    ];
    for corner in corners {
        let node: Vec<String> = corner.node[..dimensions]
            .iter()
            .map(i64::to_string)
            .collect();
        rows.push(vec![
            node.join(", "),
            vector(corner.gradient),
            vector(corner.offset),
            number(corner.dot),
            number(corner.weight),
            number(corner.dot * corner.weight),
        ]);
    }
    let weights: f64 = corners.iter().map(|corner| corner.weight).sum();
    let sum = ["sum", "", "", "", &number(weights), &number(value)].map(str::to_owned);
    rows.push(sum.to_vec());
    Body::Table(rows)
}

/// A number with three decimals and a true minus.
fn number(value: f64) -> String {
    let text = format!("{value:.3}");
    if text == "-0.000" {
        "0.000".to_owned()
    } else {
        text.replace('-', "−")
    }
}

/// The permutation table as a field: 16 rows of 16 numbers.
fn permutation_field(lab: &LabParams) -> Field {
    Field {
        size: [16, 16],
        values: permutation(lab.seed).map(f32::from).to_vec(),
        origin: [0.0; 2],
        extent: [16.0; 2],
        range: [0.0, 255.0],
        map: lab.map(),
        marks: Vec::new(),
        histogram: false,
        milliseconds: None,
    }
}

impl Page for PerlinPage {
    same_for_all!(ABOUT);

    fn sheet(&self, lab: &LabParams, sampler: &Sampler) -> Sheet {
        let (_, gradients, _) = self.chosen();
        let lattice = self.lattice(lab);
        let z = f64::from(lab.time);
        let point = self.point(lab);
        let corners = lattice.corners(point);
        let value = lattice.at(point);
        let wide = sampler.field(lab, |[x, y]| lattice.at([x, y, z]));
        let directions = sphere::picture(
            &gradients.directions(lab.seed),
            sampler.resolution.clamp(96, 400),
        );
        let table = table(&corners, value, gradients.dimensions());
        Sheet {
            rows: vec![
                vec![
                    Body::Field(self.diagram(lab, sampler, &lattice))
                        .titled("The lattice and its gradients"),
                    self.view(lab, sampler, &lattice),
                    Body::Field(wide).titled("From farther away"),
                ],
                vec![
                    table.titled(format!(
                        "At {} {}: {}",
                        number(point[0]),
                        number(point[1]),
                        number(value)
                    )),
                    Body::Image(directions).titled(format!(
                        "Gradients: {}",
                        Gradients::NAMES[gradients as usize]
                    )),
                    Body::Plot(self.fades()).titled("The fades"),
                    Body::Field(permutation_field(lab)).titled("The permutation table"),
                ],
            ],
            note: None,
        }
    }

    fn code(&self, lab: &LabParams) -> Code {
        let (fade, gradients, _) = self.chosen();
        Code {
            field: 2,
            ..code::lattice(lab, fade, gradients)
        }
    }

    fn carry(&self, lab: &LabParams) -> Vec<Carry> {
        vec![Carry {
            label: "Bake a cloud from this seed",
            scene: Scene::Cloud,
            values: vec![("noise.seed", seed(lab))],
        }]
    }

    fn point_at(&mut self, [x, y]: [f64; 2]) -> bool {
        let point = [x as f32, y as f32].map(|c| c.clamp(0.0, self.cells as f32));
        let moved = point != [self.point_x, self.point_y];
        [self.point_x, self.point_y] = point;
        moved
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the table shows adds up to what it says.
    #[test]
    fn shown_numbers_add_up() {
        for gradients in 0..Gradients::ALL.len() as u32 {
            let mut page = PerlinPage {
                gradients,
                ..Default::default()
            };
            assert!(page.point_at([2.2, 0.7]));
            let sheet = page.sheet(&LabParams::default(), &Sampler::new(8));
            let Some(Body::Table(rows)) = sheet
                .panels()
                .map(|panel| &panel.body)
                .find(|body| matches!(body, Body::Table(_)))
            else {
                panic!("no table");
            };
            let read = |text: &str| text.replace('−', "-").parse::<f64>().unwrap();
            let (last, corners) = rows[1..].split_last().unwrap();
            let mut sum = 0.0;
            for corner in corners {
                assert!((read(&corner[3]) * read(&corner[4]) - read(&corner[5])).abs() < 2e-3);
                sum += read(&corner[5]);
            }
            assert!((sum - read(&last[5])).abs() < 5e-3);
            assert!((read(&last[4]) - 1.0).abs() < 1e-9);
            let value = page
                .lattice(&LabParams::default())
                .at(page.point(&LabParams::default()));
            assert!((value - read(&last[5])).abs() < 1e-3);
        }
    }
}
