//! How pieces of bodies meet: a ball and a ball, a ball and a stone, two stones.
//!
//! On a stone the reduced radius of a ball is its own, as on a plane. At edges and vertices, too: sharp ones have no curvature, and so the
//! force does not leap where a ball rolls over them.
//!
//! Everything is seen from the centre of mass of the first body, with the axes of the world.

use super::memory::StoneMemory;
use super::press::Rounded;
use crate::convex::{ApartMemory, ContactPoint, ContactPoints, LinkMethod, Pose, Solver};
use crate::dem::body::View;
use crate::shape::{Form, Piece};
use crate::vector::{add, add_scaled, length, scale, sub};

/// A piece in its place.
#[derive(Clone, Copy)]
pub(super) struct PlacedPiece<'a, const D: usize> {
    pub(super) form: &'a Form<D>,
    /// Where its centre is, and how it is turned.
    pub(super) pose: Pose<D>,
    /// Size of the body, over that of its shape.
    pub(super) size: f64,
}

impl<'a, const D: usize> PlacedPiece<'a, D> {
    /// A piece of the body of a row, whose centre of mass is at `center`.
    #[inline(always)]
    pub(super) fn new(
        columns: &View<'a, D>,
        row: usize,
        piece: u16,
        rotation: &[[f64; D]; D],
        center: [f64; D],
    ) -> Self {
        let Piece { center: from, form } = &columns.shapes.get(columns.shape[row]).pieces[usize::from(piece)];
        let size = columns.radius[row];
        let turned = Pose { position: center, rotation: *rotation };
        let position = if *from == [0.0; D] { center } else { add_scaled(center, size, turned.turn(*from)) };
        Self { form, pose: Pose { position, ..turned }, size }
    }
}

impl<const D: usize> PlacedPiece<'_, D> {
    /// Where a point of its form is.
    pub(super) fn place(&self, point: [f64; D]) -> [f64; D] {
        add_scaled(self.pose.position, self.size, self.pose.turn(point))
    }
}

/// How two pieces are to each other.
#[derive(Debug, Clone, Copy)]
pub(super) enum Encounter<const D: usize> {
    /// They do not act on each other before they have come nearer by this.
    Apart(f64),
    /// They touch, or act on each other over a distance.
    Touching {
        /// Unit vector from the first to the second.
        normal: [f64; D],
        /// The reduced radius, if one of them is round there.
        reduced_radius: Option<f64>,
        /// Whether one of them is a ball.
        with_ball: bool,
        /// Rounds that the link took, if one was sought.
        iterations: Option<u32>,
    },
}

/// What is needed to find out.
pub(super) struct Meeter<const D: usize> {
    pub(super) solver: Solver<D>,
    /// How far beyond touch contacts with balls act.
    pub(super) reach: f64,
    /// The points at which pieces that touch press on each other.
    pub(super) points: ContactPoints<D>,
    /// What is remembered of pieces whose contact begins.
    pub(super) begun: StoneMemory<D>,
    /// The vertices of a stone that are behind a wall.
    pub(super) vertices: Vec<u32>,
    /// What is round about the wall that was met last, if it is a cylinder around a stone.
    pub(super) rounded: Option<Rounded<D>>,
}

impl<const D: usize> Meeter<D> {
    pub(super) fn new(link: LinkMethod) -> Self {
        let (points, begun) = (ContactPoints::new(), StoneMemory::default());
        Self { solver: Solver::new(link), reach: 0.0, points, begun, vertices: Vec::new(), rounded: None }
    }

