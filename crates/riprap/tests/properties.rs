//! Properties of every method on shrinking random input.

mod common;

use common::long::cases;
use common::{SPECIFICATIONS, check_with, compare, is_periodic, oracle};
use proptest::prelude::*;
use riprap::broad::{Pair, create};
use riprap::{Criterion, SphereColumns};

/// Coordinates and radii are multiples of 1/64, so that sums are exact, spheres often touch exactly and share cells.
const UNIT: f64 = 1.0 / 64.0;

fn sphere<const D: usize>() -> impl Strategy<Value = ([f64; D], f64)> {
    let center = proptest::array::uniform::<_, D>(-200i32..200);
    let radius = prop_oneof![8 => 1i32..40, 1 => 100i32..250];
    (center, radius)
        .prop_map(|(center, radius)| (center.map(|x| f64::from(x) * UNIT), f64::from(radius) * UNIT))
}

fn spheres<const D: usize>() -> impl Strategy<Value = SphereColumns<D>> {
    proptest::collection::vec(sphere::<D>(), 0..60).prop_map(|spheres| {
        let (centers, radii) = spheres.into_iter().unzip();
        SphereColumns { centers, radii }
    })
}

/// A margin, and box lengths of which some may be infinite; all wide enough for the largest sphere.
fn criterion<const D: usize>() -> impl Strategy<Value = Criterion<D>> {
    let length =
        prop_oneof![1 => Just(f64::INFINITY), 2 => (1200i32..3000).prop_map(|x| f64::from(x) * UNIT)];
    (0i32..64, proptest::array::uniform::<_, D>(length))
        .prop_map(|(margin, lengths)| Criterion { margin: f64::from(margin) * UNIT, lengths })
}

fn agree<const D: usize>(spheres: &SphereColumns<D>, criterion: &Criterion<D>) -> Result<(), TestCaseError> {
    let boxes = [[f64::INFINITY; D], criterion.lengths];
    let truths = boxes.map(|lengths| oracle(spheres, criterion.margin, lengths));
    for specification in SPECIFICATIONS {
        let which = usize::from(is_periodic(specification));
        let mut method = create::<D>(specification).unwrap();
        let result = check_with(&mut *method, spheres, criterion.margin, boxes[which], &truths[which]);
        prop_assert!(result.is_ok(), "{specification}: {result:?}");
    }
    Ok(())
}

/// Pairs of the same spheres in another order, under their old names.
fn permuted<const D: usize>(spheres: &SphereColumns<D>, order: &[usize]) -> Result<(), TestCaseError> {
    let truth = oracle(spheres, 0.0, [f64::INFINITY; D]);
    let mut shuffled = SphereColumns::default();
    for &row in order {
        shuffled.push(spheres.centers[row], spheres.radii[row]);
    }
    for specification in SPECIFICATIONS {
        let mut pairs = Vec::new();
        let mut method = create::<D>(specification).unwrap();
        method.find(shuffled.view().unwrap(), &Criterion::default(), &mut pairs).unwrap();
        let name = |row: u32| order[row as usize] as u32;
        let renamed: Vec<_> = pairs.iter().map(|pair| Pair::new(name(pair.a), name(pair.b))).collect();
        prop_assert!(compare(&renamed, &truth).is_ok(), "{specification}");
    }
    Ok(())
}

/// Pairs of the same spheres elsewhere.
fn translated<const D: usize>(spheres: &SphereColumns<D>, shift: [f64; D]) -> Result<(), TestCaseError> {
    let truth = oracle(spheres, 0.25, [f64::INFINITY; D]);
    let mut moved = spheres.clone();
    for center in &mut moved.centers {
        *center = std::array::from_fn(|k| center[k] + shift[k]);
    }
    for specification in SPECIFICATIONS {
        let mut pairs = Vec::new();
        let mut method = create::<D>(specification).unwrap();
        let criterion = Criterion { margin: 0.25, ..Criterion::default() };
        method.find(moved.view().unwrap(), &criterion, &mut pairs).unwrap();
        prop_assert!(compare(&pairs, &truth).is_ok(), "{specification}");
    }
    Ok(())
}

/// A whole number of units, up to a billion.
fn shift<const D: usize>() -> impl Strategy<Value = [f64; D]> {
    proptest::array::uniform::<_, D>(-64_000_000_000i64..64_000_000_000)
        .prop_map(|shift| shift.map(|x| x as f64 * UNIT))
}

fn with_order<const D: usize>() -> impl Strategy<Value = (SphereColumns<D>, Vec<usize>)> {
    spheres::<D>().prop_flat_map(|spheres| {
        let rows: Vec<usize> = (0..spheres.radii.len()).collect();
        (Just(spheres), Just(rows).prop_shuffle())
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(256) as u32))]

    #[test]
    fn every_method_equals_the_oracle_2d(spheres in spheres::<2>(), criterion in criterion::<2>()) {
        agree(&spheres, &criterion)?;
    }

    #[test]
    fn every_method_equals_the_oracle_3d(spheres in spheres::<3>(), criterion in criterion::<3>()) {
        agree(&spheres, &criterion)?;
    }

    #[test]
    fn order_of_the_rows_does_not_matter_2d((spheres, order) in with_order::<2>()) {
        permuted(&spheres, &order)?;
    }

    #[test]
    fn order_of_the_rows_does_not_matter_3d((spheres, order) in with_order::<3>()) {
        permuted(&spheres, &order)?;
    }

    #[test]
    fn place_does_not_matter_2d(spheres in spheres::<2>(), shift in shift::<2>()) {
        translated(&spheres, shift)?;
    }

    #[test]
    fn place_does_not_matter_3d(spheres in spheres::<3>(), shift in shift::<3>()) {
        translated(&spheres, shift)?;
    }
}
