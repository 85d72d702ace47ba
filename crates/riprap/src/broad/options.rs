//! Options of a method, as text.

use crate::Error;

/// Options of one method as `name=value` entries, as in `mr:sort=quick,search=binary`.
#[derive(Debug, Clone)]
pub struct Options<'a> {
    method: &'static str,
    entries: Vec<(&'a str, &'a str)>,
}

impl<'a> Options<'a> {
    /// Reads `name=value,name=value` for a method that knows the options `known`.
    pub(super) fn parse(
        method: &'static str,
        known: &'static [(&'static str, &'static str)],
        text: Option<&'a str>,
    ) -> Result<Self, Error> {
        let mut entries = Vec::new();
        for entry in text.into_iter().flat_map(|text| text.split(',')) {
            let (name, value) = entry.split_once('=').unwrap_or((entry, ""));
            if !known.iter().any(|(option, _)| *option == name) {
                return Err(Error::UnknownOption {
                    method,
                    option: name.to_string(),
                    known: match known {
                        [] => "it has none".to_string(),
                        _ if value.is_empty() => {
                            "expected name=value, several values separated by slashes".to_string()
                        }
                        _ => format!(
                            "it has {}",
                            known
                                .iter()
                                .map(|(name, help)| format!("`{name}` ({help})"))
                                .collect::<Vec<_>>()
                                .join(", ")
                        ),
                    },
                });
            }
            entries.push((name, value));
        }
        Ok(Self { method, entries })
    }

    fn value(&self, option: &str) -> Option<&'a str> {
        self.entries.iter().rev().find(|(name, _)| *name == option).map(|(_, value)| *value)
    }

    pub(super) fn refuse(&self, option: &'static str, value: &str, expected: &str) -> Error {
        refuse(self.method, option, value, expected)
    }

    /// One of several named choices, or the default.
    pub(super) fn choice<T: Copy + Default>(
        &self,
        option: &'static str,
        choices: &[(&str, T)],
    ) -> Result<T, Error> {
        let Some(value) = self.value(option) else { return Ok(T::default()) };
        choices.iter().find(|(name, _)| *name == value).map(|(_, choice)| *choice).ok_or_else(|| {
            let names: Vec<_> = choices.iter().map(|(name, _)| format!("`{name}`")).collect();
            self.refuse(option, value, &names.join(" or "))
        })
    }

    /// A number, or the default.
    pub(super) fn number(&self, option: &'static str, default: f64) -> Result<f64, Error> {
        let Some(value) = self.value(option) else { return Ok(default) };
        value.parse().map_err(|_| self.refuse(option, value, "a number"))
    }

    /// Numbers separated by slashes, or `None` when the option is not given.
    pub(super) fn numbers(&self, option: &'static str) -> Result<Option<Vec<f64>>, Error> {
        let Some(value) = self.value(option) else { return Ok(None) };
        let numbers: Result<Vec<f64>, _> = value.split('/').map(str::parse).collect();
        numbers.map(Some).map_err(|_| self.refuse(option, value, "numbers separated by slashes"))
    }
}

/// The error for an option whose value makes no sense.
pub(super) fn refuse(
    method: &'static str,
    option: &'static str,
    value: impl std::fmt::Display,
    expected: &str,
) -> Error {
    Error::OptionValue { method, option, value: value.to_string(), expected: expected.to_string() }
}

/// Refuses a value that is not a finite number above `low`.
pub(super) fn check_above(
    method: &'static str,
    option: &'static str,
    value: f64,
    low: f64,
) -> Result<(), Error> {
    if value.is_finite() && value > low {
        Ok(())
    } else {
        Err(refuse(method, option, value, &format!("a number above {low}")))
    }
}
