//! Walls: panes of glass with edges, or solid.

use std::collections::BTreeMap;

use crate::picture::{Extent, Picture};
use crate::run::frames::in_space;
use crate::run::surfaces;
use crate::scene::{Draw, Drawing};
use crate::vector::{cross, dot, sub, unit};

/// The angle between two facets, as its cosine, from which on their edge is drawn: 20 degrees.
const SHARP: f64 = 0.94;

/// A facet with the number of its wall: a triangle or, in the plane, a segment.
pub(super) type Facet = (usize, [[f64; 3]; 3]);

/// An infinite plane: its wall, a point and its normal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Plane {
    wall: usize,
    point: [f64; 3],
    normal: [f64; 3],
}

/// Adds walls. Planes are returned: how much of them is to be seen is not known yet.
pub(super) fn add(picture: &mut Picture, facets: &[Facet], drawing: &Drawing) -> Vec<Plane> {
    let mut walls: BTreeMap<usize, Vec<[[f64; 3]; 3]>> = BTreeMap::new();
    for (wall, corners) in facets {
        walls.entry(*wall).or_default().push(*corners);
    }
    let mut planes = Vec::new();
    for (wall, facets) in walls {
        let (draw, is_plane) = drawing.walls.get(wall).copied().unwrap_or_default();
        if is_plane {
            planes.extend(plane(wall, facets[0], drawing.flat));
        } else {
            add_wall(picture, facets, draw, drawing.flat);
        }
    }
    planes
}

/// Adds as much of planes as there is of other things.
pub(super) fn add_planes(picture: &mut Picture, planes: &[Plane], drawing: &Drawing, extent: &Extent) {
    let Some(whole) = extent.whole() else { return };
    let shown = |plane: &&Plane| drawing.walls.get(plane.wall).is_none_or(|(draw, _)| *draw != Draw::None);
    let planes: Vec<&Plane> = planes.iter().filter(shown).collect();
    let parts: Vec<Option<Vec<[f64; 3]>>> = if drawing.flat {
        let flat = |[x, y, _]: [f64; 3]| [x, y];
        let given: Vec<_> = planes.iter().map(|plane| (flat(plane.point), flat(plane.normal))).collect();
        let parts = surfaces::planes(&given, surfaces::Extent::between(whole.map(flat)));
        parts.into_iter().map(|part| Some(part?.into_iter().map(in_space).collect())).collect()
    } else {
        let given: Vec<_> = planes.iter().map(|plane| (plane.point, plane.normal)).collect();
        surfaces::planes(&given, surfaces::Extent::between(whole))
    };
    for (plane, part) in planes.iter().zip(parts) {
        let Some(corners) = part.filter(|corners| corners.len() > 1) else { continue };
        let last = corners.len() - 1;
        let facets = (1..last.max(2)).map(|k| [corners[0], corners[k], corners[(k + 1).min(last)]]);
        let draw = drawing.walls.get(plane.wall).map_or(Draw::Glass, |(draw, _)| *draw);
        add_wall(picture, facets.collect(), draw, drawing.flat);
    }
}

/// The plane of a facet; none if that has no extent.
fn plane(wall: usize, [a, b, c]: [[f64; 3]; 3], flat: bool) -> Option<Plane> {
    let [x, y, _] = sub(b, a);
    let normal = if flat { [-y, x, 0.0] } else { cross(sub(b, a), sub(c, a)) };
    Some(Plane { wall, point: a, normal: unit(normal)? })
}

fn add_wall(picture: &mut Picture, facets: Vec<[[f64; 3]; 3]>, draw: Draw, flat: bool) {
    match draw {
        Draw::None => {}
        Draw::Glass | Draw::Solid if flat => picture.lines.extend(facets.iter().map(|[a, b, _]| [*a, *b])),
        Draw::Glass => {
            picture.lines.extend(edges(&facets));
            picture.triangles.extend(facets);
        }
        Draw::Solid => picture.solids.push(facets),
    }
}

