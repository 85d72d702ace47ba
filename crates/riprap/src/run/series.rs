//! The time series: one row of numbers per date, as CSV.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::{RunError, probes};
use crate::archive::{Damage, Rest, Section, Values};
use crate::dem::{Probe, Simulation};
use crate::error::AXES;

/// The file of a time series.
#[derive(Debug, Default)]
pub(super) struct Series {
    file: Option<File>,
    mark: SeriesMark,
}

/// How far a series is, and what its next row depends on.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SeriesMark {
    /// Bytes written.
    pub bytes: u64,
    /// Time of the last row.
    pub time: f64,
    /// Mass that had left through each outflow then.
    pub outflown: Vec<f64>,
}

impl Section for SeriesMark {
    const NAME: &'static str = "series";
    const VERSION: u32 = 1;

    fn write(&self, values: &mut Values) {
        values.word(self.bytes);
        values.number(self.time);
        values.numbers(&self.outflown);
    }

    fn read(values: &mut Rest<'_>, _version: u32) -> Result<Self, Damage> {
        Ok(Self { bytes: values.word()?, time: values.finite()?, outflown: values.list(Rest::finite)? })
    }
}

impl Series {
    /// Begins a new file.
    pub(super) fn begin<const D: usize>(
        &mut self,
        simulation: &Simulation<D>,
        probes: &[Probe<D>],
        path: &Path,
    ) -> io::Result<()> {
        self.file = Some(File::create(path)?);
        self.mark.outflown = vec![0.0; simulation.settings().outflows.len()];
        self.append(&header(simulation, probes))
    }

    /// Goes on with a file after so many bytes; what follows them was written after the checkpoint. Of a file that is shorter all whole rows
    /// are kept, and one with other columns is set aside.
    pub(super) fn resume<const D: usize>(
        &mut self,
        simulation: &Simulation<D>,
        probes: &[Probe<D>],
        path: &Path,
        mark: SeriesMark,
    ) -> io::Result<()> {
        let SeriesMark { bytes, time, outflown } = mark;
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        match whole_rows(&mut file, bytes, &header(simulation, probes))? {
            Some(bytes) => {
                file.set_len(bytes)?;
                file.seek(SeekFrom::End(0))?;
                self.file = Some(file);
                self.mark.bytes = bytes;
            }
            // The checkpoint comes from elsewhere, or the series is gone or has other columns: a new one begins.
            None => {
                if file.metadata()?.len() > 0 {
                    set_aside(path)?;
                }
                self.begin(simulation, probes, path)?;
            }
        }
        self.mark.time = time;
        self.mark.outflown = outflown;
        self.mark.outflown.resize(simulation.settings().outflows.len(), 0.0);
        Ok(())
    }

    /// Writes a row.
    pub(super) fn row<const D: usize>(
        &mut self,
        simulation: &Simulation<D>,
        probes: &[Probe<D>],
    ) -> io::Result<()> {
        let (ledger, measures) = (simulation.ledger(), simulation.measures());
        let mut row = vec![
            simulation.time(),
            simulation.bodies().len() as f64,
            measures.contacts as f64,
            measures.wall_contacts as f64,
            measures.coordination,
            measures.max_overlap,
            measures.max_force,
            measures.volume_fraction,
        ];
        row.extend(ledger.terms().map(|(_, value)| value));
        row.push(ledger.error());
        row.extend(measures.stress.iter().flatten());
        for load in simulation.wall_loads() {
            row.extend(load.force);
            row.extend(if D == 2 { &load.torque[2..] } else { &load.torque[..] });
        }
        let elapsed = simulation.time() - self.mark.time;
        for (outflown, before) in simulation.outflown().outflows.iter().zip(&mut self.mark.outflown) {
            let rate = if elapsed > 0.0 { (outflown.mass - *before) / elapsed } else { 0.0 };
            row.extend([outflown.count as f64, outflown.mass, rate]);
            *before = outflown.mass;
        }
        self.mark.time = simulation.time();
        let mut row: Vec<String> = row.iter().map(|value| number(*value)).collect();
        for probe in probes {
            let values = probes::values(probe, simulation);
            row.extend(values.iter().map(|value| value.map_or(String::new(), number)));
        }
        self.append(&(row.join(",") + "\n"))
    }

    /// Puts everything on the disk; returns how far the series is.
    pub(super) fn sync(&mut self) -> io::Result<SeriesMark> {
        if let Some(file) = &mut self.file {
            file.sync_data()?;
        }
        Ok(self.mark.clone())
    }

