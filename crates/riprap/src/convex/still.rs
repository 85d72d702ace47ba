//! The points of two bodies that keep still on each other, from what meets at each of them.
//!
//! Which corners press, and what share of the load each has, takes most of the time of a contact to find out, and changes only as the
//! bodies turn and slide on each other.
//!
//! 1. When the points are found, what meets at each of them is noted, with its share.
//! 2. While the bodies have moved against each other by less than [`FAR`] of their size and [`DEEP`] of the depth since, the same corners are
//!    taken, with the same shares; their places, depths and directions follow from the features in closed form.
//! 3. Else the points are found again.
//!
//! A corner that came in between would have a depth or a share in proportion to that way, so forces are off by those parts of them at most,
//! and the energy by the squares each time that points are found again. Bodies that move faster are not concerned: their points are
//! found in every step.
//!
//! Cost: in a bed of the four shapes some 1 200 instructions a contact, link and points, against 3 700 where these are found.

use smallvec::SmallVec;

use super::feature::{BodyFeature, cross};
use super::manifold::{ContactPoint, ContactPoints};
use super::pose::PosedBody;
use super::region::STEEPEST;
use super::share::Share;
use super::two::{FoundLink, Two};
use crate::archive::{Damage, Rest, Values};
use crate::vector::{add, add_scaled, components, dot, scale, sub};

/// The way by which bodies move against each other before their points are found again, over the radius of the smaller one: shares change
/// with turns.
const FAR: f64 = 1e-4;
/// The same over the depth: corners come into it and go.
const DEEP: f64 = 0.02;

/// Flats whose vertices are further off, over the radius, have no plane that every corner is on.
const SMOOTH: f64 = 1e-12;

/// What meets at a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PointFeatures {
    /// Nothing that could be named.
    #[default]
    Unknown,
    /// A vertex of the first body and a facet of the second.
    First([u16; 2]),
    /// A facet of the first body and a vertex of the second.
    Second([u16; 2]),
    /// An edge of each.
    Edges([u16; 2]),
}

impl PointFeatures {
    /// What `kind` makes of two numbers, unless they are too large.
    #[inline(always)]
    pub(super) fn named(kind: fn([u16; 2]) -> Self, [a, b]: [u32; 2]) -> Self {
        if a.max(b) < 1 << NUMBER { kind([a as u16, b as u16]) } else { Self::Unknown }
    }

    /// What meets where a link ends, if it is a vertex and a facet or two edges.
    #[inline(always)]
    fn ended_on(features: [BodyFeature; 2]) -> Self {
        match features {
            [BodyFeature::Vertex(v), BodyFeature::Face(f)] => Self::named(Self::First, [v, f]),
            [BodyFeature::Face(f), BodyFeature::Vertex(w)] => Self::named(Self::Second, [f, w]),
            [BodyFeature::Edge(e), BodyFeature::Edge(g)] => Self::named(Self::Edges, [e, g]),
            _ => Self::Unknown,
        }
    }

    /// Both in one word.
    #[inline(always)]
    fn packed(self) -> u32 {
        let (kind, [a, b]) = match self {
            Self::Unknown => (0, [0; 2]),
            Self::First(of) => (1, of),
            Self::Second(of) => (2, of),
            Self::Edges(of) => (3, of),
        };
        kind << (2 * NUMBER) | u32::from(a) << NUMBER | u32::from(b)
    }

    #[inline(always)]
    fn unpacked(word: u32) -> Self {
        let mask = (1 << NUMBER) - 1;
        let of = [(word >> NUMBER & mask) as u16, (word & mask) as u16];
        match word >> (2 * NUMBER) {
            1 => Self::First(of),
            2 => Self::Second(of),
            3 => Self::Edges(of),
            _ => Self::Unknown,
        }
    }
}

/// Bits of the number of a feature.
const NUMBER: u32 = 15;

