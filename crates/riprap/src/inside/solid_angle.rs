//! Sums of solid angles, several faces at a time.
//!
//! The solid angle of a triangle with the vectors a, b, c to its corners is twice the argument of the complex number
//! `|a| |b| |c| + (a.b) |c| + (b.c) |a| + (c.a) |b|  +  i a.(b x c)` (van Oosterom, Strackee 1983). The arguments of a product add up:
//! so the numbers are multiplied, and each time the product passes the negative real axis a turn is counted. One arc tangent at the
//! end takes the place of one a face.
//!
//! A point on a face, or all but on it, or next to one of its edges, is told apart: there the sign of a rounded number would
//! decide. See [`near_faces`] for what is done then.
//!
//! With numbers of four bytes, eight faces fit where four do with numbers of eight; then the sum has five digits or so.
//!
//! Cost: three square roots and some 60 other operations for the faces of a block.

use super::double_double::Double;
use super::faces::Face;
use crate::lanes::vectors::{LaneArray, Packed};
use crate::lanes::{Lanes, SHORT_WIDTH, ShortLanes};
use crate::number::Real;
use crate::vector::{cross, dot, length, scale, sub};

/// Blocks after which the product is scaled: it is of the order of one then, and each factor above the cube of `CLOSE`.
const SCALED: usize = 2;
/// Where the corners of a triangle are that only fills up a block: it is seen as a point from everywhere else.
const NOWHERE: [f64; 3] = [-31.0, 73.0, 50.0];

/// Numbers with which solid angles are worked out.
pub(super) trait Digits: LaneArray {
    /// Complex numbers smaller than this part of the product of the three lengths are too much rounding, as are those of points so close to
    /// a corner.
    const CLOSE: f64;
}

impl Digits for Lanes {
    const CLOSE: f64 = 1e-7;
}

impl Digits for ShortLanes {
    const CLOSE: f64 = 3e-4;
}

/// Triangles side by side, and what is known of each before the point is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Block<S> {
    corners: [[S; 3]; 3],
    /// Four times the area.
    normal: [S; 3],
    /// The squares of the sides ab, bc, ca.
    sides: [S; 3],
    /// The least that a number may be.
    least: S,
}

impl<S: Digits> Block<S> {
    /// As many triangles as there are lanes, or fewer.
    pub(super) fn new(triangles: &[[[f64; 3]; 3]]) -> Self {
        let zero = S::all(0.0);
        let mut block = Self { corners: [[zero; 3]; 3], normal: [zero; 3], sides: [zero; 3], least: zero };
        for lane in 0..S::WIDTH {
            let [a, b, c] = triangles.get(lane).copied().unwrap_or([NOWHERE; 3]);
            let normal = scale(cross(sub(b, a), sub(c, a)), 2.0);
            let sides = [[a, b], [b, c], [c, a]].map(|[from, to]| dot(sub(to, from), sub(to, from)));
            for k in 0..3 {
                for (corner, point) in [a, b, c].iter().enumerate() {
                    block.corners[corner][k].set(lane, point[k]);
                }
                block.normal[k].set(lane, normal[k]);
                block.sides[k].set(lane, sides[k]);
            }
            // A point next to a corner has a product of lengths of this distance times two sides, and a number of at most eight times that.
            let longest = sides.iter().fold(0.0f64, |longest, &side| longest.max(side));
            block.least.set(lane, 8.0 * S::CLOSE * (longest + S::CLOSE * S::CLOSE));
        }
        block
    }

    /// Blocks of any number of triangles, whose coordinates must be of the order of one.
    pub(super) fn all(triangles: &[[[f64; 3]; 3]]) -> impl Iterator<Item = Self> {
        triangles.chunks(S::WIDTH).map(Self::new)
    }
}

/// A product of complex numbers in each lane.
#[derive(Clone, Copy)]
pub(super) struct Product<P> {
    re: P,
    im: P,
    /// How often all of them went around.
    turns: i32,
    /// One over the size of an earlier product.
    inverse: P,
    /// Positive as long as no number was next to nothing.
    clear: P,
    /// Blocks so far.
    blocks: usize,
}

impl<P: Packed<Stored: Digits>> Product<P> {
    #[inline(always)]
    pub(super) fn new() -> Self {
        let [zero, one] = [P::all(0.0), P::all(1.0)];
        Self { re: one, im: zero, turns: 0, inverse: one, clear: one, blocks: 0 }
    }

