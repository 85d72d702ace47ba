//! Charts of a few curves, as SVG.

use crate::number::power;
use std::fmt::Write;

/// A chart of some curves.
#[derive(Debug, Clone)]
pub struct Chart<'a> {
    /// What it shows; may be empty where the text around the chart says it.
    pub title: &'a str,
    /// The axis across.
    pub across: Axis<'a>,
    /// The axis upwards.
    pub upward: Axis<'a>,
    /// At most four of them can be told apart.
    pub curves: Vec<Curve>,
    /// How wide it is.
    pub width: Width,
}

/// An axis of a chart.
#[derive(Debug, Clone, Copy)]
pub struct Axis<'a> {
    /// What it shows.
    pub label: &'a str,
    /// How values lie on it.
    pub spacing: Spacing,
}

/// How values lie on an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Spacing {
    /// In equal steps, around the values.
    #[default]
    Linear,
    /// In equal steps, from zero on.
    FromZero,
    /// In equal ratios; all values are above zero.
    Logarithmic,
}

/// How wide a chart is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Width {
    /// For a page.
    #[default]
    Page,
    /// For a column: its letters can be read on a phone.
    Column,
}

/// A line through some points.
#[derive(Debug, Clone, Default)]
pub struct Curve {
    /// What it is called in the legend.
    pub name: String,
    /// Its points.
    pub points: Vec<[f64; 2]>,
    /// Points that are marked.
    pub marks: Vec<[f64; 2]>,
}

const LEFT: f64 = 70.0;
/// Colours that people with colour blindness tell apart (Okabe and Ito).
const COLORS: [&str; 4] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7"];
/// Dashes tell the curves apart in print.
const DASHES: [&str; 4] = ["none", "8 3", "2 3", "9 3 2 3"];
/// Marks tell them apart where there is no line, also where they lie on each other.
const MARKS: [Mark; 4] = [Mark::Disk, Mark::Ring, Mark::Cross, Mark::Square];
/// On a logarithmic axis upwards of a page, values above so many times the least are cut off, to leave room for where the curves
/// differ.
const HIGHEST: f64 = 30.0;

/// The form of a mark.
#[derive(Clone, Copy)]
enum Mark {
    Disk,
    Ring,
    Square,
    Cross,
}

/// Where things are on the drawing.
struct ChartLayout {
    width: f64,
    height: f64,
    right: f64,
    top: f64,
    bottom: f64,
    /// Curves side by side in the legend.
    columns: usize,
}

/// A scale from values to places on the drawing.
struct Scale {
    values: (f64, f64),
    places: (f64, f64),
    logarithmic: bool,
}

/// A power of ten.
fn decade(exponent: i32) -> f64 {
    let size = power(10.0, exponent.unsigned_abs());
    if exponent < 0 { 1.0 / size } else { size }
}

impl Scale {
    fn place(&self, value: f64) -> f64 {
        let (low, high) = self.values;
        let share = if self.logarithmic {
            libm::log(value / low) / libm::log(high / low)
        } else {
            (value - low) / (high - low)
        };
        self.places.0 + share * (self.places.1 - self.places.0)
    }

    /// Round numbers inside: 1, 2 and 5 times the powers of ten, or some in equal steps.
    fn ticks(&self) -> Vec<f64> {
        let (low, high) = self.values;
        let candidates: Vec<f64> = if self.logarithmic {
            let decades = libm::log10(low).floor() as i32..=libm::log10(high).ceil() as i32;
            decades.flat_map(|exponent| [1.0, 2.0, 5.0].map(|digit| digit * decade(exponent))).collect()
        } else {
            let decade = decade(libm::log10(high - low).floor() as i32);
            let step = [0.1, 0.2, 0.5, 1.0].map(|digit| digit * decade);
            let step = step.into_iter().find(|step| (high - low) / step <= 10.0).unwrap_or(decade);
            let first = (low / step).ceil();
            (0..=10).map(|index| (first + f64::from(index)) * step).collect()
        };
        candidates.into_iter().filter(|tick| (low..=high).contains(tick)).collect()
    }

    /// The same, fewer where their labels would be nearer to each other than this.
    fn spaced_ticks(&self, distance: f64) -> Vec<f64> {
        let mut ticks = self.ticks();
        let near = |pair: &[f64]| (self.place(pair[1]) - self.place(pair[0])).abs() < distance;
        if self.logarithmic {
            let is_decade = |tick: &f64| {
                let exponent = libm::log10(*tick);
                (exponent - exponent.round()).abs() < 1e-6
            };
            let decades: Vec<f64> = ticks.iter().copied().filter(is_decade).collect();
            if ticks.windows(2).any(near) && decades.len() > 1 {
                ticks = decades;
            }
        }
        while ticks.len() > 2 && ticks.windows(2).any(near) {
            ticks = ticks.into_iter().step_by(2).collect();
        }
        ticks
    }
}