/// A point by what meets there.
#[derive(Debug, Clone, Copy, PartialEq)]
struct StillPoint {
    /// See [`PointFeatures::packed`].
    of: u32,
    part: f32,
    /// How the share grows as the first body turns about its axes.
    turn: [f32; 3],
}

impl StillPoint {
    /// Of a point; `back` takes directions to the coordinates of the first body.
    #[inline(always)]
    fn of<const D: usize>(point: &ContactPoint<D>, back: impl Fn([f64; D]) -> [f64; D]) -> Self {
        let Share { part, turn } = point.share;
        // In the plane all turn about the same axis.
        let turn = if D == 3 { spatial(back(components(|k| turn[k % 3]))) } else { turn };
        Self { of: point.of.packed(), part: part as f32, turn: turn.map(|number| number as f32) }
    }

    /// The share; `turn` takes directions from the coordinates of the first body.
    #[inline(always)]
    fn share<const D: usize>(&self, turn: impl Fn([f64; D]) -> [f64; D]) -> Share {
        let about = self.turn.map(f64::from);
        let about = if D == 3 { spatial(turn(components(|k| about[k % 3]))) } else { about };
        Share { part: f64::from(self.part), turn: about }
    }
}

#[inline(always)]
fn spatial<const D: usize>(vector: [f64; D]) -> [f64; 3] {
    std::array::from_fn(|k| vector[k % D])
}

/// The points of a contact when they were last found, and how far its bodies may move against each other before they are found again.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct StillPoints {
    points: SmallVec<[StillPoint; 2]>,
    left: f32,
}

impl StillPoints {
    /// Whether there are points which are still to be taken.
    #[inline(always)]
    pub(crate) fn is_still(&self) -> bool {
        !self.points.is_empty() && self.left > 0.0
    }

    /// Notes that the bodies move by so much against each other.
    #[inline(always)]
    pub(crate) fn add_path(&mut self, path: f64) {
        self.left -= path as f32;
    }

    /// Bytes reserved beside its own.
    pub(crate) fn bytes(&self) -> usize {
        if self.points.spilled() { self.points.capacity() * size_of::<StillPoint>() } else { 0 }
    }

    /// Notes what meets at the points that were found.
    #[inline(always)]
    pub(super) fn note<const D: usize>(&mut self, two: &Two<'_, D>, points: &[ContactPoint<D>]) {
        self.points.clear();
        let deepest = points.iter().map(|point| point.depth).fold(0.0, f64::max);
        self.left = (FAR * two.smaller_radius()).min(DEEP * deepest) as f32;
        let smooth = |side: &PosedBody<'_, D>, facet: u16| {
            side.body.facets[usize::from(facet)].roughness <= SMOOTH * side.body.radius
        };
        let is_named = |point: &ContactPoint<D>| match point.of {
            PointFeatures::Unknown => false,
            PointFeatures::First([_, facet]) => smooth(&two.b, facet),
            PointFeatures::Second([facet, _]) => smooth(&two.a, facet),
            PointFeatures::Edges(_) => true,
        };
        if !points.iter().all(is_named) {
            return;
        }
        self.points.extend(points.iter().map(|point| StillPoint::of(point, |turn| two.a.back(turn))));
    }

    /// Replaces `points` by those of now, of bodies with this link; whether there are any in depth.
    #[inline(always)]
    pub(super) fn find<const D: usize>(
        &self,
        two: &Two<'_, D>,
        link: &FoundLink<D>,
        points: &mut ContactPoints<D>,
    ) -> bool {
        points.clear();
        if let [still] = &self.points[..]
            && still.of == PointFeatures::ended_on(link.features).packed()
        {
            // The link ends there.
            let [p, q] = link.points;
            let share = still.share(|turn: [f64; D]| two.a.turn(turn));
            points.push(ContactPoint {
                position: scale(add(p, q), 0.5),
                depth: -link.gap,
                direction: link.normal,
                share,
                of: PointFeatures::unpacked(still.of),
            });
            return link.gap < 0.0;
        }
        for still in &self.points {
            let Some(mut point) = found(two, link.normal, PointFeatures::unpacked(still.of)) else {
                return false;
            };
            if point.depth > 0.0 {
                point.share = still.share(|turn: [f64; D]| two.a.turn(turn));
                points.push(point);
            }
        }
        !points.is_empty()
    }

    /// Writes it to a file.
    pub(crate) fn write(&self, values: &mut Values) {
        values.word(self.points.len() as u64);
        values.number(f64::from(self.left));
        for StillPoint { of, part, turn } in &self.points {
            values.word(u64::from(*of));
            values.vector(&[*part, turn[0], turn[1], turn[2]].map(f64::from));
        }
    }

    /// Reads what [`StillPoints::write`] has written. Whether two bodies have what it names is looked at when it is used.
    pub(crate) fn read(values: &mut Rest<'_>) -> Result<Self, Damage> {
        let count = values.count(5)?;
        let left = values.finite()? as f32;
        let mut points = SmallVec::with_capacity(count);
        for _ in 0..count {
            let of = values.small()?;
            let [part, turn @ ..] = values.finite_vector::<4>()?.map(|number| number as f32);
            points.push(StillPoint { of, part, turn });
        }
        Ok(Self { points, left })
    }
}

