//! Input that makes no sense is an error, not a panic and not a wrong result.

use riprap::dem::wall::{Phase, Surface, Wall, WallError};
use riprap::dem::{
    BodyError, Domain, LawKind, Material, MaterialError, Materials, NewBody, Settings, SetupError,
    ShapeIndex, Simulation,
};

use crate::{ball, floor, material, simulation};

#[test]
fn bodies_that_make_no_sense_are_refused_and_nothing_is_inserted() {
    let stone = material("stone");
    let rigid = Material { young: Some(f64::INFINITY), ..material("rigid") };
    let soft = Material { young: None, ..material("soft") };
    let walls = vec![floor([0.0, 0.0, 1.0], 1)];
    let mut simulation = simulation(LawKind::Hertz, Settings::default(), &[stone, rigid, soft], walls);
    let good = ball([0.0, 0.0, 1.0], [0.0; 3], 0.01);
    for (wrong, column) in [
        (NewBody { position: [f64::NAN, 0.0, 0.0], ..good }, "position"),
        (NewBody { velocity: [0.0, f64::INFINITY, 0.0], ..good }, "velocity"),
        (NewBody { spin: [0.0, 0.0, f64::NAN], ..good }, "spin"),
        (NewBody { radius: 0.0, ..good }, "radius"),
        (NewBody { radius: f64::NAN, ..good }, "radius"),
        (NewBody { mass: Some(0.0), ..good }, "mass"),
        (NewBody { mass: Some(f64::NAN), ..good }, "mass"),
    ] {
        match simulation.insert(&[good, wrong]) {
            Err(BodyError::Value { index: 1, column: found, .. }) => assert_eq!(found, column),
            other => panic!("{other:?}"),
        }
    }
    let unknown = simulation.insert(&[NewBody { material: 3, ..good }]);
    assert!(matches!(unknown, Err(BodyError::Material { index: 0, material: 3, known: 3 })));
    let unknown = simulation.insert(&[NewBody { shape: ShapeIndex(1), ..good }]);
    assert!(matches!(unknown, Err(BodyError::Shape { index: 0, shape: 1, known: 1 })));
    // Rigid on a rigid floor, and one without a modulus.
    let meeting = |result| match result {
        Err(BodyError::Meeting { source, .. }) => source,
        other => panic!("{other:?}"),
    };
    let both = meeting(simulation.insert(&[NewBody { material: 1, ..good }]));
    assert!(matches!(both, MaterialError::BothRigid { .. }));
    let missing = meeting(simulation.insert(&[NewBody { material: 2, ..good }]));
    assert!(matches!(missing, MaterialError::Missing { value: "young", .. }));
    assert!(simulation.bodies().is_empty() && simulation.inserted() == 0);
    assert_eq!(simulation.insert(&[good, ball([0.0, 0.0, 2.0], [0.0; 3], 0.01)]), Ok(0..2));
    simulation.advance().unwrap();
}

#[test]
fn spins_out_of_the_plane_are_refused_in_2d() {
    let mut simulation = simulation(LawKind::Hertz, Settings::default(), &[material("stone")], vec![]);
    let tilted = NewBody { spin: [1.0, 0.0, 0.0], ..ball([0.0; 2], [0.0; 2], 0.01) };
    assert!(matches!(simulation.insert(&[tilted]), Err(BodyError::Value { column: "spin", .. })));
}

#[test]
fn settings_and_walls_that_make_no_sense_are_refused() {
    let materials = Materials::new(LawKind::Hertz, vec![material("stone")]).unwrap();
    let refused = |settings: Settings<3>, walls: Vec<Wall<3>>| {
        Simulation::new(settings, materials.clone(), walls).map(|_| ()).unwrap_err()
    };
    let usual = Settings::<3>::default;
    for (settings, name) in [
        (Settings { time_step: f64::NAN, ..usual() }, "time_step"),
        (Settings { time_step: 0.0, ..usual() }, "time_step"),
        (Settings { gravity: [0.0, 0.0, f64::NAN], ..usual() }, "gravity"),
        (Settings { overlap_limit: 0.0, ..usual() }, "overlap_limit"),
        (Settings { energy_limit: Some(0.0), ..usual() }, "energy_limit"),
        (Settings { skin: Some(-1.0), ..usual() }, "skin"),
    ] {
        assert!(matches!(refused(settings, vec![]), SetupError::Setting { setting, .. } if setting == name));
    }
    let open = Domain { periodic: [true, false, false], ..Domain::default() };
    let error = refused(Settings { domain: open, ..usual() }, vec![]);
    assert!(matches!(error, SetupError::Domain { axis: "x", .. }), "{error}");
    let unknown = refused(Settings { method: "sieve".into(), ..usual() }, vec![]);
    assert!(matches!(unknown, SetupError::Search(_)), "{unknown}");

    let closed = Domain::periodic([0.0; 3], [1.0; 3]);
    let periodic = |method: &str| Settings { domain: closed, method: method.into(), ..usual() };
    for method in ["mr", "radial-sort"] {
        assert!(matches!(refused(periodic(method), vec![]), SetupError::Search(_)), "{method}");
    }
    let along = Domain { periodic: [true, false, false], ..closed };
    let across = |surface: Surface<3>| {
        let settings = Settings { domain: along, ..usual() };
        Simulation::new(settings, materials.clone(), vec![Wall::new("side", surface)]).map(|_| ())
    };
    let cut =
        |surface| matches!(across(surface), Err(SetupError::Wall(WallError::Periodic { axis: "x", .. })));
    let plane_of = |normal: [f64; 3]| Surface::Plane { point: [0.0; 3], normal };
    assert!(cut(plane_of([1.0, 0.0, 0.0])) && cut(Surface::Box { min: [0.0; 3], max: [1.0; 3] }));
    assert_eq!(across(plane_of([0.0, 0.0, 1.0])), Ok(()));

    let plane = |normal: [f64; 3]| Wall::new("floor", Surface::Plane { point: [0.0; 3], normal });
    let wall = |wall: Wall<3>| match refused(usual(), vec![wall]) {
        SetupError::Wall(error) => error,
        other => panic!("{other}"),
    };
    assert!(matches!(wall(plane([0.0, 0.0, 2.0])), WallError::Value { value: "normal", .. }));
    assert!(matches!(wall(Wall { material: 4, ..plane([0.0, 0.0, 1.0]) }), WallError::Material { .. }));
    let phase =
        |start: f64, end: f64| Phase { start, end, velocity: [0.0; 3], spin: [0.0; 3], center: [0.0; 3] };
    let motion = vec![phase(0.0, 2.0), phase(1.0, 3.0)];
    let overlapping = wall(Wall { motion, ..plane([0.0, 0.0, 1.0]) });
    assert!(matches!(overlapping, WallError::Phase { phase: 1, .. }));
    let motion = vec![Phase { velocity: [f64::NAN; 3], ..phase(0.0, 2.0) }];
    assert!(matches!(
        wall(Wall { motion, ..plane([0.0, 0.0, 1.0]) }),
        WallError::Value { value: "motion", .. }
    ));
}
