//! The heights at which the sections of a union change their make-up.
//!
//! The surface of the union is made of parts of planes and spheres, which meet on segments and circles, which meet in points.
//! Of all these the ends in z count, as far as they are on the surface of the union and not hidden in a piece.

use super::pieces::bounds;
use crate::convex::{Body, Facet};
use crate::shape::{Form, Piece};
use crate::vector::{add, add_scaled, cross, dot, length, scale, sub, unit};

/// Heights that are closer than this part of the extent are one.
const SAME: f64 = 1e-14;
/// A point that is farther from the surface than this part of the extent is not on it.
const NEAR: f64 = 1e-9;

/// A circle: its points are `center + cos side + sin other`.
struct Circle {
    center: [f64; 3],
    side: [f64; 3],
    other: [f64; 3],
}

/// The heights, in order: at least the lowest and the highest point.
pub(super) fn heights(pieces: &[Piece<3>]) -> Vec<f64> {
    let (low, high) = bounds(pieces);
    let extent = (0..3).map(|k| high[k] - low[k]).fold(0.0, f64::max);
    let mut points = Vec::new();
    for (i, piece) in pieces.iter().enumerate() {
        match &piece.form {
            Form::Ball { radius } => {
                points.extend([-radius, *radius].map(|z| add(piece.center, [0.0, 0.0, z])));
            }
            Form::Convex(body) => {
                points.extend(body.vertices().iter().map(|&vertex| add(piece.center, vertex)));
            }
        }
        let near: Vec<usize> = (0..pieces.len()).filter(|&j| j != i && near(piece, &pieces[j])).collect();
        for &j in near.iter().filter(|&&j| i < j) {
            let third = || near.iter().filter(|&&k| k != j).map(|&k| &pieces[k]);
            // Their ends are where an edge passes through a face.
            for segment in segments(piece, &pieces[j]) {
                points.extend(segment);
                third().for_each(|k| cut_segment(segment, k, &mut points));
            }
            for circle in circles(piece, &pieces[j]) {
                points.extend(circle.ends());
                // Also by the other facets of the two: there edges pass through the ball.
                third().chain([piece, &pieces[j]]).for_each(|k| circle.cut(k, &mut points));
            }
        }
    }
    let shows = |point: &[f64; 3]| {
        let mut is_on = false;
        pieces.iter().all(|piece| {
            let height = piece.height_of(*point);
            is_on |= height <= NEAR * extent;
            height >= -NEAR * extent
        }) && is_on
    };
    let mut heights: Vec<f64> = points.iter().filter(|point| shows(point)).map(|point| point[2]).collect();
    heights.extend([low[2], high[2]]);
    heights.sort_unstable_by(f64::total_cmp);
    heights.dedup_by(|next, last| *next - *last <= SAME * extent);
    heights
}

fn near(a: &Piece<3>, b: &Piece<3>) -> bool {
    length(sub(a.center, b.center)) <= a.radius() + b.radius()
}

/// Adds the points where a segment enters and leaves a piece.
fn cut_segment(segment: [[f64; 3]; 2], piece: &Piece<3>, points: &mut Vec<[f64; 3]>) {
    let way = sub(segment[1], segment[0]);
    if let Some(parts) = inside(segment[0], way, [0.0, 1.0], piece) {
        points.extend(parts.map(|part| add_scaled(segment[0], part, way)));
    }
}

/// The part of the line from a point along a way, within given bounds, that is inside a piece.
fn inside(from: [f64; 3], way: [f64; 3], within: [f64; 2], piece: &Piece<3>) -> Option<[f64; 2]> {
    let from = sub(from, piece.center);
    let [mut low, mut high] = within;
    match &piece.form {
        Form::Ball { radius } => {
            let middle = -dot(from, way) / dot(way, way);
            let closest = add_scaled(from, middle, way);
            let half = (radius * radius - dot(closest, closest)).max(0.0).sqrt() / length(way);
            (low, high) = (low.max(middle - half), high.min(middle + half));
        }
        Form::Convex(body) => return behind(body.facets().iter(), from, way, within),
    }
    (low < high).then_some([low, high])
}

/// The segments on which the faces of two polyhedra meet.
fn segments(a: &Piece<3>, b: &Piece<3>) -> Vec<[[f64; 3]; 2]> {
    let (Form::Convex(body), Form::Convex(other)) = (&a.form, &b.form) else { return Vec::new() };
    let boxes = |piece: &Piece<3>, body: &Body<3>| -> Vec<[[f64; 3]; 2]> {
        (0..body.facets().len() as u32).map(|facet| box_of(piece.center, body, facet)).collect()
    };
    let (boxes_here, boxes_there) = (boxes(a, body), boxes(b, other));
    let mut found = Vec::new();
    for (facet, [low, high]) in body.facets().iter().zip(&boxes_here) {
        for (face, [other_low, other_high]) in other.facets().iter().zip(&boxes_there) {
            if (0..3).any(|k| high[k] < other_low[k] || other_high[k] < low[k]) {
                continue;
            }
            let Some((from, way)) = common_line([(a.center, facet), (b.center, face)]) else { continue };
            let reach = 2.0 * (a.radius() + b.radius()) + length(sub(from, a.center));
            // The line is on both faces: on which side of these it is would be left to rounding.
            let mine = body.facets().iter().filter(|&one| one != facet);
            let others = other.facets().iter().filter(|&one| one != face);
            let inner = behind(mine, sub(from, a.center), way, [-reach, reach])
                .and_then(|within| behind(others, sub(from, b.center), way, within));
            if let Some(parts) = inner {
                found.push(parts.map(|part| add_scaled(from, part, way)));
            }
        }
    }
    found
}

