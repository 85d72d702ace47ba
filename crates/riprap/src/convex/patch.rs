//! Where faces and edges lie on each other.

use smallvec::SmallVec;

use super::body::Body;
use super::edge_patch;
use super::feature::BodyFeature;
use super::pose::PosedBody;
use super::two::{FoundLink, Two};
use crate::vector::{add, add_scaled, axes_across, dot, length, scale, sub};

/// The region in which a face or an edge is in contact with a face, or an edge with an edge along it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Patch<const D: usize> {
    /// Its centre, on the common plane.
    pub center: [f64; D],
    /// Its area, zero for an edge; in the plane, its length.
    pub area: f64,
}

/// Faces and edges lie on each other if they differ from the common plane by less than this angle, 1.15 degrees (its cosine).
pub(super) const ALIGNED: f64 = 0.9998;

/// The sine of the same angle.
const LEVEL: f64 = 0.02;

/// The region of contact, if a face or an edge rests on a face, or an edge along an edge. If the two are parallel, all links in it
/// are equally short, and the one in the middle is taken.
pub(super) fn resting<const D: usize>(two: &Two<'_, D>, found: &mut FoundLink<D>) -> Option<Patch<D>> {
    let (Two { a, b }, normal) = (two, found.normal);
    let level = 0.5 * (dot(normal, found.points[0]) + dot(normal, found.points[1]));
    let (toward, back) = (a.back(normal), scale(b.back(normal), -1.0));
    // Mostly a vertex is on a face, and that is all.
    if !(is_level(a.body, found.features[0], toward) && is_level(b.body, found.features[1], back)) {
        return None;
    }
    let edges = [level_edge(a.body, found.features[0], toward), level_edge(b.body, found.features[1], back)];
    let facets = [facing(a.body, found.features[0], toward), facing(b.body, found.features[1], back)];
    let flats = [flats(a.body, facets[0], toward), flats(b.body, facets[1], back)];
    // Faces on faces if there are any, then edges on faces, then edges along edges.
    let tries =
        [[&flats[0], &flats[1]], [&edges[0], &flats[1]], [&flats[0], &edges[1]], [&edges[0], &edges[1]]];
    let (parts, patch) = tries.into_iter().find_map(|parts| {
        let pairs = parts[0].iter().flat_map(|&first| parts[1].iter().map(move |&second| [first, second]));
        let regions = pairs.map(|pair| region(two, pair, normal, level));
        Some((parts, regions.fold(None, joined)?))
    })?;
    let slants = [parts[0][0].slant(a, normal), parts[1][0].slant(b, scale(normal, -1.0))];
    if parts.iter().all(|parts| parts.len() == 1) && slants.iter().all(|&slant| slant <= 1e-13) {
        let half = 0.5 * found.gap;
        found.points = [-half, half].map(|along| add_scaled(patch.center, along, normal));
    }
    Some(patch)
}

/// Where a part of one body rests on a part of the other.
fn region<const D: usize>(
    two: &Two<'_, D>,
    parts: [Footing; 2],
    normal: [f64; D],
    level: f64,
) -> Option<Patch<D>> {
    let Two { a, b } = two;
    let widest = 1e-12 * two.size() + parts[0].roughness(a) + parts[1].roughness(b);
    match parts {
        [Footing::Facet(facet), Footing::Facet(other)] => overlap(two, [facet, other], normal, level, widest),
        [Footing::Facet(facet), Footing::Edge(edge)] => {
            edge_patch::on_facet([a, b], [facet, edge], normal, level, widest)
        }
        [Footing::Edge(edge), Footing::Facet(facet)] => {
            edge_patch::on_facet([b, a], [facet, edge], scale(normal, -1.0), -level, widest)
        }
        [Footing::Edge(edge), Footing::Edge(other)] => {
            edge_patch::along_edge(two, [edge, other], normal, level)
        }
    }
}

/// Two regions, of which there may be none, as one.
fn joined<const D: usize>(first: Option<Patch<D>>, second: Option<Patch<D>>) -> Option<Patch<D>> {
    let (Some(one), Some(other)) = (first, second) else { return first.or(second) };
    let area = one.area + other.area;
    let share = if area > 0.0 { other.area / area } else { 0.5 };
    Some(Patch { center: add_scaled(one.center, share, sub(other.center, one.center)), area })
}

/// Most facets that are looked at, so that balls of very many vertices are not looked at all over.
const MOST_FACETS: usize = 64;

/// What a body may rest on: flats that look along the normal, or an edge.
type Footings = SmallVec<[Footing; 4]>;