impl Spacing {
    /// Where an axis begins and ends that shows these values.
    fn ends(self, (least, most): (f64, f64)) -> (f64, f64) {
        match self {
            Self::Linear => {
                let room = if most > least {
                    0.05 * (most - least)
                } else if most == 0.0 {
                    1.0
                } else {
                    0.5 * most.abs()
                };
                (least - room, most + room)
            }
            Self::FromZero => (0.0, 1.15 * most),
            Self::Logarithmic => (0.8 * least, (1.1 * most).max(2.0 * least)),
        }
    }
}

impl Chart<'_> {
    /// The chart as the text of an SVG file. Its parts have classes (`paper`, `ink`, `grid`), so that a page around it may give them
    /// other colours.
    pub fn svg(&self) -> String {
        let layout = self.layout();
        let points = || self.curves.iter().flat_map(|curve| curve.points.iter().chain(&curve.marks));
        let (least_x, most_x) = range(points().map(|point| point[0]));
        let (least_y, most_y) = range(points().map(|point| point[1]));
        let logarithmic = |axis: &Axis<'_>| axis.spacing == Spacing::Logarithmic;
        let across = Scale {
            values: match self.width {
                Width::Page if logarithmic(&self.across) => (least_x, most_x.max(2.0 * least_x)),
                _ => self.across.spacing.ends((least_x, most_x)),
            },
            places: (LEFT, layout.right),
            logarithmic: logarithmic(&self.across),
        };
        let values = match self.width {
            Width::Page if logarithmic(&self.upward) => {
                (0.8 * least_y, most_y.min(HIGHEST * least_y).max(2.0 * least_y))
            }
            _ => self.upward.spacing.ends((least_y, most_y)),
        };
        let upward =
            Scale { values, places: (layout.bottom, layout.top), logarithmic: logarithmic(&self.upward) };

        let ChartLayout { width, height, right, top, bottom, .. } = layout;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
             role=\"img\" font-family=\"sans-serif\" font-size=\"13\" fill=\"#222\">\n\
             <rect class=\"paper\" width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        );
        text(&mut svg, [0.5 * width, 24.0], "middle", self.title);
        self.axes(&mut svg, &layout, &across, &upward);
        // A drawing in the drawing cuts off what is outside its frame.
        let (frame_width, frame_height) = (right - LEFT, bottom - top);
        svg += &format!(
            "<svg x=\"{LEFT}\" y=\"{top}\" width=\"{frame_width}\" height=\"{frame_height}\" \
             viewBox=\"{LEFT} {top} {frame_width} {frame_height}\">\n"
        );
        for (index, curve) in self.curves.iter().enumerate() {
            draw_curve(&mut svg, curve, index, &across, &upward);
        }
        svg += "</svg>\n";
        for (index, curve) in self.curves.iter().enumerate() {
            legend(&mut svg, curve, index, &layout);
        }
        svg += "</svg>\n";
        svg
    }

    fn layout(&self) -> ChartLayout {
        match self.width {
            Width::Page => ChartLayout {
                width: 760.0,
                height: 510.0,
                right: 740.0,
                top: 50.0,
                bottom: 400.0,
                columns: 2,
            },
            Width::Column => {
                let top = if self.title.is_empty() { 16.0 } else { 40.0 };
                let bottom = top + 220.0;
                let height = bottom + 60.0 + 22.0 * self.curves.len() as f64;
                ChartLayout { width: 420.0, height, right: 405.0, top, bottom, columns: 1 }
            }
        }
    }

    fn axes(&self, svg: &mut String, layout: &ChartLayout, across: &Scale, upward: &Scale) {
        let ChartLayout { right, top, bottom, .. } = *layout;
        for tick in across.spaced_ticks(44.0) {
            let x = across.place(tick);
            line(svg, [x, top], [x, bottom], "grid", "#ddd");
            text(svg, [x, bottom + 18.0], "middle", &label(tick));
        }
        for tick in upward.spaced_ticks(16.0) {
            let y = upward.place(tick);
            line(svg, [LEFT, y], [right, y], "grid", "#ddd");
            text(svg, [LEFT - 8.0, y + 4.5], "end", &label(tick));
        }
        line(svg, [LEFT, bottom], [right, bottom], "ink", "#222");
        line(svg, [LEFT, top], [LEFT, bottom], "ink", "#222");
        text(svg, [0.5 * (LEFT + right), bottom + 42.0], "middle", self.across.label);
        let (x, y) = (16.0, 0.5 * (top + bottom));
        *svg += &format!("<g transform=\"rotate(-90 {x} {y})\">");
        text(svg, [x, y], "middle", self.upward.label);
        *svg += "</g>\n";
    }
}

/// A number on an axis: rounding errors are left out, and very large and very small ones have an exponent.
fn label(tick: f64) -> String {
    let rounded: f64 = format!("{tick:.9e}").parse().unwrap_or(tick);
    if rounded != 0.0 && !(1e-4..1e5).contains(&rounded.abs()) {
        format!("{rounded:e}")
    } else {
        rounded.to_string()
    }
}