    /// Multiplies the numbers of the faces of a block, as seen from a point.
    #[inline(always)]
    pub(super) fn multiply(&mut self, block: &Block<P::Stored>, point: [P; 3]) {
        let [mut x, mut y] = self.number(block, point);
        self.blocks += 1;
        let scaled = self.blocks.is_multiple_of(SCALED);
        if scaled {
            // By what the product was some blocks ago, so that nobody waits for the quotient.
            x = x * self.inverse;
            y = y * self.inverse;
        }
        let re = self.re.times_plus(x, -(self.im * y));
        let im = self.re.times_plus(y, self.im * x);
        // Both factors have arguments between -pi and pi. If those have the same sign and that of the product the other, it has
        // passed the negative real axis.
        let (before, factor, after) = (self.im.negative(), y.negative(), im.negative());
        let passed = !(before ^ factor) & (before ^ after);
        self.turns += (passed & after).count_ones() as i32;
        self.turns -= (passed & before).count_ones() as i32;
        (self.re, self.im) = (re, im);
        if scaled {
            self.inverse = P::all(1.0).over(self.re.max(-self.re) + self.im.max(-self.im));
        }
    }

    /// The numbers of the faces of a block.
    #[inline(always)]
    fn number(&mut self, block: &Block<P::Stored>, point: [P; 3]) -> [P; 2] {
        let from = |[x, y, z]: &[P::Stored; 3]| {
            [P::load(x) - point[0], P::load(y) - point[1], P::load(z) - point[2]]
        };
        let [a, b, c] = [from(&block.corners[0]), from(&block.corners[1]), from(&block.corners[2])];
        // Twice the number: by the law of cosines, and by the height over the plane.
        let [aa, bb, cc] = [product(a, a), product(b, b), product(c, c)];
        let [la, lb, lc] = [aa.sqrt(), bb.sqrt(), cc.sqrt()];
        let [ab, bc, ca] = &block.sides;
        let size = la * lb * lc;
        let along = (aa + bb - P::load(ab))
            .times_plus(lc, (bb + cc - P::load(bc)).times_plus(la, (cc + aa - P::load(ca)) * lb));
        let x = size + size + along;
        let normal = [P::load(&block.normal[0]), P::load(&block.normal[1]), P::load(&block.normal[2])];
        let y = product(normal, a);
        let least = P::all(P::Stored::CLOSE).times_plus(size, P::load(&block.least));
        self.clear = self.clear.min(x.max(y.max(-y)) - least);
        [x, y]
    }

    /// The sum of the solid angles over 4 pi; `None` where that would be rounding.
    #[inline(always)]
    pub(super) fn sum(mut self) -> Option<f64> {
        self.re = self.re * self.inverse;
        self.im = self.im * self.inverse;
        let (re, im, clear) = (self.re.stored(), self.im.stored(), self.clear.stored());
        let mut is_clear = true;
        let mut numbers = [Single::new(); SHORT_WIDTH];
        for (lane, number) in numbers.iter_mut().enumerate().take(P::Stored::WIDTH) {
            (number.re, number.im) = (re.lane(lane), im.lane(lane));
            let size = number.re.abs() + number.im.abs();
            // Numbers that are none are not clear either, nor is a product that was too large or small for numbers.
            is_clear &=
                (clear.lane(lane) > 0.0) & (size > f64::from(f32::MIN_POSITIVE)) & (size < f64::INFINITY);
        }
        let mut count = P::Stored::WIDTH;
        while count > 1 {
            count /= 2;
            for lane in 0..count {
                numbers[lane].turns += numbers[lane + count].turns;
                numbers[lane].multiply(numbers[lane + count].re, numbers[lane + count].im);
            }
        }
        is_clear.then(|| numbers[0].sum() + f64::from(self.turns))
    }
}

/// The scalar product.
#[inline(always)]
fn product<P: Packed>(a: [P; 3], b: [P; 3]) -> P {
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
#[derive(Clone, Copy)]
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
        // A zero has the sign that the arc tangent will see.
        let [before, factor, after] = [self.im, y, im].map(f64::is_sign_negative);
        if before == factor {
            self.turns += f64::from(u8::from(after)) - f64::from(u8::from(before));
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
        if x.max(y.abs()) <= Lanes::CLOSE * size {
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
