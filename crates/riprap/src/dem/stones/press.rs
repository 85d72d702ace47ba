//! What two bodies that press on each other at some points do to each other.
//!
//! ```text
//! points with depths ─▶ overlap, centre of the load, mean radius ─▶ Touch ─▶ law ─▶ force at the centre, couple
//! ```
//!
//! The normal force is that of a spring per contact, with the potential `U = k/2 sum of w_i d_i^2`, where each point of depth `d_i` has
//! a share `w_i` of the stiffness (`convex/share.rs`): `k d` in all for any number of equally deep points. Shares change with turns,
//! which gives a couple. Or of a spring per point, all `w_i` one, as the program of the shortest-link paper counts it. Having a
//! potential, both neither gain nor lose energy when a body rocks, and no point pulls; but the latter leaps where a corner of a face is cut off
//! and two points take the place of one.
//!
//! The sum acts at the centre of the load, and so do friction and the dashpot of the law. One tangential and one twisting spring per
//! contact: the limit of the latter is friction times the mean distance from the centre of a load spread evenly over the region
//! between the points. A dashpot at every point, with its share of the depth, damps rocking.

use super::context::{Follows, StoneLaw};
use super::mean_distance::mean_distance;
use crate::convex::ContactPoint;
use crate::dem::contact::{Kinds, Response, Span, StepEnergies, Touch};
use crate::dem::law::Asked;
use crate::dem::material::Coefficients;
use crate::dem::settings::StiffnessPer;
use crate::dem::spin::{Spin, moment, turn};
use crate::vector::{add, add_scaled, components, dot, length, scale, sub};

/// One of two bodies that touch.
#[derive(Debug, Clone, Copy)]
pub(super) struct Member<'a, const D: usize> {
    /// Centre of mass.
    pub(super) center: [f64; D],
    /// Velocity of the centre of mass.
    pub(super) velocity: [f64; D],
    pub(super) spin: Spin,
    /// One over the mass; zero for walls.
    pub(super) inverse_mass: f64,
    /// One over the principal moments; zero for walls.
    pub(super) inverse_inertia: [f64; 3],
    /// Rows of the rotation that takes the principal axes to where they are.
    pub(super) axes: &'a [[f64; D]; D],
}

impl<const D: usize> Member<'_, D> {
    /// Velocity of its surface at a point.
    #[inline(always)]
    pub(super) fn velocity_at(&self, point: [f64; D]) -> [f64; D] {
        add(self.velocity, turn(self.spin, sub(point, self.center)))
    }

    /// The spin that a turning impulse gives it.
    #[inline(always)]
    fn spin_by(&self, impulse: Spin) -> Spin {
        let inverse = self.inverse_inertia;
        if D == 2 || inverse[0] == inverse[1] && inverse[1] == inverse[2] {
            return scale(impulse, inverse[2]);
        }
        let axes = self.axes;
        let along: [f64; 3] =
            components(|k| inverse[k] * (0..3).map(|i| axes[i][k] * impulse[i]).sum::<f64>());
        components(|i| (0..3).map(|k| axes[i][k] * along[k]).sum())
    }

    /// One over the mass that a force at a point along a direction has to move.
    #[inline(always)]
    fn inverse_mass_at(&self, point: [f64; D], direction: [f64; D]) -> f64 {
        let turning = moment(sub(point, self.center), direction);
        self.inverse_mass + dot(turning, self.spin_by(turning))
    }
}

/// What is round about a contact with the inside of a cylinder: its direction goes with the body's centre, so that shares, which change
/// as the body turns against it, change as the body moves around the axis, too.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rounded<const D: usize> {
    /// Centroid of the piece.
    pub(super) center: [f64; D],
    /// Its distance from the axis.
    pub(super) radius: f64,
    /// Unit vector along the axis.
    pub(super) axis: Spin,
    /// The direction in which the centre moves as it turns about the axis.
    pub(super) along: [f64; D],
}

