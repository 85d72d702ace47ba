//! The common plane by perturbation (Cundall 1988, "Formulation of a three-dimensional distinct element model, part I").
//!
//! 1. Start from the last normal, else from the direction between the centroids.
//! 2. Turn the normal a little about two axes in the plane, both ways. If the gap grows, keep the turn.
//! 3. If no turn helps, halve the angle. From 5 degrees down to 0.01.
//!
//! The axes are others in each round. Always the same ones, it would stop wherever the gap grows only between them.
//!
//! Cost: four gaps per round, each over all vertices, and some fifteen rounds with a last normal. The gap is about as good as the
//! last angle; now and then it stops short all the same. For comparison with the paper; use `shortest-link`.

use super::contact::RestingLink;
use super::expansion::Expansion;
use super::feature::{BodyFeature, cross};
use super::memory::{LinkMemory, LinkState};
use super::method::Way;
use super::two::{FoundLink, Two};
use std::f64::consts::FRAC_1_SQRT_2 as HALF;

use crate::vector::{add_scaled, components, dot, length, scale, sub, unit};

/// The first and the last tangent by which the normal is turned.
const LARGEST_TURN: f64 = 0.0875;
const SMALLEST_TURN: f64 = 1.75e-4;

/// A gain that is worth another round, in units of the size: ridges are otherwise followed in ever smaller steps.
const LEAST_GAIN: f64 = 1e-6;
const ROUNDS: u32 = 200;

/// The method's name for the table.
pub(super) struct CommonPlane;

impl<const D: usize> Way<D> for CommonPlane {
    const LOOKS_FOR_PATCHES: bool = false;

    fn find(two: &Two<'_, D>, memory: &mut LinkMemory<D>, _: &mut Expansion<D>) -> RestingLink<D> {
        let mut normal = match memory.state {
            LinkState::New => unit(two.between()).unwrap_or(components(|k| if k == 0 { 1.0 } else { 0.0 })),
            _ => memory.normal,
        };
        let (mut gap, mut vertices) = gap_along(two, normal);
        let mut iterations = 0;
        let mut turn = LARGEST_TURN;
        while turn > SMALLEST_TURN && iterations < ROUNDS {
            iterations += 1;
            let mut better = false;
            for axis in axes(normal, iterations).into_iter().take(D - 1) {
                for way in [turn, -turn] {
                    let turned = add_scaled(normal, way, axis);
                    let turned = scale(turned, 1.0 / length(turned));
                    let (other, closest) = gap_along(two, turned);
                    if other > gap + LEAST_GAIN * two.size() {
                        (normal, gap, vertices, better) = (turned, other, closest, true);
                        break;
                    }
                }
            }
            if !better {
                turn *= 0.5;
            }
        }
        let points = [two.a.vertex(vertices[0]), two.b.vertex(vertices[1])];
        memory.state = if gap > 0.0 { LinkState::Apart } else { LinkState::Contact };
        memory.features = vertices.map(BodyFeature::Vertex);
        memory.normal = normal;
        RestingLink {
            found: FoundLink { points, normal, gap, features: memory.features },
            patch: None,
            iterations,
        }
    }

    fn find_apart(
        two: &Two<'_, D>,
        memory: &mut LinkMemory<D>,
        expansion: &mut Expansion<D>,
    ) -> Option<RestingLink<D>> {
        (memory.state == LinkState::Apart).then(|| Self::find(two, memory, expansion))
    }
}

/// The gap between the bodies along a normal, over all vertices, and the two closest ones.
fn gap_along<const D: usize>(two: &Two<'_, D>, normal: [f64; D]) -> (f64, [u32; 2]) {
    let furthest = |vertices: &[[f64; D]], direction: [f64; D]| {
        let (mut best, mut largest) = (0, f64::NEG_INFINITY);
        for (index, &vertex) in vertices.iter().enumerate() {
            let along = dot(direction, vertex);
            if along > largest {
                (best, largest) = (index as u32, along);
            }
        }
        (best, largest)
    };
    let (a, reach) = furthest(&two.a.body.vertices, two.a.back(normal));
    let (b, other_reach) = furthest(&two.b.body.vertices, scale(two.b.back(normal), -1.0));
    (dot(normal, two.between()) - two.b.scale * other_reach - two.a.scale * reach, [a, b])
}

/// Unit vectors in the plane, perpendicular to each other and turned from round to round; in two dimensions the first one only.
fn axes<const D: usize>(normal: [f64; D], round: u32) -> [[f64; D]; 2] {
    if D == 2 {
        return [components(|k| if k == 0 { -normal[1] } else { normal[0] }); 2];
    }
    let least = (0..D).min_by(|&i, &j| normal[i].abs().total_cmp(&normal[j].abs())).unwrap_or(0);
    let aside: [f64; D] = components(|k| if k == least { 1.0 } else { 0.0 });
    let first = sub(aside, scale(normal, dot(aside, normal)));
    let first = scale(first, 1.0 / length(first));
    let second = cross(normal, first);
    // Cosine and sine of 0, 45, 22.5 and 67.5 degrees.
    let (cos, sin) = [
        (1.0, 0.0),
        (HALF, HALF),
        (0.923_879_532_511_286_7, 0.382_683_432_365_089_8),
        (0.382_683_432_365_089_8, 0.923_879_532_511_286_7),
    ][round as usize % 4];
    [add_scaled(scale(first, cos), sin, second), add_scaled(scale(second, cos), -sin, first)]
}
