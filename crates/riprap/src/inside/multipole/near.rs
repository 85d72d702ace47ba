//! The faces near boxes: their solid angles, exactly.
//!
//! Exact here means without an expansion. Where a hundredth may be wrong anyway, numbers of four bytes do, with coordinates from the middle of
//! a cluster and in widths of its box; a point for which they do not, next to a face, is told apart and gets numbers of eight.

use super::Multipole;
use super::clusters::{Cluster, Clusters};
use super::options::{Degree, MultipoleOptions};
use crate::inside::faces::Face;
use crate::inside::solid_angle::{Block, Digits, Product};
use crate::inside::units::Units;
use crate::lanes::vectors::{Kernel, LaneArray, Packed, Vector, run};
use crate::lanes::{Lanes, ShortLanes};
use crate::vector::{components, scale, sub};

/// The least tolerance for which short numbers do.
const SHORT_FROM: f64 = 0.01;
/// The most faces for which long numbers take little longer anyway.
const FEW_FACES: usize = 64;

/// Blocks of the faces of all clusters that are not taken apart.
#[derive(Debug, Clone)]
pub(super) enum NearBlocks {
    Short(Vec<Anchored<ShortLanes>>),
    Long(Vec<Anchored<Lanes>>),
}

/// A block of faces, in widths of a box from its middle.
#[derive(Debug, Clone, Copy)]
pub(super) struct Anchored<S> {
    block: Block<S>,
    middle: [f64; 3],
    inverse: f64,
}

/// Where the near faces of a box are: ranges of blocks, of which there is one more after the last.
#[derive(Clone, Copy)]
pub(super) struct Ranges<'a> {
    pub(super) all: &'a [[u32; 2]],
    pub(super) blocks: u32,
}

impl NearBlocks {
    pub(super) fn new(options: &MultipoleOptions, faces: usize) -> Self {
        let is_rough = options.tolerance >= SHORT_FROM && !matches!(options.degree, Degree::Fixed(_));
        if is_rough && faces > FEW_FACES { Self::Short(Vec::new()) } else { Self::Long(Vec::new()) }
    }

    /// How many faces are in a block.
    pub(super) fn width(&self) -> usize {
        match self {
            Self::Short(_) => ShortLanes::WIDTH,
            Self::Long(_) => Lanes::WIDTH,
        }
    }

    /// Appends the faces of a cluster of a level, and tells in which blocks they are.
    pub(super) fn push(
        &mut self,
        tree: &Clusters,
        level: u32,
        cluster: &Cluster,
        faces: &[Face],
        units: &Units,
    ) -> [u32; 2] {
        let (middle, width) = (tree.cube.middle(level, cluster.cell), tree.cube.width(level));
        let faces = &faces[cluster.first as usize..cluster.last as usize];
        let place = |corner| scale(sub(units.scaled(corner), middle), 1.0 / width);
        let corners: Vec<_> = faces.iter().map(|face| face.corners.map(place)).collect();
        match self {
            Self::Short(all) => push_blocks(all, &corners, middle, width),
            Self::Long(all) => push_blocks(all, &corners, middle, width),
        }
    }
}

fn push_blocks<S: Digits>(
    all: &mut Vec<Anchored<S>>,
    corners: &[[[f64; 3]; 3]],
    middle: [f64; 3],
    width: f64,
) -> [u32; 2] {
    let first = all.len() as u32;
    all.extend(Block::all(corners).map(|block| Anchored { block, middle, inverse: 1.0 / width }));
    [first, all.len() as u32]
}

/// The solid angles over 4 pi of the faces in these ranges of blocks; `None` where that would be rounding.
#[inline(always)]
pub(super) fn angles<P: Packed<Stored: Digits>>(
    blocks: &[Anchored<P::Stored>],
    ranges: Ranges,
    point: [f64; 3],
) -> Option<f64> {
    let mut product = Product::<P>::new();
    // One loop over all ranges, whose end the processor can foresee.
    let mut range = 0;
    let [mut index, mut last] = ranges.all[range];
    for _ in 0..ranges.blocks {
        let anchored = &blocks[index as usize];
        let place = components(|k| P::all((point[k] - anchored.middle[k]) * anchored.inverse));
        product.multiply(&anchored.block, place);
        index += 1;
        range += usize::from(index == last);
        let [first, next_last] = ranges.all[range];
        index = if index == last { first } else { index };
        last = next_last;
    }
    product.sum()
}

/// The same with numbers of eight bytes, whatever the blocks have.
struct Closer<'a> {
    body: &'a Multipole,
    /// Ranges of faces.
    ranges: &'a [[u32; 2]],
    point: [f64; 3],
    sum: &'a mut Option<f64>,
}

impl Kernel for Closer<'_> {
    #[inline(always)]
    fn run<V: Vector>(self) {
        let mut product = Product::<V>::new();
        let place = components(|k| V::all(self.point[k]));
        for &[first, last] in self.ranges {
            for faces in self.body.faces[first as usize..last as usize].chunks(Lanes::WIDTH) {
                let mut corners = [[[0.0; 3]; 3]; Lanes::WIDTH];
                for (corners, face) in corners.iter_mut().zip(faces) {
                    *corners = face.corners.map(|corner| self.body.units.scaled(corner));
                }
                product.multiply(&Block::new(&corners[..faces.len()]), place);
            }
        }
        *self.sum = product.sum();
    }
}

impl Multipole {
    /// The solid angles of faces near a point, with numbers of eight bytes; `None` where that would be rounding.
    pub(super) fn closer_angles(&self, ranges: &[[u32; 2]], point: [f64; 3]) -> Option<f64> {
        let mut sum = None;
        run(Closer { body: self, ranges, point, sum: &mut sum }, self.wide);
        sum
    }
}