/// The least and the greatest of some numbers.
fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let all = values.fold(None, |range: Option<(f64, f64)>, value| {
        Some(range.map_or((value, value), |(low, high)| (low.min(value), high.max(value))))
    });
    all.unwrap_or((1.0, 10.0))
}

fn draw_curve(svg: &mut String, curve: &Curve, index: usize, across: &Scale, upward: &Scale) {
    let (color, dashes) = (COLORS[index % 4], DASHES[index % 4]);
    let mut points = String::new();
    for [x, y] in &curve.points {
        write!(points, "{:.1},{:.1} ", across.place(*x), upward.place(*y)).expect("a string takes any text");
    }
    if !curve.points.is_empty() {
        *svg += &format!(
            "<polyline fill=\"none\" stroke=\"{color}\" stroke-width=\"2\" stroke-dasharray=\"{dashes}\" points=\"{}\"/>\n",
            points.trim_end()
        );
    }
    for [x, y] in &curve.marks {
        mark(svg, [across.place(*x), upward.place(*y)], index);
    }
}

fn mark(svg: &mut String, [x, y]: [f64; 2], index: usize) {
    let color = COLORS[index % 4];
    *svg += &match MARKS[index % 4] {
        Mark::Disk => format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4.5\" fill=\"{color}\"/>\n"),
        Mark::Ring => format!(
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"/>\n"
        ),
        Mark::Square => format!(
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"8\" height=\"8\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"/>\n",
            x - 4.0,
            y - 4.0
        ),
        Mark::Cross => format!(
            "<path d=\"M{:.1} {:.1}l8 8m0 -8l-8 8\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"/>\n",
            x - 4.0,
            y - 4.0
        ),
    };
}

/// Below the axis, where no curve can be hidden.
fn legend(svg: &mut String, curve: &Curve, index: usize, layout: &ChartLayout) {
    let (column, row) = (index % layout.columns, index / layout.columns);
    let (x, y) = (LEFT + 340.0 * column as f64, layout.bottom + 66.0 + 22.0 * row as f64);
    if !curve.points.is_empty() {
        *svg += &format!(
            "<line x1=\"{x}\" y1=\"{y}\" x2=\"{}\" y2=\"{y}\" stroke=\"{}\" stroke-width=\"2\" stroke-dasharray=\"{}\"/>\n",
            x + 34.0,
            COLORS[index % 4],
            DASHES[index % 4]
        );
    }
    if !curve.marks.is_empty() {
        mark(svg, [x + 17.0, y], index);
    }
    text(svg, [x + 42.0, y + 4.5], "start", &curve.name);
}

fn line(svg: &mut String, from: [f64; 2], to: [f64; 2], class: &str, color: &str) {
    *svg += &format!(
        "<line class=\"{class}\" x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"{color}\"/>\n",
        from[0], from[1], to[0], to[1]
    );
}

fn text(svg: &mut String, [x, y]: [f64; 2], anchor: &str, words: &str) {
    let words = words.replace('&', "&amp;").replace('<', "&lt;");
    *svg += &format!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{words}</text>\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        let scale = |values, logarithmic| Scale { values, places: (0.0, 1.0), logarithmic };
        assert_eq!(scale((1.5, 60.0), true).ticks(), [2.0, 5.0, 10.0, 20.0, 50.0]);
        assert_eq!(scale((0.0, 90.0), false).ticks().len(), 10);
        assert_eq!(scale((0.0, 105.0), false).ticks(), [0.0, 20.0, 40.0, 60.0, 80.0, 100.0]);
        assert_eq!(scale((-7.0, 5.0), false).ticks(), [-6.0, -4.0, -2.0, 0.0, 2.0, 4.0]);
        let wide = Scale { values: (1.0, 1e6), places: (0.0, 300.0), logarithmic: true };
        assert_eq!(wide.spaced_ticks(40.0).len(), 7);
        assert_eq!([label(0.1 + 0.2), label(1e-7), label(0.0)], ["0.3", "1e-7", "0"]);
    }

    #[test]
    fn a_chart_is_well_formed_whatever_it_is_called() {
        let curve = Curve {
            name: "a < b & c".into(),
            points: vec![[1.0, 2.0], [10.0, 3.0]],
            marks: vec![[1.0, 2.0]],
        };
        let flat = Curve { marks: vec![[1.0, 0.0], [2.0, 0.0]], ..Curve::default() };
        for (curves, spacing) in
            [(vec![], Spacing::FromZero), (vec![curve], Spacing::Logarithmic), (vec![flat], Spacing::Linear)]
        {
            for width in [Width::Page, Width::Column] {
                let (across, upward) = (Axis { label: "x", spacing }, Axis { label: "y", spacing });
                let chart = Chart { title: "<&>", across, upward, curves: curves.clone(), width };
                let svg = chart.svg();
                assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
                assert!(svg.contains("&lt;&amp;>") && !svg.contains("NaN") && !svg.contains("inf"));
            }
        }
    }
}
