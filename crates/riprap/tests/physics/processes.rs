//! Processes that share a simulation: each learns of the failure of another in the same step.

use riprap::dem::{Bodies, Domain, Exchange, Failure, LawKind, NewBody, Settings, Simulation};

use crate::{ball, material, simulation};

/// Notes what is told, and answers with infinity at one of the questions.
#[derive(Default)]
struct Others {
    told: Vec<f64>,
    refreshed: usize,
    fail_at: Option<usize>,
}

impl<const D: usize> Exchange<D> for Others {
    fn largest(&mut self, number: f64) -> f64 {
        self.told.push(number);
        if self.fail_at == Some(self.told.len()) { f64::INFINITY } else { number }
    }

    fn refresh(&mut self, _bodies: &mut Bodies<D>) {
        self.refreshed += 1;
    }
}

fn with(settings: Settings<3>, bodies: &[NewBody<3>]) -> Simulation<3> {
    let mut simulation = simulation(LawKind::Hertz, settings, &[material("stone")], vec![]);
    simulation.insert(bodies).unwrap();
    simulation
}

/// Every failure is the last thing that is told, in the step in which it happens.
#[test]
fn every_failure_is_told() {
    let [still, apart] = [[0.0; 3], [1.0, 0.0, 0.0]].map(|place| ball(place, [0.0; 3], 0.01));
    let near = ball([0.0201, 0.0, 0.0], [-2000.0, 0.0, 0.0], 0.01);
    let fast = ball([0.5, 0.0, 0.0], [1e6, 0.0, 0.0], 0.01);
    let usual = Settings { time_step: 1e-6, ..Settings::default() };
    let closed = Domain { min: [-1.0; 3], max: [0.5; 3], ..Domain::default() };
    let short = Settings { overlap_limit: 0.01, ..usual.clone() };
    for (settings, bodies, expected) in [
        (Settings { time_step: 1.0, ..usual.clone() }, [still, apart], "stable limit"),
        (usual.clone(), [still, ball([0.005, 0.0, 0.0], [0.0; 3], 0.01)], "overlap at the start"),
        (usual.clone(), [still, fast], "smallest radii in one step"),
        (short, [still, near], "too soft"),
        (Settings { domain: closed, ..usual }, [still, apart], "has left the domain"),
    ] {
        let (mut simulation, mut others) = (with(settings, &bodies), Others::default());
        let failure = simulation.advance_with(100, &mut others).unwrap_err().to_string();
        assert!(failure.contains(expected), "{expected}: {failure}");
        let (last, before) = others.told.split_last().unwrap();
        assert_eq!(*last, f64::INFINITY, "{expected}");
        assert!(before.iter().all(|number| *number < f64::INFINITY), "{expected}: {before:?}");
    }
}

/// Whenever another fails, this process stops, and has asked as often as that one.
#[test]
fn a_failure_elsewhere_stops_this_process_in_the_same_step() {
    let settings = Settings { time_step: 1e-6, ..Settings::default() };
    let bodies = [ball([0.0; 3], [0.0; 3], 0.01), ball([1.0, 0.0, 0.0], [0.0; 3], 0.01)];
    for question in 1..10 {
        let mut others = Others { fail_at: Some(question), ..Others::default() };
        let failure = with(settings.clone(), &bodies).advance_with(100, &mut others).unwrap_err();
        // Two questions at the start, one to sort, and two in every step.
        let steps = question.saturating_sub(2) as u64 / 2;
        assert_eq!((failure, others.told.len()), (Failure::Elsewhere { step: steps }, question));
        assert_eq!(others.refreshed, question.saturating_sub(4).div_ceil(2));
    }
}
