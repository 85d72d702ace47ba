//! Where two bodies lean on each other, seen along the normal: the cells of their corners in the picture of slopes (`share.rs`).
//!
//! The height of each body is measured towards the other one, so that the depth is the sum of the two, and the slope of the depth over
//! two faces is the sum of theirs. A vertex has a side for each of its edges, between the slopes of the two facets there; two edges that cross
//! have a parallelogram, with a side for each of the four facets.

use super::body::Body;
use super::feature::BodyFeature;
use super::region::Frame;
use super::share::{Cell, CellSide, Flat, Share};
use crate::vector::{add, add_scaled, components, dot, scale, sub};

/// Edges that cross at less (sine) have nothing to share.
const PARALLEL: f64 = 1e-9;
/// The normal across edges that cross at less (sine) turns too fast to be followed.
const SWIFT: f64 = 0.01;
/// Facets that look less than this towards the other body have no slope.
pub(super) const EDGE_ON: f64 = 1e-9;
/// The slopes beside an edge that is not seen.
const NOWHERE: [f64; 2] = [f64::INFINITY, f64::NEG_INFINITY];
/// Facets that look less than this towards the other body are seen as edges.
pub(super) const SEEN: f64 = 0.05;

/// Which of two bodies something belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Owner {
    First,
    Second,
}

/// Two faces that look at each other.
#[derive(Clone, Copy)]
pub(crate) struct Leaning {
    pub(super) frame: Frame,
    /// The slopes of the two, each as its height towards the other.
    pub(super) slopes: [Flat; 2],
    pub(super) lean: f64,
    pub(super) swing: Swing,
}

/// How the normal turns with the bodies.
#[derive(Debug, Clone, Copy)]
pub(super) enum Swing {
    /// With one of them, whose face it is across.
    With(Owner),
    /// It stays across an edge of each, whose directions across the normal are these.
    Across([Flat; 2]),
}

impl Swing {
    /// Of the normal of a link between two features.
    #[inline(always)]
    pub(super) fn of<const D: usize>(seen: &[SeenBody<'_, D>; 2], features: [BodyFeature; 2]) -> Self {
        match features {
            [BodyFeature::Edge(e), BodyFeature::Edge(g)] => {
                let along =
                    |k: usize, edge: u32| seen[k].along(seen[k].body.edges[edge as usize].direction).0;
                Self::across([along(0, e), along(1, g)])
            }
            [BodyFeature::Face(_), BodyFeature::Vertex(_) | BodyFeature::Edge(_)] => Self::With(Owner::First),
            _ => Self::With(Owner::Second),
        }
    }

    /// Of a normal across two edges of these directions.
    #[inline(always)]
    pub(super) fn across([first, second]: [Flat; 2]) -> Self {
        let sine = first[0] * second[1] - first[1] * second[0];
        if sine.abs() > SWIFT { Self::Across([first, second]) } else { Self::With(Owner::Second) }
    }
}

/// An edge, seen along the normal.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SeenEdge {
    pub(super) along: Flat,
    /// How its height slopes along it.
    pub(super) level: f64,
    /// How the heights of the facets beside it slope along the direction a quarter turn ahead: first that of the facet on that side.
    pub(super) range: [f64; 2],
}

impl SeenEdge {
    /// Adds the side that it gives to the cell of a vertex at which it begins, over a facet of the other body.
    #[inline(always)]
    pub(super) fn add_to(&self, cell: &mut Cell, owner: Owner, other: Flat) {
        let ahead = ahead_of(other, self.along);
        cell.side(&side(self.along, self.level, owner, other), || self.range.map(|slope| slope + ahead));
    }
}

/// The side that an edge of this direction and slope gives to the cell of a vertex at which it begins.
#[inline(always)]
fn side(along: Flat, level: f64, owner: Owner, other: Flat) -> CellSide {
    CellSide { inward: along, level: level + dot(other, along), owner, other: owner.as_other(other) }
}

/// The part of a slope along the direction a quarter turn ahead of another.
#[inline(always)]
fn ahead_of(slope: Flat, [x, y]: Flat) -> f64 {
    slope[1] * x - slope[0] * y
}