/// A part of what a body rests on.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Footing {
    /// A facet, and the flat it belongs to.
    Facet(u32),
    /// An edge in space.
    Edge(u32),
}

impl Footing {
    fn roughness<const D: usize>(self, side: &PosedBody<'_, D>) -> f64 {
        match self {
            Self::Facet(facet) => side.scale * side.body.facets[facet as usize].roughness,
            Self::Edge(_) => 0.0,
        }
    }

    /// How far it is from being perpendicular to a direction, as an angle.
    fn slant<const D: usize>(self, side: &PosedBody<'_, D>, direction: [f64; D]) -> f64 {
        match self {
            Self::Facet(facet) => length(sub(side.normal(facet), direction)),
            Self::Edge(edge) => {
                let along = side.along(edge);
                dot(along, direction).abs() / length(along)
            }
        }
    }
}

/// A facet at a feature that looks along a direction.
fn facing<const D: usize>(body: &Body<D>, feature: BodyFeature, direction: [f64; D]) -> Option<u32> {
    let of_edge =
        |edge: u32| body.edges[edge as usize].facets.into_iter().find(|&facet| looks(body, facet, direction));
    match feature {
        BodyFeature::Face(face) => Some(face).filter(|&face| looks(body, face, direction)),
        BodyFeature::Edge(edge) => of_edge(edge),
        BodyFeature::Vertex(vertex) => body.spokes(vertex).iter().find_map(|spoke| of_edge(spoke.edge)),
    }
}

fn looks<const D: usize>(body: &Body<D>, facet: u32, direction: [f64; D]) -> bool {
    dot(body.facets[facet as usize].normal, direction) >= ALIGNED
}

/// The flats around a facet that look along a direction.
fn flats<const D: usize>(body: &Body<D>, facet: Option<u32>, direction: [f64; D]) -> Footings {
    let mut flats = Footings::new();
    let mut seen: SmallVec<[u32; 8]> = facet.into_iter().collect();
    let mut next = 0;
    while next < seen.len() {
        let outline = |facet: u32| body.facets[facet as usize].outline;
        let known =
            |flat: &Footing| matches!(flat, Footing::Facet(facet) if outline(*facet) == outline(seen[next]));
        if !flats.iter().any(known) {
            flats.push(Footing::Facet(seen[next]));
        }
        for other in body.neighbors(seen[next]) {
            if seen.len() < MOST_FACETS && looks(body, other, direction) && !seen.contains(&other) {
                seen.push(other);
            }
        }
        next += 1;
    }
    flats
}

/// Whether there may be more than a vertex: faces and edges that are level meet a vertex in edges that are level.
#[inline(always)]
fn is_level<const D: usize>(body: &Body<D>, feature: BodyFeature, direction: [f64; D]) -> bool {
    match feature {
        BodyFeature::Vertex(vertex) => {
            body.spokes(vertex).iter().any(|spoke| dot(spoke.direction, direction).abs() <= LEVEL)
        }
        _ => true,
    }
}

/// An edge at a feature that is nearly perpendicular to a direction. In the plane edges are facets.
fn level_edge<const D: usize>(body: &Body<D>, feature: BodyFeature, direction: [f64; D]) -> Footings {
    let edge = match feature {
        BodyFeature::Edge(edge) if D == 3 => Some(edge).filter(|&edge| {
            let along = body.along(&body.edges[edge as usize]);
            dot(along, direction).abs() <= LEVEL * length(along)
        }),
        BodyFeature::Vertex(vertex) if D == 3 => {
            let mut spokes = body.spokes(vertex).iter();
            spokes.find(|spoke| dot(spoke.direction, direction).abs() <= LEVEL).map(|spoke| spoke.edge)
        }
        _ => None,
    };
    edge.map(Footing::Edge).into_iter().collect()
}

/// Corners of a region, of which there are seldom more than a dozen: no memory is asked for while it is clipped.
type RegionCorners = SmallVec<[[f64; 3]; 12]>;