/// The part of a line that is behind facets.
fn behind<'a>(
    facets: impl Iterator<Item = &'a Facet<3>>,
    from: [f64; 3],
    way: [f64; 3],
    within: [f64; 2],
) -> Option<[f64; 2]> {
    let [mut low, mut high] = within;
    for facet in facets {
        let (rate, height) = (dot(facet.normal, way), dot(facet.normal, from) - facet.offset);
        if rate > 0.0 {
            high = high.min(-height / rate);
        } else if rate < 0.0 {
            low = low.max(-height / rate);
        }
    }
    (low < high).then_some([low, high])
}

/// The box around a facet.
fn box_of(center: [f64; 3], body: &Body<3>, facet: u32) -> [[f64; 3]; 2] {
    let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for corner in body.corners(facet) {
        let vertex = add(center, body.vertices()[corner.vertex as usize]);
        for k in 0..3 {
            low[k] = low[k].min(vertex[k]);
            high[k] = high[k].max(vertex[k]);
        }
    }
    [low, high]
}

/// A point of the line that two planes share, each with the centre it is relative to, and its direction.
fn common_line(planes: [([f64; 3], &Facet<3>); 2]) -> Option<([f64; 3], [f64; 3])> {
    let [n, m] = planes.map(|(_, facet)| facet.normal);
    let [offset, other] = planes.map(|(center, facet)| facet.offset + dot(facet.normal, center));
    let way = cross(n, m);
    let size = dot(way, way);
    // Planes that are parallel but for rounding share no line that matters.
    (size > 1e-24).then(|| {
        let point = add(scale(cross(m, way), offset / size), scale(cross(way, n), other / size));
        (point, scale(way, 1.0 / size.sqrt()))
    })
}

/// The circles on which a ball meets another piece.
fn circles(a: &Piece<3>, b: &Piece<3>) -> Vec<Circle> {
    match (&a.form, &b.form) {
        (Form::Ball { radius }, Form::Ball { radius: other }) => {
            let between = sub(b.center, a.center);
            let distance = length(between);
            let along = 0.5 * (distance + (radius - other) * (radius + other) / distance);
            Circle::on(a.center, *radius, scale(between, 1.0 / distance), along).into_iter().collect()
        }
        (Form::Ball { radius }, Form::Convex(body)) => {
            let way = sub(b.center, a.center);
            let plane = |facet: &Facet<3>| (facet.normal, facet.offset + dot(facet.normal, way));
            let planes = body.facets().iter().map(plane);
            planes.filter_map(|(normal, along)| Circle::on(a.center, *radius, normal, along)).collect()
        }
        (Form::Convex(_), Form::Ball { .. }) => circles(b, a),
        (Form::Convex(_), Form::Convex(_)) => Vec::new(),
    }
}

impl Circle {
    /// On a sphere, in the plane with this unit normal so far from the centre.
    fn on(center: [f64; 3], radius: f64, normal: [f64; 3], along: f64) -> Option<Self> {
        let size = ((radius - along) * (radius + along)).sqrt();
        let axis = (0..3).min_by(|&i, &j| normal[i].abs().total_cmp(&normal[j].abs())).unwrap_or(0);
        let side = unit(cross(normal, std::array::from_fn(|k| if k == axis { 1.0 } else { 0.0 })))?;
        let other = scale(cross(normal, side), size);
        (size > 0.0).then(|| Self {
            center: add_scaled(center, along, normal),
            side: scale(side, size),
            other,
        })
    }

    fn at(&self, angle: f64) -> [f64; 3] {
        add_scaled(add_scaled(self.center, libm::cos(angle), self.side), libm::sin(angle), self.other)
    }

    /// The highest and the lowest point.
    fn ends(&self) -> [[f64; 3]; 2] {
        let angle = libm::atan2(self.other[2], self.side[2]);
        [self.at(angle), self.at(angle + std::f64::consts::PI)]
    }

    /// Adds the points that it shares with the surface of a piece, and some on the planes of its facets.
    fn cut(&self, piece: &Piece<3>, points: &mut Vec<[f64; 3]>) {
        let arm = sub(self.center, piece.center);
        let mut cut_plane = |normal: [f64; 3], height: f64| {
            let (a, b) = (dot(normal, self.side), dot(normal, self.other));
            let share = -height / (a * a + b * b).sqrt();
            if share.abs() <= 1.0 {
                let (middle, half) = (libm::atan2(b, a), libm::acos(share));
                points.extend([self.at(middle - half), self.at(middle + half)]);
            }
        };
        match &piece.form {
            // The sphere and that of the circle about its centre share a plane.
            Form::Ball { radius } => {
                cut_plane(arm, 0.5 * (dot(arm, arm) + dot(self.side, self.side) - radius * radius));
            }
            Form::Convex(body) => {
                body.facets().iter().for_each(|facet| {
                    cut_plane(facet.normal, dot(facet.normal, arm) - facet.offset);
                });
            }
        }
    }
}