    fn append(&mut self, text: &str) -> io::Result<()> {
        self.mark.bytes += text.len() as u64;
        match &mut self.file {
            Some(file) => file.write_all(text.as_bytes()),
            None => Ok(()),
        }
    }
}

/// How many of so many bytes of a file are whole rows below this header; `None` if it has another one.
fn whole_rows(file: &mut File, bytes: u64, header: &str) -> io::Result<Option<u64>> {
    let most = file.metadata()?.len().min(bytes);
    let mut begin = vec![0; header.len()];
    if most < header.len() as u64 {
        return Ok(None);
    }
    file.rewind()?;
    file.read_exact(&mut begin)?;
    if begin != header.as_bytes() {
        return Ok(None);
    }
    let mut rest = Vec::new();
    file.take(most - header.len() as u64).read_to_end(&mut rest)?;
    // After a crash of the machine there may be zeros where rows were.
    let sound = rest.iter().position(|&byte| byte == 0).unwrap_or(rest.len());
    let rows = rest[..sound].iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    Ok(Some((header.len() + rows) as u64))
}

/// Gives a file a name that no other has, beside it.
fn set_aside(path: &Path) -> io::Result<()> {
    let other =
        (1..).map(|number| path.with_extension(format!("{number}.csv"))).find(|other| !other.exists());
    other.map_or(Ok(()), |other| fs::rename(path, other))
}

/// The first row: the names of the columns.
fn header<const D: usize>(simulation: &Simulation<D>, probes: &[Probe<D>]) -> String {
    let names: Vec<String> = columns(simulation, probes).into_iter().map(|(name, _)| name).collect();
    names.join(",") + "\n"
}

/// Refuses two columns of the same name.
pub(super) fn check_columns<const D: usize>(
    simulation: &Simulation<D>,
    probes: &[Probe<D>],
) -> Result<(), RunError> {
    let mut owners = HashMap::new();
    for (name, owner) in columns(simulation, probes) {
        if let Some(first) = owners.insert(name.clone(), owner.clone()) {
            return Err(RunError::Columns { name, first, second: owner });
        }
    }
    Ok(())
}

/// Whether this is the text of a series, or of one whose first row is still to come.
pub(super) fn is_one(text: &str) -> bool {
    text.is_empty() || text.starts_with("time,particles,")
}

/// Names of the columns, and whose they are.
fn columns<const D: usize>(simulation: &Simulation<D>, probes: &[Probe<D>]) -> Vec<(String, String)> {
    let mut names: Vec<String> = [
        "time",
        "particles",
        "contacts",
        "wall_contacts",
        "coordination",
        "max_overlap",
        "max_force",
        "volume_fraction",
    ]
    .map(String::from)
    .to_vec();
    names.extend(simulation.ledger().terms().map(|(name, _)| format!("energy_{name}")));
    names.push("energy_error".to_string());
    names.extend((0..D * D).map(|k| format!("stress_{}{}", AXES[k / D], AXES[k % D])));
    let mut columns: Vec<_> = names.into_iter().map(|name| (name, "the whole".to_string())).collect();
    let mut add = |kind: &str, owner: &str, names: Vec<String>| {
        columns.extend(names.into_iter().map(|name| (name, format!("the {kind} `{owner}`"))));
    };
    for wall in simulation.walls() {
        let name = quotable(&wall.name);
        let forces = AXES[..D].iter().map(|axis| format!("{name}_force_{axis}"));
        let turns = if D == 2 { &AXES[2..] } else { &AXES[..] };
        add(
            "wall",
            &wall.name,
            forces.chain(turns.iter().map(|axis| format!("{name}_torque_{axis}"))).collect(),
        );
    }
    for outflow in &simulation.settings().outflows {
        let name = quotable(&outflow.name);
        let names = ["particles", "mass", "mass_rate"].map(|what| format!("{name}_{what}"));
        add("outflow", &outflow.name, names.to_vec());
    }
    for probe in probes {
        add("probe", &probe.name, probes::columns(probe, simulation));
    }
    columns
}

/// A number that reads back as the same, with an exponent where it would be long.
fn number(value: f64) -> String {
    if value == value.trunc() && value.abs() < 1e15 {
        (value as i64).to_string()
    } else {
        format!("{value:?}")
    }
}

/// A name that can stand in a header without quotes.
pub(super) fn quotable(name: &str) -> String {
    name.replace(|c: char| c == ',' || c == '"' || c.is_whitespace(), "_")
}
