//! A law for tests: it pulls, acts beyond touch and remembers numbers of its own.
//!
//! Surfaces that have touched are held by a constant force until they are further apart than an eighth of the reduced radius. A
//! contact remembers whether it has touched and how often it was asked.

use super::{Law, Of};
use crate::dem::contact::{Kinds, Response, Span, StepEnergies, Touch};
use crate::dem::material::{Coefficients, Given, Material, MaterialError, Stiffness};
use crate::number::Real;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Sticky;

const HOLD: f64 = 3.0;
const STIFFNESS: f64 = 1e3;

impl<const D: usize> Law<D> for Sticky {
    type Memory = [f64; 2];
    const SPRING: usize = 0;
    const TURNING: usize = 0;
    const NEEDS_RADIUS: bool = true;
    const REACHES: bool = true;
    const TURNS: bool = false;

    fn coefficients(a: &Material, b: &Material, given: &Given) -> Result<Coefficients, MaterialError> {
        Coefficients::new::<D>(a, b, given, Stiffness { normal: STIFFNESS, ..Stiffness::default() })
    }

    #[inline(always)]
    fn respond<T: Real>(
        _kinds: Kinds,
        _coefficients: &Coefficients<T>,
        touch: &Touch<T, D>,
        [touched, asked]: Of<[f64; 2], T>,
        _span: Span<T>,
    ) -> Response<T, Of<[f64; 2], T>, D> {
        let (zero, one) = (T::all(0.0), T::all(1.0));
        let touched = touch.overlap.above(zero, one, touched);
        let held = touch.overlap.above(-(touch.reduced_radius * T::all(0.125)), touched, zero);
        let push = T::all(STIFFNESS) * touch.overlap.max(zero) - held * T::all(HOLD);
        let memory = [held, asked + one];
        Response {
            push,
            pull: [zero; D],
            couple: [zero; 3],
            memory,
            energies: StepEnergies::none(),
            holds: one,
        }
    }

    fn stored(_coefficients: &Coefficients, _overlap: f64, _reduced_radius: f64, memory: &[f64; 2]) -> f64 {
        memory[1]
    }

    fn slopes(coefficients: &Coefficients, _overlap: f64, _reduced_radius: f64) -> (f64, f64) {
        (coefficients.normal, 0.0)
    }

    fn reach(_coefficients: &Coefficients, reduced_radius: f64) -> f64 {
        0.125 * reduced_radius
    }

    fn mirror(_memory: &mut [f64; 2]) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Criterion;
    use crate::broad::{self, Neighbors};
    use crate::dem::body::{Bodies, Load, NewBody, Shapes};
    use crate::dem::conditions::Conditions;
    use crate::dem::domain::Domain;
    use crate::dem::law::{By, LawKind};
    use crate::dem::materials::Materials;
    use crate::dem::pairs::PairList;
    use crate::dem::passes::Passes;
    use crate::dem::wall::{Surface, Wall, Walls};

    /// Two balls of radius 2 that come together, part and come near again, five side by side; beside each a wall that does the same.
    fn forces_along(gaps: &[f64], vectors: bool) -> (Vec<[f64; 2]>, f64) {
        let passes: &dyn Passes<3> = &By::<Sticky>::NEW;
        let stone = Material { young: Some(1e6), ..Material::default() };
        let materials = Materials::new(LawKind::Hertz, vec![stone]).unwrap();
        let shapes = Shapes::default();
        let mut bodies = Bodies::default();
        for k in 0..10u8 {
            let position = [9.0 * f64::from(k / 2), 5.0 * f64::from(k % 2), 0.0];
            bodies.push(u64::from(k), &NewBody::ball(position, 2.0), 1.0, &shapes, false);
        }
        let neighbors = Neighbors::new(broad::create::<3>("brute-force").unwrap());
        let mut pairs = PairList::new(neighbors, passes.words());
        let floor = Wall::new("floor", Surface::Plane { point: [0.0; 3], normal: [0.0, 0.0, 1.0] });
        let mut walls = Walls::new(vec![floor], &materials, passes.words()).unwrap();
        let reach = passes.reach(materials.of(0, 0), 2.0);
        let criterion = Criterion { margin: reach, ..Criterion::default() };
        let (mut found, mut asked) = (Vec::new(), 0.0);
        for gap in gaps {
            for k in 0..10 {
                bodies.position[k][1] = (k % 2) as f64 * (4.0 + gap);
                bodies.position[k][2] = 2.0 + gap;
                bodies.load[k] = Load::NONE;
            }
            let conditions = Conditions {
                materials: &materials,
                kinds: Kinds::default(),
                periods: Domain::default().periods(),
                span: Span::of_step(1e-3),
                overlap_limit: 1.0,
                reach,
                vectors,
                record: true,
            };
            pairs.update(&bodies, &criterion, f64::INFINITY, false).unwrap();
            let mut records = Vec::new();
            pairs.apply(&mut bodies, &shapes, passes, &conditions, false, &mut records);
            let (near, around) = walls.split(conditions);
            near.rebuild(&bodies, &around, 0.5, None);
            near.apply(&mut bodies, &shapes, passes, &around, false, &mut records);
            assert!(bodies.load.chunks(2).all(|pair| pair[0].force[1] == -pair[1].force[1]));
            assert!(bodies.load.iter().all(|load| load.force[2] == bodies.load[0].force[2]));
            found.push([-bodies.load[0].force[1], bodies.load[0].force[2]]);
            asked = records.iter().map(|record| record.energy).fold(0.0, f64::max);
        }
        (found, asked)
    }

    #[test]
    fn a_law_may_pull_reach_beyond_touch_and_remember_what_it_likes() {
        for vectors in [false, true] {
            // Near without having touched, touching, near, too far for balls (reduced radius 1) but not for the wall (2), near.
            let (found, asked) = forces_along(&[0.1, -0.01, 0.1, 0.2, 0.1], vectors);
            let push = STIFFNESS * 0.01 - HOLD;
            for (found, expected) in
                found.iter().zip([[0.0, 0.0], [push, push], [-HOLD, -HOLD], [0.0, -HOLD], [0.0, -HOLD]])
            {
                assert!((0..2).all(|k| (found[k] - expected[k]).abs() < 1e-9), "{found:?} {expected:?}");
            }
            // The reach of all contacts is the widest one, so none has been forgotten.
            assert_eq!(asked, 5.0);
        }
    }
}
