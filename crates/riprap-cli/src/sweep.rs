//! `riprap run --sweep`: one scene with several values of a key, and a table of what came of each.
//!
//! Each combination of values is a run of its own in a sub-folder that is called by them. One follows the other on all threads, so that
//! large runs are as fast as they can be, and a sweep that was stopped goes on where it was.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use riprap::io::write_whole;
use riprap::run::{self, Contents, SERIES};
use riprap::scene::Replaced;
use riprap::words::counted;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::Failure;
use crate::report::Report;
use crate::run::Run;

/// The table of a sweep.
pub(crate) const TABLE: &str = "sweep.csv";
/// Runs of a sweep at most.
const MOST: usize = 100_000;
/// Characters of a name of a folder at most.
const LONGEST: usize = 200;

/// A key and the values that it gets, one after the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Swept {
    key: String,
    values: Vec<String>,
}

/// The values of a sweep, from the command line. Commas in brackets, braces and quotes belong to a value.
pub(crate) fn swept(text: &str) -> Result<Swept, String> {
    let expected = "expected KEY=V1,V2,..., such as materials.grain.friction=0.1,0.3,0.5";
    let (key, list) = text.split_once('=').ok_or(expected)?;
    let (mut values, mut depth, mut quote) = (vec![String::new()], 0, None);
    for character in list.chars() {
        match (character, quote) {
            ('"' | '\'', None) => quote = Some(character),
            (_, Some(open)) if open == character => quote = None,
            ('[' | '{', None) => depth += 1,
            (']' | '}', None) => depth -= 1,
            (',', None) if depth == 0 => {
                values.push(String::new());
                continue;
            }
            _ => {}
        }
        values.last_mut().expect("there is one").push(character);
    }
    let values: Vec<String> = values.iter().map(|value| value.trim().to_string()).collect();
    if values.iter().any(String::is_empty) {
        return Err(format!("a value is empty, {expected}"));
    }
    if let Some(twice) = (1..values.len()).find(|&index| values[..index].contains(&values[index])) {
        return Err(format!("`{}` is there twice, expected different values", values[twice]));
    }
    Ok(Swept { key: key.trim().to_string(), values })
}

/// One combination of values, and what came of it.
struct Cell {
    values: Vec<Replaced>,
    folder: PathBuf,
    outcome: Option<Result<Report, String>>,
}

/// The fields of `--json`.
#[derive(Serialize)]
struct Summary<'a> {
    table: &'a Path,
    failed: usize,
    runs: Vec<RunSummary<'a>>,
}

#[derive(Serialize)]
struct RunSummary<'a> {
    values: Map<String, Value>,
    error: Option<&'a str>,
    #[serde(flatten)]
    report: Option<&'a Report>,
}

/// Runs a scene with all combinations of the values.
pub(crate) fn run(command: &Run, output: &mut Vec<u8>) -> Result<(), Failure> {
    let (folder, mut cells) = (command.folder(), combinations(command)?);
    // What is wrong with one of them is told before the first one has run for hours.
    check_folder(command, &folder, &cells)?;
    for cell in &cells {
        command.check_folder(&cell.folder)?;
        command.read(&cell.values)?;
    }
    let table = folder.join(TABLE);
    let unwritten = || format!("{}: cannot write", table.display());
    fs::create_dir_all(&folder).with_context(unwritten).map_err(Failure::run)?;
    let _locked = run::lock(&folder).map_err(Failure::input)?;
    let count = cells.len();
    for index in 0..count {
        let cell = &cells[index];
        note!("run {} of {count}: {}", index + 1, name(&cell.values));
        let outcome = match command.run_one(&cell.values, cell.folder.clone()) {
            Ok(report) => Ok(report),
            Err(stopped @ Failure::Stopped { .. }) => return Err(stopped),
            Err(failure) => {
                note!("error: {failure}");
                Err(failure.to_string())
            }
        };
        cells[index].outcome = Some(outcome);
        write_table(&table, &cells).with_context(unwritten).map_err(Failure::run)?;
    }
    let failed = cells.iter().filter(|cell| matches!(cell.outcome, Some(Err(_)))).count();
    if command.json {
        serde_json::to_writer(&mut *output, &summary(&table, &cells, failed)).map_err(Failure::run)?;
        writeln!(output).map_err(Failure::run)?;
    } else {
        let runs = counted(count as u64, "run");
        writeln!(output, "{runs}, results in {}", table.display()).map_err(Failure::run)?;
    }
    if failed > 0 {
        return Err(Failure::Verdict(anyhow!("{failed} of {count} runs failed, see {}", table.display())));
    }
    Ok(())
}

/// Refuses a folder of something else, and one with runs that the table would no longer have.
fn check_folder(command: &Run, folder: &Path, cells: &[Cell]) -> Result<(), Failure> {
    if run::contents(folder) != Contents::Nothing {
        return Err(Failure::input(anyhow!(
            "{}: holds the results of a run, not of a sweep; name another folder with --out",
            folder.display()
        )));
    }
    let others = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let other = others
        .filter(|path| run::contents(path) == Contents::Results)
        .find(|path| !cells.iter().any(|cell| cell.folder.file_name() == path.file_name()));
    match other {
        Some(other) if !command.overwrite => Err(Failure::input(anyhow!(
            "{}: the results of a run that is not in this sweep, whose table would be replaced; give its values, too, with --resume, or              name another folder with --out",
            other.display()
        ))),
        _ => Ok(()),
    }
}

