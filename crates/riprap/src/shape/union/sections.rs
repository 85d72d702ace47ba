//! The union of balls and polyhedra in space, section by section.
//!
//! Sections of polyhedra are polynomials of the height between two critical heights, and Gauss's rule of three points is exact.
//! With balls the area has terms `(z - z0)^(3/2)` at the ends of a panel; with `z` a cubic of the variable of integration, flat at
//! both ends, they are smooth, and the Gauss-Kronrod rule of 10 and 21 points (Kronrod 1965; nodes of QUADPACK, Piessens et al. 1983)
//! has some 14 digits. Where its two results differ, panels are halved.

use super::heights::heights;
use super::pieces::bounds;
use super::side::Side;
use super::slabs::Slabs;
use super::{Integrals, Piece};
use crate::convex::Body;
use crate::shape::Form;
use crate::vector::add;

/// Nodes and weights of Gauss's rule of three points.
const GAUSS: [(f64, f64); 3] =
    [(-0.774_596_669_241_483_4, 5.0 / 9.0), (0.0, 8.0 / 9.0), (0.774_596_669_241_483_4, 5.0 / 9.0)];
/// Nodes of Kronrod's rule, its weights, and those of Gauss's rule of ten points, which has every second node.
const KRONROD: [(f64, f64, f64); 11] = [
    (0.995_657_163_025_808_1, 0.011_694_638_867_371_874, 0.0),
    (0.973_906_528_517_171_7, 0.032_558_162_307_964_725, 0.066_671_344_308_688_14),
    (0.930_157_491_355_708_2, 0.054_755_896_574_351_995, 0.0),
    (0.865_063_366_688_984_5, 0.075_039_674_810_919_96, 0.149_451_349_150_580_6),
    (0.780_817_726_586_416_9, 0.093_125_454_583_697_6, 0.0),
    (0.679_409_568_299_024_4, 0.109_387_158_802_297_64, 0.219_086_362_515_982_04),
    (0.562_757_134_668_604_7, 0.123_491_976_262_065_84, 0.0),
    (0.433_395_394_129_247_2, 0.134_709_217_311_473_34, 0.269_266_719_309_996_35),
    (0.294_392_862_701_460_2, 0.142_775_938_577_060_09, 0.0),
    (0.148_874_338_981_631_22, 0.147_739_104_901_338_49, 0.295_524_224_714_752_87),
    (0.0, 0.149_445_554_002_916_9, 0.0),
];
/// Panels are halved until the two rules agree to this part of the box around all pieces, or so often.
const AGREE: f64 = 1e-12;
const HALVINGS: u32 = 10;
/// A crossing that is deeper in a piece than this part of the extent does not show.
const DEEP: f64 = 1e-9;

/// The integrals over the union of pieces in space.
pub(super) fn integrals(pieces: &[Piece<3>]) -> Integrals<3> {
    let mut sections = Sections::new(pieces);
    let mut total = [0.0; 10];
    for panel in heights(pieces).windows(2) {
        let part = sections.panel(panel[0], panel[1]);
        total = std::array::from_fn(|k| total[k] + part[k]);
    }
    let [volume, x, y, z, xx, xy, xz, yy, yz, zz] = total;
    Integrals { volume, first: [x, y, z], second: [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]] }
}

/// What sections are made from, and memory for them.
struct Sections<'a> {
    pieces: &'a [Piece<3>],
    /// From where to where pieces reach.
    spans: Vec<[f64; 2]>,
    extent: f64,
    /// By how much integrals of 1, x and xx may differ.
    tolerances: [f64; 3],
    sides: Vec<Side>,
    here: Vec<&'a Piece<3>>,
    slabs: Slabs,
}

impl<'a> Sections<'a> {
    fn new(pieces: &'a [Piece<3>]) -> Self {
        let (low, high) = bounds(pieces);
        let extent = (0..3).map(|k| high[k] - low[k]).fold(0.0, f64::max);
        let volume = AGREE * (0..3).map(|k| high[k] - low[k]).product::<f64>();
        let spans = pieces.iter().map(Piece::bounds).map(|(low, high)| [low[2], high[2]]);
        Self {
            pieces,
            spans: spans.collect(),
            extent,
            tolerances: [volume, volume * extent, volume * extent * extent],
            sides: Vec::new(),
            here: Vec::new(),
            slabs: Slabs::default(),
        }
    }

