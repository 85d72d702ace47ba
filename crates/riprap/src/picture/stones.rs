//! Stones in a tile: their faces, and the edges between them.

use super::camera::Lens;
use super::hull::{Corner, Faces};
use super::in_view::StoneInView;
use super::polygon::{Plane, crossings};
use super::tiles::{SIDE, Sample, Tile};
use super::vector::Vector3;
use crate::vector::length;

/// The width of a face's part of its edges over the size of the stone, at most, for a stone of one face. Those with many small faces have finer edges, or
/// they would be all edge.
const EDGE: f64 = 0.17;
/// Faces in one plane, those of pieces of one body, differ by rounding: the first one drawn is seen.
const SAME: f32 = 1.0 - 1e-6;

impl Tile {
    /// Draws a stone where nothing is before it, and tells how many samples that took.
    pub(super) fn draw_stone(
        &mut self,
        lens: &Lens,
        stone: &StoneInView,
        faces: &Faces,
        owner: u32,
    ) -> usize {
        let Some([least, most]) = lens.bounds(&stone.around) else { return 0 };
        let [columns, rows] = [0, 1].map(|k| self.span(k, least[k], most[k]));
        let [front, back] = [-1.0, 1.0].map(|side| stone.around.center[2] + side * stone.around.radius);
        let drawn = columns.len() * rows.len();
        let mut samples = rows.clone().flat_map(|row| &self.samples[row * SIDE..][columns.clone()]);
        if samples.all(|sample| sample.depth <= front as f32) {
            return drawn;
        }
        let mut places = std::mem::take(&mut self.places);
        places.clear();
        places.extend(faces.points.iter().map(|&point| lens.place(stone.point(point))));
        for (face, &plane) in faces.planes.iter().enumerate() {
            let plane = stone.plane(plane);
            if !plane.faces_the_eye(lens) {
                continue;
            }
            let corners = faces.corners(face).iter().map(|corner| places[corner.point as usize]);
            let heights = corners.clone().map(|place| place[1]);
            let [low, high] =
                heights.fold([f64::INFINITY, f64::NEG_INFINITY], |[a, b], y| [a.min(y), b.max(y)]);
            for row in self.span(1, low, high) {
                let y = (self.corner[1] + row) as f64 + 0.5;
                let [left, right] = crossings(corners.clone(), y);
                for column in self.span(0, left, right) {
                    let sight = lens.sight(self.corner[0] + column, self.corner[1] + row);
                    // Faces seen along their plane would be anywhere.
                    let depth = plane.depth(lens, sight).clamp(front, back) as f32;
                    let sample = &mut self.samples[row * SIDE + column];
                    if depth < sample.depth * SAME {
                        *sample = Sample { depth, owner, face: face as u32 };
                    }
                }
            }
        }
        self.places = places;
        drawn
    }
}

/// A face in the picture.
pub(super) struct FaceInView {
    stone: u32,
    face: u32,
    pub(super) plane: Plane,
    /// Those that are seen: where the surface has a bend, and where the outline of the stone is.
    edges: Vec<EdgeInView>,
}

/// An edge of a face, in samples.
struct EdgeInView {
    ends: [[f64; 2]; 2],
    /// How wide it is on the face.
    width: f64,
}

impl FaceInView {
    /// The face of a stone with edges up to twice `half` wide.
    pub(super) fn new(
        lens: &Lens,
        (stone, faces): (&StoneInView, &Faces),
        Sample { owner, face, .. }: Sample,
        half: f64,
    ) -> Self {
        let corners = faces.corners(face as usize);
        let place = |index: usize| {
            let point = faces.points[corners[index % corners.len()].point as usize];
            lens.place(stone.point(point))
        };
        let depth = if lens.central { stone.around.center[2] } else { 1.0 };
        let radius = stone.around.radius * lens.zoom / depth;
        let width = half.min(EDGE * radius / (faces.planes.len() as f64).sqrt());
        let edge = |(index, corner): (usize, &Corner)| {
            // What is beyond the outline has no share of the edge.
            let shared =
                corner.beyond.is_some_and(|face| stone.plane(faces.planes[face]).faces_the_eye(lens));
            let width = if shared { width } else { 2.0 * width };
            (corner.sharp || !shared).then(|| EdgeInView { ends: [place(index), place(index + 1)], width })
        };
        Self {
            stone: owner,
            face,
            plane: stone.plane(faces.planes[face as usize]),
            edges: corners.iter().enumerate().filter_map(edge).collect(),
        }
    }

