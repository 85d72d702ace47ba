//! Which colours bodies have, and what they mean: a range of numbers with ticks, or names.

use crate::picture::{Legend, Picture};
use crate::scene::Color;
use crate::words::short;

/// Values of one picture that are looked at to find where most of them are.
const LOOKED_AT: usize = 4000;
/// The share of values beyond the end of the bar at most, where the largest ones are far beyond.
const FEW: f64 = 0.02;
/// How far beyond: so many times as large.
const FAR: f64 = 1.5;

/// The values of one picture or of several with the same colours.
pub(super) struct Colors {
    color: Color,
    names: Vec<String>,
    low: f64,
    high: f64,
    /// Some of the values.
    sample: Vec<f64>,
    /// Which names occur.
    present: Vec<bool>,
}

impl Colors {
    pub(super) fn new(color: Color) -> Self {
        let (low, high) = (f64::INFINITY, f64::NEG_INFINITY);
        Self { color, names: Vec::new(), low, high, sample: Vec::new(), present: Vec::new() }
    }

    fn has_names(&self) -> bool {
        matches!(self.color, Color::Material | Color::Shape)
    }

    /// Takes note of the values of a picture and of what they are called.
    pub(super) fn note(&mut self, picture: &Picture, names: impl FnOnce() -> Vec<String>) {
        let balls = picture.balls.iter().map(|ball| ball.value);
        let values: Vec<f64> = balls.chain(picture.stones.iter().map(|stone| stone.value)).collect();
        if self.has_names() {
            self.names = names();
            self.present.resize(self.names.len(), false);
            for value in values {
                if let Some(present) = self.present.get_mut(value as usize) {
                    *present = true;
                }
            }
            return;
        }
        for value in values.iter().copied().filter(|value| value.is_finite()) {
            (self.low, self.high) = (self.low.min(value), self.high.max(value));
        }
        let step = values.len().div_ceil(LOOKED_AT).max(1);
        self.sample.extend(values.iter().step_by(step).filter(|value| value.is_finite()));
    }

    /// Where the bar begins and ends, and whether there is more beyond; none if all values are the same.
    fn range(&self) -> Option<([f64; 2], bool)> {
        let mut sample = self.sample.clone();
        if sample.is_empty() {
            return None;
        }
        // What is at rest is at the lower end, also where nothing is.
        let low = if self.color == Color::Speed { 0.0 } else { self.low };
        let rank = sample.len() - 1 - (FEW * sample.len() as f64) as usize;
        let most = *sample.select_nth_unstable_by(rank, f64::total_cmp).1;
        let beyond = most > low && self.high - low > FAR * (most - low);
        let high = if beyond { most } else { self.high };
        (high > low).then_some(([low, high], beyond))
    }

    /// Gives a picture its legend, and its bodies the colours of their values.
    pub(super) fn apply(&self, picture: &mut Picture) {
        let title = self.color.name();
        if self.has_names() {
            // Those that occur have the first colours, which differ most.
            let present: Vec<usize> = (0..self.names.len()).filter(|index| self.present[*index]).collect();
            let rank =
                |value: f64| present.iter().position(|index| *index == value as usize).unwrap_or(0) as f64;
            picture.balls.iter_mut().for_each(|ball| ball.value = rank(ball.value));
            picture.stones.iter_mut().for_each(|stone| stone.value = rank(stone.value));
            let names =
                present.iter().enumerate().map(|(rank, index)| (rank, self.names[*index].clone())).collect();
            picture.legend = Legend::Names { title: title.to_string(), names };
            return;
        }
        let range = self.range();
        let value = |value: f64| range.map_or(0.5, |([low, high], _)| (value - low) / (high - low));
        picture.balls.iter_mut().for_each(|ball| ball.value = value(ball.value));
        picture.stones.iter_mut().for_each(|stone| stone.value = value(stone.value));
        picture.legend = range.map_or(Legend::None, |([low, high], beyond)| {
            let (unit, name) = unit(self.color, high);
            let labels = labels([low / unit, high / unit], beyond);
            Legend::Scale {
                title: if name.is_empty() { title.to_string() } else { format!("{title}, {name}") },
                labels,
            }
        });
    }
}