    /// The integrals between two neighbouring heights.
    fn panel(&mut self, low: f64, high: f64) -> [f64; 10] {
        let (middle, half) = (0.5 * (low + high), 0.5 * (high - low));
        let there = |(piece, span): (&Piece<3>, &[f64; 2])| {
            matches!(piece.form, Form::Ball { .. }) && span[0] < middle && middle < span[1]
        };
        if self.pieces.iter().zip(&self.spans).any(there) {
            return self.curved(middle, half, [-1.0, 1.0], HALVINGS);
        }
        let mut sums = [0.0; 10];
        for (node, weight) in GAUSS {
            let values = self.at(middle + half * node);
            sums = std::array::from_fn(|k| sums[k] + half * weight * values[k]);
        }
        sums
    }

    /// The integrals over a part of a panel with balls.
    fn curved(&mut self, middle: f64, half: f64, part: [f64; 2], halvings: u32) -> [f64; 10] {
        let (center, reach) = (0.5 * (part[0] + part[1]), 0.5 * (part[1] - part[0]));
        let (mut fine, mut coarse) = ([0.0; 10], [0.0; 10]);
        for (node, weight, gauss) in KRONROD {
            for sign in if node == 0.0 { &[1.0][..] } else { &[-1.0, 1.0] } {
                let t = center + sign * node * reach;
                let values = self.at(middle + half * t * (1.5 - 0.5 * t * t));
                let slope = 1.5 * reach * half * (1.0 - t * t);
                for k in 0..10 {
                    fine[k] += weight * slope * values[k];
                    coarse[k] += gauss * slope * values[k];
                }
            }
        }
        let limit = |k: usize| self.tolerances[[0, 1, 1, 1, 2, 2, 2, 2, 2, 2][k]];
        if halvings == 0 || (0..10).all(|k| (fine[k] - coarse[k]).abs() <= limit(k)) {
            return fine;
        }
        let lower = self.curved(middle, half, [part[0], center], halvings - 1);
        let upper = self.curved(middle, half, [center, part[1]], halvings - 1);
        std::array::from_fn(|k| lower[k] + upper[k])
    }

    /// The integrals over the section at a height: of 1, x, y, z, xx, xy, xz, yy, yz, zz.
    fn at(&mut self, z: f64) -> [f64; 10] {
        self.sides.clear();
        self.here.clear();
        for ((piece, span), region) in self.pieces.iter().zip(&self.spans).zip(0..) {
            if span[0] < z && z < span[1] {
                self.here.push(piece);
                let [x, y, height] = piece.center;
                match &piece.form {
                    Form::Ball { radius } => {
                        let up = z - height;
                        let radius = ((radius - up) * (radius + up)).max(0.0).sqrt();
                        self.sides.extend(Side::of_disk(region, [x, y], radius));
                    }
                    Form::Convex(body) => outline(region, body, piece.center, z, &mut self.sides),
                }
            }
        }
        let (here, depth) = (&self.here, DEEP * self.extent);
        let hidden = |[x, y]: [f64; 2]| here.iter().any(|piece| piece.height_of([x, y, z]) < -depth);
        let [a, x, y, xx, xy, yy] = self.slabs.integrals(&self.sides, self.extent, hidden);
        [a, x, y, z * a, xx, xy, z * x, yy, z * y, z * z * a]
    }
}

/// Adds the sides of the section of a polyhedron at a height.
fn outline(region: u32, body: &Body<3>, center: [f64; 3], z: f64, sides: &mut Vec<Side>) {
    let vertex = |number: u32| add(center, body.vertices()[number as usize]);
    for facet in 0..body.facets().len() as u32 {
        let corners = body.corners(facet);
        // The section runs from where the rim of the facet goes down to where it goes up.
        let (mut from, mut to) = (None, None);
        for (k, corner) in corners.iter().enumerate() {
            let next = &corners[(k + 1) % corners.len()];
            let ends = [corner.vertex, next.vertex];
            let [above, next_above] = ends.map(|end| vertex(end)[2] > z);
            if above != next_above {
                // In one order for both facets of the edge, so that they share the point.
                let [low, high] = if above { [next.vertex, corner.vertex] } else { ends }.map(vertex);
                let part = (z - low[2]) / (high[2] - low[2]);
                let point = [0, 1].map(|k| low[k] + part * (high[k] - low[k]));
                *(if above { &mut from } else { &mut to }) = Some(point);
            }
        }
        if let (Some(from), Some(to)) = (from, to) {
            sides.extend(Side::between(region, from, to));
        }
    }
}
