//! What came of a run: the fields of `--json`, and the same for people.

use std::io::Write;
use std::path::{Path, PathBuf};

use riprap::run::{self, LinkSummary, Summary, Warning};
use riprap::words::{counted, short};
use serde::Serialize;
use serde_json::{Map, Value};

/// The fields of `--json`.
#[derive(Serialize)]
pub(crate) struct Report {
    steps: u64,
    pub(crate) total_steps: u64,
    time: f64,
    pub(crate) time_step: f64,
    particles: usize,
    pub(crate) inserted: u64,
    pub(crate) removed: u64,
    pub(crate) waiting: u64,
    threads: usize,
    seconds: f64,
    particle_steps_per_second: f64,
    contacts: usize,
    energy: Map<String, Value>,
    energy_error: f64,
    time_share: TimeShare,
    #[serde(skip_serializing_if = "Option::is_none")]
    link: Option<Link>,
    bytes_per_particle: f64,
    pub(crate) warnings: Vec<String>,
    out: PathBuf,
}

#[derive(Serialize)]
struct TimeShare {
    broad: f64,
    narrow: f64,
    force: f64,
    motion: f64,
    output: f64,
}

/// What links of stones took.
#[derive(Serialize)]
struct Link {
    method: &'static str,
    pairs: u64,
    ns_per_pair: f64,
    iterations_mean: f64,
    within_2: f64,
}

impl From<LinkSummary> for Link {
    fn from(summary: LinkSummary) -> Self {
        Self {
            method: summary.method.name(),
            pairs: summary.pairs,
            ns_per_pair: summary.ns_per_pair(),
            iterations_mean: summary.iterations_mean,
            within_2: summary.within_2,
        }
    }
}

impl Report {
    pub(crate) fn new(summary: &Summary, time_step: f64, threads: usize, folder: &Path) -> Self {
        Self {
            steps: summary.steps,
            total_steps: summary.total_steps,
            time: summary.total_steps as f64 * time_step,
            time_step,
            particles: summary.particles,
            inserted: summary.inserted,
            removed: summary.inserted - summary.particles as u64,
            waiting: summary.waiting,
            threads,
            seconds: summary.seconds,
            particle_steps_per_second: summary.particle_steps / summary.seconds.max(1e-9),
            contacts: summary.contacts,
            energy: summary
                .ledger
                .terms()
                .iter()
                .map(|(name, value)| (name.to_string(), Value::from(*value)))
                .collect(),
            energy_error: summary.ledger.error(),
            time_share: shares(summary),
            link: summary.link.map(Link::from),
            bytes_per_particle: summary.bytes_per_particle,
            warnings: summary.warnings.iter().map(Warning::to_string).collect(),
            out: folder.to_path_buf(),
        }
    }

    /// The same for people.
    pub(crate) fn print(&self, output: &mut Vec<u8>) -> anyhow::Result<()> {
        writeln!(
            output,
            "{} to t = {} s: {} ({} inserted, {} removed), {}",
            counted(self.steps, "step"),
            short(self.time),
            counted(self.particles as u64, "particle"),
            self.inserted,
            self.removed,
            counted(self.contacts as u64, "contact")
        )?;
        if self.waiting > 0 {
            writeln!(
                output,
                "note: there was no room for {} more particles that should have rained",
                self.waiting
            )?;
        }
        writeln!(
            output,
            "{:.2} s on {}, {:.2} million particle-steps per second",
            self.seconds,
            counted(self.threads as u64, "thread"),
            1e-6 * self.particle_steps_per_second
        )?;
        let share = &self.time_share;
        writeln!(
            output,
            "time: {:.0} % neighbour lists, {:.0} % contact detection, {:.0} % forces, {:.0} % motion, {:.0} % files, pictures and \
             insertion, {:.0} % other",
            100.0 * share.broad,
            100.0 * share.narrow,
            100.0 * share.force,
            100.0 * share.motion,
            100.0 * share.output,
            100.0 * (1.0 - share.broad - share.narrow - share.force - share.motion - share.output).max(0.0)
        )?;
        if let Some(link) = &self.link {
            writeln!(
                output,
                "links of stones by `{}`: {:.0} ns a pair, {:.2} rounds on average, {:.1} % within two",
                link.method,
                link.ns_per_pair,
                link.iterations_mean,
                100.0 * link.within_2
            )?;
        }
        let energies: Vec<String> = self
            .energy
            .iter()
            .filter_map(|(name, value)| {
                value.as_f64().filter(|value| *value != 0.0).map(|value| format!("{name} {} J", short(value)))
            })
            .collect();
        writeln!(output, "energy: {}", energies.join(", "))?;
        writeln!(output, "energy error: {:.1e} of the largest term", self.energy_error)?;
        for warning in &self.warnings {
            writeln!(output, "warning: {warning}")?;
        }
        let (frames, picture) = (self.out.join(run::FRAMES), self.out.join(run::PICTURE));
        let written = [(frames, "open {} in ParaView"), (picture, "the last state is drawn in {}")];
        let told: Vec<String> = written
            .iter()
            .filter(|(file, _)| file.exists())
            .map(|(file, text)| text.replace("{}", &file.display().to_string()))
            .collect();
        if !told.is_empty() {
            writeln!(output, "{}", told.join("; "))?;
        }
        Ok(())
    }
}

fn shares(summary: &Summary) -> TimeShare {
    let Summary { broad, narrow, force, motion, output, seconds, .. } = *summary;
    let share = |time: f64| time / seconds.max(1e-9);
    TimeShare {
        broad: share(broad),
        narrow: share(narrow),
        force: share(force),
        motion: share(motion),
        output: share(output),
    }
}
