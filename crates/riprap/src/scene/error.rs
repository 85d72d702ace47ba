//! What is wrong with a scene, and where: file, line, column and a caret under the value.

use std::fmt;
use std::ops::Range;
use std::path::PathBuf;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// What is wrong with a scene file.
#[derive(Debug, Clone, PartialEq)]
pub struct SceneError {
    /// The file.
    pub path: PathBuf,
    /// Line and column, counted from 1, and the text of the line with the length of what is marked.
    pub place: Option<TextPlace>,
    /// What is wrong and what was expected.
    pub message: String,
}

/// A place in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextPlace {
    /// Line, counted from 1.
    pub line: usize,
    /// Column in characters, counted from 1.
    pub column: usize,
    /// The line.
    pub text: String,
    /// Characters that are marked.
    pub length: usize,
}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(TextPlace { line, column, text, length }) = &self.place else {
            return write!(f, "{}: {}", self.path.display(), self.message);
        };
        let number = line.to_string();
        let margin = " ".repeat(number.len());
        // Tabs keep their width when they are repeated below.
        let indent: String =
            text.chars().take(column - 1).map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
        writeln!(f, "{}:{line}:{column}: {}", self.path.display(), self.message)?;
        writeln!(f, "{margin} |")?;
        writeln!(f, "{number} | {text}")?;
        write!(f, "{margin} | {indent}{}", "^".repeat(*length))
    }
}

impl std::error::Error for SceneError {}

/// What the reader of TOML says, in the words of someone who writes scenes.
pub(super) fn in_plain_words(message: &str) -> String {
    const WORDS: [(&str, &str); 7] = [
        ("expected f64", "expected a number, without quotes or unit"),
        ("expected u64", "expected a whole number, without quotes or unit"),
        ("expected a sequence", "expected a list in brackets, such as [0, 0, -9.81]"),
        ("expected a boolean", "expected true or false, without quotes"),
        (
            "string values must be quoted, expected literal string",
            "expected a number without a unit, or a text in quotes",
        ),
        ("unknown variant", "unknown value"),
        (
            "duplicate key",
            "is a duplicate key (several walls, insertions, pairs, outflows or probes are written [[walls]], ...)",
        ),
    ];
    WORDS.iter().fold(message.to_string(), |text, (jargon, plain)| text.replace(jargon, plain))
}

/// The line, column and text at a range of bytes.
pub(super) fn place(source: &str, span: Range<usize>) -> TextPlace {
    let start = span.start.min(source.len());
    let line_start = source[..start].rfind('\n').map_or(0, |end| end + 1);
    let text = source[line_start..].lines().next().unwrap_or_default().to_string();
    let column = source[line_start..start].chars().count() + 1;
    let end = span.end.clamp(start, source.len());
    let marked =
        source.get(start..end).unwrap_or_default().lines().next().unwrap_or_default().chars().count();
    let line = source[..start].matches('\n').count() + 1;
    TextPlace { line, column, length: marked.clamp(1, 1 + text.chars().count()), text }
}

/// Where a value such as `walls[2].normal` stands; if it is missing, where what should hold it does.
pub(super) fn find(source: &str, key: &str) -> Option<Range<usize>> {
    let table = DeTable::parse(source).ok()?;
    let (mut span, mut value) = (None, None::<&Spanned<DeValue<'_>>>);
    for (depth, step) in key.split(['.', '[']).enumerate() {
        let next = match (step.strip_suffix(']'), value.map(Spanned::get_ref)) {
            (Some(index), Some(DeValue::Array(array))) => {
                index.parse().ok().and_then(|index: usize| array.get(index))
            }
            (None, Some(DeValue::Table(table))) => table.get(step),
            (None, None) if depth == 0 => table.get_ref().get(step),
            _ => None,
        };
        let Some(next) = next else { break };
        (span, value) = (Some(next.span()), Some(next));
    }
    span
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "law = \"hertz\"\n\n[[walls]]\nname = \"a\"\n[[walls]]\n\tnormal = [0, 0, 0]\n";

    #[test]
    fn finds_values_and_what_should_hold_them() {
        let at = |key: &str| find(SOURCE, key).map(|span| place(SOURCE, span));
        let normal = at("walls[1].normal").unwrap();
        assert_eq!((normal.line, normal.column, normal.length), (6, 11, 9));
        assert_eq!(at("law").unwrap().line, 1);
        assert_eq!(at("walls[0].material").unwrap().line, 3);
        assert_eq!(at("nothing"), None);
    }

    #[test]
    fn shows_the_line_with_a_caret() {
        let place = find(SOURCE, "walls[1].normal").map(|span| place(SOURCE, span));
        let error = SceneError { path: "s.toml".into(), place, message: "no direction".into() };
        assert_eq!(
            error.to_string(),
            "s.toml:6:11: no direction\n  |\n6 | \tnormal = [0, 0, 0]\n  | \t         ^^^^^^^^^"
        );
    }

    #[test]
    fn ends_of_files_and_odd_ranges_do_no_harm() {
        assert_eq!(place("", 0..0).line, 1);
        assert_eq!(place("a\nb", 99..120).line, 2);
        assert_eq!(place("a\n", 2..2).line, 2);
    }
}
