//! The fast common plane (Nezami, Hashash, Zhao, Ghaboussi 2004, "A fast contact detection algorithm for 3-D discrete element
//! method").
//!
//! 1. Find the vertices of both bodies that are closest to the plane.
//! 2. Candidates for a better plane follow from these two vertices: the one that bisects the segment between them at a right
//!    angle; those parallel to a face of one of them; those parallel to an edge of each; those parallel to one edge that bisect
//!    otherwise.
//! 3. Take the candidate with the largest gap, and go to 1, until none is better.
//!
//! A candidate's gap cannot exceed the distance of the two vertices along its normal, so most are discarded by one product.
//!
//! Cost: a product for each pair of edges at the two vertices, and a search for furthest vertices for every candidate that could
//! be better. Between `common-plane` and `shortest-link`.

use super::contact::{Separated, Start};
use super::direct::{Found, Two};
use super::feature::{Feature, cross};
use super::shortest_link::walk;
use super::simplex::furthest;
use crate::vector::{components, dot, reject, scale};

/// Most planes tried; each has a larger gap than the one before.
const ROUNDS: u32 = 64;

/// The method's name for the table.
pub(super) struct FastCommonPlane;

/// The best plane so far.
struct Best<'a, 'b, const D: usize> {
    two: &'a Two<'b, D>,
    closest: [u32; 2],
    difference: [f64; D],
    normal: [f64; D],
    gap: f64,
    features: [Feature; 2],
}

impl<const D: usize> Best<'_, '_, D> {
    /// Planes parallel to edges are many; they are tried only if the two vertices would be the closest ones.
    fn suggested_by(&self, normal: [f64; D], features: [Feature; 2]) -> bool {
        let edge = features.iter().any(|feature| matches!(feature, Feature::Edge(_)));
        let (Two { a, b }, [v, w]) = (self.two, self.closest.map(Feature::Vertex));
        D == 2
            || !edge
            || (a.body.holds(v, a.back(normal), || [0.0; D])
                && b.body.holds(w, scale(b.back(normal), -1.0), || [0.0; D]))
    }

    /// Takes a plane in its place if that has a larger gap. Directions without length are none.
    fn offer(&mut self, direction: [f64; D], features: [Feature; 2]) {
        let (along, square) = (dot(direction, self.difference), dot(direction, direction));
        // Compares squares with their signs, without a root.
        if square == 0.0 || along * along.abs() <= self.gap * self.gap.abs() * square {
            return;
        }
        let normal = scale(direction, 1.0 / square.sqrt());
        if !self.suggested_by(normal, features) {
            return;
        }
        let (_, difference) = furthest(self.two, normal, self.closest);
        let gap = dot(normal, difference);
        if gap > self.gap {
            (self.normal, self.gap, self.features) = (normal, gap, features);
        }
    }
}

impl<const D: usize> Separated<D> for FastCommonPlane {
    fn link(two: &Two<'_, D>, start: Start<D>, iterations: &mut u32) -> Option<Found<D>> {
        // The last plane, turned with the features it belongs to.
        let normal = two.direct(start.features, None).map_or(start.normal, |found| found.normal);
        let best = improve(two, Start { normal, ..start }, iterations);
        if best.gap <= 0.0 {
            return None;
        }
        // The features that made the plane have the link, if the plane is the common one. Where the candidates stopped
        // short of it, the shortest link goes on from there.
        walk(two, best.features, None, &mut 0)
    }
}

/// The plane that no candidate is better than, its gap, and the features that made it.
pub(super) struct Plane<const D: usize> {
    pub(super) normal: [f64; D],
    pub(super) gap: f64,
    pub(super) features: [Feature; 2],
}

/// Goes from plane to plane as long as the gap grows, also if it is negative.
pub(super) fn improve<const D: usize>(two: &Two<'_, D>, start: Start<D>, iterations: &mut u32) -> Plane<D> {
    let Start { features, normal } = start;
    let (closest, difference) = furthest(two, normal, two.some_vertices(features));
    let mut best = Best { two, closest, difference, normal, gap: dot(normal, difference), features };
    for _ in 0..ROUNDS {
        *iterations += 1;
        let before = best.gap;
        offer_all(&mut best);
        if best.gap <= before + 1e-14 * two.size() {
            break;
        }
        (best.closest, best.difference) = furthest(two, best.normal, best.closest);
    }
    Plane { normal: best.normal, gap: best.gap, features: best.features }
}

fn offer_all<const D: usize>(best: &mut Best<'_, '_, D>) {
    let two = best.two;
    let [v, w] = best.closest;
    let features = [v, w].map(Feature::Vertex);
    let difference = best.difference;
    best.offer(difference, features);
    let (spokes_a, spokes_b) = (two.a.body.spokes(v), two.b.body.spokes(w));
    for spoke in spokes_a {
        let edge = &two.a.body.edges[spoke.edge as usize];
        let facet = edge.facets[usize::from(edge.ends[0] != v)];
        let named = if D == 2 { Feature::Edge(facet) } else { Feature::Face(facet) };
        best.offer(two.a.normal(facet), [named, features[1]]);
    }
    for spoke in spokes_b {
        let edge = &two.b.body.edges[spoke.edge as usize];
        let facet = edge.facets[usize::from(edge.ends[0] != w)];
        let named = if D == 2 { Feature::Edge(facet) } else { Feature::Face(facet) };
        best.offer(scale(two.b.normal(facet), -1.0), [features[0], named]);
    }
    if D == 2 {
        return;
    }
    for spoke in spokes_a {
        let along = two.a.turn(spoke.direction);
        best.offer(reject(difference, along), [Feature::Edge(spoke.edge), features[1]]);
        for other in spokes_b {
            let upright = cross(along, two.b.turn(other.direction));
            let sign = if dot(upright, best.normal) < 0.0 { -1.0 } else { 1.0 };
            best.offer(
                components(|k| sign * upright[k]),
                [Feature::Edge(spoke.edge), Feature::Edge(other.edge)],
            );
        }
    }
    for spoke in spokes_b {
        let along = two.b.turn(spoke.direction);
        best.offer(reject(difference, along), [features[0], Feature::Edge(spoke.edge)]);
    }
}
