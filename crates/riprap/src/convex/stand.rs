//! The shares of the corners of a body that stands on a plane, or on a surface of facets that ends somewhere (`share.rs`).

use super::body::Body;
use super::leaning::{Leaning, Owner, SeenBody, SeenEdge, Swing};
use super::pose::Pose;
use super::region::Frame;
use super::share::{Cell, Flat, Share};
use crate::vector::{components, dot};

/// A body on a plane, or on a facet.
pub(crate) struct Stand<'a, const D: usize> {
    seen: SeenBody<'a, D>,
    leaning: Leaning,
}

/// An edge at which a surface ends.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SurfaceEdge<const D: usize> {
    /// Along it.
    pub(crate) along: [f64; D],
    /// From it into the facet.
    pub(crate) inward: [f64; D],
    /// The facet's normal, towards the body.
    pub(crate) normal: [f64; D],
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

    /// An edge of the surface, seen along the normal.
    fn seen_edge(&self, edge: &SurfaceEdge<D>) -> SeenEdge {
        let frame = self.leaning.frame.axes(-1.0);
        let seen = |vector: [f64; D]| frame.map(|axis| (0..D).map(|k| axis[k] * vector[k]).sum::<f64>());
        let [x, y, up] = seen(edge.along);
        let length = (x * x + y * y).sqrt().max(f64::MIN_POSITIVE);
        let [u, v] = [x / length, y / length];
        let slope = self.slope_of(edge.normal);
        let across = slope[1] * u - slope[0] * v;
        let inward = seen(edge.inward);
        let is_ahead = inward[1] * u - inward[0] * v > 0.0;
        let range = if is_ahead { [across, f64::INFINITY] } else { [f64::NEG_INFINITY, across] };
        SeenEdge { along: [u, v], level: up / length, range }
    }

    /// The share of the point where an edge of the body, between two vertices, crosses an edge of the surface.
    pub(crate) fn crossing(&self, ends: [u32; 2], edge: &SurfaceEdge<D>) -> Share {
        self.own_edge(ends).map_or(Share::NONE, |own| self.leaning.crossing([&own, &self.seen_edge(edge)]))
    }

    /// The share of a corner of the surface under a facet of the body, by the edges that begin at it: two in space, one in the plane.
    pub(crate) fn corner(&self, facet: u32, edges: &[SurfaceEdge<D>]) -> Share {
        let slope = self.seen.slope(facet);
        if D == 2 {
            return edges.first().map_or(Share::WHOLE, |edge| self.end(slope[0], edge));
        }
        if edges.len() != 2 {
            return Share::WHOLE;
        }
        let mut cell = Cell::new(self.leaning.lean);
        edges.iter().for_each(|edge| self.seen_edge(edge).add_to(&mut cell, Owner::Second, slope));
        self.leaning.share(&cell)
    }

    /// The share of the end of a line under an edge of a polygon of this slope.
    fn end(&self, own: f64, edge: &SurfaceEdge<D>) -> Share {
        let lean = self.leaning.lean;
        let along = self.leaning.frame.axes(1.0)[0];
        let is_low = (0..D).map(|k| along[k] * edge.along[k]).sum::<f64>() > 0.0;
        let slope = own + self.slope_of(edge.normal)[0];
        let part = 0.5 + 0.5 * (slope / lean).clamp(-1.0, 1.0);
        let turn = if slope.abs() < lean { -0.5 * (1.0 + own * own) / lean } else { 0.0 };
        let (part, turn) = if is_low { (1.0 - part, -turn) } else { (part, turn) };
        Share { part, turn: [0.0, 0.0, turn] }
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