/// A contact's points, as the law needs them.
#[derive(Debug, Clone, Copy)]
pub(super) struct PressedRegion<const D: usize> {
    /// Unit vector of the force, from the first body to the second.
    pub(super) normal: [f64; D],
    /// What the force is in proportion to.
    pub(super) overlap: f64,
    /// What the energy is in proportion to the square of.
    pub(super) energy_overlap: f64,
    /// Its stiffness over that of one point as deep as the deepest.
    pub(super) hardness: f64,
    /// Where the sum of the forces acts.
    pub(super) center: [f64; D],
    /// What is left of their moment there, per stiffness.
    pub(super) couple: Spin,
    /// Mean distance from there of a load spread evenly.
    pub(super) radius: f64,
}

impl<const D: usize> PressedRegion<D> {
    /// The same in a cylinder: nothing turns about its axis because of shares, as without friction nothing does.
    pub(super) fn rounded(
        self,
        points: &[ContactPoint<D>],
        stiffness: StiffnessPer,
        round: &Rounded<D>,
    ) -> Self {
        let turning = |point: &ContactPoint<D>| match stiffness {
            StiffnessPer::Contact => 0.5 * point.depth * point.depth * dot(point.share.turn, round.axis),
            StiffnessPer::Point => 0.0,
        };
        let force = scale(round.along, -points.iter().map(turning).sum::<f64>() / round.radius);
        // A vertex alone pushes along its own radius.
        let normal = if let [point] = points { point.direction } else { self.normal };
        let whole = add_scaled(force, self.overlap, normal);
        let overlap = length(whole);
        let couple = add(self.couple, moment(sub(round.center, self.center), force));
        Self { normal: scale(whole, 1.0 / overlap), overlap, couple, ..self }
    }

    /// `normal` is that of the common plane.
    pub(super) fn new(points: &[ContactPoint<D>], normal: [f64; D], stiffness: StiffnessPer) -> Self {
        // Roundings might leave nothing to any of them.
        let lost = points.iter().map(|point| point.share.part).sum::<f64>() < 1e-6;
        let part = |point: &ContactPoint<D>| match stiffness {
            StiffnessPer::Contact if lost => 1.0 / points.len() as f64,
            StiffnessPer::Contact => point.share.part,
            StiffnessPer::Point => 1.0,
        };
        let turning = |point: &ContactPoint<D>| match stiffness {
            StiffnessPer::Contact => scale(point.share.turn, 0.5 * point.depth * point.depth),
            StiffnessPer::Point => [0.0; 3],
        };
        if let [point] = points {
            let part = part(point);
            return Self {
                normal,
                overlap: part * point.depth,
                energy_overlap: part.sqrt() * point.depth,
                hardness: part,
                center: point.position,
                couple: turning(point),
                radius: 0.0,
            };
        }
        let (mut force, mut total, mut energy) = ([0.0; D], 0.0, 0.0);
        for point in points {
            let share = part(point) * point.depth;
            force = add_scaled(force, share, point.direction);
            total += share;
            energy += share * point.depth;
        }
        let deepest = points.iter().map(|point| point.depth).fold(0.0, f64::max);
        let overlap = length(force);
        let origin = points[0].position;
        let mut center = [0.0; D];
        for point in points {
            let share = part(point) * point.depth / total;
            center = add_scaled(center, share, sub(point.position, origin));
        }
        let center = add(origin, center);
        let mut couple = [0.0; 3];
        for point in points {
            let force = scale(point.direction, part(point) * point.depth);
            couple = add(couple, moment(sub(point.position, center), force));
            couple = add(couple, turning(point));
        }
        let radius = if D == 3 { mean_distance(points, normal, center) } else { 0.0 };
        let normal = scale(force, 1.0 / overlap);
        let hardness = overlap / deepest;
        Self { normal, overlap, energy_overlap: energy.sqrt(), hardness, center, couple, radius }
    }
}

/// What a contact does, at the centre of its load.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pressed<const D: usize> {
    pub(super) push: f64,
    /// Force on the first body; the second feels the opposite.
    pub(super) force: [f64; D],
    /// Torque on the first body beside that of the force at the centre of the load; the second feels the opposite.
    pub(super) couple: Spin,
    pub(super) energies: StepEnergies,
    /// The rate at which the motion stores energy in the normal force.
    pub(super) power: f64,
    /// Whether the contact goes on.
    pub(super) holds: bool,
}

