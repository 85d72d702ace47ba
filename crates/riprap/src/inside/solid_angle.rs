//! Sums of solid angles, four faces at a time.
//!
//! The solid angle of a triangle with the vectors a, b, c to its corners is twice the argument of the complex number
//! `|a| |b| |c| + (a.b) |c| + (b.c) |a| + (c.a) |b|  +  i a.(b x c)` (van Oosterom, Strackee 1983). The arguments of a product add up:
//! so the numbers are multiplied, and each time the product passes the negative real axis a turn is counted. One arc tangent at the
//! end takes the place of one a face.
//!
//! A point on a face, or all but on it, or next to one of its edges, is told apart: there the sign of a rounded number would
//! decide. See [`near_faces`] for what is done then.
//!
//! Cost: three square roots and some 60 other operations for four faces.

use super::double_double::Double;
use super::faces::Face;
use crate::lanes::vectors::Vector;
use crate::lanes::{Lanes, WIDTH};
use crate::number::Real;
use crate::vector::{cross, dot, length, scale, sub};

/// Numbers smaller than this part of the product of the three lengths, or of the cube of the longest side, are too much rounding.
const CLOSE: f64 = 1e-10;
/// Blocks after which the product is scaled.
const SCALED: usize = 4;
/// Where the corners of a triangle are that only fills up a block: it is seen as a point from everywhere else.
const NOWHERE: [f64; 3] = [-3141.0, 7321.0, 5077.0];

/// Four triangles side by side, and what is known of each before the point is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Block {
    corners: [[Lanes; 3]; 3],
    /// Four times the area.
    normal: [Lanes; 3],
    /// The squares of the sides ab, bc, ca.
    sides: [Lanes; 3],
    /// The least that a number may be.
    least: Lanes,
}

impl Block {
    /// Up to four triangles.
    fn new(triangles: &[[[f64; 3]; 3]]) -> Self {
        let zero = Lanes([0.0; WIDTH]);
        let mut block = Self { corners: [[zero; 3]; 3], normal: [zero; 3], sides: [zero; 3], least: zero };
        for lane in 0..WIDTH {
            let [a, b, c] = triangles.get(lane).copied().unwrap_or([NOWHERE; 3]);
            let normal = scale(cross(sub(b, a), sub(c, a)), 2.0);
            let sides = [[a, b], [b, c], [c, a]].map(|[from, to]| dot(sub(to, from), sub(to, from)));
            for k in 0..3 {
                for (corner, point) in [a, b, c].iter().enumerate() {
                    block.corners[corner][k].0[lane] = point[k];
                }
                block.normal[k].0[lane] = normal[k];
                block.sides[k].0[lane] = sides[k];
            }
            let longest = sides.iter().fold(0.0f64, |longest, &side| longest.max(side)).sqrt();
            block.least.0[lane] = CLOSE * longest * longest * longest;
        }
        block
    }

    /// Blocks of any number of triangles, whose coordinates must be of the order of one.
    pub(super) fn all(triangles: &[[[f64; 3]; 3]]) -> Vec<Self> {
        triangles.chunks(WIDTH).map(Self::new).collect()
    }
}

/// A product of complex numbers in each lane.
#[derive(Clone, Copy)]
pub(super) struct Product<V> {
    re: V,
    im: V,
    /// How often all of them went around.
    turns: i32,
    /// Positive as long as no number was next to nothing.
    clear: V,
    /// Blocks since the product was last scaled.
    blocks: usize,
}

impl<V: Vector> Product<V> {
    #[inline(always)]
    pub(super) fn new() -> Self {
        let [zero, one] = [V::all(0.0), V::all(1.0)];
        Self { re: one, im: zero, turns: 0, clear: one, blocks: 0 }
    }

    /// Multiplies the numbers of the faces of a block, as seen from a point.
    #[inline(always)]
    pub(super) fn multiply(&mut self, block: &Block, point: [V; 3]) {
        self.multiply_block(block, point);
        self.blocks += 1;
        if self.blocks.is_multiple_of(SCALED) {
            let size = self.re.max(-self.re) + self.im.max(-self.im);
            let factor = V::all(1.0).over(size);
            self.re = self.re * factor;
            self.im = self.im * factor;
        }
    }

    #[inline(always)]
    fn multiply_block(&mut self, block: &Block, point: [V; 3]) {
        let load = |lanes: &Lanes| V::of(|lane| lanes.0[lane]);
        let from = |[x, y, z]: &[Lanes; 3]| [load(x) - point[0], load(y) - point[1], load(z) - point[2]];
        let [a, b, c] = [from(&block.corners[0]), from(&block.corners[1]), from(&block.corners[2])];
        // Twice the number: by the law of cosines, and by the height over the plane.
        let [aa, bb, cc] = [product(a, a), product(b, b), product(c, c)];
        let [la, lb, lc] = [aa.sqrt(), bb.sqrt(), cc.sqrt()];
        let [ab, bc, ca] = &block.sides;
        let size = la * lb * lc;
        let x =
            size + size + (aa + bb - load(ab)) * lc + (bb + cc - load(bc)) * la + (cc + aa - load(ca)) * lb;
        let normal = [load(&block.normal[0]), load(&block.normal[1]), load(&block.normal[2])];
        let y = product(normal, a);
        let minus_y = -y;
        let least = V::all(CLOSE).times_plus(size, load(&block.least));
        self.clear = self.clear.min(x.max(y.max(minus_y)) - least);
        let re = self.re.times_plus(x, self.im * minus_y);
        let im = self.re.times_plus(y, self.im * x);
        // Both factors have arguments between -pi and pi. If those have the same sign and that of the product the other, it has
        // passed the negative real axis.
        let (before, factor, after) = (self.im.negative(), y.negative(), im.negative());
        let same = !(before ^ factor);
        self.turns += (same & after & !before).count_ones() as i32;
        self.turns -= (same & before & !after).count_ones() as i32;
        (self.re, self.im) = (re, im);
    }

