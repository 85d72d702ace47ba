//! From the triangles of a hull to a body: faces, edges and their adjacency, in flat arrays.

use rustc_hash::{FxHashMap, FxHashSet};

use super::body::{Body, Corner, Edge, Facet, Spoke};
use super::{feature, mass};
use crate::vector::{add, cross, dot, length, scale, sub, unit};

/// Joins neighbouring triangles that are in one plane to polygons.
pub(super) fn join(points: &[[f64; 3]], triangles: &[[usize; 3]], tolerance: f64) -> Vec<Vec<usize>> {
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
            Some(corners) if convex(points, &corners) => loops.push(corners),
            _ => loops.extend(members.iter().map(|&index| triangles[index].to_vec())),
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

/// Whether faces close a body: each edge has two, in opposite directions, and vertices, edges and faces are as many as Euler says.
pub(super) fn closed(loops: &[Vec<usize>]) -> bool {
    let mut edges = FxHashSet::default();
    let mut vertices = FxHashSet::default();
    for corners in loops {
        for k in 0..corners.len() {
            vertices.insert(corners[k]);
            if !edges.insert((corners[k], corners[(k + 1) % corners.len()])) {
                return false;
            }
        }
    }
    edges.iter().all(|&(from, to)| edges.contains(&(to, from)))
        && vertices.len() + loops.len() == edges.len() / 2 + 2
}

/// Whether an outline turns one way only, but for rounding.
fn convex(points: &[[f64; 3]], corners: &[usize]) -> bool {
    let normal = newell(points, corners);
    let at = |k: usize| points[corners[k % corners.len()]];
    (0..corners.len()).all(|k| {
        let (before, after) = (sub(at(k + 1), at(k)), sub(at(k + 2), at(k + 1)));
        dot(normal, cross(before, after)) >= -1e-14 * length(before) * length(after)
    })
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
pub(super) fn newell(points: &[[f64; 3]], corners: &[usize]) -> [f64; 3] {
    let first = points[corners[0]];
    let mut sum = [0.0; 3];
    for k in 1..corners.len() - 1 {
        sum = add(sum, cross(sub(points[corners[k]], first), sub(points[corners[k + 1]], first)));
    }
    unit(sum).unwrap_or([0.0; 3])
}

/// An edge before its geometry is known.
#[derive(Clone, Copy)]
pub(super) struct Segment {
    pub(super) ends: [u32; 2],
    pub(super) facets: [u32; 2],
}

/// The edges of closed faces.
pub(super) fn segments_of(loops: &[Vec<u32>]) -> Vec<Segment> {
    let mut segments: Vec<Segment> = Vec::new();
    let mut known: FxHashMap<[u32; 2], usize> = FxHashMap::default();
    for (face, corners) in loops.iter().enumerate() {
        for k in 0..corners.len() {
            let (from, to) = (corners[k], corners[(k + 1) % corners.len()]);
            if let Some(&segment) = known.get(&[to, from]) {
                segments[segment].facets[1] = face as u32;
            } else {
                known.insert([from, to], segments.len());
                segments.push(Segment { ends: [from, to], facets: [face as u32, face as u32] });
            }
        }
    }
    segments
}

/// Puts a body together from what is known to be convex and closed; it has not been surveyed.
pub(super) fn assemble<const D: usize>(
    mut vertices: Vec<[f64; D]>,
    segments: &[Segment],
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

    let numbered: FxHashMap<[u32; 2], u32> = segments
        .iter()
        .enumerate()
        .flat_map(|(index, segment)| {
            [segment.ends, [segment.ends[1], segment.ends[0]]].map(|ends| (ends, index as u32))
        })
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
    let edges: Vec<Edge<D>> = segments
        .iter()
        .map(|&Segment { ends, facets: [first, second] }| {
            let mut into = [[0.0; D]; 2];
            if D == 3 {
                into[0] = inward(&vertices, facets[first as usize].normal, ends);
                into[1] = inward(&vertices, facets[second as usize].normal, [ends[1], ends[0]]);
            }
            let [from, to] = ends.map(|end| vertices[end as usize]);
            let direction = unit(sub(to, from)).unwrap_or([0.0; D]);
            Edge { ends, facets: [first, second], direction, inward: into }
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
            let direction = scale(edge.direction, if here == 0 { 1.0 } else { -1.0 });
            let place = &mut free[from as usize];
            spokes[*place as usize] = Spoke { vertex: to, edge: index as u32, direction };
            *place += 1;
        }
    }

    let radius = vertices.iter().map(|&v| length(v)).fold(0.0, f64::max);
    let centroid = add(middle, centroid);
    // About half of the angle between the directions that look from the middle to neighbouring vertices.
    let count = vertices.len() as f64;
    let lean = if D == 2 { std::f64::consts::FRAC_PI_2 / count } else { 1.0 / count.sqrt() };
    let mut body = Body {
        vertices,
        spokes_of,
        spokes,
        edges,
        facets,
        corners,
        outlines: Vec::new(),
        blocks: Vec::new(),
        furthest: Vec::new(),
        mass,
        radius,
        delicate: false,
        lean,
        is_sharp: false,
        centroid,
    };
    body.find_flats();
    let limit = 1.0 / (1.0 + 4.0 * lean * lean).sqrt();
    body.is_sharp = body.edges.iter().all(|edge| {
        let [one, other] = edge.facets.map(|facet| &body.facets[facet as usize]);
        one.outline == other.outline || dot(one.normal, other.normal) < limit
    });
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
    Facet { normal, offset, corners: [0; 2], outline: [0; 2], roughness: 0.0 }
}