/// What a contact is pressed by: the law and its numbers for the two materials.
#[derive(Clone, Copy)]
pub(super) struct Pressing<'a, const D: usize> {
    pub(super) law: StoneLaw<'a, D>,
    pub(super) kinds: Kinds,
    pub(super) span: Span<f64>,
}

/// Where and how two bodies touch.
#[derive(Debug, Clone, Copy)]
pub(super) struct Meeting<'a, const D: usize> {
    pub(super) region: PressedRegion<D>,
    /// The points of the region.
    pub(super) points: &'a [ContactPoint<D>],
    /// The reduced radius, if one of the two is round there.
    pub(super) reduced_radius: Option<f64>,
    /// Whether one of the two is a ball.
    pub(super) with_ball: bool,
}

impl<const D: usize> Meeting<'_, D> {
    /// The law that it follows.
    pub(super) fn law(&self) -> Follows {
        match self.reduced_radius {
            _ if self.with_ball => Follows::Round,
            None if self.region.radius > 0.0 => Follows::Flat,
            None => Follows::Point,
            Some(_) => Follows::Rod,
        }
    }
}

impl<const D: usize> Pressing<'_, D> {
    /// The forces of a contact over a step; `numbers` are what the law remembers of it.
    pub(super) fn respond(
        &self,
        meeting: &Meeting<'_, D>,
        members: [&Member<'_, D>; 2],
        coefficients: &Coefficients,
        numbers: &mut [f64],
    ) -> Pressed<D> {
        let asked = self.ask(meeting, members, coefficients);
        let Asked { touch, coefficients } = &asked;
        let response = self.law.law.respond(self.kinds, coefficients, touch, numbers, self.span);
        self.pressed(meeting, &asked, &response)
    }

    /// What the law is asked about a contact.
    #[inline(always)]
    pub(super) fn ask(
        &self,
        meeting: &Meeting<'_, D>,
        [first, second]: [&Member<'_, D>; 2],
        coefficients: &Coefficients,
    ) -> Asked<D> {
        let Meeting { region, points, reduced_radius, .. } = *meeting;
        let PressedRegion { normal, center, .. } = region;
        let velocity = sub(first.velocity_at(center), second.velocity_at(center));
        let approach = dot(velocity, normal);
        let turning = sub(first.spin, second.spin);
        let about = std::array::from_fn(|k| if D == 2 { f64::from(u8::from(k == 2)) } else { normal[k % D] });
        let touch = Touch {
            normal,
            overlap: region.overlap,
            approach,
            slip: add_scaled(velocity, -approach, normal),
            turning,
            inverse_mass: first.inverse_mass_at(center, normal) + second.inverse_mass_at(center, normal),
            inverse_inertia: if self.law.turns {
                dot(about, first.spin_by(about)) + dot(about, second.spin_by(about))
            } else {
                0.0
            },
            reduced_radius: reduced_radius.unwrap_or(region.radius),
        };
        let mut coefficients = *coefficients;
        if points.len() > 1 || region.hardness != 1.0 {
            // Dashpots fit the stiffness, so that restitution is what it is said to be.
            let share = region.hardness.sqrt();
            coefficients.damping *= share;
            coefficients.tangential_damping *= share;
            (coefficients.rolling, coefficients.twisting) = (0.0, coefficients.friction);
        }
        Asked { touch, coefficients }
    }

    /// What a contact does, after the law has been asked.
    #[inline(always)]
    pub(super) fn pressed(
        &self,
        meeting: &Meeting<'_, D>,
        asked: &Asked<D>,
        response: &Response<f64, (), D>,
    ) -> Pressed<D> {
        let Meeting { region, points, .. } = *meeting;
        let PressedRegion { normal, center, .. } = region;
        let Asked { touch, coefficients } = asked;
        let Response { push, pull, couple, mut energies, holds, memory: () } = *response;
        let mut couple = add_scaled(scale(couple, -1.0), -coefficients.normal, region.couple);
        if points.len() > 1 && coefficients.damping > 0.0 {
            let damping = coefficients.damping / touch.inverse_mass.sqrt();
            let load = |point: &ContactPoint<D>| point.depth * point.share.part.max(1e-6);
            let loads: f64 = points.iter().map(load).sum();
            for point in points {
                let from = sub(point.position, center);
                let rocking = dot(turn::<f64, D>(touch.turning, from), normal);
                let force = damping * load(point) / loads * rocking;
                couple = add_scaled(couple, -force, moment(from, normal));
                energies.lost.damping += force * rocking * self.span.whole();
                energies.later.damping += force * rocking * self.span.after;
            }
        }
        let force = sub(scale(normal, -push), pull);
        let power =
            coefficients.normal * (region.overlap * touch.approach + dot(region.couple, touch.turning));
        Pressed { push, force, couple, energies, power, holds: holds > 0.5 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convex::Share;

    fn points(depths: &[f64]) -> Vec<ContactPoint<3>> {
        let corners = [[0.5, 0.5], [-0.5, 0.5], [-0.5, -0.5], [0.5, -0.5]];
        let share = Share { part: 1.0 / depths.len() as f64, turn: [0.0; 3] };
        depths
            .iter()
            .zip(corners)
            .map(|(&depth, [x, y])| ContactPoint { share, ..ContactPoint::whole([x, y, 0.0], depth, UP) })
            .collect()
    }

    const UP: [f64; 3] = [0.0, 0.0, 1.0];

    #[test]
    fn equal_points_are_as_stiff_as_one() {
        for count in 1..=4 {
            let points = points(&vec![1e-3; count]);
            let region = PressedRegion::new(&points, UP, StiffnessPer::Contact);
            assert!((region.overlap - 1e-3).abs() < 1e-18 && (region.energy_overlap - 1e-3).abs() < 1e-18);
            let region = PressedRegion::new(&points, UP, StiffnessPer::Point);
            assert!((region.overlap - count as f64 * 1e-3).abs() < 1e-17);
        }
    }

    #[test]
    fn a_point_that_only_just_touches_adds_nothing() {
        let both = points(&[1e-3, 1e-12]);
        let alone = PressedRegion::new(&both[..1], UP, StiffnessPer::Contact);
        let region = PressedRegion::new(&both, UP, StiffnessPer::Contact);
        assert!((region.overlap / alone.overlap - 1.0).abs() < 1e-8);
        assert!(length(sub(region.center, alone.center)) < 1e-8);
    }

    /// The force at each point is what the energy loses when its depth does.
    #[test]
    fn forces_have_a_potential() {
        for stiffness in [StiffnessPer::Contact, StiffnessPer::Point] {
            let depths = [1e-3, 2e-3, 0.7e-3, 1.1e-3];
            let region = |depths: &[f64]| PressedRegion::new(&points(depths), UP, stiffness);
            let energy = |depths: &[f64]| 0.5 * region(depths).energy_overlap.powi(2);
            let (mut sum, mut moment) = (0.0, [0.0; 2]);
            for (k, point) in points(&depths).iter().enumerate() {
                let change = |by: f64| {
                    let mut depths = depths;
                    depths[k] += by;
                    energy(&depths)
                };
                let force = (change(1e-8) - change(-1e-8)) / 2e-8;
                sum += force;
                moment = add_scaled(moment, force, [point.position[0], point.position[1]]);
            }
            let found = region(&depths);
            assert!((found.overlap / sum - 1.0).abs() < 1e-6, "{} {sum}", found.overlap);
            for k in 0..2 {
                assert!((found.center[k] - moment[k] / sum).abs() < 1e-6);
            }
        }
    }

    #[test]
    fn the_mean_distance_of_squares_lines_and_triangles() {
        let radius =
            |points: Vec<ContactPoint<3>>| PressedRegion::new(&points, UP, StiffnessPer::Contact).radius;
        assert!((radius(points(&[1.0; 4])) / 0.382_597_858 - 1.0).abs() < 1e-4);
        assert!((radius(points(&[1.0; 2])) - 0.25).abs() < 1e-12);
        let triangle = [0.0, 1.0, 2.0].map(|k: f64| {
            let (sine, cosine) = (k * std::f64::consts::TAU / 3.0).sin_cos();
            ContactPoint::whole([cosine, sine, 0.0], 1.0, UP)
        });
        // By summing over many small triangles.
        assert!((radius(triangle.to_vec()) - 0.4606).abs() < 1e-3);
    }
}
