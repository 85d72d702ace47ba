//! Comma-separated values with a header.
//!
//! A field may stand in double quotes and then hold commas; a record is one line, so that every error names the line
//! that an editor shows.

use std::io::BufRead;

use super::columns::FileColumns;
use super::{Problem, RowKind, Rows, for_each_line};

pub(super) fn read(reader: impl BufRead, kind: RowKind) -> Result<Rows, Problem> {
    let mut columns: Option<FileColumns> = None;
    let mut fields = Vec::new();
    for_each_line(reader, |number, line| {
        if line.trim().is_empty() {
            return Ok(());
        }
        let fields = split(line, std::mem::take(&mut fields))
            .ok_or_else(|| Problem::at(number, "a quote is not closed in its line"))?;
        match &mut columns {
            Some(columns) => columns.push(number, &fields),
            None => {
                columns = Some(
                    FileColumns::new(&fields, kind)
                        .map_err(|message| Problem::at(number, format!("{message}{}", hint(&fields))))?,
                );
                Ok(())
            }
        }
    })?;
    columns
        .map(|columns| columns.finish(None))
        .ok_or_else(|| Problem::whole(format!("is empty, expected a header such as `{}`", kind.header())))
}

/// What may be wrong with a header that lacks columns.
fn hint(names: &[&str]) -> &'static str {
    if names.iter().all(|name| name.trim().parse::<f64>().is_ok()) {
        " (the first line must be a header)"
    } else if names.iter().any(|name| name.contains([';', '\t'])) {
        " (separate columns by commas)"
    } else {
        ""
    }
}

/// The fields of a line, put into a vector that is emptied first; `None` when a quote is left open.
fn split<'a>(line: &'a str, mut fields: Vec<&'a str>) -> Option<Vec<&'a str>> {
    fields.clear();
    if !line.contains('"') {
        fields.extend(line.split(','));
        return Some(fields);
    }
    let mut quoted = false;
    let mut begin = 0;
    for (position, character) in line.char_indices() {
        match character {
            '"' => quoted = !quoted,
            ',' if !quoted => {
                fields.push(&line[begin..position]);
                begin = position + 1;
            }
            _ => {}
        }
    }
    fields.push(&line[begin..]);
    fields.iter_mut().for_each(|field| *field = field.trim().trim_matches('"'));
    (!quoted).then_some(fields)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_at_commas_outside_quotes() {
        assert_eq!(split("1,2,,3", Vec::new()).unwrap(), ["1", "2", "", "3"]);
        assert_eq!(split("\"a, b\",\"1\" ,2", Vec::new()).unwrap(), ["a, b", "1", "2"]);
        assert_eq!(split("\"a, b,1", Vec::new()), None);
    }
}
