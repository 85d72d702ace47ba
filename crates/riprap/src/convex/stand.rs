//! The shares of the corners of a body that stands on a plane, or on a surface of facets that ends somewhere (`share.rs`).

use smallvec::SmallVec;

use super::body::Body;
use super::leaning::{Leaning, Owner, SeenBody, SeenEdge, Swing};
use super::pose::Pose;
use super::region::Frame;
use super::share::{Cell, Flat, Share};
use crate::vector::{components, dot};

/// Edges more alike than this (cosine) are one.
const PARALLEL: f64 = 1.0 - 5e-7;

/// A body on a plane, or on a facet.
pub(crate) struct Stand<'a, const D: usize> {
    seen: SeenBody<'a, D>,
    leaning: Leaning,
}

/// An edge at which a surface ends or falls away.
#[derive(Debug, Clone)]
pub(crate) struct SurfaceEdge<const D: usize> {
    /// Along it.
    pub(crate) along: [f64; D],
    /// From it into each facet that it is an edge of.
    pub(crate) inward: SmallVec<[[f64; D]; 2]>,
}

/// A facet at a corner of a surface.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wedge<const D: usize> {
    /// Unit vectors from the corner along the facet's edges; of a segment both along it.
    pub(crate) sides: [[f64; D]; 2],
    /// Whether the surface ends or falls away at these edges.
    pub(crate) open: [bool; 2],
}

impl<'a, const D: usize> Stand<'a, D> {
    /// The normal points from the body to the plane.
    #[inline(always)]
    pub(crate) fn new(body: &'a Body<D>, pose: &Pose<D>, normal: [f64; D]) -> Self {
        let frame = if D == 2 {
            Frame::in_plane([normal[0], normal[1]])
        } else {
            Frame::across(components(|k| normal[k % D]))
        };
        let seen = SeenBody::new(body, &frame, Owner::First, |direction| pose.turn_back(direction));
        // The plane does not turn, and its normal goes with it.
        let swing = Swing::With(Owner::Second);
        Self { seen, leaning: Leaning::new(frame, [[0.0; 2]; 2], body.lean, swing) }
    }

    /// The same where the normal is that of the body's own facet.
    pub(crate) fn turning_with_body(mut self) -> Self {
        self.leaning.swing = Swing::With(Owner::First);
        self
    }

    /// The same where the normal is across an edge of the body, between two vertices, and one of the surface.
    pub(crate) fn turning_with_edges(mut self, ends: [u32; 2], edge: &SurfaceEdge<D>) -> Self {
        if let Some(own) = self.own_edge(ends) {
            self.leaning.swing = Swing::across([own.along, self.seen_edge(edge).along]);
        }
        self
    }

    fn own_edge(&self, [from, to]: [u32; 2]) -> Option<SeenEdge> {
        let spoke = self.seen.body.spokes(from).iter().find(|spoke| spoke.vertex == to)?;
        Some(self.seen.edge(spoke.edge))
    }

    /// The slope of a facet of the surface, as its height towards the body.
    fn slope_of(&self, normal: [f64; D]) -> Flat {
        let [x, y, down] = self.leaning.frame.axes(1.0).map(|axis| (0..D).map(|k| axis[k] * normal[k]).sum());
        let (x, y, down): (f64, f64, f64) = (x, y, down);
        [x / down, y / down]
    }

    /// The share of a vertex on a plane across the normal.
    #[inline(always)]
    pub(crate) fn vertex(&self, vertex: u32) -> Share {
        if D == 2 { self.vertex_in_plane(vertex, 0.0) } else { self.leaning.vertex(&self.seen, vertex) }
    }

    /// The share of a vertex on a facet of this normal, towards the body.
    pub(crate) fn vertex_on(&self, vertex: u32, normal: [f64; D]) -> Share {
        let slope = self.slope_of(normal);
        if D == 2 {
            return self.vertex_in_plane(vertex, slope[0]);
        }
        Leaning { slopes: [[0.0; 2], slope], ..self.leaning }.vertex(&self.seen, vertex)
    }

    /// The share of a vertex of a polygon: of the slopes between those of its two edges, over a line of this slope.
    fn vertex_in_plane(&self, vertex: u32, other: f64) -> Share {
        let lean = self.leaning.lean;
        let (mut ahead, mut behind, mut turn) = (-lean, lean, 0.0);
        for spoke in self.seen.body.spokes(vertex) {
            let [along, _, up] = self.seen.seen(spoke.direction);
            let own = up / along;
            let (slope, grows) = (own + other, 1.0 + own * own);
            // A turn of the body lowers what is ahead.
            if along > 0.0 && slope > ahead {
                (ahead, turn) = (slope.min(lean), turn + grows);
            } else if along < 0.0 && slope < behind {
                (behind, turn) = (slope.max(-lean), turn - grows);
            }
        }
        if behind <= ahead {
            return Share::NONE;
        }
        Share { part: 0.5 * (behind - ahead) / lean, turn: [0.0, 0.0, 0.5 * turn / lean] }
    }

    /// A vector as its parts across the normal, and its height towards the body.
    fn seen(&self, vector: [f64; D]) -> [f64; 3] {
        self.leaning.frame.axes(-1.0).map(|axis| (0..D).map(|k| axis[k] * vector[k]).sum())
    }