impl Owner {
    /// The other one.
    #[inline(always)]
    pub(super) fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }

    /// Which way the normal points that is towards the other one.
    #[inline(always)]
    pub(super) fn sign(self) -> f64 {
        match self {
            Self::First => 1.0,
            Self::Second => -1.0,
        }
    }

    /// The slope of the other body as a height along the normal.
    #[inline(always)]
    fn as_other(self, slope: Flat) -> Flat {
        slope.map(|part| -self.sign() * part)
    }
}

/// A body as the frame sees it.
pub(super) struct SeenBody<'a, const D: usize> {
    pub(super) body: &'a Body<D>,
    /// The axes across the normal and the one towards the other body, in the coordinates of the body.
    pub(super) axes: [[f64; D]; 3],
    owner: Owner,
}

impl<'a, const D: usize> SeenBody<'a, D> {
    /// `back` takes directions to the coordinates of the body.
    #[inline(always)]
    pub(super) fn new(
        body: &'a Body<D>,
        frame: &Frame,
        owner: Owner,
        back: impl Fn([f64; D]) -> [f64; D],
    ) -> Self {
        let axes = frame.axes(owner.sign()).map(|axis| back(components(|k| axis[k % 3])));
        Self { body, axes, owner }
    }

    #[inline(always)]
    pub(super) fn seen(&self, direction: [f64; D]) -> [f64; 3] {
        self.axes.map(|axis| dot(axis, direction))
    }

    /// How much a facet looks towards the other body.
    pub(super) fn looks(&self, facet: u32) -> f64 {
        dot(self.axes[2], self.body.facets[facet as usize].normal)
    }

    /// The slope of a facet; infinite ones are as steep as it takes.
    #[inline(always)]
    pub(super) fn slope(&self, facet: u32) -> Flat {
        let [x, y, up] = self.seen(self.body.facets[facet as usize].normal);
        [-x / up, -y / up]
    }

    /// How a facet slopes across an edge, as its height along the direction a quarter turn ahead; `beyond` if it does not look towards
    /// the other body.
    #[inline(always)]
    fn slope_across(&self, facet: u32, [u, v]: Flat, beyond: f64) -> f64 {
        let [x, y, up] = self.seen(self.body.facets[facet as usize].normal);
        if up > EDGE_ON { (v * x - u * y) / up } else { beyond }
    }

    /// How the facets beside an edge slope across it, that on the side a quarter turn ahead first; `forward` if the edge leads from its first
    /// end to its second. [`NOWHERE`] if neither looks towards the other body.
    #[inline(always)]
    fn slopes_beside(&self, edge: u32, along: Flat, forward: bool) -> [f64; 2] {
        // The first facet is on the left of its edge, seen from outside.
        let [first, second] = self.body.edges[edge as usize].facets;
        let ahead = forward == (self.owner == Owner::First);
        let [left, right] = if ahead { [first, second] } else { [second, first] };
        let slopes = [
            self.slope_across(left, along, f64::NEG_INFINITY),
            self.slope_across(right, along, f64::INFINITY),
        ];
        if slopes == [f64::NEG_INFINITY, f64::INFINITY] { NOWHERE } else { slopes }
    }

    /// Where a direction leads as seen along the normal, and how it slopes.
    #[inline(always)]
    fn along(&self, direction: [f64; D]) -> (Flat, f64) {
        let [x, y, up] = self.seen(direction);
        let inverse = 1.0 / (x * x + y * y).sqrt().max(f64::MIN_POSITIVE);
        ([x * inverse, y * inverse], up * inverse)
    }

    /// An edge from its first end to its second.
    #[inline(always)]
    pub(super) fn edge(&self, edge: u32) -> SeenEdge {
        let (along, level) = self.along(self.body.edges[edge as usize].direction);
        SeenEdge { along, level, range: self.slopes_beside(edge, along, true) }
    }
}

impl Leaning {
    #[inline(always)]
    pub(super) fn new(frame: Frame, slopes: [Flat; 2], lean: f64, swing: Swing) -> Self {
        Self { frame, slopes, lean, swing }
    }

    /// What a turn of the first body makes of a couple that acts on it, `first`, and of that on the normal, `normal`.
    #[inline(always)]
    fn with_normal(&self, first: [f64; 3], normal: [f64; 3]) -> [f64; 3] {
        match self.swing {
            Swing::With(Owner::First) => add(first, normal),
            Swing::With(Owner::Second) => first,
            Swing::Across([[x, y], [u, v]]) => {
                let share = (u * normal[0] + v * normal[1]) / (x * v - y * u);
                add(first, [-y * share, x * share, 0.0])
            }
        }
    }

