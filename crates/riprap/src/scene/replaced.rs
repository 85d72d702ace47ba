//! Values of a scene that are replaced before it is read: `walls.lid.friction = 0.3` without an editor.

use toml_edit::{DocumentMut, Item, TableLike, Value};

/// A key of a scene and the value that it gets.
///
/// Keys are those of the tables around it, with dots between: `time.end`, `materials.grain.friction`. Of walls, insertions and other
/// lists of tables one goes by its name or its number: `walls.lid.until`, `insert.0.count`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replaced {
    /// The key.
    pub key: String,
    /// The value, in TOML. What is none is a text.
    pub value: String,
}

/// The text of a scene with these values.
pub(super) fn with(source: &str, replaced: &[Replaced]) -> Result<String, String> {
    // What cannot be read is refused later, with its place.
    let Ok(mut scene) = source.parse::<DocumentMut>() else { return Ok(source.to_string()) };
    for one in replaced {
        replace(scene.as_table_mut(), one).map_err(|reason| format!("cannot set `{}`: {reason}", one.key))?;
    }
    Ok(scene.to_string())
}

fn replace(scene: &mut dyn TableLike, Replaced { key, value }: &Replaced) -> Result<(), String> {
    let parts: Vec<&str> = key.split('.').collect();
    let [tables @ .., last] = &parts[..] else { return Err("it is empty".to_string()) };
    if parts.iter().any(|part| part.is_empty()) {
        return Err("expected names with dots between them, such as `time.end`".to_string());
    }
    let (mut table, mut tables) = (scene, tables.iter());
    while let Some(name) = tables.next() {
        table = match table.entry(name).or_insert_with(toml_edit::table) {
            Item::ArrayOfTables(list) => {
                let names: Vec<_> =
                    list.iter().map(|entry| entry.get("name").and_then(Item::as_str)).collect();
                let index = which(&names, tables.next().copied())?;
                list.get_mut(index).ok_or("it is not there")?
            }
            Item::Value(Value::Array(list)) => {
                let names: Vec<_> = list
                    .iter()
                    .map(|entry| entry.as_inline_table().and_then(|entry| entry.get("name")?.as_str()))
                    .collect();
                let index = which(&names, tables.next().copied())?;
                let entry = list.get_mut(index).and_then(Value::as_inline_table_mut);
                entry.ok_or_else(|| format!("`{name}` is no list of tables"))?
            }
            other => other.as_table_like_mut().ok_or_else(|| format!("`{name}` is no table"))?,
        };
    }
    let value = value.trim().parse::<Value>().unwrap_or_else(|_| Value::from(value.trim()));
    // A comment behind the old value stays.
    let decor = table.get(last).and_then(Item::as_value).map(|old| old.decor().clone());
    let mut item = Item::Value(value);
    if let (Some(decor), Some(value)) = (decor, item.as_value_mut()) {
        *value.decor_mut() = decor;
    }
    table.insert(last, item);
    Ok(())
}

/// The entry of a list that goes by this name or number.
fn which(names: &[Option<&str>], wanted: Option<&str>) -> Result<usize, String> {
    let known = || {
        let known =
            names.iter().enumerate().map(|(index, name)| name.map_or(index.to_string(), String::from));
        known.collect::<Vec<_>>().join(", ")
    };
    let Some(wanted) = wanted else {
        return Err(format!("which of them? Put a name or number between the dots: {}", known()));
    };
    let named = names.iter().position(|name| *name == Some(wanted));
    let numbered = || wanted.parse().ok().filter(|&index: &usize| index < names.len());
    named.or_else(numbered).ok_or_else(|| format!("there is no `{wanted}`, only: {}", known()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCENE: &str = "seed = 1 # of all\n[time]\nend = 1\n[materials.grain]\nfriction = 0.4\n[[walls]]\nname = \"lid\"\nuntil = 2\n\
                         motion = [{ start = 0, velocity = [0, 0, 1] }]\n[[walls]]\nshape = \"plane\"\n";

    fn set(key: &str, value: &str) -> Result<String, String> {
        with(SCENE, &[Replaced { key: key.to_string(), value: value.to_string() }])
    }

    #[test]
    fn values_are_replaced_where_they_stand() {
        for (key, value, from, to) in [
            ("seed", "7", "seed = 1 # of all", "seed = 7 # of all"),
            ("time.end", "0.5", "end = 1", "end = 0.5"),
            ("materials.grain.friction", " 0.3 ", "friction = 0.4", "friction = 0.3"),
            ("walls.lid.until", "3", "until = 2", "until = 3"),
            ("walls.1.shape", "box", "shape = \"plane\"", "shape = \"box\""),
            ("walls.lid.motion.0.velocity", "[0, 1, 0]", "velocity = [0, 0, 1]", "velocity = [0, 1, 0]"),
        ] {
            assert_eq!(set(key, value).unwrap(), SCENE.replace(from, to), "{key}");
        }
        let new = set("output.frames", "0.1").unwrap();
        assert!(new.contains("[output]\nframes = 0.1"), "{new}");
        assert_eq!(with("= nonsense", &[]).unwrap(), "= nonsense");
    }

    #[test]
    fn keys_that_lead_nowhere_are_refused() {
        for (key, reason) in [
            ("walls.floor.until", "there is no `floor`, only: lid, 1"),
            ("walls.until", "which of them? Put a name or number between the dots: lid, 1"),
            ("seed.of.all", "`seed` is no table"),
            ("time..end", "expected names with dots"),
            ("", "expected names with dots"),
        ] {
            let error = set(key, "1").unwrap_err();
            assert!(error.starts_with(&format!("cannot set `{key}`")) && error.contains(reason), "{error}");
        }
    }
}