/// The point where features meet, without its share, of bodies with this common normal; `None` if the bodies do not have them.
#[inline(always)]
fn found<const D: usize>(two: &Two<'_, D>, normal: [f64; D], of: PointFeatures) -> Option<ContactPoint<D>> {
    let Two { a, b } = two;
    let (position, depth, direction) = match of {
        PointFeatures::First([v, f]) => {
            let (p, upright, above) = over(a, v, b, f, normal)?;
            (add_scaled(p, -0.5 * above, normal), above, upright)
        }
        PointFeatures::Second([f, w]) => {
            let (q, upright, above) = over(b, w, a, f, normal)?;
            (add_scaled(q, -0.5 * above, normal), -above, upright)
        }
        PointFeatures::Edges([e, g]) if D == 3 => {
            let (e, g) = (u32::from(e), u32::from(g));
            if a.body.edges.len() <= e as usize || b.body.edges.len() <= g as usize {
                return None;
            }
            let from = [a.start_of(e), b.start_of(g)];
            let (along, other_along) = (a.along(e), b.along(g));
            let across = cross(along, other_along);
            let inverse = 1.0 / dot(across, normal);
            let arm = sub(from[0], from[1]);
            // Seen along the normal the two cross there.
            let share = dot(cross(other_along, arm), normal) * inverse;
            let upright = scale(across, inverse);
            let depth = dot(upright, arm);
            let crossing = add_scaled(from[0], share, along);
            (add_scaled(crossing, -0.5 * depth, normal), depth, upright)
        }
        _ => return None,
    };
    let across = sub(direction, normal);
    let direction = if dot(across, across) <= STEEPEST * STEEPEST { direction } else { normal };
    depth.is_finite().then_some(ContactPoint { position, depth, direction, share: Share::WHOLE, of })
}

/// A vertex of one body over a facet of the other: where it is, what is perpendicular to the facet and one along the normal, and how
/// high it is over the facet along the normal.
#[inline(always)]
fn over<const D: usize>(
    side: &PosedBody<'_, D>,
    vertex: u16,
    base: &PosedBody<'_, D>,
    facet: u16,
    normal: [f64; D],
) -> Option<([f64; D], [f64; D], f64)> {
    let &vertex = side.body.vertices.get(usize::from(vertex))?;
    let facet = base.body.facets.get(usize::from(facet))?;
    let (place, facing) = (side.place(vertex), base.turn(facet.normal));
    let inverse = 1.0 / dot(facing, normal);
    let height = dot(facing, sub(place, base.offset)) - base.scale * facet.offset;
    Some((place, scale(facing, inverse), height * inverse))
}
