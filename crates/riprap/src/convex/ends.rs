//! The ends of a link whose normal is known.
//!
//! They are on the vertices, edges or faces that reach furthest towards each other, and seen along the normal these have a point
//! in common. It is sought as in [`simplex`](super::simplex), among the differences of their vertices across the normal: so it
//! does not matter how long the link is, nor how thin the bodies are along it.
//!
//! Cost: a look at all vertices and a few rounds over those that are furthest; for links that closed forms do not give.

use smallvec::SmallVec;

use super::pose::PosedBody;
use super::simplex::Simplex;
use super::two::Two;
use crate::vector::{dot, length, reject, scale};

/// Vertices that reach less far by this part of the size are still counted among the furthest.
const BAND: f64 = 5e-13;
const ROUNDS: usize = 64;

/// Two points, one of each body, that are furthest towards each other along a unit vector from a to b and over each other.
pub(super) fn along<const D: usize>(two: &Two<'_, D>, normal: [f64; D]) -> [[f64; D]; 2] {
    let band = BAND * two.size();
    let (of_a, of_b) = (
        outermost(&two.a, two.a.back(normal), band),
        outermost(&two.b, scale(two.b.back(normal), -1.0), band),
    );
    let highest = |side: &PosedBody<'_, D>, vertices: &[u32], direction: [f64; D]| {
        let height = |vertex: u32| dot(direction, side.body.vertex(vertex));
        vertices.iter().copied().max_by(|&v, &w| height(v).total_cmp(&height(w))).unwrap_or(0)
    };
    let first = [of_a[0], of_b[0]];
    let mut simplex = Simplex::from(first, reject(two.difference(first), normal));
    let (mut shortest, mut last) = (f64::INFINITY, simplex);
    for _ in 0..ROUNDS {
        let Some(across) = simplex.closest() else {
            last = simplex;
            break;
        };
        let distance = length(across);
        if distance >= shortest {
            break;
        }
        (shortest, last) = (distance, simplex);
        let (toward, back) = (two.a.back(across), scale(two.b.back(across), -1.0));
        let next = [highest(&two.a, &of_a, toward), highest(&two.b, &of_b, back)];
        if simplex.has(next) {
            break;
        }
        simplex.push(next, reject(two.difference(next), normal));
    }
    last.ends(two)
}

/// The vertices of a body that are furthest along a direction.
fn outermost<const D: usize>(side: &PosedBody<'_, D>, direction: [f64; D], band: f64) -> SmallVec<[u32; 16]> {
    let heights = side.body.vertices.iter().map(|&vertex| side.scale * dot(direction, vertex));
    let highest = heights.clone().fold(f64::NEG_INFINITY, f64::max);
    heights.zip(0..).filter(|(height, _)| *height >= highest - band).map(|(_, vertex)| vertex).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convex::{Pose, shapes};

    #[test]
    fn what_is_furthest_is_told_at_the_scale_of_the_body() {
        let (cube, pose) = (shapes::cube(), Pose::at([0.0; 3]));
        // Two of the four vertices on top reach less far, by 1e-9 of the scale.
        for (scale, count) in [(1.0, 2), (0.01, 4)] {
            let two = Two::new([&cube; 2], [&pose; 2], [scale; 2]);
            assert_eq!(outermost(&two.a, [1e-9, 0.0, 1.0], 1e-10).len(), count);
        }
    }
}
