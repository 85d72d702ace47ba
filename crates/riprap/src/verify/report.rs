//! Running cases, and their verdicts as a table and as JSON.

use std::time::Instant;

use rayon::prelude::*;
use serde::Serialize;

use super::check::{CaseError, Check, Findings};
use super::{Case, page};

/// What became of one case.
pub struct Outcome {
    /// The case.
    pub case: &'static Case,
    /// What it found, or why it could not be done, which counts as one failed check.
    pub result: Result<Findings, CaseError>,
    /// How long it took.
    pub seconds: f64,
}

/// What became of some cases.
pub struct Report {
    /// In the order in which they were asked for.
    pub outcomes: Vec<Outcome>,
    /// How long all of them took.
    pub seconds: f64,
}

/// Runs cases side by side on the current pool of threads; tells of each when it is over.
pub fn run(cases: &[&'static Case], finished: impl Fn(&Outcome) + Sync) -> Report {
    let start = Instant::now();
    let outcomes = cases
        .par_iter()
        .with_max_len(1)
        .map(|case| {
            let start = Instant::now();
            let result = (case.experiment)();
            let outcome = Outcome { case, result, seconds: start.elapsed().as_secs_f64() };
            finished(&outcome);
            outcome
        })
        .collect();
    Report { outcomes, seconds: start.elapsed().as_secs_f64() }
}

impl Outcome {
    /// Its checks; none if it could not be done.
    pub fn checks(&self) -> &[Check] {
        self.result.as_ref().map_or(&[], |findings| &findings.checks)
    }

    /// Checks passed and failed.
    pub fn counts(&self) -> (usize, usize) {
        let passed = self.checks().iter().filter(|check| check.pass()).count();
        // An experiment that shows nothing shows nothing right.
        let failed = self.checks().len() - passed;
        (passed, if self.checks().is_empty() { 1 } else { failed })
    }

    /// Whether all checks have passed.
    pub fn pass(&self) -> bool {
        self.counts().1 == 0
    }
}

/// One check in JSON.
#[derive(Serialize)]
struct CheckLine<'a> {
    name: String,
    case: &'a str,
    reference: String,
    expected: Option<f64>,
    ours: Option<f64>,
    error: Option<f64>,
    allowed: Option<f64>,
    measure: Option<&'a str>,
    pass: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<String>,
}

/// All of them.
#[derive(Serialize)]
struct Lines<'a> {
    cases: Vec<CheckLine<'a>>,
    passed: usize,
    failed: usize,
    seconds: f64,
}

impl Report {
    /// Checks that passed.
    pub fn passed(&self) -> usize {
        self.outcomes.iter().map(|outcome| outcome.counts().0).sum()
    }

    /// Checks that failed; an experiment that could not be done is one.
    pub fn failed(&self) -> usize {
        self.outcomes.iter().map(|outcome| outcome.counts().1).sum()
    }

    /// As one JSON object on a line of its own.
    pub fn json(&self) -> String {
        let cases = self.outcomes.iter().flat_map(lines).collect();
        let all = Lines { cases, passed: self.passed(), failed: self.failed(), seconds: self.seconds };
        // Text and numbers always have a form in JSON.
        let mut text = serde_json::to_string(&all).expect("plain data");
        text.push('\n');
        text
    }

    /// As a table for people.
    pub fn table(&self) -> String {
        let width = |of: fn(&Check) -> &str| {
            let checks = self.outcomes.iter().flat_map(Outcome::checks);
            checks.map(|check| of(check).chars().count()).max().unwrap_or(0)
        };
        let (name_width, formula_width) =
            (width(|check| &check.name).max(5), width(|check| &check.formula).max(9));
        let row = |cells: [&str; 7]| {
            let [name, formula, expected, ours, error, allowed, verdict] = cells;
            format!(
                "  {name:name_width$}  {formula:formula_width$}  {expected:>10}  {ours:>10}  {error:>9}  {allowed:>9}  {verdict}\n"
            )
        };
        let mut table = row(["check", "reference", "expected", "ours", "error", "allowed", "verdict"]);
        for outcome in &self.outcomes {
            let Case { name, title, source, .. } = outcome.case;
            table += &format!("{name}: {title} ({source})\n");
            for check in outcome.checks() {
                table += &row([
                    &check.name,
                    &check.formula,
                    &number(check.expected),
                    &number(check.ours),
                    &number(check.error),
                    &number(check.allowed),
                    verdict(check.pass()),
                ]);
            }
            if let Err(error) = &outcome.result {
                table += &format!("  FAIL: {error}\n");
            }
        }
        table += &format!("\n{}\n", self.summary());
        table
    }

