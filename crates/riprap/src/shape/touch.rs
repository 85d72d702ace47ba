//! Whether pieces are one body: each is reached from the first over pieces that touch.

use super::{Form, Piece};
use crate::convex::{Body, LinkMemory, LinkMethod, Pose, Solver};
use crate::vector::{add, add_scaled, dot, length, sub};

/// Pieces touch if their gap is at most this part of the smaller one's radius: files have few digits.
const TOUCH: f64 = 1e-6;

/// Pieces that are apart from the others.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Loose {
    /// Their numbers.
    pub(super) pieces: Vec<usize>,
    /// Their distance from the others.
    pub(super) gap: f64,
}

/// The pieces that are not connected with the first one, if there are any.
pub(super) fn loose<const D: usize>(pieces: &[Piece<D>]) -> Option<Loose> {
    let mut waiting = vec![0];
    let mut apart: Vec<usize> = (1..pieces.len()).collect();
    let mut connected = Vec::new();
    while let Some(here) = waiting.pop() {
        let (reached, rest) = apart.into_iter().partition(|&other| touch(&pieces[here], &pieces[other]));
        apart = rest;
        waiting.extend::<Vec<usize>>(reached);
        connected.push(here);
    }
    let gaps = apart.iter().flat_map(|&i| connected.iter().map(move |&j| gap(&pieces[i], &pieces[j])));
    let gap = gaps.fold(f64::INFINITY, f64::min);
    (!apart.is_empty()).then_some(Loose { pieces: apart, gap })
}

fn touch<const D: usize>(a: &Piece<D>, b: &Piece<D>) -> bool {
    let (radius, other) = (a.radius(), b.radius());
    let tolerance = TOUCH * radius.min(other);
    length(sub(a.center, b.center)) <= radius + other + tolerance && gap(a, b) <= tolerance
}

/// The distance of two pieces; if they overlap, a number that is not positive.
fn gap<const D: usize>(a: &Piece<D>, b: &Piece<D>) -> f64 {
    match (&a.form, &b.form) {
        (Form::Ball { radius }, Form::Ball { radius: other }) => {
            length(sub(a.center, b.center)) - radius - other
        }
        (Form::Convex(body), Form::Convex(other)) => {
            let poses = [Pose::at(a.center), Pose::at(b.center)];
            let mut solver = Solver::new(LinkMethod::ShortestLink);
            solver.link([body, other], [&poses[0], &poses[1]], &mut LinkMemory::default()).gap
        }
        (Form::Ball { radius }, Form::Convex(body)) => distance(body, sub(a.center, b.center)) - radius,
        (Form::Convex(_), Form::Ball { .. }) => gap(b, a),
    }
}

/// The distance of a point from a body, relative to its centroid; zero inside.
fn distance<const D: usize>(body: &Body<D>, point: [f64; D]) -> f64 {
    let facets = body.facets().iter().zip(0..);
    let in_front =
        facets.map(|(facet, number)| (dot(facet.normal, point) - facet.offset, facet.normal, number));
    let mut nearest = f64::INFINITY;
    let mut outside = false;
    for (height, normal, number) in in_front.filter(|(height, ..)| *height > 0.0) {
        outside = true;
        // In space the foot of the point may be on the face; else it is nearest to an edge.
        let foot = add_scaled(point, -height, normal);
        let corners = body.corners(number);
        let holds = |body: &Body<D>| {
            (0..body.facets().len()).all(|k| {
                k == number as usize || dot(body.facets()[k].normal, foot) <= body.facets()[k].offset
            })
        };
        if !corners.is_empty() && holds(body) {
            return height;
        }
    }
    if !outside {
        return 0.0;
    }
    for edge in body.edges() {
        let [from, to] = edge.ends.map(|end| body.vertices()[end as usize]);
        let along = sub(to, from);
        let part = (dot(sub(point, from), along) / dot(along, along)).clamp(0.0, 1.0);
        nearest = nearest.min(length(sub(point, add_scaled(from, part, along))));
    }
    nearest
}

/// Whether the first piece is inside the second one, but for rounding.
pub(super) fn is_inside<const D: usize>(a: &Piece<D>, b: &Piece<D>) -> bool {
    let tolerance = 1e-14 * (b.radius() + length(sub(a.center, b.center)));
    match &a.form {
        Form::Convex(body) => {
            body.vertices().iter().all(|&vertex| b.height_of(add(a.center, vertex)) <= tolerance)
        }
        Form::Ball { radius } => b.height_of(a.center) <= tolerance - radius,
    }
}