    /// The share of a cell, with its turn about the axes of the world.
    #[inline(always)]
    pub(super) fn share(&self, cell: &Cell) -> Share {
        let (part, [first, second]) = cell.share();
        Share { part, turn: self.frame.in_world(self.with_normal(first, sub(second, first))) }
    }

    /// The share of a point whose depth grows in a direction, given in the frame, as the first body moves: the depth is along the normal,
    /// and turns with it.
    #[inline(always)]
    pub(super) fn slanted(&self, share: Share, direction: [f64; 3]) -> Share {
        let across = [-direction[1], direction[0], 0.0];
        let turn = self.frame.in_world(self.with_normal(across, scale(across, -2.0)));
        Share { turn: add_scaled(share.turn, share.part, turn), ..share }
    }

    /// Whether the faces lean by less than the limit.
    #[inline(always)]
    pub(super) fn is_inside(&self) -> bool {
        let [[x, y], [u, v]] = self.slopes;
        (x + u) * (x + u) + (y + v) * (y + v) < self.lean * self.lean
    }

    /// Whether the ends of an edge of one body, over a facet of the other of this slope, share in the load.
    pub(super) fn shares<const D: usize>(&self, seen: &SeenBody<'_, D>, edge: u32, other: Flat) -> bool {
        let edge = seen.edge(edge);
        let [x, y] = edge.along;
        let level = edge.level + other[0] * x + other[1] * y;
        let square = self.lean * self.lean - level * level;
        let ahead = ahead_of(other, edge.along);
        let [low, high] = edge.range.map(|slope| slope + ahead);
        let half = square.max(0.0).sqrt();
        low.max(-half) < high.min(half)
    }

    /// The share of a vertex of one body over the facing facet of the other.
    #[inline(always)]
    pub(super) fn vertex<const D: usize>(&self, seen: &SeenBody<'_, D>, vertex: u32) -> Share {
        let other = self.slopes[1 - seen.owner as usize];
        let mut cell = Cell::new(self.lean);
        for spoke in seen.body.spokes(vertex) {
            let [x, y, up] = seen.seen(spoke.direction);
            let (rise, square) = (up + other[0] * x + other[1] * y, x * x + y * y);
            if rise * rise >= self.lean * self.lean * square {
                if rise > 0.0 {
                    return Share::NONE;
                }
                continue;
            }
            let inverse = 1.0 / square.sqrt();
            let along = [x * inverse, y * inverse];
            let side = side(along, up * inverse, seen.owner, other);
            cell.side(&side, || {
                let (forward, ahead) =
                    (seen.body.edges[spoke.edge as usize].ends[0] == vertex, ahead_of(other, along));
                seen.slopes_beside(spoke.edge, along, forward).map(|slope| slope + ahead)
            });
        }
        self.share(&cell)
    }

    /// The share of the point where an edge of the one body crosses one of the other.
    #[inline(always)]
    pub(super) fn crossing(&self, edges: [&SeenEdge; 2]) -> Share {
        if edges.iter().any(|edge| edge.range == NOWHERE) {
            return Share::NONE;
        }
        let mut cell = Cell::new(self.lean);
        for (own, other, owner) in [(0, 1, Owner::First), (1, 0, Owner::Second)] {
            let (own, other) = (edges[own], edges[other]);
            let ([x, y], [u, v]) = (own.along, other.along);
            let sine = x * v - y * u;
            if sine.abs() < PARALLEL {
                return Share::NONE;
            }
            // Sides of the own edge, at the slopes of the facets of the other.
            for (k, slope) in other.range.into_iter().enumerate() {
                if !slope.is_finite() {
                    continue;
                }
                let there = [other.level * u - slope * v, other.level * v + slope * u];
                // The cell is on the side of the other slopes of the other edge.
                let into = (sine < 0.0) == (k == 0);
                let sign = if into { 1.0 } else { -1.0 };
                let side = CellSide {
                    inward: [sign * x, sign * y],
                    level: sign * (own.level + there[0] * x + there[1] * y),
                    owner,
                    other: owner.as_other(there),
                };
                cell.side(&side, || {
                    let ahead = ahead_of(there, own.along);
                    let [low, high] = own.range.map(|slope| slope + ahead);
                    if into { [low, high] } else { [-high, -low] }
                });
            }
        }
        self.share(&cell)
    }
}
