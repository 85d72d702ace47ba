//! Modules use only modules of lower layers, so there are no circles.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The modules of the library, lowest first. A module may use those of the rows above its own, and no others.
const LAYERS: &[&[&str]] = &[
    &["archive", "dimension", "error", "machine", "memory", "number", "random"],
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

#[test]
fn modules_use_lower_layers_only() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let library = fs::read_to_string(sources.join("lib.rs")).unwrap();
    let layers: BTreeMap<&str, usize> = LAYERS
        .iter()
        .enumerate()
        .flat_map(|(layer, row)| row.iter().map(move |name| (*name, layer)))
        .collect();
    let mut modules: Vec<&str> = library
        .lines()
        .filter_map(|line| line.trim_start_matches("pub ").strip_prefix("mod ")?.strip_suffix(';'))
        .collect();
    modules.sort_unstable();
    assert!(
        modules.iter().eq(layers.keys()),
        "modules of the library: {modules:?}, in the table: {layers:?}"
    );
    // What the root exports stands for the module it comes from.
    let exports: BTreeMap<&str, &str> = library
        .lines()
        .filter_map(|line| line.strip_prefix("pub use ")?.split_once("::"))
        .flat_map(|(module, names)| names_of(names).into_iter().map(move |name| (name, module)))
        .collect();

    let mut wrong = Vec::new();
    for file in files(&sources) {
        let path: Vec<_> =
            file.strip_prefix(&sources).unwrap().iter().map(|part| part.to_str().unwrap()).collect();
        let depth = path.len() - usize::from(path.last() == Some(&"mod.rs"));
        let user = path[0].trim_end_matches(".rs");
        let code = code_of(&fs::read_to_string(&file).unwrap()).replace(&"super::".repeat(depth), "crate::");
        for used in code.split("crate::").skip(1).flat_map(names_of) {
            let used = exports.get(used).copied().unwrap_or(used);
            if used != user && layers.get(used).is_none_or(|layer| *layer >= layers[user]) {
                wrong.push(format!("{}: `{user}` uses `{used}`, which is not below it", path.join("/")));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// All source files but the root of the library and files of tests.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let found = entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] });
    found.filter(|path| !path.ends_with("lib.rs") && !path.ends_with("tests.rs")).collect()
}

/// A source without comments and without items for tests.
fn code_of(source: &str) -> String {
    let mut code = String::new();
    let mut lines = source.lines().map(|line| line.split("//").next().unwrap_or_default());
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

/// The first names of what follows `crate::`: one, or those in braces.
fn names_of(path: &str) -> Vec<&str> {
    let mut names = Vec::new();
    let mut depth = 0;
    for (position, character) in path.char_indices() {
        depth += i32::from(character == '{') - i32::from(character == '}');
        if position == 0 || depth == 1 && character == ',' {
            let text = path[position..].trim_start_matches(['{', ',']).trim_start();
            names.push(text.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default());
        }
        if depth == 0 {
            break;
        }
    }
    names.retain(|name| !name.is_empty());
    names
}
