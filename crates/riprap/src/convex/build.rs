//! Bodies from points or faces, checked.
//!
//! ```text
//! faces ─▶ closed? convex? ─┐
//! points ───────────────────┴▶ scaled, nearly equal ones welded ─▶ hull ─▶ triangles in one plane joined ─▶ adjacency
//! ```
//!
//! A body is always the hull of its vertices. Faces that were given are checked, not used: written with a few digits, their
//! corners are hardly ever in one plane.

use rustc_hash::FxHashMap;

use super::assemble::{Segment, assemble, closed, join, newell, segments_of};
use super::body::{Body, Polygon, Polyhedron};
use super::error::ShapeError;
use super::hull;
use crate::error::AXES;
use crate::vector::{add, cross, dot, length, scale, sub};

/// Largest coordinate, and what the size may differ from it by: products of five lengths must not overflow.
const LARGEST: f64 = 1e60;
/// Points that are closer than this part of the size are one.
const WELD: f64 = 1e-12;
/// Faces that differ from one plane by less than this part of the size are one: a few roundings.
const COPLANAR: f64 = 1e-14;
/// A vertex may be in front of a facet by this part of the size, by rounding.
const ROUNDED: f64 = 1e-13;
/// A body that is thinner than this part of its size is flat.
const THINNEST: f64 = 1e-9;
/// An edge that is shorter than this part of the size is tiny: next to it rounding decides what is convex.
const SHORT: f64 = 1e-6;
/// A corner at which the direction changes by a smaller angle is nearly straight.
const STRAIGHT: f64 = 1e-3;
/// Faces given may be in front of each other by this part of the size.
const CONVEX: f64 = 1e-6;
/// Most vertices: features are numbered with some bits to spare.
const MOST: usize = 1 << 26;

impl Polygon {
    /// The convex hull of points.
    pub fn from_points(points: &[[f64; 2]]) -> Result<Self, ShapeError> {
        let (points, middle, size) = prepare(points)?;
        let outline = straightened(&points, hull::in_plane(&points), COPLANAR * size);
        let vertices: Vec<[f64; 2]> = outline.iter().map(|&i| points[i]).collect();
        let count = vertices.len();
        let flat = |thickness| ShapeError::Flat { thickness, flat: "line", size };
        if count < 3 {
            return Err(flat(0.0));
        }
        let loops: Vec<Vec<u32>> = (0..count as u32).map(|k| vec![k, (k + 1) % count as u32]).collect();
        let segments =
            (0..count as u32).map(|k| Segment { ends: [k, (k + 1) % count as u32], facets: [k, k] });
        thick(assemble(vertices, &segments.collect::<Vec<_>>(), &loops, middle), size, flat)
    }

    /// A body from its vertices and its edges (pairs of vertices, counter-clockwise), which must be those of a convex polygon.
    pub fn from_faces(vertices: &[[f64; 2]], edges: &[Vec<usize>]) -> Result<Self, ShapeError> {
        let (_, _, size) = prepare(vertices)?;
        check_closed(vertices.len(), edges, 2)?;
        let area: f64 = edges
            .iter()
            .map(|e| perp_dot(sub(vertices[e[0]], vertices[0]), sub(vertices[e[1]], vertices[0])))
            .sum();
        if area < 0.0 {
            return Err(ShapeError::InsideOut);
        }
        for (face, edge) in edges.iter().enumerate() {
            let along = sub(vertices[edge[1]], vertices[edge[0]]);
            for (vertex, &position) in vertices.iter().enumerate() {
                let distance = -perp_dot(along, sub(position, vertices[edge[0]])) / length(along);
                if distance > CONVEX * size {
                    return Err(ShapeError::NotConvex { face, vertex, distance, size });
                }
            }
        }
        filled(Self::from_points(vertices)?, 0.5 * area)
    }
}

impl Polyhedron {
    /// The convex hull of points.
    pub fn from_points(points: &[[f64; 3]]) -> Result<Self, ShapeError> {
        let (points, middle, size) = prepare(points)?;
        let flat = |thickness| ShapeError::Flat { thickness, flat: "plane", size };
        let triangles = hull::in_space(&points).ok_or(flat(0.0))?;
        let mut loops = join(&points, &triangles, COPLANAR * size);
        if !closed(&loops) {
            // Points that are nearly in one plane can be joined in ways that do not fit together; the hull itself always does.
            loops = triangles.iter().map(|triangle| triangle.to_vec()).collect();
        }
        // Vertices are numbered in the order in which they were given.
        let mut used: Vec<usize> = loops.iter().flatten().copied().collect();
        used.sort_unstable();
        used.dedup();
        let number: FxHashMap<usize, u32> =
            used.iter().enumerate().map(|(new, &old)| (old, new as u32)).collect();
        let loops: Vec<Vec<u32>> =
            loops.iter().map(|corners| corners.iter().map(|i| number[i]).collect()).collect();
        let vertices = used.iter().map(|&i| points[i]).collect();
        thick(assemble(vertices, &segments_of(&loops), &loops, middle), size, flat)
    }

