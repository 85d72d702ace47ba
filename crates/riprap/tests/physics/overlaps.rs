//! Large overlaps: noticed above a tenth of the radius, refused above the limit, and told as what they are.

use riprap::dem::{EnergyCause, Failure, LARGE_OVERLAP, LawKind, Material, Overlapped, Settings, Simulation};

use crate::{ball, floor, material, simulation};

const RADIUS: f64 = 0.01;

fn soft(limit: f64) -> Simulation<3> {
    let soft = Material { k_n: Some(1e3), young: Some(1e6), ..material("soft") };
    let settings = Settings { time_step: 1e-5, overlap_limit: limit, ..Settings::default() };
    simulation(LawKind::Linear, settings, &[soft], vec![floor([0.0, 0.0, 1.0], 0)])
}

/// Two balls whose overlap is this share of their radius.
fn two(overlap: f64) -> [riprap::dem::NewBody<3>; 2] {
    let x = (2.0 - overlap) * RADIUS;
    [ball([0.0, 0.0, 0.1], [0.0; 3], RADIUS), ball([x, 0.0, 0.1], [0.0; 3], RADIUS)]
}

#[test]
fn an_overlap_at_the_start_is_told_as_that() {
    let mut simulation = soft(Settings::<3>::default().overlap_limit);
    simulation.insert(&two(0.6)).unwrap();
    let failure = simulation.prepare().unwrap_err();
    assert!(matches!(failure, Failure::InsertedOverlap { step: 0, a: 0, b: 1, .. }), "{failure}");
    let text = failure.to_string();
    assert!(text.contains("particles 0 and 1 overlap at the start by 0.006, 60.0 % of the smaller radius"));
    assert!(text.contains("move them apart") && !text.contains("too soft"), "{text}");

    let mut simulation = soft(0.5);
    simulation.insert(&[ball([0.0, 0.0, 0.3 * RADIUS], [0.0; 3], RADIUS)]).unwrap();
    let failure = simulation.prepare().unwrap_err();
    assert!(matches!(failure, Failure::InsertedWallOverlap { step: 0, id: 0, .. }), "{failure}");
    assert!(failure.to_string().contains("overlaps wall `floor` at the start by"), "{failure}");
}

#[test]
fn an_overlap_of_new_bodies_is_told_as_that() {
    let mut simulation = soft(0.5);
    let [first, second] = two(0.6);
    simulation.insert(&[first]).unwrap();
    simulation.advance_by(10).unwrap();
    simulation.insert(&[second]).unwrap();
    let failure = simulation.advance().unwrap_err();
    assert!(matches!(failure, Failure::InsertedOverlap { step: 11, .. }), "{failure}");
    assert!(failure.to_string().contains("overlap when inserted by"), "{failure}");
}

#[test]
fn contacts_that_give_way_are_told_as_too_soft() {
    let mut simulation = soft(0.5);
    simulation.insert(&[ball([0.0, 0.0, 1.01 * RADIUS], [0.0, 0.0, -10.0], RADIUS)]).unwrap();
    let failure = simulation.advance_by(1000).unwrap_err();
    assert!(matches!(failure, Failure::WallOverlap { .. }), "{failure}");
    assert!(failure.to_string().contains("contacts are too soft"), "{failure}");
    let mut simulation = soft(0.5);
    let [first, second] = two(-0.01);
    simulation.insert(&[first.moving([10.0, 0.0, 0.0]), second]).unwrap();
    let failure = simulation.advance_by(1000).unwrap_err();
    assert!(matches!(failure, Failure::Overlap { .. }), "{failure}");
    assert!(failure.to_string().contains("contacts are too soft"), "{failure}");
}

