//! The fast common plane (Nezami, Hashash, Zhao, Ghaboussi 2004, "A fast contact detection algorithm for 3-D discrete element
//! method").
//!
//! 1. Find the vertices of both bodies that are closest to the plane.
//! 2. Candidates for a better plane follow from these two vertices: the one that bisects the segment between them at a right
//!    angle; those parallel to a face of one of them; those parallel to an edge of each; those parallel to one edge that bisect
//!    otherwise.
//! 3. Take the candidate with the largest gap, and go to 1, until none is better.
//!
//! A candidate's gap cannot exceed the distance of the two vertices along its normal, so most are discarded by one product; and
//! the two vertices must be the closest ones to it, as their neighbours tell. Where no candidate is left before the plane is the
//! common one, the shortest link goes on.
//!
//! Cost: a product for each pair of edges at the two vertices. Between `common-plane` and `shortest-link`.

use super::contact::{Separated, Start};
use super::feature::{BodyFeature, cross};
use super::pose::PosedBody;
use super::shortest_link::walk;
use super::simplex::furthest;
use super::two::{FoundLink, Two};
use crate::vector::{dot, reject, scale};

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
    features: [BodyFeature; 2],
    /// Whether planes are tried that have other vertices closest to them.
    thorough: bool,
}

impl<const D: usize> Best<'_, '_, D> {
    /// Takes a plane in its place if that has a larger gap. Its normal is given in the coordinates of one of the bodies, as is
    /// the difference of the closest vertices; directions without length are none.
    #[inline(always)]
    fn offer(
        &mut self,
        side: &PosedBody<'_, D>,
        direction: [f64; D],
        difference: [f64; D],
        features: [BodyFeature; 2],
    ) {
        let (along, square) = (dot(direction, difference), dot(direction, direction));
        // Compares squares with their signs, without a root.
        if square > 0.0 && along * along.abs() > self.gap * self.gap.abs() * square {
            self.consider(scale(side.turn(direction), 1.0 / square.sqrt()), features);
        }
    }

    fn consider(&mut self, normal: [f64; D], features: [BodyFeature; 2]) {
        let (Two { a, b }, [v, w]) = (self.two, self.closest.map(BodyFeature::Vertex));
        let gap = if self.thorough {
            dot(normal, furthest(self.two, normal, self.closest).1)
        } else if a.body.holds(v, a.back(normal), || [0.0; D])
            && b.body.holds(w, scale(b.back(normal), -1.0), || [0.0; D])
        {
            // Their neighbours tell that the two vertices are the closest ones to this plane too.
            dot(normal, self.difference)
        } else {
            return;
        };
        if gap > self.gap {
            (self.normal, self.gap, self.features) = (normal, gap, features);
        }
    }
}