/// All combinations, the first key changing slowest.
fn combinations(command: &Run) -> Result<Vec<Cell>, Failure> {
    let refuse = |reason: String| Err(Failure::input(anyhow!("--sweep: {reason}")));
    let mut all: Vec<Vec<Replaced>> = vec![Vec::new()];
    for (index, Swept { key, values }) in command.sweep.iter().enumerate() {
        if command.sweep[..index].iter().any(|other| other.key == *key) {
            return refuse(format!("`{key}` is there twice, expected all of its values in one list"));
        }
        if all.len().saturating_mul(values.len()) > MOST {
            return refuse(format!("more than {MOST} combinations, expected fewer"));
        }
        let with = |before: &Vec<Replaced>, value: &String| {
            let one = Replaced { key: key.clone(), value: value.clone() };
            [before.as_slice(), &[one]].concat()
        };
        all = all.iter().flat_map(|before| values.iter().map(move |value| with(before, value))).collect();
    }
    let mut cells: Vec<Cell> = Vec::new();
    for values in all {
        let folder = command.folder().join(folder_name(&values));
        if let Some(other) = cells.iter().find(|cell| cell.folder == folder) {
            let (one, other) = (name(&values), name(&other.values));
            return refuse(format!("`{other}` and `{one}` would write to one folder, {}", folder.display()));
        }
        cells.push(Cell { values, folder, outcome: None });
    }
    Ok(cells)
}

/// The values of a run, for people.
fn name(values: &[Replaced]) -> String {
    values.iter().map(|one| format!("{}={}", one.key, one.value)).collect::<Vec<_>>().join(", ")
}

/// The folder of a run: `KEY=VALUE`, several with commas between them. What a name of a file should not have becomes `_`.
fn folder_name(values: &[Replaced]) -> String {
    let plain = |character: char| match character {
        '/' | '\\' | ':' | '*' | '?' | '"' | '\'' | '<' | '>' | '|' | ' ' => '_',
        other if other.is_control() => '_',
        other => other,
    };
    let name = values.iter().map(|one| format!("{}={}", one.key, one.value)).collect::<Vec<_>>().join(",");
    name.chars().map(plain).take(LONGEST).collect()
}

/// Writes a row for each run that is over: its values, what came of it, and the last row of its series.
fn write_table(path: &Path, cells: &[Cell]) -> std::io::Result<()> {
    let over = cells.iter().filter_map(|cell| Some((cell, cell.outcome.as_ref()?)));
    let done: Vec<_> =
        over.map(|(cell, outcome)| (cell, outcome, last_row(&cell.folder.join(SERIES)))).collect();
    // Runs may have different columns: walls and probes can be swept, too.
    let mut columns: Vec<&str> = Vec::new();
    for (column, _) in done.iter().flat_map(|(_, _, row)| row) {
        if !columns.contains(&column.as_str()) {
            columns.push(column);
        }
    }
    let mut text = String::new();
    for one in cells.first().into_iter().flat_map(|cell| &cell.values) {
        text += &format!("{},", quoted(&one.key));
    }
    text += "folder,error,time_step,steps,inserted,removed,waiting,warnings";
    for column in &columns {
        let _ = write!(text, ",{}", quoted(column));
    }
    text.push('\n');
    for (cell, outcome, row) in &done {
        for one in &cell.values {
            text += &format!("{},", quoted(&one.value));
        }
        let folder = cell.folder.file_name().unwrap_or_default().to_string_lossy();
        let error = outcome.as_ref().err().map_or("", String::as_str);
        let _ = write!(text, "{},{}", quoted(&folder), quoted(error));
        let _ = match outcome {
            Ok(r) => write!(
                text,
                ",{},{},{},{},{},{}",
                r.time_step,
                r.total_steps,
                r.inserted,
                r.removed,
                r.waiting,
                r.warnings.len()
            ),
            Err(_) => write!(text, ",,,,,,"),
        };
        for column in &columns {
            let value = row.iter().find(|(name, _)| name == column).map_or("", |(_, value)| value);
            let _ = write!(text, ",{value}");
        }
        text.push('\n');
    }
    write_whole(path, |writer| writer.write_all(text.as_bytes()))
}

/// The last row of a series with the names of its columns; nothing if there is none.
fn last_row(path: &Path) -> Vec<(String, String)> {
    let text = fs::read_to_string(path).unwrap_or_default();
    let mut lines = text.lines();
    let (Some(header), Some(last)) = (lines.next(), lines.next_back()) else { return Vec::new() };
    header
        .split(',')
        .zip(last.split(','))
        .map(|(name, value)| (name.to_string(), value.to_string()))
        .collect()
}

/// A field of a CSV file, in quotes if it needs them; a record stays one line.
fn quoted(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.contains([',', '"']) { format!("\"{}\"", line.replace('"', "'")) } else { line }
}

fn summary<'a>(table: &'a Path, cells: &'a [Cell], failed: usize) -> Summary<'a> {
    let of = |cell: &'a Cell| {
        let value =
            |text: &str| text.parse().map_or_else(|_| Value::from(text), |number: f64| Value::from(number));
        let outcome = cell.outcome.as_ref();
        RunSummary {
            values: cell.values.iter().map(|one| (one.key.clone(), value(&one.value))).collect(),
            error: outcome.and_then(|outcome| outcome.as_ref().err()).map(String::as_str),
            report: outcome.and_then(|outcome| outcome.as_ref().ok()),
        }
    };
    Summary { table, failed, runs: cells.iter().map(of).collect() }
}
