//! What has changed in a scene since a checkpoint was written.

use std::collections::BTreeMap;
use std::path::Path;

use toml::{Table, Value};

use super::folder::SCENE;

/// A key of a scene whose value is another one.
#[derive(Debug, Clone, PartialEq)]
pub struct ChangedKey {
    /// The key, with those of the tables around it.
    pub key: String,
    /// Its value then; `None` if it was not there.
    pub then: Option<String>,
    /// Its value now; `None` if it is not there.
    pub now: Option<String>,
}

/// The keys that have changed since the scene with this checksum, of which the folder of a checkpoint has a copy; none if it has none, or
/// it cannot be read.
pub(super) fn since(checkpoint: &Path, checksum: u32, now: &str) -> Vec<ChangedKey> {
    // Checkpoints are one folder deeper than the state after a failure.
    let folders = checkpoint.ancestors().skip(1).take(2);
    let texts = folders.filter_map(|folder| std::fs::read_to_string(folder.join(SCENE)).ok());
    let then = texts.into_iter().find(|text| crc32fast::hash(text.as_bytes()) == checksum);
    then.map_or_else(Vec::new, |then| between(&then, now))
}

/// The keys that differ between two scenes.
fn between(then: &str, now: &str) -> Vec<ChangedKey> {
    let [Ok(then), Ok(now)] = [then, now].map(str::parse::<Table>) else { return Vec::new() };
    let [mut then, now] = [then, now].map(|table| {
        let mut all = BTreeMap::new();
        flatten("", &Value::Table(table), &mut all);
        all
    });
    let mut changed = Vec::new();
    for (key, now) in now {
        let before = then.remove(&key);
        if before.as_ref() != Some(&now) {
            changed.push(ChangedKey { key, then: before, now: Some(now) });
        }
    }
    changed.extend(then.into_iter().map(|(key, value)| ChangedKey { key, then: Some(value), now: None }));
    changed.sort_by(|a, b| a.key.cmp(&b.key));
    changed
}

/// Notes the values below a key. Tables of a list go by their names, or by their numbers if they have none.
fn flatten(key: &str, value: &Value, all: &mut BTreeMap<String, String>) {
    let below = |name: &str| if key.is_empty() { name.to_string() } else { format!("{key}.{name}") };
    match value {
        Value::Table(table) => table.iter().for_each(|(name, value)| flatten(&below(name), value, all)),
        Value::Array(list) if !list.is_empty() && list.iter().all(Value::is_table) => {
            for (index, value) in list.iter().enumerate() {
                let name = value.get("name").and_then(Value::as_str).map(String::from);
                flatten(&below(&name.unwrap_or_else(|| index.to_string())), value, all);
            }
        }
        other => {
            all.insert(key.to_string(), other.to_string());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const THEN: &str = "seed = 1\n[materials.grain]\nfriction = 0.4\n[[walls]]\nname = \"lid\"\nshape = \"plane\"\nnormal = [0, 0, 1]\n\
                        [[insert]]\nhow = \"random\"\ncount = 5\n";

    #[test]
    fn changed_new_and_missing_keys_are_named() {
        let now = THEN.replace("0.4", "0.3").replace("seed = 1\n", "").replace("0, 1]", "0, 2]");
        let now = now.replace("count", "time = 2\ncount");
        let found: Vec<String> = between(THEN, &now)
            .into_iter()
            .map(|ChangedKey { key, then, now }| {
                let or_none = |value: Option<String>| value.unwrap_or_else(|| "-".to_string());
                format!("{key} {} {}", or_none(then), or_none(now))
            })
            .collect();
        assert_eq!(
            found,
            [
                "insert.0.time - 2",
                "materials.grain.friction 0.4 0.3",
                "seed 1 -",
                "walls.lid.normal [0, 0, 1] [0, 0, 2]"
            ]
        );
        assert!(between(THEN, THEN).is_empty());
        assert!(between(THEN, &format!("# a comment\n{THEN}")).is_empty());
        assert!(between("= nonsense", THEN).is_empty());
    }
}