    /// How many checks have passed and which cases have not, in a sentence.
    pub fn summary(&self) -> String {
        let (passed, failed) = (self.passed(), self.failed());
        let cases = self.outcomes.len();
        let plural = |count: usize| if count == 1 { "" } else { "s" };
        let all = format!(
            "{passed} of {} check{} passed in {cases} case{}, {:.1} s",
            passed + failed,
            plural(passed + failed),
            plural(cases),
            self.seconds
        );
        let bad: Vec<&str> =
            self.outcomes.iter().filter(|outcome| !outcome.pass()).map(|outcome| outcome.case.name).collect();
        if bad.is_empty() { all } else { format!("{all}; failed: {}", bad.join(", ")) }
    }

    /// As one HTML page that needs nothing else.
    pub fn page(&self) -> String {
        page::page(self)
    }
}

fn lines(outcome: &Outcome) -> Vec<CheckLine<'_>> {
    let case = outcome.case;
    let line = |check: &Check| CheckLine {
        name: format!("{}: {}", case.name, check.name),
        case: case.name,
        reference: format!("{} ({})", check.formula, case.source),
        expected: Some(check.expected),
        ours: Some(check.ours),
        error: Some(check.error),
        allowed: Some(check.allowed),
        measure: Some(check.measure.name()),
        pass: check.pass(),
        failure: None,
    };
    match &outcome.result {
        Ok(findings) => findings.checks.iter().map(line).collect(),
        Err(error) => vec![CheckLine {
            name: case.name.to_string(),
            case: case.name,
            reference: case.source.to_string(),
            expected: None,
            ours: None,
            error: None,
            allowed: None,
            measure: None,
            pass: false,
            failure: Some(error.to_string()),
        }],
    }
}

pub(super) fn verdict(pass: bool) -> &'static str {
    if pass { "pass" } else { "FAIL" }
}

/// A number with four digits.
pub(super) fn number(value: f64) -> String {
    let text = format!("{value:.3e}");
    let Some((mantissa, exponent)) = text.split_once('e') else { return text };
    // Zeros after the point say nothing here.
    let short = |digits: &str| match digits.contains('.') {
        true => digits.trim_end_matches('0').trim_end_matches('.').to_string(),
        false => digits.to_string(),
    };
    match exponent.parse::<i32>() {
        Ok(magnitude @ -3..5) => short(&format!("{value:.*}", (3 - magnitude).max(0) as usize)),
        _ => format!("{}e{exponent}", short(mantissa)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::Spacing;
    use crate::verify::Figure;

    fn case(experiment: fn() -> Result<Findings, CaseError>) -> &'static Case {
        Box::leak(Box::new(Case { name: "one", title: "a & b", source: "<c>", long: false, experiment }))
    }

    fn findings(ours: f64) -> Result<Findings, CaseError> {
        let across = ("x", Spacing::Linear);
        let figure = Figure { across, upward: across, curves: Vec::new() };
        Ok(Findings { checks: vec![Check::relative("half", "1/2", [ours, 0.5], 0.01)], figure })
    }

    #[test]
    fn verdicts_follow_from_the_numbers() {
        let report = run(
            &[
                case(|| findings(0.501)),
                case(|| findings(0.51)),
                case(|| findings(f64::NAN)),
                case(|| Err(CaseError::Room { bodies: 7 })),
            ],
            |_| {},
        );
        assert_eq!((report.passed(), report.failed()), (1, 3));
        let json: serde_json::Value = serde_json::from_str(&report.json()).unwrap();
        assert_eq!((&json["passed"], &json["failed"]), (&1.into(), &3.into()));
        let verdicts: Vec<_> =
            json["cases"].as_array().unwrap().iter().map(|line| line["pass"].as_bool().unwrap()).collect();
        assert_eq!(verdicts, [true, false, false, false]);
        assert_eq!(json["cases"][0]["name"], "one: half");
        assert!(json["cases"][2]["ours"].is_null());
        assert_eq!(json["cases"][3]["failure"], "no room for 7 bodies");
        let table = report.table();
        assert!(
            table.contains("FAIL: no room for 7 bodies") && table.contains("1 of 4 checks passed in 4 cases")
        );
        let page = report.page();
        assert!(page.contains("a &amp; b") && page.contains("&lt;c&gt;") && !page.contains("<c>"));
    }

    #[test]
    fn numbers_are_short() {
        let texts = [0.0, 0.5, 12345.6, 1.0e-9, 2.0 / 3.0, 1e7].map(number);
        assert_eq!(texts, ["0", "0.5", "12346", "1e-9", "0.6667", "1e7"]);
    }
}
