//! The report as one HTML page: no script, nothing loaded from anywhere, readable on a phone, in print and in the dark.

use super::check::Check;
use super::report::{Outcome, Report, number, verdict};
use crate::plot::{Axis, Chart, Width};

/// Curves that are dark blue on paper are light blue on black; the rest is plain.
const STYLE: &str = "\
:root{color-scheme:light dark;--ink:#1a1a1a;--paper:#fff;--faint:#ddd;--soft:#595959;--bad:#b00020}\
@media(prefers-color-scheme:dark){:root{--ink:#e8e8e8;--paper:#161616;--faint:#3a3a3a;--soft:#a8a8a8;--bad:#ff8a80}\
svg [stroke=\"#0072b2\"]{stroke:#56b4e9}svg [fill=\"#0072b2\"]{fill:#56b4e9}svg [stroke=\"#d55e00\"]{stroke:#ff9d4d}\
svg [fill=\"#d55e00\"]{fill:#ff9d4d}svg [stroke=\"#009e73\"]{stroke:#2fd3a0}svg [stroke=\"#cc79a7\"]{stroke:#f0a6cf}}\
*{box-sizing:border-box}\
body{margin:0 auto;padding:1rem;max-width:70rem;font:16px/1.45 system-ui,sans-serif;color:var(--ink);background:var(--paper)}\
h1{font-size:1.5rem;margin:.2rem 0}h2{font-size:1.15rem;margin:0}p{margin:.3rem 0}a{color:inherit}\
.soft{color:var(--soft)}.bad{color:var(--bad);font-weight:700}\
nav ul{list-style:none;padding:0;margin:1rem 0;display:grid;grid-template-columns:repeat(auto-fill,minmax(11.5rem,1fr));gap:.2rem 1rem}\
section{border-top:1px solid var(--faint);padding:1rem 0}\
.both{display:grid;grid-template-columns:minmax(0,26rem) minmax(0,1fr);gap:1rem;align-items:start}\
svg{max-width:100%;height:auto}svg .paper{fill:none}svg text{fill:var(--ink)}svg .grid{stroke:var(--faint)}svg .ink{stroke:var(--ink)}\
table{border-collapse:collapse;width:100%;font-size:.9rem}th,td{padding:.25rem .5rem;text-align:right;vertical-align:top;\
border-bottom:1px solid var(--faint);font-variant-numeric:tabular-nums}\
th{font-weight:600}td:not(:first-child),nav li{white-space:nowrap}td:first-child,th:first-child{text-align:left}td small{display:block;color:var(--soft)}\
@media(max-width:54rem){.both{grid-template-columns:1fr}}\
@media(max-width:38rem){thead{display:none}tr{display:grid;grid-template-columns:1fr 1fr;border-bottom:1px solid var(--faint);padding:.4rem 0}\
td{border:0;text-align:left;padding:.1rem 0}td:first-child,td:last-child{grid-column:1/-1}\
td[data-label]::before{content:attr(data-label) \" \";color:var(--soft)}}\
@media print{section{break-inside:avoid}}";

/// The whole page.
pub(super) fn page(report: &Report) -> String {
    let cases: String = report.outcomes.iter().map(section).collect();
    let links: String = report.outcomes.iter().map(link).collect();
    let summary = escaped(&report.summary());
    let class = if report.failed() == 0 { "" } else { " class=\"bad\"" };
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n\
         <title>riprap verify</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<header>\n<h1>Is the physics right?</h1>\n\
         <p{class}>{summary}</p>\n\
         <p class=\"soft\">riprap {}. Each experiment is simulated and compared with a closed form or a published law. An error is a share of \
         what was expected; where that is zero, it is the difference; an order or a bound may be exceeded.</p>\n\
         </header>\n<nav>\n<ul>\n{links}</ul>\n</nav>\n<main>\n{cases}</main>\n</body>\n</html>\n",
        env!("CARGO_PKG_VERSION")
    )
}

/// A line of the contents.
fn link(outcome: &Outcome) -> String {
    let name = outcome.case.name;
    let (passed, failed) = outcome.counts();
    let count = format!("{passed}/{}", passed + failed);
    format!(
        "<li>{} <a href=\"#{name}\">{name}</a> <span class=\"soft\">{count}</span></li>\n",
        sign(failed == 0)
    )
}

/// A verdict that can be told without colours.
fn sign(pass: bool) -> String {
    if pass { "✓".to_string() } else { "<span class=\"bad\">✗</span>".to_string() }
}

/// A case: what it is, its chart and its checks.
fn section(outcome: &Outcome) -> String {
    let case = outcome.case;
    let head = format!(
        "<section id=\"{}\">\n<h2>{} {}</h2>\n<p>{} <span class=\"soft\">({}; {:.1} s)</span></p>\n",
        case.name,
        sign(outcome.pass()),
        case.name,
        escaped(case.title),
        escaped(case.source),
        outcome.seconds
    );
    let body = match &outcome.result {
        Err(error) => format!("<p class=\"bad\">{}</p>\n", escaped(&error.to_string())),
        Ok(findings) => {
            let figure = &findings.figure;
            let chart = Chart {
                title: "",
                across: Axis { label: figure.across.0, spacing: figure.across.1 },
                upward: Axis { label: figure.upward.0, spacing: figure.upward.1 },
                curves: figure.curves.clone(),
                width: Width::Column,
            };
            let rows: String = findings.checks.iter().map(row).collect();
            format!(
                "<div class=\"both\">\n{}<table>\n<thead><tr><th>check</th><th>expected</th><th>ours</th><th>error</th>\
                 <th>allowed</th><th>verdict</th></tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n</div>\n",
                chart.svg()
            )
        }
    };
    format!("{head}{body}</section>\n")
}

fn row(check: &Check) -> String {
    let cells: String = [
        ("expected", check.expected),
        ("ours", check.ours),
        ("error", check.error),
        ("allowed", check.allowed),
    ]
    .iter()
    .map(|(label, value)| format!("<td data-label=\"{label}\">{}</td>", number(*value)))
    .collect();
    let class = if check.pass() { "" } else { " class=\"bad\"" };
    format!(
        "<tr><td>{}<small>{}</small></td>{cells}<td{class}>{}</td></tr>\n",
        escaped(&check.name),
        escaped(&check.formula),
        verdict(check.pass())
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
