//! GJK and EPA of the crate `parry`, as an independent referee. It is given vertices and poses, nothing else of ours.

use parry2d_f64 as planar;
use parry3d_f64 as spatial;

use super::contact::RestingLink;
use super::expansion::Expansion;
use super::feature::BodyFeature;
use super::memory::{LinkMemory, LinkState};
use super::method::Way;
use super::two::{FoundLink, Two};
use crate::vector::{components, dot, scale, sub, unit};

/// The method's name for the table.
pub(super) struct Referee;

/// A body's vertices where they are, in units of the larger body: parry's tolerances are absolute.
struct Vertices<const D: usize>(Vec<[f64; D]>);

impl<const D: usize> Vertices<D> {
    fn furthest(&self, direction: [f64; D]) -> [f64; D] {
        let along = |vertex: &&[f64; D]| dot(**vertex, direction);
        *self.0.iter().max_by(|x, y| along(x).total_cmp(&along(y))).expect("a body has vertices")
    }
}

impl<const D: usize> spatial::shape::SupportMap for Vertices<D> {
    fn local_support_point(&self, direction: spatial::math::Vector) -> spatial::math::Vector {
        to_spatial(self.furthest(from_spatial(direction)))
    }
}

impl<const D: usize> planar::shape::SupportMap for Vertices<D> {
    fn local_support_point(&self, direction: planar::math::Vector) -> planar::math::Vector {
        to_planar(self.furthest(from_planar(direction)))
    }
}

fn to_spatial<const D: usize>(v: [f64; D]) -> spatial::math::Vector {
    spatial::math::Vector::new(v[0], v[1], v[D - 1])
}

fn from_spatial<const D: usize>(v: spatial::math::Vector) -> [f64; D] {
    components(|k| [v.x, v.y, v.z][k])
}

fn to_planar<const D: usize>(v: [f64; D]) -> planar::math::Vector {
    planar::math::Vector::new(v[0], v[1])
}

fn from_planar<const D: usize>(v: planar::math::Vector) -> [f64; D] {
    components(|k| [v.x, v.y][k])
}

/// Further than any two bodies are apart.
const FAR: f64 = 1e100;

impl<const D: usize> Way<D> for Referee {
    const LOOKS_FOR_PATCHES: bool = false;

    fn find(two: &Two<'_, D>, memory: &mut LinkMemory<D>, _: &mut Expansion<D>) -> RestingLink<D> {
        let unit_length = two.size();
        let [a, b] = [
            Vertices(two.a.body.vertices.iter().map(|&v| scale(two.a.place(v), 1.0 / unit_length)).collect()),
            Vertices(two.b.body.vertices.iter().map(|&v| scale(two.b.place(v), 1.0 / unit_length)).collect()),
        ];
        let between = unit(two.between()).unwrap_or(components(|k| if k == 0 { 1.0 } else { 0.0 }));
        let start = if memory.state == LinkState::New { between } else { memory.normal };
        let answer = if D == 2 { ask_planar(&a, &b, start) } else { ask_spatial(&a, &b, start) };
        // Where parry gives up, the plane halfway between the centroids is still a plane between them.
        let (points, normal) =
            answer.unwrap_or_else(|| ([a.furthest(between), b.furthest(scale(between, -1.0))], between));
        let points = points.map(|point| scale(point, unit_length));
        let gap = dot(normal, sub(points[1], points[0]));
        memory.state = if gap > 0.0 { LinkState::Apart } else { LinkState::Contact };
        memory.normal = normal;
        let features = [BodyFeature::Vertex(0); 2];
        RestingLink { found: FoundLink { points, normal, gap, features }, patch: None, iterations: 0 }
    }

    fn find_apart(
        two: &Two<'_, D>,
        memory: &mut LinkMemory<D>,
        expansion: &mut Expansion<D>,
    ) -> Option<RestingLink<D>> {
        (memory.state == LinkState::Apart).then(|| Self::find(two, memory, expansion))
    }
}

/// Asks one of the two crates for the closest points, or the deepest ones, and the normal.
macro_rules! ask {
    ($name:ident, $crate_name:ident, $to:ident, $from:ident) => {
        fn $name<const D: usize>(
            a: &Vertices<D>,
            b: &Vertices<D>,
            start: [f64; D],
        ) -> Option<([[f64; D]; 2], [f64; D])> {
            use $crate_name::query::{details, gjk};
            let mut simplex = gjk::VoronoiSimplex::new();
            let here = $crate_name::math::Pose::IDENTITY;
            let ask = details::contact_support_map_support_map_with_params;
            match ask(&here, a, b, FAR, &mut simplex, Some($to(start))) {
                gjk::GJKResult::ClosestPoints(p, q, normal) => Some(([$from(p), $from(q)], $from(normal))),
                _ => None,
            }
        }
    };
}

ask!(ask_spatial, spatial, to_spatial, from_spatial);
ask!(ask_planar, planar, to_planar, from_planar);
