//! `riprap completions` and `riprap manual`: what a shell and `man` want to know.

use clap::{Args, Command};
use clap_complete::Shell;

use crate::Failure;

/// Print completions for a shell
#[derive(Args)]
#[command(
    after_help = "Examples:\n  riprap completions bash > ~/.local/share/bash-completion/completions/riprap\n  \
                        riprap completions zsh > ~/.zfunc/_riprap\n  riprap completions fish > ~/.config/fish/completions/riprap.fish"
)]
pub(crate) struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    pub(crate) fn run(&self, mut program: Command, output: &mut Vec<u8>) -> Result<(), Failure> {
        clap_complete::generate(self.shell, &mut program, "riprap", output);
        Ok(())
    }
}

/// Print the manual page
#[derive(Args)]
#[command(
    after_help = "Examples:\n  riprap manual | man -l -\n  riprap manual > ~/.local/share/man/man1/riprap.1"
)]
pub(crate) struct Manual {}

impl Manual {
    pub(crate) fn run(&self, program: Command, output: &mut Vec<u8>) -> Result<(), Failure> {
        let mut all = program.clone();
        all.build();
        clap_mangen::Man::new(program).render(output).map_err(Failure::run)?;
        // One page for all commands, each with its options.
        for command in all.get_subcommands().filter(|command| command.get_name() != "help") {
            let page = clap_mangen::Man::new(command.clone());
            page.render_name_section(output)
                .and_then(|()| page.render_synopsis_section(output))
                .and_then(|()| page.render_options_section(output))
                .and_then(|()| page.render_extra_section(output))
                .map_err(Failure::run)?;
        }
        Ok(())
    }
}
