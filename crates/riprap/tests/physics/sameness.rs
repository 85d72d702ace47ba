//! The same bits, however they are worked out.

use riprap::dem::{LawKind, Material, Settings};

use crate::{ball, gas, material, on_threads, simulation};

/// The same gas by every method of the search, with and without a margin, on several threads, with and without wide vectors:
/// the same bits.
#[test]
fn results_do_not_depend_on_the_search_its_margin_threads_or_vectors() {
    let stone = Material { friction: 0.5, rolling_friction: 0.01, ..material("stone") };
    let run = |change: &(dyn Fn(&mut Settings<3>) + Sync)| {
        let template = gas::<3>(LawKind::Hertz, 3000, 0.4, &stone, 1e-5, 3);
        let mut settings = template.settings().clone();
        change(&mut settings);
        let mut simulation = simulation(LawKind::Hertz, settings, std::slice::from_ref(&stone), vec![]);
        simulation.restore(template.state()).unwrap();
        simulation.advance_by(1500).unwrap();
        simulation.state()
    };
    let expected = run(&|_| {});
    assert!(expected.contacts.len() > 100);
    for method in ["hgrid", "linked-cell", "hgrid-bottom-up"] {
        assert!(run(&|settings| settings.method = method.into()) == expected, "{method}");
    }
    assert!(run(&|settings| settings.skin = Some(0.0)) == expected);
    for threads in [1, 2, 3] {
        assert!(on_threads(threads, || run(&|_| {})) == expected, "{threads} threads");
    }
    assert!(run(&|settings| settings.vectors = false) == expected);
}

#[test]
fn a_run_goes_on_from_a_state_as_if_it_had_not_stopped() {
    let stone = Material { friction: 0.5, density: 20.0, ..material("stone") };
    let mut simulation = gas::<2>(LawKind::Hertz, 2000, 0.6, &stone, 1e-5, 4);
    simulation.advance_by(1234).unwrap();
    let state = simulation.state();
    simulation.advance_by(1000).unwrap();
    let mut other = gas::<2>(LawKind::Hertz, 2000, 0.6, &stone, 1e-5, 4);
    other.restore(state).unwrap();
    other.advance_by(1000).unwrap();
    assert!(other.state() == simulation.state());
}

/// Nearly every listed pair touches: one disk at the edge is just too small, so that a contact is left over from the first block of
/// pairs and the next block is full. Compared with the same in plain numbers.
#[test]
fn a_compressed_crystal_is_held_by_all_of_its_contacts() {
    let stone = Material { friction: 0.3, ..material("stone") };
    for count in [7usize, 40] {
        let run = |vectors: bool| {
            let settings = Settings {
                time_step: 1e-5,
                skin: Some(1e-4),
                vectors,
                overlap_limit: 0.5,
                ..Settings::default()
            };
            let mut simulation =
                simulation(LawKind::Hertz, settings, std::slice::from_ref(&stone), Vec::new());
            let place = |index: usize| [index % count, index / count].map(|k| k as f64 * 0.0199);
            let radius = |index: usize| if index == 5 { 0.00988 } else { 0.01 };
            let bodies: Vec<_> =
                (0..count * count).map(|index| ball(place(index), [0.0; 2], radius(index))).collect();
            simulation.insert(&bodies).unwrap();
            simulation.advance_by(2).unwrap();
            assert_eq!(simulation.contacts().len(), 2 * count * (count - 1) - 3);
            let momentum = simulation.momentum().0;
            assert!(momentum.iter().all(|component| component.abs() < 1e-9), "{momentum:?}");
            simulation.state()
        };
        assert_eq!(run(true), run(false));
    }
}
