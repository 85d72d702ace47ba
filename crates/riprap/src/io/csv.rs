//! Comma-separated values with a header.

use std::io::Read;

use csv::{ByteRecord, ReaderBuilder};

use super::columns::Columns;
use super::{Particles, Problem};

pub(super) fn read(reader: impl Read) -> Result<Particles, Problem> {
    let mut rows = ReaderBuilder::new().has_headers(false).flexible(true).from_reader(reader);
    let mut record = ByteRecord::new();
    if !rows.read_byte_record(&mut record).map_err(problem)? {
        return Err(Problem::whole("is empty, expected a header such as `x,y,z,r`"));
    }
    let header_line = line_of(&record);
    let names: Vec<String> = record.iter().map(|name| String::from_utf8_lossy(name).into_owned()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut columns = Columns::new(&names).map_err(|message| Problem::at(header_line, message))?;

    while rows.read_byte_record(&mut record).map_err(problem)? {
        let mut fields: [&[u8]; 64] = [&[]; 64];
        let line = line_of(&record);
        match fields.get_mut(..record.len()) {
            Some(some) => {
                some.iter_mut().zip(&record).for_each(|(slot, field)| *slot = field);
                columns.push(line, some)?;
            }
            None => columns.push(line, &record.iter().collect::<Vec<_>>())?,
        }
    }
    Ok(columns.finish())
}

fn line_of(record: &ByteRecord) -> u64 {
    record.position().map_or(1, csv::Position::line)
}

fn problem(error: csv::Error) -> Problem {
    Problem { line: error.position().map(csv::Position::line), message: format!("cannot read: {error}") }
}
