//! How long a time step may be.
//!
//! Central differences are stable while the step is shorter than `2 / w`, with `w` the highest frequency of the system. With
//! contacts of stiffness `k` between bodies of mass `m`, each touched by `c` others, `w^2 <= 2 c k / m` (Gershgorin). For two
//! bodies alone `w0^2 = 2 k / m`, half a period of which is the duration of a collision; so with twelve neighbours in space,
//! or six in the plane, a step must be shorter than `0.18` or `0.26` of a collision, less where damping is strong. A tangential
//! spring also turns the bodies, which makes it act like one that is stiffer by the factor `1 + m r^2 / I`; those of rolling and twisting,
//! of the stiffness `k_t R^2` with the reduced radius `R`, add no more than `m r^2 / I` times the tangential one.
//! Stones are turned by every force that does not point at their centre, and need a shorter step still.

use super::body::Shapes;
pub use super::inserted::Smallest;
use super::materials::Materials;
use super::overlap::LARGE_OVERLAP;
use super::passes::passes_of;

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
    /// The step of choice.
    pub fn step(&self) -> f64 {
        (DEFAULT_SHARE * self.collision).min(LARGEST_SHARE * self.limit).min(DAMPING_SHARE * self.damping)
    }
}

/// The stiffest contact among bodies whose smallest are given by material, and with walls of some materials; `None` if no two
/// of them can touch. Laws whose stiffness depends on the overlap are taken at the largest one allowed, but not beyond
/// [`LARGE_OVERLAP`]: deeper contacts are rare, and the step has room for them.
pub fn stiffest<const D: usize>(
    materials: &Materials<D>,
    smallest: &[Option<Smallest>],
    walls: &[u8],
    overlap_limit: f64,
) -> Option<Stiffest> {
    let (neighbors, passes): (f64, _) = (if D == 2 { 6.0 } else { 12.0 }, passes_of(materials));
    let overlap_limit = overlap_limit.min(LARGE_OVERLAP);
    let inertia = Shapes::<D>::default().ball_inertia();
    let mut shortest: Option<Stiffest> = None;
    let mut consider = |a: u8, b: u8, mass: f64, radius: f64, overlap: f64| {
        let coefficients = materials.of(a, b);
        let (normal, tangential) = passes.slopes(coefficients, overlap, radius);
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
    for (a, first) in smallest.iter().enumerate() {
        let Some(first) = first else { continue };
        for (b, second) in smallest.iter().enumerate() {
            let Some(second) = second else { continue };
            let reduced = |x: f64, y: f64| x * y / (x + y);
            let overlap = overlap_limit * first.radius.min(second.radius);
            consider(
                a as u8,
                b as u8,
                reduced(first.mass, second.mass),
                reduced(first.radius, second.radius),
                overlap,
            );
        }
        for &wall in walls {
            consider(a as u8, wall, first.mass, first.radius, overlap_limit * first.radius);
        }
    }
    shortest
}
