//! The table that `riprap tune` prints, and what to do next.

use std::io::Write;

use riprap::tune::{Estimate, Model, Rule};

use super::{Search, Tune, single_level};

impl Tune {
    pub(super) fn write_table(
        &self,
        model: &Model<'_>,
        chosen: &Estimate,
        output: &mut Vec<u8>,
    ) -> anyhow::Result<()> {
        let unit = self.unit(model);
        let (smallest, largest) = (model.sizes().smallest() / unit, model.sizes().largest() / unit);
        writeln!(
            output,
            "radii {} to {} fill {} of space in {}D; {}, a cell access costs {} tests\n",
            digits(smallest),
            digits(largest),
            self.fraction,
            self.dimension,
            self.search_name(),
            self.k
        )?;
        writeln!(
            output,
            "{:>5} {:>12} {:>12} {:>12} {:>10} {:>10}",
            "level", "cell size", "share", "per cell", "checks", "accesses"
        )?;
        for (number, level) in chosen.levels.iter().enumerate() {
            writeln!(
                output,
                "{:>5} {:>12} {:>12} {:>12} {:>10} {:>10}",
                number + 1,
                digits(level.cell_size / unit),
                digits(level.share),
                digits(level.per_cell),
                digits(level.checks),
                digits(level.accesses)
            )?;
        }
        let sum: f64 = chosen.levels.iter().map(|level| level.share).sum();
        writeln!(
            output,
            "{:>5} {:>12} {:>12} {:>12} {:>10} {:>10}\n",
            "all",
            "",
            digits(sum),
            "",
            digits(chosen.checks),
            digits(chosen.accesses)
        )?;
        let single = single_level(model);
        writeln!(
            output,
            "work per particle: {} with `{}` sizes; {} with one level, {:.1} times as much\n",
            digits(chosen.work),
            self.rule().name(),
            digits(single),
            single / chosen.work
        )?;
        writeln!(output, "{:12} {:>6} {:>12}", "rule", "levels", "least work")?;
        for rule in Rule::ALL {
            let best = model.best(rule);
            writeln!(output, "{:12} {:>6} {:>12}", rule.name(), best.levels.len(), digits(best.work))?;
        }
        self.write_next(chosen, output)
    }

    /// How to use the sizes, and what is faster: the last line is the command to take.
    fn write_next(&self, chosen: &Estimate, output: &mut Vec<u8>) -> anyhow::Result<()> {
        let method = match self.search {
            Search::TopDown => "hgrid",
            Search::BottomUp => "hgrid-bottom-up",
        };
        // Sizes in units of the smallest radius fit no file.
        if self.radii.is_some() || self.sieve.is_some() {
            // The method adds the largest diameter as its last level itself.
            let inner = &chosen.levels[..chosen.levels.len() - 1];
            let levels: Vec<String> = inner.iter().map(|level| digits(level.cell_size)).collect();
            let levels =
                if levels.is_empty() { String::new() } else { format!(":levels={}", levels.join("/")) };
            writeln!(
                output,
                "\nThese sizes in a hierarchical grid:\n  riprap contacts PARTICLES --method {method}{levels}"
            )?;
        }
        writeln!(
            output,
            "\nFastest, with cells of its own instead of a hierarchical grid's:\n  riprap contacts PARTICLES"
        )?;
        Ok(())
    }
}

/// A number with five significant digits.
pub(super) fn digits(value: f64) -> String {
    let text = format!("{value:.4e}");
    let magnitude: Option<i32> = text.split_once('e').and_then(|(_, exponent)| exponent.parse().ok());
    match magnitude {
        Some(_) if value == 0.0 => "0".to_string(),
        Some(magnitude @ -3..7) => format!("{value:.*}", (4 - magnitude).max(0) as usize),
        _ => text,
    }
}
