//! Modules use only modules of lower layers, so there are no circles: those of the library, and those of `dem`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The modules of the library, lowest first. A module may use those of the rows above its own, and no others.
const LAYERS: &[&[&str]] = &[
    &["archive", "dimension", "error", "machine", "memory", "number", "random", "words"],
    &["vector", "spheres"],
    &["lanes", "criterion"],
    &["broad", "mesh", "tune"],
    &["convex", "packing"],
    &["inside"],
    &["shape"],
    &["dem", "io", "picture", "plot"],
    &["scene"],
    &["run"],
    &["verify"],
];

/// The same for `dem`.
const LAYERS_OF_DEM: &[&[&str]] = &[
    &["clock", "departed", "domain", "material", "overlap", "parts", "spin"],
    &["cause", "contact", "rotation", "settings"],
    &["body", "energy", "inserted", "law"],
    &["exchange", "materials"],
    &["conditions"],
    &["motion", "pairs", "wall"],
    &["stones"],
    &["passes", "setup", "state"],
    &["failure", "time_step"],
    SIMULATION,
];

/// One layer whose modules may use each other: each is a part of what a `Simulation` does.
const SIMULATION: &[&str] = &[
    "crushing",
    "departure",
    "diagnosis",
    "insert",
    "measure",
    "probe",
    "restore",
    "simulation",
    "step",
    "suspect",
];

#[test]
fn modules_use_lower_layers_only() {
    check(&[], "lib.rs", LAYERS);
}

#[test]
fn modules_of_dem_use_lower_layers_only() {
    check(&["dem"], "dem/mod.rs", LAYERS_OF_DEM);
}