    /// The sum of the solid angles over 4 pi; `None` where that would be rounding.
    #[inline(always)]
    pub(super) fn sum(self) -> Option<f64> {
        let (re, im, clear) = (self.re.lanes(), self.im.lanes(), self.clear.lanes());
        // Numbers that are none are not clear either.
        if !clear.iter().all(|&clear| clear > 0.0) {
            return None;
        }
        let mut all = Single::new();
        for lane in 0..WIDTH {
            all.multiply(re[lane], im[lane]);
        }
        Some(all.sum() + f64::from(self.turns))
    }
}

/// The scalar product.
#[inline(always)]
fn product<V: Vector>(a: [V; 3], b: [V; 3]) -> V {
    a[2].times_plus(b[2], a[1].times_plus(b[1], a[0] * b[0]))
}

/// The complex number of a triangle, and the product of the three lengths.
#[inline(always)]
fn number<V: Real>([a, b, c]: [[V; 3]; 3]) -> (V, V, V) {
    let [la, lb, lc] = [length(a), length(b), length(c)];
    let size = la * lb * lc;
    let x = size + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
    (x, dot(a, cross(b, c)), size)
}

/// A product of complex numbers.
struct Single {
    re: f64,
    im: f64,
    turns: f64,
}

impl Single {
    fn new() -> Self {
        Self { re: 1.0, im: 0.0, turns: 0.0 }
    }

    #[inline(always)]
    fn multiply(&mut self, x: f64, y: f64) {
        let (re, im) = (self.re * x - self.im * y, self.re * y + self.im * x);
        let negative = |part: f64| f64::from(u8::from(part < 0.0));
        if (self.im < 0.0) == (y < 0.0) {
            self.turns += negative(im) - negative(self.im);
        }
        (self.re, self.im) = (re, im);
    }

    fn scale(&mut self) {
        let size = self.re.abs() + self.im.abs();
        (self.re, self.im) = (self.re / size, self.im / size);
    }

    fn sum(&self) -> f64 {
        // Twice the argument, over 4 pi.
        libm::atan2(self.im, self.re) / std::f64::consts::TAU + self.turns
    }
}

/// The least part of the product of the three lengths that twice as many digits can tell from nothing.
const CLOSEST: f64 = 1e-25;

/// What solid angles tell of a point next to a face.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Close {
    /// It is on a face.
    Boundary,
    /// Their sum over 4 pi.
    Sum(f64),
    /// The same, but the point is so close to an edge that it may be far off.
    Doubtful(f64),
}

/// The sum of the solid angles over 4 pi, however close the point is to a face.
///
/// Signs come from exact predicates, and numbers that are next to nothing from twice as many digits.
pub(super) fn near_faces<'a>(faces: impl Iterator<Item = &'a Face>, point: [f64; 3]) -> Close {
    let (mut product, mut doubtful) = (Single::new(), false);
    for face in faces {
        if face.touches(point) {
            return Close::Boundary;
        }
        let (mut x, mut y, size) = number(face.corners.map(|corner| sub(corner, point)));
        if x.max(y.abs()) <= CLOSE * size {
            let [a, b, c] = face.corners.map(|corner| Double::differences(corner, point));
            let (close_x, close_y, size) = number([a, b, c]);
            (x, y) = (close_x.value(), close_y.value());
            doubtful |= x.max(y.abs()) <= CLOSEST * size.value();
            // The sign is that of the side: the face is seen from below, or from above.
            y = y.abs().max(f64::MIN_POSITIVE) * -f64::from(face.side(point));
        }
        // One at a time, so that they may be of any size.
        let larger = x.abs().max(y.abs());
        product.multiply(x / larger, y / larger);
        product.scale();
    }
    if doubtful { Close::Doubtful(product.sum()) } else { Close::Sum(product.sum()) }
}

impl Close {
    /// J from that of the faces far away and of these; not a number on the boundary. In doubt the winding by a ray, if there is one.
    pub(super) fn winding(self, far: f64, by_ray: impl FnOnce() -> Option<Option<i32>>) -> f64 {
        match self {
            Self::Boundary => f64::NAN,
            Self::Sum(near) => far + near,
            Self::Doubtful(near) => match by_ray() {
                Some(winding) => winding.map_or(f64::NAN, f64::from),
                None => far + near,
            },
        }
    }
}
