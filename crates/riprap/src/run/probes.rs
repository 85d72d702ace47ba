//! Probes as columns of the time series.

use super::series::quotable;
use crate::dem::{ParticleReading, Probe, ProbeTarget, RegionReading, Simulation};
use crate::error::AXES;

/// Names of the columns of a probe.
pub(super) fn columns<const D: usize>(probe: &Probe<D>, simulation: &Simulation<D>) -> Vec<String> {
    let axes = &AXES[..D];
    let velocity = axes.iter().map(|axis| format!("v{axis}"));
    let names: Vec<String> = match probe.target {
        ProbeTarget::Particle(_) => {
            let spin: &[&str] = if D == 2 { &["w"] } else { &["wx", "wy", "wz"] };
            let place = axes.iter().map(ToString::to_string);
            place.chain(velocity).chain(spin.iter().map(ToString::to_string)).collect()
        }
        ProbeTarget::Region(_) => {
            let materials = simulation.materials().list().iter();
            let counts = materials.map(|material| format!("particles_{}", quotable(&material.name)));
            let stress = (0..D * D).map(|k| format!("stress_{}{}", AXES[k / D], AXES[k % D]));
            let all = [String::from("particles")].into_iter().chain(counts);
            all.chain([String::from("mass")]).chain(velocity).chain(stress).collect()
        }
    };
    let name = quotable(&probe.name);
    names.iter().map(|column| format!("{name}_{column}")).collect()
}

/// Values of these columns; `None` where there is nothing to be measured.
pub(super) fn values<const D: usize>(probe: &Probe<D>, simulation: &Simulation<D>) -> Vec<Option<f64>> {
    match &probe.target {
        ProbeTarget::Particle(id) => match simulation.probe_particle(*id) {
            Some(ParticleReading { position, velocity, spin }) => {
                let spin = if D == 2 { &spin[2..] } else { &spin[..] };
                position.iter().chain(&velocity).chain(spin).map(|value| Some(*value)).collect()
            }
            None => vec![None; 2 * D + if D == 2 { 1 } else { 3 }],
        },
        ProbeTarget::Region(region) => {
            let RegionReading { particles, mass, velocity, stress } = simulation.probe_region(region);
            let mut values = vec![Some(particles.iter().sum::<u64>() as f64)];
            values.extend(particles.iter().map(|count| Some(*count as f64)));
            values.push(Some(mass));
            values.extend((0..D).map(|k| velocity.map(|velocity| velocity[k])));
            values.extend(stress.as_flattened().iter().map(|value| Some(*value)));
            values
        }
    }
}