/// A unit in which a value is neither tiny nor huge, and its name.
fn unit(color: Color, value: f64) -> (f64, &'static str) {
    let names = match color {
        Color::Speed => ["m/s", "mm/s", "\u{b5}m/s"],
        Color::Radius => ["m", "mm", "\u{b5}m"],
        Color::Material | Color::Shape | Color::Id => return (1.0, ""),
    };
    let units = [1.0, 1e-3, 1e-6].into_iter().zip(names);
    units.clone().find(|(unit, _)| value >= 0.1 * unit).unwrap_or((1e-6, names[2]))
}

/// Round numbers within a range, and where they are in it.
fn labels([low, high]: [f64; 2], beyond: bool) -> Vec<(f64, String)> {
    let width = high - low;
    let power = libm::pow(10.0, (libm::log10(width / 4.0)).floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|digit| digit * power).into_iter().find(|step| width / step <= 6.0);
    let step = step.unwrap_or(10.0 * power);
    let first = (low / step - 1e-9).ceil();
    let count = ((high / step + 1e-9).floor() - first).clamp(0.0, 10.0) as usize;
    let mut labels: Vec<(f64, String)> = (0..=count)
        .map(|k| {
            let value = (first + k as f64) * step;
            ((value - low) / width, short(value))
        })
        .collect();
    if beyond {
        // What is faster, or larger, than the bar shows has its last colour.
        labels.retain(|(share, _)| *share < 0.93);
        labels.push((1.0, format!("> {}", short(rounded(high)))));
    }
    labels
}

/// A number in two digits.
fn rounded(value: f64) -> f64 {
    format!("{value:.1e}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::Ball;

    fn picture(values: &[f64]) -> Picture {
        let ball = |&value: &f64| Ball { center: [0.0; 3], radius: 1.0, value };
        Picture { balls: values.iter().map(ball).collect(), ..Picture::default() }
    }

    fn colored(color: Color, values: &[f64]) -> (Picture, String, Vec<(f64, String)>) {
        let mut colors = Colors::new(color);
        let mut picture = picture(values);
        colors.note(&picture, Vec::new);
        colors.apply(&mut picture);
        match picture.legend.clone() {
            Legend::Scale { title, labels } => (picture, title, labels),
            _ => (picture, String::new(), Vec::new()),
        }
    }

    #[test]
    fn ticks_are_round_numbers_in_fitting_units() {
        let (_, title, labels) = colored(Color::Radius, &[0.0025, 0.004, 0.006983]);
        assert_eq!(title, "radius, mm");
        let texts: Vec<&str> = labels.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(texts, ["3", "4", "5", "6"]);
        assert!((labels[0].0 - 0.5 / 4.483).abs() < 1e-9);
        let (picture, title, labels) = colored(Color::Speed, &[0.1, 0.8501]);
        assert_eq!((title.as_str(), labels[0].1.as_str(), labels[4].1.as_str()), ("speed, m/s", "0", "0.8"));
        assert_eq!(picture.balls[1].value, 1.0);
        assert_eq!(colored(Color::Id, &[0.0, 219.0]).2[1].1, "50");
        assert!(colored(Color::Radius, &[0.5; 4]).2.is_empty());
        assert!(colored(Color::Speed, &[0.0; 4]).2.is_empty() && colored(Color::Speed, &[]).2.is_empty());
    }

    #[test]
    fn a_few_fast_bodies_do_not_make_all_others_look_slow() {
        let mut values: Vec<f64> = (0..1000).map(|k| f64::from(k) / 1000.0).collect();
        values.extend([30.0, 40.0]);
        let (picture, _, labels) = colored(Color::Speed, &values);
        assert!((picture.balls[500].value - 0.51).abs() < 0.01, "{}", picture.balls[500].value);
        assert_eq!(labels[labels.len() - 1], (1.0, "> 0.98".to_string()));
    }

    #[test]
    fn names_are_those_that_occur() {
        let mut colors = Colors::new(Color::Material);
        let mut shown = picture(&[0.0, 2.0]);
        let names = || ["sand", "steel", "glass"].map(String::from).to_vec();
        colors.note(&shown, names);
        colors.note(&picture(&[2.0]), names);
        colors.apply(&mut shown);
        let expected = vec![(0, "sand".to_string()), (1, "glass".to_string())];
        assert_eq!(shown.legend, Legend::Names { title: "material".to_string(), names: expected });
        assert_eq!(shown.balls[1].value, 1.0);
    }
}
