//! The `riprap` program. Each subcommand is one file.
//!
//! Results go to standard output, notes to standard error. Exit codes: 0 done, 1 the run failed, 2 bad input or usage, 128 and the
//! number of a signal that has ended it.

#![warn(clippy::disallowed_methods)]

/// Prints a line to standard error. One that cannot be written is no reason to stop.
macro_rules! note {
    ($($part:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr(), $($part)*);
    }};
}

mod check;
mod contacts;
mod demo;
mod describe;
mod failure;
mod files;
mod film;
mod inside;
mod link;
mod memory;
mod methods;
mod new;
mod periodic;
mod progress;
mod report;
mod run;
mod shell;
mod signals;
mod sweep;
mod threads;
mod tune;
mod verify;

use std::io::Write;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use failure::Failure;

/// Simulate grains of any size, find all their contacts, link stones, and tell which points are inside meshes.
#[derive(Parser)]
#[command(name = "riprap", version, arg_required_else_help = true, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Run(run::Run),
    Film(film::Film),
    Check(check::Check),
    Contacts(contacts::Contacts),
    Link(link::Link),
    Inside(inside::Inside),
    Demo(demo::Demo),
    Tune(tune::Tune),
    Verify(verify::Verify),
    New(new::New),
    Completions(shell::Completions),
    Manual(shell::Manual),
}

fn main() -> ExitCode {
    let mut output = Vec::new();
    let result = match Arguments::parse().command {
        Command::Run(command) => command.run(&mut output),
        Command::Film(command) => command.run(&mut output),
        Command::Check(command) => command.run(&mut output),
        Command::Contacts(command) => threads::on(command.threads(), || command.run(&mut output)),
        Command::Link(command) => threads::on(command.threads(), || command.run(&mut output)),
        Command::Inside(command) => threads::on(command.threads(), || command.run(&mut output)),
        Command::Demo(command) => command.run(&mut output),
        Command::Tune(command) => command.run(&mut output),
        Command::Verify(command) => command.run(&mut output),
        Command::New(command) => command.run(&mut output),
        Command::Completions(command) => command.run(Arguments::command(), &mut output),
        Command::Manual(command) => command.run(Arguments::command(), &mut output),
    };
    let result = match result {
        Ok(()) | Err(Failure::Verdict(_) | Failure::Refused(_)) => write_out(&output).and(result),
        failed => failed,
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            note!("error: {failure}");
            ExitCode::from(failure.exit_code())
        }
    }
}

fn write_out(output: &[u8]) -> Result<(), Failure> {
    match std::io::stdout().write_all(output) {
        // A reader that has seen enough and closed the pipe is not an error.
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Failure::run(anyhow::Error::new(error).context("standard output: cannot write")))
        }
        _ => Ok(()),
    }
}
