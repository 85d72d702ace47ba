//! The shortest link (Nezami, Hashash, Zhao, Ghaboussi 2006, "Shortest link method for contact detection in discrete element
//! method").
//!
//! The common plane of two bodies apart bisects the shortest segment PQ between them at a right angle.
//!
//! 1. Start from the features (vertex, edge, face) on which the last link ended, else from the two vertices closest to the
//!    plane halfway between the centroids.
//! 2. The shortest link between the two features, in closed form.
//! 3. Walk from P over neighbouring features to the point of a closest to Q, then from Q to the point of b closest to P. If
//!    neither leaves its feature, each is the other's closest point, and PQ is the shortest link.
//! 4. Else go to 2, with the new features.
//!
//! The paper alternates step 3 and solves step 2 for edges and faces only, where step 3 would creep; solved for every pair of
//! features it saves a round, and a link whose features are still the same takes one. What has not ended after a few
//! rounds, for slivers or for bodies that overlap, is decided by [`simplex`](super::simplex) from the vertices alone.
//!
//! Bodies in contact are first separated along the last normal ([`contact`](super::contact)).
//!
//! Cost: independent of the number of vertices with a last link; without one, a search for two vertices more.

use super::contact::{Separated, Start};
use super::ends;
use super::fast_common_plane;
use super::feature::BodyFeature;
use super::simplex::{Apart, Overlap, furthest, relate};
use super::two::{FoundLink, Two};
use crate::vector::{dot, length, scale, sub};

/// Rounds after which the walk is given up; hardly any pair needs more than three.
const ROUNDS: u32 = 12;

/// The method's name for the table.
pub(super) struct ShortestLink;

impl<const D: usize> Separated<D> for ShortestLink {
    const KEEPS: bool = true;

    #[inline(always)]
    fn link(two: &Two<'_, D>, start: Start<D>, iterations: &mut u32) -> Option<FoundLink<D>> {
        walk(two, start.features, None, iterations)
    }
}

#[inline(always)]
pub(super) fn walk<const D: usize>(
    two: &Two<'_, D>,
    mut features: [BodyFeature; 2],
    mut points: Option<[[f64; D]; 2]>,
    iterations: &mut u32,
) -> Option<FoundLink<D>> {
    for _ in 0..ROUNDS {
        *iterations += 1;
        let found = two.direct(features, points)?;
        let [p, q] = found.points;
        let (toward, back) = (two.a.back(found.normal), scale(two.b.back(found.normal), -1.0));
        if two.a.body.holds(found.features[0], toward, || two.a.local(p))
            && two.b.body.holds(found.features[1], back, || two.b.local(q))
        {
            let delicate = two.a.body.delicate || two.b.body.delicate;
            return if delicate && !confirmed(two, &found) { None } else { Some(found) };
        }
        (features, points) = alternate(two, &found);
    }
    None
}

/// Whether the gap is the extent along the normal over all vertices: facets that are too small to be sure of cannot prove it.
#[inline(never)]
fn confirmed<const D: usize>(two: &Two<'_, D>, found: &FoundLink<D>) -> bool {
    let (_, difference) = furthest(two, found.normal, two.some_vertices(found.features));
    (dot(found.normal, difference) - found.gap).abs() <= 1e-12 * two.size()
}

/// From P to the point of a closest to Q, and from Q to the point of b closest to that.
#[inline(never)]
fn alternate<const D: usize>(
    two: &Two<'_, D>,
    found: &FoundLink<D>,
) -> ([BodyFeature; 2], Option<[[f64; D]; 2]>) {
    let [p, q] = found.points;
    let (toward, target) = (two.a.back(found.normal), two.a.local(q));
    let (first, p_next) = two.a.body.walk(found.features[0], two.a.local(p), target, toward);
    let p_next = two.a.place(p_next);
    let mut back = scale(found.normal, -1.0);
    if first != found.features[0] {
        let link = sub(p_next, q);
        back = scale(link, 1.0 / length(link));
    }
    let (back, target) = (two.b.back(back), two.b.local(p_next));
    let (second, q_next) = two.b.body.walk(found.features[1], two.b.local(q), target, back);
    ([first, second], Some([p_next, two.b.place(q_next)]))
}

/// The shortest link of two bodies if they are apart, else what shows that they overlap.
pub(super) fn decide<const D: usize>(
    two: &Two<'_, D>,
    start: [u32; 2],
    iterations: &mut u32,
) -> Result<FoundLink<D>, Overlap<D>> {
    let Apart { simplex, link, best, gap } = relate(two, start, iterations)?;
    let points = simplex.ends(two);
    let features = two.features_of(&simplex.vertices[..simplex.count]);
    let (length, tolerance) = (length(link), 1e-12 * two.size());
    // The features give a better normal than the difference of two points.
    let found = walk(two, features, Some(points), iterations);
    if let Some(found) = found.filter(|found| found.gap <= length + tolerance) {
        return Ok(found);
    }
    // That of points far from each other is as good.
    if length > two.size() && length - gap <= 1e-12 * length {
        return Ok(FoundLink { points, normal: scale(link, 1.0 / length), gap: length, features });
    }
    let found = polished(two, features, best, iterations);
    if found.gap > 0.0 {
        Ok(found)
    } else {
        Err(Overlap { simplex, best: found.normal, overlap: -found.gap })
    }
}

/// The link along the best normal that the closest vertices suggest: for bodies whose features are too small, or too nearly
/// parallel, to be told apart.
pub(super) fn polished<const D: usize>(
    two: &Two<'_, D>,
    features: [BodyFeature; 2],
    normal: [f64; D],
    iterations: &mut u32,
) -> FoundLink<D> {
    let plane = fast_common_plane::improve(two, Start { features, normal }, true, iterations);
    FoundLink {
        points: ends::along(two, plane.normal),
        normal: plane.normal,
        gap: plane.gap,
        features: plane.features,
    }
}
