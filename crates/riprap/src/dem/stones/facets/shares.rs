//! The shares that points on a surface have of the stiffness of their contact (`convex/share.rs`).
//!
//! The facets that a contact is with are seen as the surface of a body: an edge has a facet on either side, unless the surface ends there.

use smallvec::SmallVec;

use super::axis::{FacetAxis, TINY};
use super::points::{Facing, FoundPoint, PointOf};
use crate::convex::{ContactPoint, Pose, Stand, SurfaceEdge, Wedge};
use crate::dem::wall::Facets;
use crate::vector::{add, add_scaled, dot, length, scale, sub, unit};

/// A direction is that of the stone's facet if they are more alike than this (cosine).
const ACROSS: f64 = 1.0 - 1e-12;

/// The facets that a contact is with.
#[derive(Clone, Copy)]
struct Members<'a, const D: usize> {
    facets: &'a Facets<D>,
    entries: &'a [&'a FacetAxis<D>],
    /// How far they may be from what they have in common.
    tolerance: f64,
}

impl<const D: usize> Facing<'_, D> {
    /// Gives the points of a contact with these facets their shares of its stiffness.
    pub(super) fn share_out(
        &self,
        facets: &Facets<D>,
        entries: &[&FacetAxis<D>],
        points: &mut [FoundPoint<D>],
    ) {
        let members = Members { facets, entries, tolerance: 10.0 * TINY * self.stone.radius };
        let pose = Pose { position: [0.0; D], rotation: self.stone.rotation };
        let toward = scale(self.axis, -1.0);
        let mut stand = Stand::new(self.body, &pose, toward);
        let outline = self.outline();
        let own_edge = |k: u32| [k as usize, (k as usize + 1) % outline.len()].map(|k| outline[k]);
        let surface_edge = |point: &ContactPoint<D>, (facet, edge): (u32, usize)| {
            let top = add_scaled(point.position, 0.5 * point.depth, self.axis);
            members.edge_at(top, facet, edge)
        };
        if entries.iter().all(|entry| !entry.face) {
            let across = points.iter().find_map(|FoundPoint { of, point, on: (facet, _, edge) }| match *of {
                PointOf::Crossing(k, _)
                    if dot(point.direction, toward) >= ACROSS * length(point.direction) =>
                {
                    Some((own_edge(k), surface_edge(point, (*facet, *edge))))
                }
                _ => None,
            });
            if let Some((own, edge)) = across {
                stand = stand.turning_with_edges(own, &edge);
            } else if dot(self.stone.planes[self.facing].0, toward) > ACROSS {
                stand = stand.turning_with_body();
            }
        }
        let mut rest = 1.0;
        for FoundPoint { of, point, on: (facet, normal, edge) } in points.iter_mut() {
            let share = match *of {
                PointOf::Middle => continue,
                PointOf::Vertex(vertex) => stand.vertex_on(vertex, *normal),
                PointOf::Crossing(k, _) => stand.crossing(own_edge(k), &surface_edge(point, (*facet, *edge))),
                PointOf::Corner(place) => stand.corner(self.facing as u32, &members.wedges_at(place)),
            };
            point.share = stand.slanted(share, point.direction);
            rest -= share.part;
        }
        for found in points.iter_mut().filter(|found| found.of == PointOf::Middle) {
            found.point.share.part = rest.max(0.0);
        }
    }
}

impl<const D: usize> Members<'_, D> {
    /// An edge of a facet, at a point of it, with all facets that meet there.
    fn edge_at(&self, point: [f64; D], facet: u32, edge: usize) -> SurfaceEdge<D> {
        let corners = &self.facets.corners()[facet as usize];
        let along = sub(corners[(edge + 1) % D], corners[edge]);
        let is_there =
            |facet: u32| length(sub(self.facets.foot(facet as usize, point).0, point)) <= self.tolerance;
        let others = self.entries.iter().map(|entry| entry.facet).filter(|&other| other != facet);
        let inward = std::iter::once(facet)
            .chain(others.filter(|&other| is_there(other)))
            .map(|facet| sub(self.middle(facet), point))
            .collect();
        SurfaceEdge { along, inward }
    }

    fn middle(&self, facet: u32) -> [f64; D] {
        let sum =
            self.facets.corners()[facet as usize].iter().fold([0.0; D], |sum, corner| add(sum, *corner));
        scale(sum, 1.0 / D as f64)
    }

    /// The facets that meet at a place.
    fn wedges_at(&self, place: u32) -> SmallVec<[Wedge<D>; 6]> {
        let mut wedges = SmallVec::new();
        for entry in self.entries {
            let facet = entry.facet as usize;
            let Some(corner) = (0..D).find(|&corner| self.facets.place(facet, corner) == place) else {
                continue;
            };
            let corners = &self.facets.corners()[facet];
            let ends = [(corner + 1) % D, (corner + D - 1) % D];
            let along = ends.map(|end| unit(sub(corners[end], corners[corner])));
            let [Some(first), Some(second)] = along else { continue };
            let open = [corner, ends[1]].map(|edge| self.facets.is_open(facet, edge, entry.front));
            wedges.push(Wedge { sides: [first, second], open });
        }
        wedges
    }
}
