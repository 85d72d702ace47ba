//! Methods by name, as a user of the command line meets them.

use anyhow::anyhow;

use crate::Failure;

/// A method, its name and what it is for.
type Named<M> = (M, &'static str, &'static str);

/// What was found by a name; if nothing was, the failure lists the names that there are.
pub(crate) fn found<M>(method: Option<M>, name: &str, all: &[Named<M>]) -> Result<M, Failure> {
    method.ok_or_else(|| {
        let names: Vec<_> = all.iter().map(|(_, name, _)| format!("`{name}`")).collect();
        Failure::input(anyhow!("unknown method `{name}`; known methods: {}", names.join(", ")))
    })
}

/// The table of methods, for the help.
pub(crate) fn help<M>(all: &[Named<M>]) -> String {
    let width = all.iter().map(|(_, name, _)| name.len()).max().unwrap_or(0);
    let lines = all.iter().map(|(_, name, help)| format!("  {name:width$} {help}\n"));
    format!("Methods:\n{}", lines.collect::<String>())
}