    pub(super) fn is_of(&self, sample: Sample) -> bool {
        (self.stone, self.face) == (sample.owner, sample.face)
    }

    pub(super) fn normal(&self) -> Vector3 {
        self.plane.normal
    }

    /// The share of a sample that the edges of the face cover.
    pub(super) fn ink(&self, place: [f64; 2]) -> f32 {
        let cover = |EdgeInView { ends: [a, b], width }: &EdgeInView| {
            let along = [b[0] - a[0], b[1] - a[1]];
            let offset = [place[0] - a[0], place[1] - a[1]];
            let squared = along[0] * along[0] + along[1] * along[1];
            let share = (offset[0] * along[0] + offset[1] * along[1]) / squared;
            let share = if share > 0.0 { share.min(1.0) } else { 0.0 };
            let miss = length([offset[0] - share * along[0], offset[1] - share * along[1]]);
            // Edges thinner than a sample are paler instead.
            (width + 0.5 - miss).clamp(0.0, (2.0 * width).min(1.0))
        };
        self.edges.iter().map(cover).fold(0.0, f64::max) as f32
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::colors::{Encoding, color};
    use super::super::hull::tests::cube;
    use super::super::tests::{WHITE, ball, brightness, is_shade_of, pixel};
    use super::super::{Hull, Picture, Stone};

    pub(in super::super) const UPRIGHT: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

    /// Cubes of edge `2 * size` at some places.
    fn cubes(places: &[[f64; 3]], size: f64, axes: [[f64; 3]; 3]) -> Picture {
        let stone = |&center: &[f64; 3]| Stone { hull: 0, center, size, axes, value: 0.5 };
        let (hulls, stones) = (vec![cube()], places.iter().map(stone).collect());
        Picture { hulls, stones, ..Picture::default() }
    }

    #[test]
    fn a_cube_from_the_front_is_a_square_with_a_dark_border() {
        for scale in [1e-9, 1.0, 1e9] {
            let mut picture = cubes(&[[0.0, 0.0, 0.0]], scale, UPRIGHT);
            picture.view = Some([0.0, -1.0, 0.0]);
            // Tells how large it is: as far away as the cube's face, which it is as wide as.
            picture.lines = vec![[[-scale, -scale, -scale], [scale, -scale, -scale]]];
            let image = picture.render(201, 201);
            let drawn = |x: usize, y: usize| pixel(&image, x, y) != WHITE;
            let columns: Vec<usize> = (0..201).filter(|&x| drawn(x, 100)).collect();
            let rows: Vec<usize> = (0..201).filter(|&y| drawn(100, y)).collect();
            let [left, right, top, bottom] =
                [columns[0], columns[columns.len() - 1], rows[0], rows[rows.len() - 1]];
            let side = right - left;
            assert!(side > 90 && (bottom - top).abs_diff(side) <= 3, "{left} {right} {top} {bottom}");
            for y in 3..side - 3 {
                for x in 3..side - 3 {
                    assert!(is_shade_of(pixel(&image, left + x, top + y), 0.5), "{x} {y}");
                }
            }
            // Beside the middle of each side: paper, edge, face.
            let middle = pixel(&image, 100, 100);
            let darkest = |places: [[usize; 2]; 3]| {
                places.map(|[x, y]| brightness(pixel(&image, x, y))).into_iter().min()
            };
            for side in [
                [0, 1, 2].map(|k| [left + k, 100]),
                [0, 1, 2].map(|k| [right - k, 100]),
                [0, 1, 2].map(|k| [100, top + k]),
            ] {
                assert!(darkest(side).unwrap() * 10 < brightness(middle) * 8, "{side:?}");
            }
            for [x, y] in [[left + 6, 100], [right - 6, 100], [100, top + 6], [100, bottom - 6]] {
                assert!(brightness(pixel(&image, x, y)).abs_diff(brightness(middle)) < 12, "{x} {y}");
            }
        }
    }

    #[test]
    fn faces_are_flat_and_the_brighter_the_more_they_look_at_the_lamp() {
        let mut picture = cubes(&[[0.0; 3]], 1.0, UPRIGHT);
        picture.view = Some([1.0, -1.0, 0.8]);
        let image = picture.render(301, 301);
        // Above the middle the upper face, below it the one to the left and the one to the right.
        let [above, left, right] = [[150, 100], [105, 185], [195, 185]];
        let face = |[x, y]: [usize; 2]| {
            let around = [[x, y], [x + 9, y], [x, y + 9], [x - 9, y]].map(|[x, y]| pixel(&image, x, y));
            let [low, high] =
                [around.map(brightness).into_iter().min(), around.map(brightness).into_iter().max()];
            assert!(high.unwrap() - low.unwrap() < 20 && is_shade_of(around[0], 0.5), "{around:?}");
            brightness(around[0])
        };
        let [above, left, right] = [above, left, right].map(face);
        assert!(above > left + 20 && left > right + 20, "{above} {left} {right}");
        // The edges that meet in the middle.
        assert!(brightness(pixel(&image, 150, 200)) + 60 < left);
    }

    #[test]
    fn stones_hide_and_are_hidden() {
        let front = Some([0.0, -1.0, 0.0]);
        for (near, far) in [(-3.0, 3.0), (3.0, -3.0)] {
            // A ball before a cube or behind it; and a line before both, or behind.
            let mut picture = cubes(&[[0.0, near, 0.0]], 1.0, UPRIGHT);
            picture.stones[0].value = 1.0;
            picture.balls = vec![ball([0.0, far, 0.0], 0.9, 0.0)];
            picture.view = front;
            let image = picture.render(199, 199);
            let nearer = if near < far { 1.0 } else { 0.0 };
            assert!(is_shade_of(pixel(&image, 99, 99), nearer), "{:?}", pixel(&image, 99, 99));
            picture.lines = vec![[[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]]];
            assert_eq!(pixel(&picture.render(199, 199), 99, 99), pixel(&image, 99, 99));
            picture.lines = vec![[[-1.0, -5.0, 0.0], [1.0, -5.0, 0.0]]];
            assert_ne!(pixel(&picture.render(199, 199), 99, 99), pixel(&image, 99, 99));
        }
        // Two that pass through each other: each is seen where it is nearer.
        let mut picture = cubes(&[[-0.5, 0.0, 0.0], [0.5, 0.0, 0.0]], 1.0, UPRIGHT);
        let [a, b] = [[0.8, 0.6, 0.0], [-0.6, 0.8, 0.0]];
        (picture.stones[0].axes, picture.stones[0].value) = ([a, b, [0.0, 0.0, 1.0]], 0.0);
        (picture.stones[1].axes, picture.stones[1].value) = ([a, b, [0.0, 0.0, 1.0]], 1.0);
        picture.view = front;
        let image = picture.render(199, 199);
        let seen = |value: f64| {
            let row = (0..199).map(|x| pixel(&image, x, 99));
            row.filter(|pixel| *pixel != WHITE && is_shade_of(*pixel, value)).count()
        };
        assert!(seen(0.0) > 30 && seen(1.0) > 30);
    }

    #[test]
    fn polygons_are_filled_and_have_an_outline() {
        let points = vec![[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]];
        let hulls = vec![Hull { points, faces: vec![vec![0, 1, 2, 3]] }];
        let diagonal = 0.5f64.sqrt();
        for axes in [UPRIGHT, [[diagonal, diagonal, 0.0], [-diagonal, diagonal, 0.0], [0.0, 0.0, 1.0]]] {
            let stones = vec![Stone { hull: 0, center: [3.0, 2.0, 0.0], size: 2.0, axes, value: 0.5 }];
            let image =
                Picture { hulls: hulls.clone(), stones, flat: true, ..Picture::default() }.render(301, 301);
            let plain = Encoding::new().pixel(color(0.5));
            assert_eq!(pixel(&image, 150, 150), plain);
            let drawn = image.pixels.iter().filter(|pixel| **pixel != WHITE).count() as f64;
            let filled = image.pixels.iter().filter(|pixel| **pixel == plain).count() as f64;
            // A square whose diagonal has 92 % of the height.
            let area = 0.5 * (0.92 * 301.0) * (0.92 * 301.0);
            assert!(
                (drawn / area - 1.0).abs() < 0.02 && filled < 0.99 * area && filled > 0.95 * area,
                "{drawn} {filled} {area}"
            );
            let row: Vec<[u8; 3]> = (0..301).map(|x| pixel(&image, x, 150)).collect();
            let darkest = row.iter().map(|pixel| brightness(*pixel)).min().unwrap();
            assert!(darkest < brightness(plain) * 8 / 10, "{darkest}");
        }
    }
}