    /// A body from its vertices and faces (vertices counter-clockwise as seen from outside), which must be closed and convex.
    pub fn from_faces(vertices: &[[f64; 3]], faces: &[Vec<usize>]) -> Result<Self, ShapeError> {
        let (_, _, size) = prepare(vertices)?;
        check_closed(vertices.len(), faces, 3)?;
        let volume: f64 = faces
            .iter()
            .flat_map(|face| (1..face.len() - 1).map(move |k| [face[0], face[k], face[k + 1]]))
            .map(|t| {
                let [a, b, c] = t.map(|i| sub(vertices[i], vertices[0]));
                dot(a, cross(b, c))
            })
            .sum();
        if volume < 0.0 {
            return Err(ShapeError::InsideOut);
        }
        for (face, corners) in faces.iter().enumerate() {
            let normal = newell(vertices, corners);
            // A face without area says nothing; its neighbours do.
            let middle = scale(
                corners.iter().fold([0.0; 3], |sum, &i| add(sum, sub(vertices[i], vertices[corners[0]]))),
                1.0 / corners.len() as f64,
            );
            for (vertex, &position) in vertices.iter().enumerate() {
                let distance = dot(normal, sub(sub(position, vertices[corners[0]]), middle));
                if distance > CONVEX * size {
                    return Err(ShapeError::NotConvex { face, vertex, distance, size });
                }
            }
        }
        filled(Self::from_points(vertices)?, volume / 6.0)
    }
}

/// Refuses a hull that faces do not enclose.
fn filled<const D: usize>(body: Body<D>, enclosed: f64) -> Result<Body<D>, ShapeError> {
    let hull = body.volume();
    if (enclosed / hull - 1.0).abs() < 0.01 { Ok(body) } else { Err(ShapeError::Hollow { enclosed, hull }) }
}

/// Points about their middle, the middle, and their size.
type CenteredPoints<const D: usize> = (Vec<[f64; D]>, [f64; D], f64);

/// Checks coordinates, moves them about their middle and drops those that repeat others.
fn prepare<const D: usize>(points: &[[f64; D]]) -> Result<CenteredPoints<D>, ShapeError> {
    for (vertex, point) in points.iter().enumerate() {
        for k in 0..D {
            if point[k].is_nan() || point[k].abs() > LARGEST {
                return Err(ShapeError::Coordinate { vertex, axis: AXES[k], value: point[k] });
            }
        }
    }
    if points.len() <= D {
        return Err(ShapeError::TooFew { given: points.len(), dimension: D });
    }
    if points.len() > MOST {
        return Err(ShapeError::TooMany { given: points.len(), most: MOST });
    }
    let (mut low, mut high) = (points[0], points[0]);
    for point in points {
        for k in 0..D {
            low[k] = low[k].min(point[k]);
            high[k] = high[k].max(point[k]);
        }
    }
    let size = (0..D).map(|k| high[k] - low[k]).fold(0.0, f64::max);
    if size == 0.0 {
        return Err(ShapeError::Flat { thickness: size, flat: "point", size });
    }
    if size < 1.0 / LARGEST {
        return Err(ShapeError::TooSmall { size });
    }
    let middle = scale(add(low, high), 0.5);
    let welded = weld(points.iter().map(|&point| sub(point, middle)).collect(), WELD * size);
    Ok((welded, middle, size))
}

/// Keeps the first of points that are nearly equal.
fn weld<const D: usize>(points: Vec<[f64; D]>, distance: f64) -> Vec<[f64; D]> {
    let mut cells: FxHashMap<[i64; D], u32> = FxHashMap::default();
    let mut kept: Vec<[f64; D]> = Vec::with_capacity(points.len());
    for point in points {
        let cell = point.map(|x| (x / (2.0 * distance)).floor() as i64);
        // Of each two neighbouring cells along an axis the closer one.
        let mut found = false;
        for corner in 0..1usize << D {
            let neighbor = std::array::from_fn(|k| {
                let upper = point[k] / (2.0 * distance) - cell[k] as f64 > 0.5;
                cell[k]
                    + if corner >> k & 1 == 0 {
                        0
                    } else if upper {
                        1
                    } else {
                        -1
                    }
            });
            if let Some(&other) = cells.get(&neighbor) {
                found |= length(sub(kept[other as usize], point)) < distance;
            }
        }
        if !found {
            cells.insert(cell, kept.len() as u32);
            kept.push(point);
        }
    }
    kept
}

