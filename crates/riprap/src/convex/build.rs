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

use super::body::{Body, Corner, Edge, Facet, Polygon, Polyhedron, Spoke};
use super::error::ShapeError;
use super::{feature, hull, mass};
use crate::error::AXES;
use crate::vector::{add, cross, dot, length, scale, sub, unit};

/// Largest coordinate, and what the size may differ from it by: products of six lengths must not overflow.
const LARGEST: f64 = 1e60;
/// Points that are closer than this part of the size are one.
const WELD: f64 = 1e-12;
/// Faces that differ from one plane by less than this part of the size are one: a few roundings.
const COPLANAR: f64 = 1e-14;
/// A body that is thinner than this part of its size is flat.
const THINNEST: f64 = 1e-9;
/// Faces given may be in front of each other by this part of the size.
const CONVEX: f64 = 1e-6;
/// Most vertices: features are numbered with some bits to spare.
const MOST: usize = 1 << 26;

impl Polygon {
    /// The convex hull of points.
    pub fn from_points(points: &[[f64; 2]]) -> Result<Self, ShapeError> {
        let (points, middle, size) = prepare(points)?;
        let mut outline = hull::in_plane(&points);
        // What is left of points on an edge after rounding.
        let mut corner = 0;
        while corner < outline.len() && outline.len() > 3 {
            let around = [outline.len() - 1, 0, 1].map(|k| outline[(corner + k) % outline.len()]);
            let [before, here, after] = around.map(|i| points[i]);
            if distance_from_line(here, before, after) < COPLANAR * size {
                outline.remove(corner);
            } else {
                corner += 1;
            }
        }
        let vertices: Vec<[f64; 2]> = outline.iter().map(|&i| points[i]).collect();
        let count = vertices.len();
        let flat = |thickness| ShapeError::Flat { thickness, flat: "line", size };
        if count < 3 {
            return Err(flat(0.0));
        }
        let loops: Vec<Vec<u32>> = (0..count as u32).map(|k| vec![k, (k + 1) % count as u32]).collect();
        let sides = (0..count as u32).map(|k| Side { ends: [k, (k + 1) % count as u32], facets: [k, k] });
        thick(assemble(vertices, &sides.collect::<Vec<_>>(), &loops, middle), size, flat)
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
        Self::from_points(vertices)
    }
}

impl Polyhedron {
    /// The convex hull of points.
    pub fn from_points(points: &[[f64; 3]]) -> Result<Self, ShapeError> {
        let (points, middle, size) = prepare(points)?;
        let flat = |thickness| ShapeError::Flat { thickness, flat: "plane", size };
        let triangles = hull::in_space(&points).ok_or(flat(0.0))?;
        let loops = join(&points, &triangles, COPLANAR * size);
        // Vertices are numbered in the order in which they were given.
        let mut used: Vec<usize> = loops.iter().flatten().copied().collect();
        used.sort_unstable();
        used.dedup();
        let number: FxHashMap<usize, u32> =
            used.iter().enumerate().map(|(new, &old)| (old, new as u32)).collect();
        let loops: Vec<Vec<u32>> =
            loops.iter().map(|corners| corners.iter().map(|i| number[i]).collect()).collect();
        let vertices = used.iter().map(|&i| points[i]).collect();
        thick(assemble(vertices, &sides_of(&loops), &loops, middle), size, flat)
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
        Self::from_points(vertices)
    }
}

/// Points about their middle, the middle, and their size.
type Prepared<const D: usize> = (Vec<[f64; D]>, [f64; D], f64);

