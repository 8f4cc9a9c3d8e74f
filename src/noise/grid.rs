//! Where the texels of a tile fall among the lattice cells of a noise.
//!
//! Gradients and feature points are constants within a lattice cell, so a bake walks cell by cell:
//! it looks up the lattice once for a row of cells, and spends on each texel only what depends on
//! the texel.

use std::ops::Range;

/// Most texels that one step of an inner loop computes at once.
pub(super) const MAX_LANES: usize = 8;

/// Whole z-slices of a cubic texture of `size`³ texels.
#[derive(Clone, Debug)]
pub struct Block {
    /// Texels along an edge of the texture.
    pub size: usize,
    /// The slices.
    pub slices: Range<usize>,
}

impl Block {
    /// Texels in the block.
    pub fn texels(&self) -> usize {
        self.size * self.size * self.slices.len()
    }
}

/// Consecutive texels in one lattice cell.
///
/// Inner loops take a fixed number of texels a step, for the sake of the vectoriser. The last step
/// may reach beyond the run, into texels that the next run computes again.
#[derive(Clone, Debug)]
pub(super) struct Run {
    /// Lattice coordinate of the cell.
    pub cell: i32,
    /// The texels.
    pub texels: Range<usize>,
}

/// The texels along one edge of a tile.
pub(super) struct Axis {
    /// How far each texel's centre is into its lattice cell, followed by [`MAX_LANES`] zeros, so
    /// that a step of the inner loop may begin at any texel.
    pub fractions: Vec<f32>,
    /// Every texel, by cell.
    pub runs: Vec<Run>,
}

impl Axis {
    /// `size` texels over `cells` lattice cells, shifted by `offset` cells.
    fn new(size: usize, cells: u32, offset: f32) -> Self {
        let spacing = cells as f32 / size as f32;
        let mut fractions = Vec::with_capacity(size + MAX_LANES);
        let mut runs: Vec<Run> = Vec::new();
        for texel in 0..size {
            let position = (texel as f32 + 0.5) * spacing + offset;
            let floor = position.floor();
            fractions.push(position - floor);
            let cell = floor as i32;
            match runs.last_mut() {
                Some(run) if run.cell == cell => run.texels.end = texel + 1,
                _ => runs.push(Run {
                    cell,
                    texels: texel..texel + 1,
                }),
            }
        }
        fractions.resize(size + MAX_LANES, 0.0);
        Self { fractions, runs }
    }

    /// Lattice coordinates of the cells from the first run to the last. With less than a texel a
    /// cell some have no run.
    pub fn cells(&self) -> Range<i32> {
        match (self.runs.first(), self.runs.last()) {
            (Some(first), Some(last)) => first.cell..last.cell + 1,
            _ => 0..0,
        }
    }

    /// How many texels a step of the inner loop computes, so that few are thrown away: 2, 4 or
    /// [`MAX_LANES`].
    pub fn lanes(&self) -> usize {
        let longest = self.runs.iter().map(|run| run.texels.len()).max();
        longest
            .unwrap_or_default()
            .next_power_of_two()
            .clamp(2, MAX_LANES)
    }
}

/// The texels of a tile in lattice coordinates.
pub(super) struct Grid {
    /// x, y, z.
    pub axes: [Axis; 3],
}

impl Grid {
    /// `size`³ texels over `cells`³ lattice cells, shifted by `offset` cells.
    pub fn new(size: usize, cells: u32, offset: [f32; 3]) -> Self {
        Self {
            axes: offset.map(|offset| Axis::new(size, cells, offset)),
        }
    }

    /// The rows of cells that `block` touches: the cells' runs along y and z, cut to the block.
    pub fn cell_rows(&self, block: &Block) -> impl Iterator<Item = (&Run, Run)> {
        let slices = block.slices.clone();
        let slabs = self.axes[2].runs.iter().filter_map(move |z| {
            let texels = z.texels.start.max(slices.start)..z.texels.end.min(slices.end);
            (!texels.is_empty()).then_some(Run {
                cell: z.cell,
                texels,
            })
        });
        slabs.flat_map(|z| self.axes[1].runs.iter().map(move |y| (y, z.clone())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texels_stand_at_their_centres() {
        let axis = Axis::new(8, 2, 0.0);
        assert_eq!(
            axis.fractions[..8],
            [0.125, 0.375, 0.625, 0.875, 0.125, 0.375, 0.625, 0.875]
        );
        assert_eq!(axis.fractions.len(), 8 + MAX_LANES);
        assert_eq!(axis.cells(), 0..2);
    }

    #[test]
    fn runs_cover_every_texel_once() {
        for (size, cells, offset) in [
            (128, 3, 0.0),
            (128, 48, 0.7),
            (16, 32, 0.2),
            (1, 4, 0.0),
            (32, 7, 3.9),
        ] {
            let axis = Axis::new(size, cells, offset);
            let mut next = 0;
            for run in &axis.runs {
                assert_eq!(run.texels.start, next);
                next = run.texels.end;
                for texel in run.texels.clone() {
                    let position = (texel as f32 + 0.5) * cells as f32 / size as f32 + offset;
                    assert!((axis.fractions[texel] + run.cell as f32 - position).abs() < 1e-5);
                }
            }
            assert_eq!(next, size);
        }
    }

    #[test]
    fn cell_rows_cover_a_block_once() {
        let grid = Grid::new(12, 5, [0.3, 0.6, 0.9]);
        let block = Block {
            size: 12,
            slices: 3..8,
        };
        let mut seen = vec![0; 12 * 12];
        for (y, z) in grid.cell_rows(&block) {
            for z in z.texels {
                for y in y.texels.clone() {
                    seen[z * 12 + y] += 1;
                }
            }
        }
        let expected: Vec<_> = (0..12)
            .flat_map(|z| [i32::from((3..8).contains(&z)); 12])
            .collect();
        assert_eq!(seen, expected);
    }
}