impl<const D: usize> Separated<D> for FastCommonPlane {
    fn link(two: &Two<'_, D>, start: Start<D>, iterations: &mut u32) -> Option<FoundLink<D>> {
        // The last plane, turned with the features it belongs to.
        let normal = two.direct(start.features, None).map_or(start.normal, |found| found.normal);
        let best = improve(two, Start { normal, ..start }, false, iterations);
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
    pub(super) features: [BodyFeature; 2],
}

/// Goes from plane to plane as long as the gap grows, also if it is negative.
pub(super) fn improve<const D: usize>(
    two: &Two<'_, D>,
    start: Start<D>,
    thorough: bool,
    iterations: &mut u32,
) -> Plane<D> {
    let Start { features, normal } = start;
    let (closest, difference) = furthest(two, normal, two.some_vertices(features));
    let mut best =
        Best { two, closest, difference, normal, gap: dot(normal, difference), features, thorough };
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
    let Two { a, b } = best.two;
    let [v, w] = best.closest;
    let features = [v, w].map(BodyFeature::Vertex);
    let (in_a, in_b) = (a.back(best.difference), b.back(best.difference));
    best.offer(a, in_a, in_a, features);
    let (spokes_a, spokes_b) = (a.body.spokes(v), b.body.spokes(w));
    let named = |facet: u32| if D == 2 { BodyFeature::Edge(facet) } else { BodyFeature::Face(facet) };
    for spoke in spokes_a {
        let edge = &a.body.edges[spoke.edge as usize];
        let facet = edge.facets[usize::from(edge.ends[0] != v)];
        best.offer(a, a.body.facets[facet as usize].normal, in_a, [named(facet), features[1]]);
    }
    for spoke in spokes_b {
        let edge = &b.body.edges[spoke.edge as usize];
        let facet = edge.facets[usize::from(edge.ends[0] != w)];
        let normal = scale(b.body.facets[facet as usize].normal, -1.0);
        best.offer(b, normal, in_b, [features[0], named(facet)]);
    }
    if D == 2 {
        return;
    }
    for spoke in spokes_a {
        best.offer(a, reject(in_a, spoke.direction), in_a, [BodyFeature::Edge(spoke.edge), features[1]]);
    }
    for other in spokes_b {
        best.offer(b, reject(in_b, other.direction), in_b, [features[0], BodyFeature::Edge(other.edge)]);
        let (along, normal) = (a.back(b.turn(other.direction)), a.back(best.normal));
        for spoke in spokes_a {
            let upright = cross(spoke.direction, along);
            let sign = if dot(upright, normal) < 0.0 { -1.0 } else { 1.0 };
            let edges = [BodyFeature::Edge(spoke.edge), BodyFeature::Edge(other.edge)];
            best.offer(a, scale(upright, sign), in_a, edges);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;
    use crate::convex::{LinkMemory, LinkMethod, Polyhedron, Pose, Solver, shapes};
    use crate::vector::{add_scaled, unit};

    /// Of random pairs that are apart, the part for which the candidates alone lead to the common plane.
    fn share_that_arrive(body: &Polyhedron, thorough: bool) -> f64 {
        let mut random = Random::new(1);
        let (mut pairs, mut arrived) = (0, 0);
        while pairs < 2000 {
            let [turn, other_turn]: [[f64; 4]; 2] =
                std::array::from_fn(|_| std::array::from_fn(|_| random.normal()));
            let aside: [f64; 3] = std::array::from_fn(|_| random.normal());
            let between = unit(aside).unwrap();
            let place = add_scaled([0.0; 3], random.uniform(0.5, 2.0), between);
            let poses = [
                Pose::from_quaternion([0.0; 3], turn).unwrap(),
                Pose::from_quaternion(place, other_turn).unwrap(),
            ];
            let link = Solver::new(LinkMethod::ShortestLink).link(
                [body; 2],
                poses.each_ref(),
                &mut LinkMemory::default(),
            );
            if link.gap < 1e-3 {
                continue;
            }
            let two = Two::new([body; 2], poses.each_ref(), [1.0; 2]);
            let features = [BodyFeature::Vertex(0); 2];
            let before = dot(between, furthest(&two, between, [0, 0]).1);
            let plane = improve(&two, Start { features, normal: between }, thorough, &mut 0);
            let gap = dot(plane.normal, furthest(&two, plane.normal, [0, 0]).1);
            assert!((gap - plane.gap).abs() < 1e-14 && gap >= before && gap <= link.gap + 1e-14);
            pairs += 1;
            arrived += usize::from(gap > link.gap - 1e-12);
        }
        arrived as f64 / pairs as f64
    }

    #[test]
    fn candidates_lead_to_the_common_plane() {
        for body in [shapes::tetrahedron(), shapes::pyramid(), shapes::cube(), shapes::fourteen()] {
            let shares = [false, true].map(|thorough| share_that_arrive(&body, thorough));
            assert!(shares[0] > 0.97 && shares[1] >= shares[0], "{shares:?}");
        }
    }
}