    /// How two pieces are to each other. `contact` is what is known of pieces that touch, `apart` of others.
    pub(super) fn meet(
        &mut self,
        first: &PlacedPiece<'_, D>,
        second: &PlacedPiece<'_, D>,
        contact: Option<&mut StoneMemory<D>>,
        apart: &mut ApartMemory<D>,
    ) -> Encounter<D> {
        self.rounded = None;
        match (first.form, second.form) {
            (Form::Ball { radius: a }, Form::Ball { radius: b }) => {
                let (a, b) = (a * first.size, b * second.size);
                let between = sub(second.pose.position, first.pose.position);
                let distance = length(between);
                // Centres in one place have no direction; overlaps so deep end the run.
                let normal = if distance > 0.0 { scale(between, 1.0 / distance) } else { upwards() };
                self.round(first.pose.position, normal, a, a + b - distance, a * b / (a + b))
            }
            (Form::Ball { radius }, Form::Convex(_)) => {
                let (normal, distance) = nearest(second, first.pose.position);
                let radius = radius * first.size;
                self.round(first.pose.position, scale(normal, -1.0), radius, radius - distance, radius)
            }
            (Form::Convex(_), Form::Ball { radius }) => {
                let (normal, distance) = nearest(first, second.pose.position);
                let radius = radius * second.size;
                // From the stone's surface inwards.
                let surface = add_scaled(second.pose.position, -radius, normal);
                self.round(surface, normal, 0.0, radius - distance, radius)
            }
            (Form::Convex(a), Form::Convex(b)) => {
                let (bodies, poses) = ([a, b], [&first.pose, &second.pose]);
                self.stones(bodies, poses, [first.size, second.size], contact, apart)
            }
        }
    }

    /// A contact of a ball, at one point, the middle of the overlap: so far from `from` along the normal, less half of the overlap.
    pub(super) fn round(
        &mut self,
        from: [f64; D],
        normal: [f64; D],
        arm: f64,
        overlap: f64,
        reduced_radius: f64,
    ) -> Encounter<D> {
        if overlap <= -self.reach {
            return Encounter::Apart(-overlap - self.reach);
        }
        self.at_one_point(from, normal, arm, overlap);
        Encounter::Touching {
            normal,
            reduced_radius: Some(reduced_radius),
            with_ball: true,
            iterations: None,
        }
    }

    /// Notes the only point of a contact, see [`Meeter::round`].
    pub(super) fn at_one_point(&mut self, from: [f64; D], normal: [f64; D], arm: f64, overlap: f64) {
        let along = if arm > 0.0 { arm - 0.5 * overlap } else { 0.5 * overlap };
        self.points.clear();
        self.points.push(ContactPoint::whole(add_scaled(from, along, normal), overlap, normal));
    }

    /// Two stones. A contact that begins is found anew, so that it does not depend on how the two came near each other.
    fn stones(
        &mut self,
        bodies: [&crate::convex::Body<D>; 2],
        poses: [&Pose<D>; 2],
        sizes: [f64; 2],
        contact: Option<&mut StoneMemory<D>>,
        apart: &mut ApartMemory<D>,
    ) -> Encounter<D> {
        let memory = match contact {
            Some(memory) => memory,
            None => {
                if let Some(gap) = self.solver.gap(bodies, poses, sizes, apart) {
                    return Encounter::Apart(gap);
                }
                &mut self.begun
            }
        };
        let StoneMemory { link, still, .. } = memory;
        let found = self.solver.touch(bodies, poses, sizes, (link, still), &mut self.points);
        if found.gap >= 0.0 {
            *apart = ApartMemory::of(link);
            return Encounter::Apart(found.gap);
        }
        for point in &mut self.points {
            point.position = add(point.position, poses[0].position);
        }
        let (normal, iterations) = (found.normal, Some(found.iterations).filter(|&rounds| rounds > 0));
        Encounter::Touching { normal, reduced_radius: None, with_ball: false, iterations }
    }
}

/// Some direction.
fn upwards<const D: usize>() -> [f64; D] {
    std::array::from_fn(|k| if k == D - 1 { 1.0 } else { 0.0 })
}

/// Where a stone is nearest to a point: the normal towards it, and the distance.
fn nearest<const D: usize>(stone: &PlacedPiece<'_, D>, point: [f64; D]) -> ([f64; D], f64) {
    let Form::Convex(body) = stone.form else { unreachable!("a stone") };
    let local = scale(stone.pose.turn_back(sub(point, stone.pose.position)), 1.0 / stone.size);
    let found = body.nearest(local);
    (stone.pose.turn(found.normal), stone.size * found.distance)
}