/// Surveys a body, finds out whether it is delicate, and refuses one that is too thin.
fn thick<const D: usize>(
    mut body: Body<D>,
    size: f64,
    flat: impl Fn(f64) -> ShapeError,
) -> Result<Body<D>, ShapeError> {
    body.delicate = body.edges.iter().any(|edge| length(body.along(edge)) < SHORT * size)
        || (0..body.facets.len() as u32).any(|facet| has_straight_corner(&body, facet));
    body.survey();
    let mut thickness = f64::INFINITY;
    let (mut opposite, mut highest, mut excess) = (0, 0, 0.0);
    for facet in &body.facets {
        // From the last ones, which are close by: all facets together cost little more than their number.
        opposite = body.climb(scale(facet.normal, -1.0), opposite);
        thickness = thickness.min(facet.offset - dot(facet.normal, body.vertex(opposite)));
        highest = body.climb(facet.normal, highest);
        excess = f64::max(excess, dot(facet.normal, body.vertex(highest)) - facet.offset);
    }
    if thickness < THINNEST * size {
        return Err(flat(thickness));
    }
    if excess > ROUNDED * size && !body.delicate {
        body.delicate = true;
        body.survey();
    }
    Ok(body)
}

/// Whether a face goes nearly straight on at one of its corners.
fn has_straight_corner<const D: usize>(body: &Body<D>, facet: u32) -> bool {
    let corners = body.corners(facet);
    (0..corners.len()).any(|k| {
        let [before, after] = [corners[k].inward, corners[(k + 1) % corners.len()].inward];
        length(sub(before, after)) < STRAIGHT
    })
}

/// Checks that each edge of the faces has a face on either side. In the plane faces are edges, and their ends take the place.
fn check_closed(count: usize, faces: &[Vec<usize>], dimension: usize) -> Result<(), ShapeError> {
    let mut used = vec![false; count];
    let mut sides: FxHashMap<(usize, usize), usize> = FxHashMap::default();
    for (face, corners) in faces.iter().enumerate() {
        let problem = |problem: String| Err(ShapeError::Face { face, problem });
        if dimension == 2 && corners.len() != 2 {
            return problem(format!(
                "has {} vertices; in the plane a face is an edge with two",
                corners.len()
            ));
        }
        if corners.len() < dimension {
            return problem(format!("has {} vertices, expected at least {dimension}", corners.len()));
        }
        let mut sorted = corners.clone();
        sorted.sort_unstable();
        if let Some(twice) = sorted.windows(2).find(|two| two[0] == two[1]) {
            return problem(format!("names vertex {} twice", twice[0]));
        }
        for &vertex in corners {
            *used.get_mut(vertex).ok_or(ShapeError::UnknownVertex { face, vertex, count })? = true;
        }
        if dimension == 2 {
            // A vertex is left by one edge and reached by one.
            for key in [(corners[0], usize::MAX), (usize::MAX, corners[1])] {
                if sides.insert(key, face).is_some() {
                    return problem(
                        "meets another edge in the same direction; list edges counter-clockwise".to_string(),
                    );
                }
            }
            continue;
        }
        for k in 0..corners.len() {
            let (from, to) = (corners[k], corners[(k + 1) % corners.len()]);
            if sides.insert((from, to), face).is_some() {
                let problem = "is named in the same direction by another face";
                return Err(ShapeError::Open { face, from, to, problem });
            }
        }
    }
    if dimension == 3 {
        let open = sides.iter().filter(|((from, to), _)| !sides.contains_key(&(*to, *from)));
        // The first one, whatever the order of the table.
        if let Some((&(from, to), &face)) = open.min_by_key(|((from, to), face)| (**face, *from, *to)) {
            return Err(ShapeError::Open { face, from, to, problem: "has no other face" });
        }
    } else if let Some(vertex) = (0..count)
        .find(|&v| used[v] && !(sides.contains_key(&(v, usize::MAX)) && sides.contains_key(&(usize::MAX, v))))
    {
        let face = faces.iter().position(|edge| edge.contains(&vertex)).unwrap_or(0);
        let problem =
            format!("ends at vertex {vertex}, where no other edge goes on: the outline is not closed");
        return Err(ShapeError::Face { face, problem });
    }
    match used.iter().position(|used| !used) {
        Some(vertex) => Err(ShapeError::Unused { vertex }),
        None => Ok(()),
    }
}

/// Drops corners that are on the line between their neighbours but for rounding.
fn straightened(points: &[[f64; 2]], outline: Vec<usize>, tolerance: f64) -> Vec<usize> {
    let mut kept: Vec<usize> = Vec::with_capacity(outline.len());
    for (k, &here) in outline.iter().enumerate() {
        let before = points[*kept.last().or(outline.last()).unwrap_or(&here)];
        let after = points[outline[(k + 1) % outline.len()]];
        let left = kept.len() + outline.len() - k;
        if left <= 3 || distance_from_line(points[here], before, after) >= tolerance {
            kept.push(here);
        }
    }
    kept
}

fn perp_dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

fn distance_from_line(point: [f64; 2], from: [f64; 2], to: [f64; 2]) -> f64 {
    let along = sub(to, from);
    (perp_dot(along, sub(point, from)) / length(along)).abs()
}