/// Where the projections of the flats of two facets onto a plane of this normal overlap, at a distance `level` from the first body's
/// centroid, and the second one does not stand off from the first by more than `widest`, which may be infinite.
pub(super) fn overlap<const D: usize>(
    two: &Two<'_, D>,
    facets: [u32; 2],
    normal: [f64; D],
    level: f64,
    widest: f64,
) -> Option<Patch<D>> {
    if D == 2 {
        return overlap_in_plane(two, facets, normal, level, widest);
    }
    let normal: [f64; 3] = std::array::from_fn(|k| normal[k]);
    let [x, y] = axes_across(normal);
    let flat = |point: [f64; D]| {
        let point: [f64; 3] = std::array::from_fn(|k| point[k]);
        [dot(x, point), dot(y, point), dot(normal, point)]
    };
    let corners = |side: &PosedBody<'_, D>, facet: u32| -> RegionCorners {
        side.body.outline(facet).iter().map(|&vertex| flat(side.vertex(vertex))).collect()
    };
    let first = corners(&two.a, facets[0]);
    let mut clipped = corners(&two.b, facets[1]);
    // Seen along the normal, the second face is clockwise.
    clipped.reverse();
    for k in 0..first.len() {
        let (from, to) = (first[k], first[(k + 1) % first.len()]);
        let inward = [from[1] - to[1], to[0] - from[0]];
        clip(&mut clipped, |point| inward[0] * (point[0] - from[0]) + inward[1] * (point[1] - from[1]));
    }
    // The plane of the first face over the common plane: normal . x = offset.
    let (slope, distance) = (flat(two.a.normal(facets[0])), two.a.facet_distance(facets[0]));
    let height = |point: [f64; 3]| (distance - slope[0] * point[0] - slope[1] * point[1]) / slope[2];
    if widest.is_finite() {
        clip(&mut clipped, |point| widest - (point[2] - height(point)));
    }
    let (center, area) = centroid(&clipped)?;
    let center = add_scaled(add_scaled(scale(x, center[0]), center[1], y), level, normal);
    Some(Patch { center: std::array::from_fn(|k| center[k]), area })
}

/// Keeps the part of a polygon in which a linear function is not negative.
fn clip(polygon: &mut RegionCorners, inside: impl Fn([f64; 3]) -> f64) {
    let mut kept = RegionCorners::new();
    for k in 0..polygon.len() {
        let (here, next) = (polygon[k], polygon[(k + 1) % polygon.len()]);
        let (value, next_value) = (inside(here), inside(next));
        if value >= 0.0 {
            kept.push(here);
        }
        if (value >= 0.0) != (next_value >= 0.0) {
            kept.push(add_scaled(here, value / (value - next_value), sub(next, here)));
        }
    }
    *polygon = kept;
}

/// Centroid and area of a polygon, if it has one.
fn centroid(polygon: &[[f64; 3]]) -> Option<([f64; 2], f64)> {
    let first = polygon.first()?;
    let (mut area, mut sum) = (0.0, [0.0; 2]);
    for pair in polygon[1..].windows(2) {
        let (u, v) = (sub(pair[0], *first), sub(pair[1], *first));
        let part = 0.5 * (u[0] * v[1] - u[1] * v[0]);
        area += part;
        sum = add_scaled(sum, part / 3.0, add([u[0], u[1]], [v[0], v[1]]));
    }
    (area > 0.0).then(|| (add([first[0], first[1]], scale(sum, 1.0 / area)), area))
}

fn overlap_in_plane<const D: usize>(
    two: &Two<'_, D>,
    facets: [u32; 2],
    normal: [f64; D],
    level: f64,
    widest: f64,
) -> Option<Patch<D>> {
    let along: [f64; D] = std::array::from_fn(|k| if k == 0 { -normal[1] } else { normal[0] });
    let flat = |point: [f64; D]| [dot(along, point), dot(normal, point)];
    let ends = |side: &PosedBody<'_, D>, facet: u32| {
        let outline = side.body.outline(facet);
        [outline[0], outline[1]].map(|end| flat(side.vertex(end)))
    };
    let (first, second) = (ends(&two.a, facets[0]), ends(&two.b, facets[1]));
    let at = |ends: [[f64; 2]; 2], x: f64| {
        ends[0][1] + (x - ends[0][0]) * (ends[1][1] - ends[0][1]) / (ends[1][0] - ends[0][0])
    };
    let mut low = first[0][0].min(first[1][0]).max(second[0][0].min(second[1][0]));
    let mut high = first[0][0].max(first[1][0]).min(second[0][0].max(second[1][0]));
    if widest.is_finite() && low < high {
        let room = [low, high].map(|x| widest - (at(second, x) - at(first, x)));
        let crossing = low + (high - low) * room[0] / (room[0] - room[1]);
        if room[0] < 0.0 {
            low = crossing;
        } else if room[1] < 0.0 {
            high = crossing;
        }
        if room[0] < 0.0 && room[1] < 0.0 {
            return None;
        }
    }
    (low < high).then(|| Patch {
        center: add_scaled(scale(along, 0.5 * (low + high)), level, normal),
        area: high - low,
    })
}
