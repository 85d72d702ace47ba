//! Why a command failed, and the exit code that says so.

use std::fmt;

/// An error with the exit code of its kind.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The input or the way the command was called is bad.
    Input(anyhow::Error),
    /// The same, where results that say so are written all the same.
    Refused(anyhow::Error),
    /// The run itself failed.
    Run(anyhow::Error),
    /// A signal has ended the run; results so far are written.
    Stopped {
        /// Where it was.
        error: anyhow::Error,
        /// The exit code that says which signal.
        exit_code: u8,
    },
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
            Self::Input(_) | Self::Refused(_) => 2,
            Self::Run(_) | Self::Verdict(_) => 1,
            Self::Stopped { exit_code, .. } => *exit_code,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Input(error)
        | Self::Refused(error)
        | Self::Run(error)
        | Self::Stopped { error, .. }
        | Self::Verdict(error)) = self;
        // The alternate form shows the causes too.
        write!(f, "{error:#}")
    }
}
