//! How long a time step may be.
//!
//! Central differences are stable while the step is shorter than `2 / w`, with `w` the highest frequency of the system. With
//! contacts of stiffness `k` between bodies of mass `m`, each touched by `c` others, `w^2 <= 2 c k / m` (Gershgorin). For two
//! bodies alone `w0^2 = 2 k / m`, half a period of which is the duration of a collision; so with twelve neighbours in space,
//! or six in the plane, a step must be shorter than `0.18` or `0.26` of a collision, less where damping is strong. A tangential
//! spring also turns the bodies, which makes it act like one that is stiffer by the factor `1 + m r^2 / I`; those of rolling and twisting,
//! of the stiffness `k_t R^2` with the reduced radius `R`, add no more than `m r^2 / I` times the tangential one.
//! Stones are turned by every force that does not point at their centre, and need a shorter step still; bodies of many pieces lie on
//! as many springs at once.

use super::body::Shapes;
pub use super::inserted::{Smallest, Surfaces};
use super::material::Coefficients;
use super::materials::Materials;
use super::overlap::LARGE_OVERLAP;
use super::passes::{law_of_faces, passes_of};
use super::settings::StiffnessPer;

/// The step of choice, as a share of the shortest collision.
pub const DEFAULT_SHARE: f64 = 0.02;
/// It is not longer than this share of the stable limit, which counts where tangential springs are the stiffest.
const LARGEST_SHARE: f64 = 0.25;
/// Nor than this share of the time in which a dashpot alone would slow bodies down, which counts below a restitution of 0.17: the energy
/// that it takes would not be known to a thousandth.
const DAMPING_SHARE: f64 = 0.1;

/// The stiffest contact and what follows from it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stiffest {
    /// Duration of the shortest collision, without damping.
    pub collision: f64,
    /// Longest stable step.
    pub limit: f64,
    /// Time in which the strongest dashpot alone would slow bodies down, to one over e of their speed; infinite without damping.
    pub damping: f64,
}

impl Stiffest {
    /// The same for bodies of these shapes, which turn, and lie on several springs at once.
    pub(crate) fn of_shapes<const D: usize>(self, shapes: &Shapes<D>, stiffness: StiffnessPer) -> Self {
        let per_point = stiffness == StiffnessPer::Point;
        let springs = shapes.bearing(per_point) as f64;
        Self {
            collision: self.collision / springs.sqrt(),
            limit: self.limit * shapes.share_of_step(per_point),
            // Several dashpots begin at once, which costs more of their loss than one that does.
            damping: self.damping / if springs > 1.0 { 2.0 * springs } else { 1.0 },
        }
    }

    /// The step of choice.
    pub fn step(&self) -> f64 {
        (DEFAULT_SHARE * self.collision).min(LARGEST_SHARE * self.limit).min(DAMPING_SHARE * self.damping)
    }
}

/// The stiffest contact among bodies whose surfaces are given by material, and with walls of some materials; `None` if no two
/// of them can touch. Laws whose stiffness depends on the overlap are taken at the largest one allowed, but not beyond
/// [`LARGE_OVERLAP`]: deeper contacts are rare, and the step has room for them.
pub fn stiffest<const D: usize>(
    materials: &Materials<D>,
    surfaces: &[Surfaces],
    walls: &[u8],
    overlap_limit: f64,
) -> Option<Stiffest> {
    let neighbors: f64 = if D == 2 { 6.0 } else { 12.0 };
    let overlap_limit = overlap_limit.min(LARGE_OVERLAP);
    let inertia = Shapes::<D>::default().ball_inertia();
    let mut shortest: Option<Stiffest> = None;
    let mut consider = |coefficients: &Coefficients, (normal, tangential): (f64, f64), mass: f64| {
        let slides = if coefficients.friction > 0.0 { 1.0 + 1.0 / inertia } else { 0.0 };
        let turns =
            if coefficients.rolling > 0.0 || coefficients.twisting > 0.0 { 1.0 / inertia } else { 0.0 };
        let ratio = coefficients.damping_ratio;
        let highest = (neighbors * normal.max((slides + turns) * tangential) / mass).sqrt();
        let limit = 2.0 / highest * ((1.0 + ratio * ratio).sqrt() - ratio);
        let collision = std::f64::consts::PI / (normal / mass).sqrt();
        let damping = collision / (2.0 * std::f64::consts::PI * ratio);
        let so_far = shortest.unwrap_or(Stiffest { collision, limit, damping });
        shortest = Some(Stiffest {
            collision: collision.min(so_far.collision),
            limit: limit.min(so_far.limit),
            damping: damping.min(so_far.damping),
        });
    };
    let reduced = |x: f64, y: f64| x * y / (x + y);
    let (law, of_faces) = (passes_of(materials), law_of_faces::<D>(true));
    for (a, first) in surfaces.iter().enumerate() {
        for (b, second) in surfaces.iter().enumerate() {
            let (round, faces) = (materials.of(a as u8, b as u8), materials.of_faces(a as u8, b as u8));
            if let (Some(one), Some(other)) = (first.round, second.round) {
                let overlap = overlap_limit * one.radius.min(other.radius);
                let slopes = law.slopes(round, overlap, reduced(one.radius, other.radius));
                consider(round, slopes, reduced(one.mass, other.mass));
            }
            if let (Some(ball), Some(stone)) = (first.round, second.faced) {
                // A large ball on a small stone is stiffer than a small one.
                for radius in [ball.radius, first.largest_round] {
                    let overlap = overlap_limit * radius.min(stone.radius);
                    let mass =
                        ball.mass * Shapes::<D>::volume(radius / ball.radius) / Shapes::<D>::volume(1.0);
                    consider(round, law.slopes(round, overlap, radius), reduced(mass, stone.mass));
                }
            }
            if let (Some(one), Some(other)) = (first.faced, second.faced) {
                let overlap = overlap_limit * one.radius.min(other.radius);
                // A lone stone of its material may have no stiffness for faces.
                if faces.normal > 0.0 {
                    consider(faces, of_faces.slopes(faces, overlap, 0.0), reduced(one.mass, other.mass));
                }
            }
        }
        for &wall in walls {
            let (round, faces) = (materials.of(a as u8, wall), materials.of_faces(a as u8, wall));
            if let Some(Smallest { radius, mass }) = first.round {
                consider(round, law.slopes(round, overlap_limit * radius, radius), mass);
            }
            if let Some(Smallest { radius, mass }) = first.faced {
                consider(faces, of_faces.slopes(faces, overlap_limit * radius, 0.0), mass);
            }
        }
    }
    shortest
}
