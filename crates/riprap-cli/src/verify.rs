//! `riprap verify`: experiments whose outcome is known in closed form or from a published law.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use clap::Args;
use riprap::io::write_whole;
use riprap::verify::{self, CASES, Case, Outcome, Report};

use crate::{Failure, threads};

const EXAMPLES: &str = "\
Examples:
  riprap verify                              # closed forms, under a minute
  riprap verify --full --out verification    # bulk laws too, some minutes; verification/verify.html
  riprap verify haff janssen                 # these cases only
  riprap verify --list                       # all cases and where their numbers come from
  riprap verify --json > verify.json

Every check says what was expected, what came out, how far that may be off, and whether it is. Errors are shares of what
was expected, or differences where that is zero. Exit code 1 if a check fails. docs/physics.md has the equations.
JSON: cases (name, case, reference, expected, ours, error, allowed, measure, pass), passed, failed, seconds.";

/// Check the physics against closed forms and known laws
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Verify {
    /// Cases to run; by default all that do not take long
    #[arg(value_name = "CASE")]
    cases: Vec<String>,
    /// Run the long ones too: bulk laws, some minutes
    #[arg(long)]
    full: bool,
    /// Folder for `verify.html`, one page with a chart of each case, and `verify.json`
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// List the cases and run none
    #[arg(long)]
    list: bool,
    /// Cases side by side; by default as many as there are cores
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
}

impl Verify {
    pub(crate) fn run(&self, output: &mut Vec<u8>) -> Result<(), Failure> {
        let cases = self.chosen()?;
        if self.list {
            return list(&cases, output).map_err(Failure::run);
        }
        if let Some(folder) = &self.out {
            std::fs::create_dir_all(folder)
                .with_context(|| format!("--out: cannot make the folder {}", folder.display()))
                .map_err(Failure::input)?;
        }
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        let report = threads::on(self.threads.map_or_else(cores, usize::from), || {
            Ok(verify::run(&cases, |outcome| note!("{}", progress(outcome))))
        })?;
        let text = if self.json { report.json() } else { report.table() };
        output.write_all(text.as_bytes()).map_err(Failure::run)?;
        if let Some(folder) = &self.out {
            write(&report, folder).map_err(Failure::run)?;
            note!("page written to {}", folder.join("verify.html").display());
        }
        if report.failed() > 0 {
            return Err(Failure::Verdict(anyhow!("{}", report.summary())));
        }
        Ok(())
    }

    /// The cases asked for, in the order of the table.
    fn chosen(&self) -> Result<Vec<&'static Case>, Failure> {
        for name in &self.cases {
            if verify::find(name).is_none() {
                return Err(Failure::input(anyhow!("{}", unknown(name))));
            }
        }
        let asked = |case: &&Case| {
            if self.cases.is_empty() {
                self.full || self.list || !case.long
            } else {
                self.cases.iter().any(|name| name == case.name)
            }
        };
        Ok(CASES.iter().filter(asked).collect())
    }
}

fn progress(outcome: &Outcome) -> String {
    let (passed, failed) = outcome.counts();
    let verdict = if failed == 0 { "pass" } else { "FAIL" };
    format!("{verdict}  {:18} {passed} of {}, {:.1} s", outcome.case.name, passed + failed, outcome.seconds)
}

fn list(cases: &[&Case], output: &mut Vec<u8>) -> std::io::Result<()> {
    let width = cases.iter().map(|case| case.name.len()).max().unwrap_or(0);
    for Case { name, title, source, long, .. } in cases {
        let long = if *long { ", only with --full or by name" } else { "" };
        writeln!(output, "{name:width$}  {title} ({source}{long})")?;
    }
    Ok(())
}

fn write(report: &Report, folder: &Path) -> anyhow::Result<()> {
    for (name, text) in [("verify.html", report.page()), ("verify.json", report.json())] {
        let path = folder.join(name);
        write_whole(&path, |writer| writer.write_all(text.as_bytes()))
            .with_context(|| format!("{}: cannot write", path.display()))?;
    }
    Ok(())
}

/// What to say to a name that no case has.
fn unknown(name: &str) -> String {
    let names: Vec<_> = CASES.iter().map(|case| format!("`{}`", case.name)).collect();
    let nearest = CASES.iter().map(|case| (distance(name, case.name), case.name)).min();
    let hint = match nearest {
        Some((distance, case)) if distance <= case.len().div_ceil(3) => format!(", did you mean `{case}`?"),
        _ => ";".to_string(),
    };
    format!("unknown case `{name}`{hint} known cases: {}", names.join(", "))
}

/// How many letters have to be put in, left out or replaced to make one word of the other (Levenshtein).
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (position, letter) in one.chars().enumerate() {
        let mut before = row[0];
        row[0] = position + 1;
        for k in 0..other.len() {
            let replaced = before + usize::from(other[k] != letter);
            before = row[k + 1];
            row[k + 1] = replaced.min(row[k] + 1).min(before + 1);
        }
    }
    row[other.len()]
}