/// Of several the deepest is told, and a large overlap is no reason to stop.
#[test]
fn large_overlaps_are_noticed_once_and_the_deepest_is_named() {
    let mut simulation = soft(0.5);
    let [first, second] = two(0.12);
    let below = ball([0.0, 0.0, 0.8 * RADIUS], [0.0; 3], RADIUS);
    simulation.insert(&[first, second, below]).unwrap();
    assert_eq!(simulation.deep_overlap(), None);
    simulation.advance_by(5).unwrap();
    let noticed = simulation.deep_overlap().unwrap().clone();
    assert_eq!((noticed.step, noticed.id, noticed.inserted), (0, 2, true));
    assert_eq!(noticed.other, Overlapped::Wall("floor".into()));
    assert!((noticed.relative - 0.2).abs() < 1e-9);
    simulation.advance_by(100).unwrap();
    assert_eq!(simulation.deep_overlap(), Some(&noticed));

    // Passed in motion, at the first step beyond it; one that stays below is not noticed.
    for (speed, noticed) in [(2.0, true), (0.3, false)] {
        let mut simulation = soft(0.5);
        let [first, second] = two(-0.01);
        simulation.insert(&[first.moving([speed, 0.0, 0.0]), second]).unwrap();
        simulation.advance_by(2000).unwrap();
        assert_eq!(simulation.deep_overlap().is_some(), noticed, "{speed}");
        if let Some(overlap) = simulation.deep_overlap() {
            assert!(overlap.step > 0 && !overlap.inserted && overlap.relative < 0.11, "{overlap:?}");
            assert_eq!((overlap.id, &overlap.other), (0, &Overlapped::Body(1)));
        }
    }
    // A limit below stops without a notice.
    let mut simulation = soft(0.05);
    simulation.insert(&two(0.07)).unwrap();
    assert!(simulation.prepare().is_err() && simulation.deep_overlap().is_none());
}

/// A higher limit makes the step neither shorter nor longer; a lower one makes it longer.
#[test]
fn the_step_is_derived_for_overlaps_up_to_a_tenth() {
    let step = |limit: f64| {
        let settings = Settings { time_step: 1e-7, overlap_limit: limit, ..Settings::default() };
        let mut simulation = simulation(LawKind::Hertz, settings, &[material("stone")], vec![]);
        simulation.insert(&[ball([0.0; 3], [0.0; 3], RADIUS)]).unwrap();
        simulation.stiffest().unwrap().step()
    };
    assert_eq!(step(0.5), step(LARGE_OVERLAP));
    assert!(step(0.05) > step(0.5));
}

/// The likeliest cause of an energy error, by what is wrong with a simulation.
#[test]
fn the_cause_of_an_energy_error_follows_from_what_is_known() {
    let sticky = Material { adhesion: Some(0.1), ..material("stone") };
    let cause_under = |law: LawKind, share_of_limit: f64, bodies: &[riprap::dem::NewBody<3>]| {
        let build = |time_step: f64| {
            let settings = Settings { time_step, force_step: true, ..Settings::default() };
            let mut simulation = simulation(law, settings, std::slice::from_ref(&sticky), vec![]);
            simulation.insert(bodies).unwrap();
            simulation
        };
        let limit = build(1e-6).stiffest().unwrap().limit;
        let mut simulation = build(share_of_limit * limit);
        simulation.prepare().unwrap();
        simulation.energy_cause()
    };
    let cause = |share_of_limit: f64, bodies: &[riprap::dem::NewBody<3>]| {
        cause_under(LawKind::Linear, share_of_limit, bodies)
    };
    let apart = two(-0.1);
    assert!(matches!(cause_under(LawKind::Dmt, 0.01, &apart), EnergyCause::Adhesion { .. }));
    assert!(matches!(cause(1.1, &apart), EnergyCause::Unstable { .. }));
    assert!(matches!(cause(0.9, &apart), EnergyCause::LongStep { .. }));
    assert!(matches!(cause(0.01, &two(0.2)), EnergyCause::Overlap(overlap) if overlap.inserted));
    assert!(matches!(cause(0.01, &apart), EnergyCause::Unknown { .. }));
    let fast = apart.map(|body| body.moving([0.0, 0.0, 5e2]));
    assert!(matches!(cause(0.05, &fast), EnergyCause::Fast { .. }), "{:?}", cause(0.05, &fast));
}