/// Where a surface ends or has a bend.
fn edges(facets: &[[[f64; 3]; 3]]) -> Vec<[[f64; 3]; 2]> {
    let mut sides: BTreeMap<[[u64; 3]; 2], Vec<[f64; 3]>> = BTreeMap::new();
    for [a, b, c] in facets {
        let Some(normal) = unit(cross(sub(*b, *a), sub(*c, *a))) else { continue };
        for (from, to) in [(a, b), (b, c), (c, a)] {
            let mut side = [from, to].map(|end| end.map(f64::to_bits));
            side.sort_unstable();
            sides.entry(side).or_default().push(normal);
        }
    }
    let is_edge = |normals: &[[f64; 3]]| match normals {
        // Neighbours may be listed in opposite senses.
        [one, other] => dot(*one, *other).abs() < SHARP,
        _ => true,
    };
    let sharp = sides.into_iter().filter(|(_, normals)| is_edge(normals));
    sharp.map(|(side, _)| side.map(|end| end.map(f64::from_bits))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::shapes;
    use crate::picture::Ball;
    use crate::scene::Color;
    use crate::vector::length;

    #[test]
    fn edges_are_bends_and_borders() {
        let ball = shapes::sphere(4);
        let ball: Vec<[[f64; 3]; 3]> =
            (0..ball.triangles().len()).map(|triangle| ball.corners(triangle)).collect();
        assert!(edges(&ball).is_empty());
        let corner = |bits: usize| -> [f64; 3] { std::array::from_fn(|k| (bits >> k & 1) as f64) };
        let faces = [[0, 1, 3, 2], [4, 5, 7, 6], [0, 1, 5, 4], [2, 3, 7, 6], [0, 2, 6, 4], [1, 3, 7, 5]];
        let halves = |[a, b, c, d]: [usize; 4]| [[a, b, c].map(corner), [a, c, d].map(corner)];
        let cube: Vec<[[f64; 3]; 3]> = faces.into_iter().flat_map(halves).collect();
        assert_eq!(edges(&cube).len(), 12);
        // Without a triangle there is a border of three sides, one of which was within a face.
        assert_eq!(edges(&cube[1..]).len(), 13);
    }

    #[test]
    fn walls_are_drawn_as_the_scene_says() {
        let facet = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        let mut drawing = Drawing {
            flat: false,
            up: [0.0, 0.0, 1.0],
            view: None,
            color: Color::Speed,
            cut: None,
            walls: [Draw::Glass, Draw::Solid, Draw::None].map(|draw| (draw, false)).to_vec(),
            periodic: [None; 3],
        };
        let facets: Vec<(usize, [[f64; 3]; 3])> = (0..3).map(|wall| (wall, facet)).collect();
        let drawn = |drawing: &Drawing| {
            let ball = Ball { center: [0.5, 0.5, 0.5], radius: 0.5, value: 0.0 };
            let mut picture = Picture { balls: vec![ball], flat: drawing.flat, ..Picture::default() };
            let planes = add(&mut picture, &facets, drawing);
            let extent = picture.extent();
            add_planes(&mut picture, &planes, drawing, &extent);
            picture
        };
        let counts = |picture: Picture| [picture.triangles.len(), picture.lines.len(), picture.solids.len()];
        assert_eq!(counts(drawn(&drawing)), [1, 3, 1]);
        // Of planes there is as much as of the ball, and a little more.
        drawing.walls.iter_mut().for_each(|(_, is_plane)| *is_plane = true);
        let picture = drawn(&drawing);
        let seen = picture.triangles.as_flattened();
        let has = |corner: [f64; 3]| seen.iter().any(|other| length(sub(*other, corner)) < 1e-9);
        assert!(has([1.02, 1.02, 0.0]) && !has([1.0, 0.0, 0.0]), "{seen:?}");
        assert_eq!(counts(picture), [2, 4, 1]);
        drawing.flat = true;
        assert_eq!(counts(drawn(&drawing)), [0, 2, 0]);
    }
}
