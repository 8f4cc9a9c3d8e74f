//! Cellular noise in the plane laid open: the points, the cells, and the distances to the two nearest points.
//!
//! [`Worley`](super::worley::Worley) is the noise that the textures are baked from. This one is slower and knows which
//! point is nearest.

use super::hash::{pcg3d, unit};

/// Points scattered over the plane, one in each unit square (Worley 1996, on a jittered grid).
#[derive(Clone, Copy, Debug)]
pub struct Cells {
    seed: u32,
    /// How far points stray from the middles of their squares: 0 is a grid, 1 all of the square.
    jitter: f64,
}

/// What is near a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    /// Distance to the nearest point, in cells; at most 1.42.
    pub f1: f64,
    /// Distance to the second nearest.
    pub f2: f64,
    /// The nearest point.
    pub point: [f64; 2],
    /// A number from 0 to 1 that belongs to it.
    pub hue: f64,
}

impl Cells {
    /// Any seed will do.
    pub fn new(seed: u32, jitter: f64) -> Self {
        Self { seed, jitter }
    }

    /// The point in a unit square, by the square's left lower corner, and its number.
    pub fn point(&self, square: [i64; 2]) -> ([f64; 2], f64) {
        let [x, y] = square.map(|c| c as u32);
        let random = pcg3d([x, y, self.seed]).map(|word| f64::from(unit(word)));
        let place =
            [0, 1].map(|axis| square[axis] as f64 + 0.5 + self.jitter * (random[axis] - 0.5));
        (place, random[2])
    }

    /// The two nearest points. The nearest lies within one square of `p`'s own, or in the corner of the next but one;
    /// 25 squares hold both.
    pub fn nearest(&self, p: [f64; 2]) -> Nearest {
        let own = p.map(|c| (c.floor() as i64).clamp(-(1 << 52), 1 << 52));
        let mut found = Nearest {
            f1: f64::MAX,
            f2: f64::MAX,
            point: [0.0; 2],
            hue: 0.0,
        };
        for dy in -2..=2 {
            for dx in -2..=2 {
                let (point, hue) = self.point([own[0] + dx, own[1] + dy]);
                let distance = (point[0] - p[0]).hypot(point[1] - p[1]);
                if distance < found.f1 {
                    found = Nearest {
                        f1: distance,
                        f2: found.f1,
                        point,
                        hue,
                    };
                } else if distance < found.f2 {
                    found.f2 = distance;
                }
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(count: u32) -> impl Iterator<Item = [f64; 2]> {
        (0..count).map(|i| {
            let [x, y, _] = pcg3d([i, 6, 5]).map(|word| 80.0 * f64::from(unit(word)) - 40.0);
            [x, y]
        })
    }

    #[test]
    fn nothing_is_nearer_in_81_squares() {
        let cells = Cells::new(3, 1.0);
        for p in points(3000) {
            let nearest = cells.nearest(p);
            let own = p.map(|c| c.floor() as i64);
            let mut distances: Vec<f64> = (-4..=4)
                .flat_map(|dy| (-4..=4).map(move |dx| [own[0] + dx, own[1] + dy]))
                .map(|square| cells.point(square).0)
                .map(|point| (point[0] - p[0]).hypot(point[1] - p[1]))
                .collect();
            distances.sort_by(f64::total_cmp);
            assert_eq!([nearest.f1, nearest.f2], [distances[0], distances[1]]);
        }
    }

    #[test]
    fn both_distances_meet_between_cells() {
        let cells = Cells::new(8, 1.0);
        for p in points(300) {
            let here = cells.nearest(p);
            // Halfway to another cell's point lies a border.
            let (mut inside, mut outside) = (here.point, cells.nearest([p[0] + 3.0, p[1]]).point);
            for _ in 0..60 {
                let middle = [0, 1].map(|axis| 0.5 * (inside[axis] + outside[axis]));
                if cells.nearest(middle).point == here.point {
                    inside = middle;
                } else {
                    outside = middle;
                }
            }
            let border = cells.nearest(inside);
            assert!(border.f2 - border.f1 < 1e-9, "{border:?}");
        }
    }

    #[test]
    fn without_jitter_points_stand_in_the_middle() {
        let cells = Cells::new(1, 0.0);
        assert_eq!(cells.point([-3, 7]).0, [-2.5, 7.5]);
    }
}