/// Compares what the modules of a parent use of each other with a table. `root` is the parent's own file.
fn check(parent: &[&str], root: &str, table: &[&[&str]]) {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let text = fs::read_to_string(sources.join(root)).unwrap();
    let rows = table.iter().enumerate();
    let layers: BTreeMap<&str, usize> =
        rows.flat_map(|(layer, row)| row.iter().map(move |name| (*name, layer))).collect();
    let mut modules: Vec<&str> = text
        .lines()
        .filter_map(|line| line.trim_start_matches("pub ").strip_prefix("mod ")?.strip_suffix(';'))
        .collect();
    modules.sort_unstable();
    assert!(modules.iter().eq(layers.keys()), "modules of {root}: {modules:?}, in the table: {layers:?}");
    // What the parent exports stands for the module it comes from.
    let exports: BTreeMap<String, String> = text
        .split("pub use ")
        .skip(1)
        .flat_map(|text| leaves(&[], text))
        .map(|path| (path.last().unwrap().clone(), path[0].clone()))
        .collect();

    let mut wrong = Vec::new();
    for file in files(&sources.join(parent.join("/"))) {
        let name = file.strip_prefix(&sources).unwrap().to_str().unwrap();
        if name == root {
            continue;
        }
        let here = module_of(name);
        let user = here[parent.len()].as_str();
        for used in uses(&here, &code_of(&fs::read_to_string(&file).unwrap())) {
            let Some(used) =
                used.strip_prefix(&parent.iter().map(ToString::to_string).collect::<Vec<_>>()[..])
            else {
                continue;
            };
            let used = used.first().map_or("everything", String::as_str);
            let used = exports.get(used).map_or(used, String::as_str);
            let together = SIMULATION.contains(&user) && SIMULATION.contains(&used);
            let below = layers.get(used).is_some_and(|layer| *layer < layers[user]);
            if used != user && !below && !together {
                wrong.push(format!("{name}: `{user}` uses `{used}`, which is not below it"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// All source files but the root of the library and files of tests.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let found = entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] });
    let is_source = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "rs");
    found.filter(|path| is_source(path) && !path.ends_with("lib.rs") && !path.ends_with("tests.rs")).collect()
}

/// The path of the module in this file.
fn module_of(file: &str) -> Vec<String> {
    let path = file.trim_end_matches(".rs");
    path.strip_suffix("/mod").unwrap_or(path).split('/').map(String::from).collect()
}

/// A source without comments, strings and items for tests.
fn code_of(source: &str) -> String {
    let plain = without_text(source);
    let mut code = String::new();
    let mut lines = plain.lines();
    while let Some(line) = lines.next() {
        if let Some(indent) = line.strip_suffix("#[cfg(test)]") {
            let end = format!("{indent}}}");
            let first = lines.next().unwrap_or_default();
            _ = first.ends_with('{') && lines.any(|line| line == end);
        } else {
            code += line;
            code.push('\n');
        }
    }
    code
}

/// A source without comments and without what is between quotes.
fn without_text(source: &str) -> String {
    let mut code = String::new();
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let raw = rest.strip_prefix('r').map(|rest| rest.trim_start_matches('#'));
        let text = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if let Some(text) = rest.strip_prefix('"') {
            1 + end_of_string(text)
        } else if let Some(text) = raw.filter(|text| text.starts_with('"') && !code.ends_with(is_of_name)) {
            let quote = rest.len() - text.len() + 1;
            let end = format!("\"{}", "#".repeat(quote - 2));
            rest[quote..].find(&end).map_or(rest.len(), |at| quote + at + end.len())
        } else if rest.starts_with("'\"'") || rest.starts_with("'\\") {
            2 + rest[2..].find('\'').map_or(0, |at| at + 1)
        } else {
            code.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        };
        rest = &rest[text..];
    }
    code
}

/// Where the text of a string ends, behind its quote.
fn end_of_string(text: &str) -> usize {
    let mut escaped = false;
    for (position, character) in text.char_indices() {
        if character == '"' && !escaped {
            return position + 1;
        }
        escaped = character == '\\' && !escaped;
    }
    text.len()
}

fn is_of_name(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// Paths from the root of all that a module names by `crate` or `super`.
fn uses(here: &[String], code: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for start in ["crate", "super"].iter().flat_map(|word| code.match_indices(word)).map(|(start, _)| start) {
        let before = &code[..start];
        let whole = !before.ends_with(is_of_name) && !code[start + 5..].starts_with(is_of_name);
        // What is later in a path, or in its braces, is found from its beginning, and `pub(super)` uses nothing.
        let item = before.rsplit(';').next().unwrap_or_default();
        let nested = item.rfind("use ").is_some_and(|start| item[start..].contains("::{"));
        if whole && !nested && !before.ends_with("::") && !before.ends_with("pub(") {
            found.extend(leaves(here, &code[start..]));
        }
    }
    found
}

/// The paths that a text begins with, one for each name in braces.
fn leaves(here: &[String], text: &str) -> Vec<Vec<String>> {
    let text = text.trim_start();
    if let Some(inner) = text.strip_prefix('{') {
        return parts_of(inner).into_iter().flat_map(|part| leaves(here, part)).collect();
    }
    let end = text.find(|character| !is_of_name(character)).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    let mut path = here.to_vec();
    match name {
        "crate" => path.clear(),
        "super" => drop(path.pop()),
        "" | "self" => {}
        _ => path.push(name.to_string()),
    }
    match rest.trim_start().strip_prefix("::") {
        Some(rest) => leaves(&path, rest),
        None => vec![path],
    }
}

/// The parts between commas up to the closing brace.
fn parts_of(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0, 0);
    for (position, character) in text.char_indices() {
        match character {
            '{' => depth += 1,
            ',' | '}' if depth == 0 => {
                parts.push(&text[start..position]);
                start = position + 1;
            }
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 && character == '}' && start == position + 1 {
            break;
        }
    }
    parts.retain(|part| !part.trim().is_empty());
    parts
}

#[test]
fn the_reader_sees_what_is_used() {
    let found = |code: &str| -> Vec<String> {
        let paths = uses(&module_of("dem/law/hertz.rs"), &code_of(code));
        paths.iter().map(|path| path.join("::")).collect()
    };
    assert_eq!(
        found("use super::{super::body, normal::{A, B}};"),
        ["dem::body", "dem::law::normal::A", "dem::law::normal::B"]
    );
    assert_eq!(found("use crate as root;"), [""]);
    assert_eq!(found("use crate::{self as root, io};"), ["", "io"]);
    assert_eq!(found("use crate::*;"), [""]);
    assert_eq!(found("let a = \"// \\\"\"; crate::io::f(b'\"', \"crate::run\");"), ["io::f"]);
    assert_eq!(found("let a = r#\"\" crate::run\"#; // crate::run\ncrate::io::f()"), ["io::f"]);
    assert_eq!(found("pub(super) fn supers() { crates() }"), [""; 0]);
    assert_eq!(found("#[cfg(test)]\nmod tests {\n    use crate::run;\n}\nuse crate::io;"), ["io"]);
}
