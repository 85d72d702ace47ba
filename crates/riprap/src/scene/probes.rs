//! Probes of a scene file.

use super::SceneError;
use super::reader::Reader;
use crate::dem::{Probe, ProbeTarget, Settings};
use crate::error::AXES;

impl Reader<'_> {
    /// The probes, each with columns of its own in the time series.
    pub(super) fn probes<const D: usize>(&self, settings: &Settings<D>) -> Result<Vec<Probe<D>>, SceneError> {
        let mut probes = Vec::new();
        for (index, values) in self.file.probe.iter().enumerate() {
            let table = format!("probe[{index}]");
            let target = match (values.particle, &values.min, &values.max) {
                (Some(id), None, None) => ProbeTarget::Particle(id),
                (None, Some(min), Some(max)) => {
                    let region = self.region(&table, min, max)?;
                    let domain = &settings.domain;
                    for k in (0..D).filter(|&k| domain.periodic[k]) {
                        let (width, length) = (region.max[k] - region.min[k], domain.max[k] - domain.min[k]);
                        if width > length {
                            return self.fail(
                                &format!("{table}.max"),
                                format!(
                                    "the region is {width} wide along {}, expected at most the length {length} of the periodic box",
                                    AXES[k]
                                ),
                            );
                        }
                    }
                    ProbeTarget::Region(region)
                }
                _ => {
                    return self.fail(
                        &table,
                        "expected either `particle` (an id), or `min` and `max` (corners of a region)"
                            .to_string(),
                    );
                }
            };
            let name = values.name.clone().unwrap_or_else(|| format!("probe{index}"));
            if let Some(outflow) = settings.outflows.iter().find(|outflow| outflow.name == name) {
                return self.fail(
                    &format!("{table}.name"),
                    format!(
                        "there is an outflow `{}` too, expected columns with a name of their own",
                        outflow.name
                    ),
                );
            }
            probes.push(Probe { name, target });
        }
        self.check_names("probe", probes.iter().map(|probe| probe.name.as_str()))?;
        Ok(probes)
    }
}