/// Checks coordinates, moves them about their middle and drops those that repeat others.
fn prepare<const D: usize>(points: &[[f64; D]]) -> Result<Prepared<D>, ShapeError> {
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
    if size < 1.0 / LARGEST {
        return Err(ShapeError::Flat { thickness: size, flat: "point", size });
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

/// Joins neighbouring triangles that are in one plane to polygons.
fn join(points: &[[f64; 3]], triangles: &[[usize; 3]], tolerance: f64) -> Vec<Vec<usize>> {
    let side: FxHashMap<(usize, usize), usize> = triangles
        .iter()
        .enumerate()
        .flat_map(|(index, t)| (0..3).map(move |k| ((t[k], t[(k + 1) % 3]), index)))
        .collect();
    let areas: Vec<[f64; 3]> = triangles
        .iter()
        .map(|t| cross(sub(points[t[1]], points[t[0]]), sub(points[t[2]], points[t[0]])))
        .collect();
    // Faces grow from the largest triangles, whose planes are known best. A sliver along an edge is in the plane of both faces
    // and goes to one of them.
    let mut order: Vec<usize> = (0..triangles.len()).collect();
    order.sort_by(|&i, &j| length(areas[j]).total_cmp(&length(areas[i])));
    let mut roots = vec![usize::MAX; triangles.len()];
    let mut members: Vec<Vec<usize>> = Vec::new();
    for &seed in &order {
        if roots[seed] != usize::MAX {
            continue;
        }
        let normal = scale(areas[seed], 1.0 / length(areas[seed]).max(f64::MIN_POSITIVE));
        let off = |&i: &usize| dot(normal, sub(points[i], points[triangles[seed][0]])).abs();
        roots[seed] = seed;
        let mut face = vec![seed];
        let mut next = 0;
        while next < face.len() {
            let triangle = triangles[face[next]];
            next += 1;
            for k in 0..3 {
                let other = side[&(triangle[(k + 1) % 3], triangle[k])];
                if roots[other] == usize::MAX
                    && triangles[other].iter().map(off).fold(0.0, f64::max) <= tolerance
                {
                    roots[other] = seed;
                    face.push(other);
                }
            }
        }
        members.push(face);
    }
    let mut loops = Vec::new();
    for members in &members {
        match outline(triangles, members, &side, &roots) {
            Some(corners) => loops.push(corners),
            None => loops.extend(members.iter().map(|&index| triangles[index].to_vec())),
        }
    }
    // A vertex of two faces only is on the edge between them.
    let mut faces_at = vec![0u32; points.len()];
    loops.iter().flatten().for_each(|&i| faces_at[i] += 1);
    for corners in &mut loops {
        corners.retain(|&i| faces_at[i] > 2);
    }
    loops.retain(|corners| corners.len() > 2);
    loops
}

/// The outline of a group of triangles; `None` if it is not one loop.
fn outline(
    triangles: &[[usize; 3]],
    members: &[usize],
    side: &FxHashMap<(usize, usize), usize>,
    roots: &[usize],
) -> Option<Vec<usize>> {
    let root = roots[members[0]];
    let mut next: FxHashMap<usize, usize> = FxHashMap::default();
    for &index in members {
        let triangle = triangles[index];
        for k in 0..3 {
            let (from, to) = (triangle[k], triangle[(k + 1) % 3]);
            if roots[side[&(to, from)]] != root && next.insert(from, to).is_some() {
                return None;
            }
        }
    }
    let start = *next.keys().min()?;
    let mut corners = vec![start];
    let mut here = next[&start];
    while here != start {
        corners.push(here);
        here = *next.get(&here)?;
    }
    (corners.len() == next.len()).then_some(corners)
}

/// The unit normal of a polygon, the mean over its triangles weighted by their areas (Newell).
fn newell(points: &[[f64; 3]], corners: &[usize]) -> [f64; 3] {
    let first = points[corners[0]];
    let mut sum = [0.0; 3];
    for k in 1..corners.len() - 1 {
        sum = add(sum, cross(sub(points[corners[k]], first), sub(points[corners[k + 1]], first)));
    }
    unit(sum).unwrap_or([0.0; 3])
}

/// Refuses a body that is too thin.
fn thick<const D: usize>(
    body: Body<D>,
    size: f64,
    flat: impl Fn(f64) -> ShapeError,
) -> Result<Body<D>, ShapeError> {
    let mut thickness = f64::INFINITY;
    let mut opposite = 0;
    for facet in &body.facets {
        opposite = body.support(scale(facet.normal, -1.0), opposite);
        thickness = thickness.min(facet.offset - dot(facet.normal, body.vertex(opposite)));
    }
    if thickness < THINNEST * size { Err(flat(thickness)) } else { Ok(body) }
}

/// An edge before its geometry is known.
#[derive(Clone, Copy)]
struct Side {
    ends: [u32; 2],
    facets: [u32; 2],
}

/// The edges of closed faces.
fn sides_of(loops: &[Vec<u32>]) -> Vec<Side> {
    let mut sides: Vec<Side> = Vec::new();
    let mut known: FxHashMap<[u32; 2], usize> = FxHashMap::default();
    for (face, corners) in loops.iter().enumerate() {
        for k in 0..corners.len() {
            let (from, to) = (corners[k], corners[(k + 1) % corners.len()]);
            if let Some(&side) = known.get(&[to, from]) {
                sides[side].facets[1] = face as u32;
            } else {
                known.insert([from, to], sides.len());
                sides.push(Side { ends: [from, to], facets: [face as u32, face as u32] });
            }
        }
    }
    sides
}

/// Puts a body together from what is known to be convex and closed.
fn assemble<const D: usize>(
    mut vertices: Vec<[f64; D]>,
    sides: &[Side],
    loops: &[Vec<u32>],
    middle: [f64; D],
) -> Body<D> {
    let inner = scale(vertices.iter().fold([0.0; D], |sum, &v| add(sum, v)), 1.0 / vertices.len() as f64);
    let parts = loops.iter().flat_map(|corners| (1..=corners.len() + 1 - D).map(move |k| (corners, k)));
    let surface = parts.map(|(corners, k)| {
        let first = vertices[corners[0] as usize];
        let mut part = [first; D];
        for j in 1..D {
            part[j] = vertices[corners[k + j - 1] as usize];
        }
        part
    });
    let (centroid, mass) = mass::integrate(inner, surface);
    for vertex in &mut vertices {
        *vertex = sub(*vertex, centroid);
    }

    let numbered: FxHashMap<[u32; 2], u32> = sides
        .iter()
        .enumerate()
        .flat_map(|(index, side)| [side.ends, [side.ends[1], side.ends[0]]].map(|ends| (ends, index as u32)))
        .collect();
    let mut corners = Vec::new();
    let mut facets = Vec::with_capacity(loops.len());
    for face in loops {
        let first = corners.len() as u32;
        let mut facet = facet(&vertices, face);
        if D == 3 {
            corners.extend((0..face.len()).map(|k| {
                let (vertex, next) = (face[k], face[(k + 1) % face.len()]);
                let inward = inward(&vertices, facet.normal, [vertex, next]);
                let offset = dot(inward, vertices[vertex as usize]);
                Corner { vertex, edge: numbered[&[vertex, next]], inward, offset }
            }));
        }
        facet.corners = [first, corners.len() as u32];
        facets.push(facet);
    }
    let edges: Vec<Edge<D>> = sides
        .iter()
        .map(|&Side { ends, facets: [first, second] }| {
            let mut into = [[0.0; D]; 2];
            if D == 3 {
                into[0] = inward(&vertices, facets[first as usize].normal, ends);
                into[1] = inward(&vertices, facets[second as usize].normal, [ends[1], ends[0]]);
            }
            Edge { ends, facets: [first, second], inward: into }
        })
        .collect();

    let mut spokes_of = vec![0u32; vertices.len() + 1];
    for edge in &edges {
        edge.ends.iter().for_each(|&end| spokes_of[end as usize + 1] += 1);
    }
    for v in 0..vertices.len() {
        spokes_of[v + 1] += spokes_of[v];
    }
    let mut free = spokes_of.clone();
    let mut spokes = vec![Spoke { vertex: 0, edge: 0, direction: [0.0; D] }; 2 * edges.len()];
    for (index, edge) in edges.iter().enumerate() {
        for (here, there) in [(0, 1), (1, 0)] {
            let [from, to] = [edge.ends[here], edge.ends[there]];
            let direction = unit(sub(vertices[to as usize], vertices[from as usize])).unwrap_or([0.0; D]);
            let place = &mut free[from as usize];
            spokes[*place as usize] = Spoke { vertex: to, edge: index as u32, direction };
            *place += 1;
        }
    }

    let radius = vertices.iter().map(|&v| length(v)).fold(0.0, f64::max);
    let centroid = add(middle, centroid);
    let mut body = Body {
        vertices,
        spokes_of,
        spokes,
        edges,
        facets,
        corners,
        blocks: Vec::new(),
        furthest: Vec::new(),
        mass,
        radius,
        centroid,
    };
    body.survey();
    body
}

/// The unit vector in a face with this normal, perpendicular to an edge that the face has in this direction.
fn inward<const D: usize>(vertices: &[[f64; D]], normal: [f64; D], ends: [u32; 2]) -> [f64; D] {
    let [from, to] = ends.map(|end| vertices[end as usize]);
    unit(feature::cross(normal, sub(to, from))).unwrap_or([0.0; D])
}

fn facet<const D: usize>(vertices: &[[f64; D]], face: &[u32]) -> Facet<D> {
    let at = |k: usize| vertices[face[k] as usize];
    let mut normal = [0.0; D];
    if D == 2 {
        let along = sub(at(1), at(0));
        normal = unit(std::array::from_fn(|k| if k == 0 { along[1] } else { -along[0] })).unwrap_or(normal);
    } else {
        let points: Vec<[f64; 3]> = (0..face.len()).map(|k| std::array::from_fn(|i| at(k)[i])).collect();
        let all: Vec<usize> = (0..face.len()).collect();
        let in_space = newell(&points, &all);
        normal = std::array::from_fn(|k| in_space[k]);
    }
    let offset = (0..face.len()).map(|k| dot(normal, at(k))).sum::<f64>() / face.len() as f64;
    Facet { normal, offset, corners: [0; 2] }
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

fn perp_dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

fn distance_from_line(point: [f64; 2], from: [f64; 2], to: [f64; 2]) -> f64 {
    let along = sub(to, from);
    (perp_dot(along, sub(point, from)) / length(along)).abs()
}
