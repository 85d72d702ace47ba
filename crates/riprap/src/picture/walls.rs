//! Walls like panes of glass, through which the balls are seen, and solid ones.

use std::collections::BTreeMap;

use super::bins::Rectangle;
use super::camera::Lens;
use super::hull::{Hull, Stone};
use super::polygon::{Plane, crossings};
use super::tiles::Tile;
use super::vector::{Vector3, along, cross, dot, sub, unit};

/// A flat piece of wall in the picture.
pub(super) struct Pane {
    /// Its corners, in samples.
    corners: Vec<[f64; 2]>,
    /// Its normal points towards the eye.
    pub(super) plane: Plane,
}

impl Pane {
    /// The part of a triangle before the eye that is within a box; none if it is not seen.
    pub(super) fn new(triangle: [Vector3; 3], room: &[Vector3; 2], lens: &Lens) -> Option<Self> {
        let corners = clip(triangle.to_vec(), room);
        let normal = unit(cross(unit(sub(triangle[1], triangle[0]))?, unit(sub(triangle[2], triangle[0]))?))?;
        let first = *corners.first()?;
        let cosine = dot(normal, lens.direction(first));
        let normal = normal.map(|x| -x * cosine.signum());
        // Otherwise it is too thin from here to tell how far it is.
        (cosine.abs() > 1e-6).then(|| Self {
            corners: corners.into_iter().map(|corner| lens.place(corner)).collect(),
            plane: Plane { normal, offset: dot(normal, first) },
        })
    }

    pub(super) fn bounds(&self) -> Rectangle {
        let extreme = |extreme: fn(f64, f64) -> f64| {
            let corners = self.corners.iter().copied();
            corners.reduce(|a, b| [extreme(a[0], b[0]), extreme(a[1], b[1])]).unwrap_or([f64::NAN; 2])
        };
        [extreme(f64::min), extreme(f64::max)]
    }

    /// The columns of a row of a tile that the pane covers.
    pub(super) fn span(&self, tile: &Tile, row: usize) -> std::ops::Range<usize> {
        let y = (tile.corner[1] + row) as f64 + 0.5;
        let [left, right] = crossings(self.corners.iter().copied(), y);
        tile.span(0, left, right)
    }
}

/// A solid wall of triangles as two bodies of the same faces, which are seen from one side and from the other.
pub(super) fn solid(wall: &[[Vector3; 3]]) -> [(Hull, Stone); 2] {
    let corner = wall.first().map_or([0.0; 3], |triangle| triangle[0]);
    let (mut points, mut numbers) = (Vec::new(), BTreeMap::new());
    let mut number = |point: Vector3| {
        *numbers.entry(point.map(f64::to_bits)).or_insert_with(|| {
            points.push(sub(point, corner));
            points.len() as u32 - 1
        })
    };
    let faces: Vec<Vec<u32>> = wall.iter().map(|triangle| triangle.map(&mut number).to_vec()).collect();
    let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let stone = Stone { hull: 0, center: corner, size: 1.0, axes, value: 0.0 };
    let turned = faces.iter().map(|face| face.iter().rev().copied().collect()).collect();
    [faces, turned].map(|faces| (Hull { points: points.clone(), faces }, stone))
}

/// The part of a convex polygon within a box, cut side by side (Sutherland and Hodgman 1974).
fn clip(mut corners: Vec<Vector3>, room: &[Vector3; 2]) -> Vec<Vector3> {
    for (side, sign) in [(0, 1.0), (1, -1.0)] {
        for k in 0..3 {
            let inside = |corner: Vector3| sign * (corner[k] - room[side][k]);
            let mut kept = Vec::with_capacity(corners.len() + 1);
            for (index, &a) in corners.iter().enumerate() {
                let b = corners[(index + 1) % corners.len()];
                let (before, after) = (inside(a), inside(b));
                if before >= 0.0 {
                    kept.push(a);
                }
                if (before >= 0.0) != (after >= 0.0) {
                    let mut cut = along(a, before / (before - after), sub(b, a));
                    cut[k] = room[side][k];
                    kept.push(cut);
                }
            }
            corners = kept;
        }
    }
    corners
}

#[cfg(test)]
mod tests {
    use super::super::bins::Bins;
    use super::super::in_view::InView;
    use super::super::tiles::SIDE;
    use super::*;
    use crate::Random;

    const ROOM: [Vector3; 2] = [[-3.0, -3.0, 1.0], [3.0, 3.0, 9.0]];

    #[test]
    fn panes_that_share_edges_cover_each_sample_once() {
        let mut random = Random::new(5);
        let lens = Lens { central: true, zoom: 100.0, middle: [32.0; 2] };
        let tile =
            Tile::new(0, &Bins::new([SIDE; 2], std::iter::empty()), &lens, &InView::of_balls(Vec::new()));
        for _ in 0..50 {
            let middle = [random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), 5.0];
            let corners = [[-2.0, -2.0, 4.0], [2.0, -2.0, 4.0], [2.0, 2.0, 4.0], [-2.0, 2.0, 4.0]];
            let mut covered = vec![0; SIDE * SIDE];
            for k in 0..4 {
                let pane = Pane::new([corners[k], corners[(k + 1) % 4], middle], &ROOM, &lens).unwrap();
                for row in 0..SIDE {
                    pane.span(&tile, row).for_each(|column| covered[row * SIDE + column] += 1);
                }
            }
            assert!(covered.iter().all(|count| *count == 1));
        }
    }

    #[test]
    fn walls_far_beyond_the_room_are_cut_to_it() {
        let floor = [[-1e12, -1.0, -1e12], [1e12, -1.0, -1e12], [0.0, -1.0, 1e12]];
        let corners = clip(floor.to_vec(), &ROOM);
        assert_eq!(corners.len(), 4);
        for corner in &corners {
            assert!((0..3).all(|k| (ROOM[0][k]..=ROOM[1][k]).contains(&corner[k])), "{corner:?}");
        }
        assert!(clip(vec![[0.0, 4.0, 2.0], [1.0, 4.0, 2.0], [0.0, 5.0, 2.0]], &ROOM).is_empty());
        let lens = Lens { central: true, zoom: 100.0, middle: [0.0; 2] };
        let pane = Pane::new(floor, &ROOM, &lens).unwrap();
        assert_eq!(pane.plane.normal, [0.0, 1.0, 0.0]);
        assert!((pane.plane.depth(&lens, [0.0, -0.25]) - 4.0).abs() < 1e-9);
    }
}