    /// An edge of the surface, seen along the normal. Of facets on one side of it the highest counts.
    fn seen_edge(&self, edge: &SurfaceEdge<D>) -> SeenEdge {
        let [x, y, up] = self.seen(edge.along);
        let length = (x * x + y * y).sqrt().max(f64::MIN_POSITIVE);
        let ([u, v], level) = ([x / length, y / length], up / length);
        let mut range = [f64::NEG_INFINITY, f64::INFINITY];
        for &inward in &edge.inward {
            let [x, y, up] = self.seen(inward);
            let ahead = y * u - x * v;
            let across = (up - level * (x * u + y * v)) / ahead;
            if ahead > 0.0 {
                range[0] = across.max(range[0]);
            } else if ahead < 0.0 {
                range[1] = across.min(range[1]);
            }
        }
        SeenEdge { along: [u, v], level, range }
    }

    /// The share of the point where an edge of the body, between two vertices, crosses an edge of the surface.
    pub(crate) fn crossing(&self, ends: [u32; 2], edge: &SurfaceEdge<D>) -> Share {
        self.own_edge(ends).map_or(Share::NONE, |own| self.leaning.crossing([&own, &self.seen_edge(edge)]))
    }

    /// The share of a corner of the surface under a facet of the body, by the facets that meet there.
    pub(crate) fn corner(&self, facet: u32, wedges: &[Wedge<D>]) -> Share {
        let slope = self.seen.slope(facet);
        if D == 2 {
            return self.corner_in_plane(slope[0], wedges);
        }
        let (mut cell, mut count) = (Cell::new(self.leaning.lean), 0);
        for (index, wedge) in wedges.iter().enumerate() {
            for (along, _) in wedge.sides.into_iter().zip(wedge.open).filter(|(_, open)| *open) {
                let is_known = wedges[..index].iter().any(|other| other.has_open(along));
                if is_known || wedges.iter().any(|other| self.hides(other, along)) {
                    continue;
                }
                let inward = wedges.iter().filter_map(|other| other.beside(along)).collect();
                let edge = SurfaceEdge { along, inward };
                self.seen_edge(&edge).add_to(&mut cell, Owner::Second, slope);
                count += 1;
            }
        }
        if count < 2 { Share::WHOLE } else { self.leaning.share(&cell) }
    }

    /// Whether an edge that begins at a corner is behind a facet there.
    fn hides(&self, wedge: &Wedge<D>, along: [f64; D]) -> bool {
        if wedge.beside(along).is_some() {
            return false;
        }
        let [[x, y, up], [a, b, first], [c, d, second]] =
            [along, wedge.sides[0], wedge.sides[1]].map(|vector| self.seen(vector));
        let area = a * d - b * c;
        let [p, q] = [(x * d - y * c) / area, (a * y - b * x) / area];
        p > 0.0 && q > 0.0 && p * first + q * second > up
    }

    /// The share of a corner of a surface in the plane, under an edge of a polygon of this slope.
    fn corner_in_plane(&self, own: f64, wedges: &[Wedge<D>]) -> Share {
        let lean = self.leaning.lean;
        // Of all slopes, ahead of the corner and behind it, and how these change with a turn of the body; the highest segment counts.
        let mut sides = [(1.0, 0.0); 2];
        for wedge in wedges {
            let [ahead, _, up] = self.seen(wedge.sides[0]);
            let slope = own + up / ahead;
            let part = 0.5 + 0.5 * (slope / lean).clamp(-1.0, 1.0);
            let turn = if slope.abs() < lean { -0.5 * (1.0 + own * own) / lean } else { 0.0 };
            let (side, part, turn) = if ahead > 0.0 { (0, 1.0 - part, -turn) } else { (1, part, turn) };
            if part < sides[side].0 {
                sides[side] = (part, turn);
            }
        }
        let [(first, first_turn), (second, second_turn)] = sides;
        let part = first + second - 1.0;
        if part <= 0.0 {
            return Share::NONE;
        }
        Share { part, turn: [0.0, 0.0, first_turn + second_turn] }
    }

    /// The share of a point whose depth grows in a direction as the body moves, see [`Leaning::slanted`].
    pub(crate) fn slanted(&self, share: Share, direction: [f64; D]) -> Share {
        if D == 2 {
            return share;
        }
        let in_frame = self.leaning.frame.axes(1.0).map(|axis| dot(axis, components(|k| direction[k % D])));
        self.leaning.slanted(share, in_frame)
    }
}

impl<const D: usize> Wedge<D> {
    /// Its other edge, if this is one.
    fn beside(&self, along: [f64; D]) -> Option<[f64; D]> {
        let [first, second] = self.sides;
        if dot(first, along) > PARALLEL {
            Some(second)
        } else if dot(second, along) > PARALLEL {
            Some(first)
        } else {
            None
        }
    }

    /// Whether this is an edge of it at which the surface ends or falls away.
    fn has_open(&self, along: [f64; D]) -> bool {
        self.sides.iter().zip(self.open).any(|(side, open)| open && dot(*side, along) > PARALLEL)
    }
}
