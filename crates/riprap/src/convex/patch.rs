//! Where two faces lie on each other.

use smallvec::SmallVec;

use super::body::Body;
use super::feature::Feature;
use super::pose::Side;
use super::two::{Found, Two};
use crate::vector::{add, add_scaled, cross, dot, scale, sub, unit};

/// The region in which two faces are in contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Patch<const D: usize> {
    /// Its centre, on the common plane.
    pub center: [f64; D],
    /// Its area; in the plane, its length.
    pub area: f64,
}

/// Faces lie on each other if their normals differ from the common plane's by less than about a degree.
const ALIGNED: f64 = 0.9998;

/// The region of contact, if a face rests on a face. If the two are parallel, all links in it are equally short, and the one in
/// the middle is taken.
pub(super) fn resting<const D: usize>(two: &Two<'_, D>, found: &mut Found<D>) -> Option<Patch<D>> {
    let facets = facing_each_other(two, found.features, found.normal)?;
    let [p, q] = found.points;
    let level = 0.5 * (dot(found.normal, p) + dot(found.normal, q));
    let [a, b] = [&two.a.body.facets[facets[0] as usize], &two.b.body.facets[facets[1] as usize]];
    let widest = 1e-12 * two.size() + a.roughness + b.roughness;
    let patch = overlap(two, facets, found.normal, level, widest)?;
    let slant =
        [sub(two.a.normal(facets[0]), found.normal), add_scaled(two.b.normal(facets[1]), 1.0, found.normal)];
    if slant.iter().all(|&slant| dot(slant, slant) <= 1e-26) {
        let half = 0.5 * found.gap;
        found.points = [-half, half].map(|along| add_scaled(patch.center, along, found.normal));
    }
    Some(patch)
}

/// Facets at two features that look along a normal and against it.
fn facing_each_other<const D: usize>(
    two: &Two<'_, D>,
    [first, second]: [Feature; 2],
    normal: [f64; D],
) -> Option<[u32; 2]> {
    let facet_b = facing(two.b.body, second, scale(two.b.back(normal), -1.0))?;
    Some([facing(two.a.body, first, two.a.back(normal))?, facet_b])
}

/// The facet at a feature that looks along a direction.
fn facing<const D: usize>(body: &Body<D>, feature: Feature, direction: [f64; D]) -> Option<u32> {
    let looks = |facet: &u32| dot(body.facets[*facet as usize].normal, direction) >= ALIGNED;
    let of_edge = |edge: u32| body.edges[edge as usize].facets.into_iter().find(looks);
    match feature {
        Feature::Face(face) => Some(face).filter(looks),
        Feature::Edge(edge) => of_edge(edge),
        Feature::Vertex(vertex) => body.spokes(vertex).iter().find_map(|spoke| of_edge(spoke.edge)),
    }
}

/// Corners of a region, of which there are seldom more than a dozen: no memory is asked for while it is clipped.
type Region = SmallVec<[[f64; 3]; 12]>;

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
    let aside = if normal[0].abs() < 0.6 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
    let x = unit(cross(aside, normal))?;
    let y = cross(normal, x);
    let flat = |point: [f64; D]| {
        let point: [f64; 3] = std::array::from_fn(|k| point[k]);
        [dot(x, point), dot(y, point), dot(normal, point)]
    };
    let corners = |side: &Side<'_, D>, facet: u32| -> Region {
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
    let facet = &two.a.body.facets[facets[0] as usize];
    let slope = flat(two.a.turn(facet.normal));
    let height = |point: [f64; 3]| (facet.offset - slope[0] * point[0] - slope[1] * point[1]) / slope[2];
    if widest.is_finite() {
        clip(&mut clipped, |point| widest - (point[2] - height(point)));
    }
    let (center, area) = centroid(&clipped)?;
    let center = add_scaled(add_scaled(scale(x, center[0]), center[1], y), level, normal);
    Some(Patch { center: std::array::from_fn(|k| center[k]), area })
}

/// Keeps the part of a polygon in which a linear function is not negative.
fn clip(polygon: &mut Region, inside: impl Fn([f64; 3]) -> f64) {
    let mut kept = Region::new();
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
    let ends = |side: &Side<'_, D>, facet: u32| {
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
