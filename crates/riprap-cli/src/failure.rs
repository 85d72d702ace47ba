//! Why a command failed, and the exit code that says so.

use std::fmt;

/// An error with the exit code of its kind.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The input or the way the command was called is bad.
    Input(anyhow::Error),
    /// The run itself failed.
    Run(anyhow::Error),
    /// The command did its work, and what it found is bad: results are written all the same.
    Verdict(anyhow::Error),
}

impl Failure {
    pub(crate) fn input(error: impl Into<anyhow::Error>) -> Self {
        Self::Input(error.into())
    }

    pub(crate) fn run(error: impl Into<anyhow::Error>) -> Self {
        Self::Run(error.into())
    }

    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::Input(_) => 2,
            Self::Run(_) | Self::Verdict(_) => 1,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Input(error) | Self::Run(error) | Self::Verdict(error)) = self;
        // The alternate form shows the causes too.
        write!(f, "{error:#}")
    }
}
