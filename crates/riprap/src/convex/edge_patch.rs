//! Where an edge lies on a face, or along an edge.

use super::feature::cross;
use super::patch::{ALIGNED, Patch};
use super::pose::PosedBody;
use super::two::Two;
use crate::vector::{add_scaled, dot, length, sub};

/// The middle of what is over the flat of a facet of one body, and does not stand off from it by more than `widest`, of an edge of
/// another. `normal` points from the first to the second, and `level` is where the common plane is along it.
pub(super) fn on_facet<const D: usize>(
    [face, other]: [&PosedBody<'_, D>; 2],
    [facet, edge]: [u32; 2],
    normal: [f64; D],
    level: f64,
    widest: f64,
) -> Option<Patch<D>> {
    let body = face.body;
    let end = other.body.edges[edge as usize].ends[0];
    let (from, along) = (face.local(other.vertex(end)), face.local_vector(other.along(edge)));
    // The part of the edge, in shares of its length, for which linear functions are not negative.
    let (mut low, mut high) = (0.0f64, 1.0f64);
    let mut keep = |start: f64, slope: f64| {
        let crossing = -start / slope;
        if slope > 0.0 {
            low = low.max(crossing);
        } else if slope < 0.0 {
            high = high.min(crossing);
        } else if start < 0.0 {
            high = f64::NEG_INFINITY;
        }
    };
    let outward = face.back(normal);
    let outline = body.outline(facet);
    for k in 0..outline.len() {
        let corner = body.vertex(outline[k]);
        let inward = cross(outward, sub(body.vertex(outline[(k + 1) % outline.len()]), corner));
        // It may lie on the rim.
        let slack = 1e-12 * body.radius * length(inward);
        keep(dot(inward, sub(from, corner)) + slack, dot(inward, along));
    }
    let plane = &body.facets[facet as usize];
    let slant = dot(plane.normal, outward);
    let widest = widest / face.scale;
    keep(widest - (dot(plane.normal, from) - plane.offset) / slant, -dot(plane.normal, along) / slant);
    (low < high).then(|| {
        let middle = face.place(add_scaled(from, 0.5 * (low + high), along));
        Patch { center: add_scaled(middle, level - dot(normal, middle), normal), area: 0.0 }
    })
}

/// The middle of where two edges that are nearly parallel are beside each other.
pub(super) fn along_edge<const D: usize>(
    two: &Two<'_, D>,
    [edge, other]: [u32; 2],
    normal: [f64; D],
    level: f64,
) -> Option<Patch<D>> {
    let (along, other_along) = (two.a.along(edge), two.b.along(other));
    let square = dot(along, along);
    let across = dot(along, other_along);
    if across * across < ALIGNED * ALIGNED * square * dot(other_along, other_along) {
        return None;
    }
    let from = two.a.vertex(two.a.body.edges[edge as usize].ends[0]);
    let ends = two.b.body.edges[other as usize].ends.map(|end| two.b.vertex(end));
    let shares = ends.map(|end| dot(sub(end, from), along) / square);
    let (low, high) = (shares[0].min(shares[1]).max(0.0), shares[0].max(shares[1]).min(1.0));
    (low < high).then(|| {
        let middle = add_scaled(from, 0.5 * (low + high), along);
        Patch { center: add_scaled(middle, level - dot(normal, middle), normal), area: 0.0 }
    })
}
