//! Charts of a few curves, as SVG.

use crate::number::power;
use std::fmt::Write;

/// A chart of some curves.
#[derive(Debug, Clone)]
pub struct Chart<'a> {
    /// What it shows.
    pub title: &'a str,
    /// The label of the axis across.
    pub across: &'a str,
    /// The label of the axis upwards.
    pub upward: &'a str,
    /// Whether that axis is logarithmic, as the one across always is, or begins at zero.
    pub logarithmic: bool,
    /// At most four of them can be told apart.
    pub curves: Vec<Curve>,
}

/// A line through some points.
#[derive(Debug, Clone)]
pub struct Curve {
    /// What it is called in the legend.
    pub name: String,
    /// Its points; above zero.
    pub points: Vec<[f64; 2]>,
    /// Points that are marked.
    pub marks: Vec<[f64; 2]>,
}

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 510.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 740.0;
const TOP: f64 = 50.0;
const BOTTOM: f64 = 400.0;
/// Colours that people with colour blindness tell apart (Okabe and Ito).
const COLORS: [&str; 4] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7"];
/// Dashes tell the curves apart in print.
const DASHES: [&str; 4] = ["none", "8 3", "2 3", "9 3 2 3"];
/// On a logarithmic axis, values above so many times the least are cut off, to leave room for where the curves differ.
const HIGHEST: f64 = 30.0;

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
            (0..=10).map(|index| low + f64::from(index) * step).collect()
        };
        candidates.into_iter().filter(|tick| (low..=high).contains(tick)).collect()
    }
}

impl Chart<'_> {
    /// The chart as the text of an SVG file.
    pub fn svg(&self) -> String {
        let points = || self.curves.iter().flat_map(|curve| curve.points.iter());
        let (least_x, most_x) = range(points().map(|point| point[0]));
        let (least_y, most_y) = range(points().map(|point| point[1]));
        let across =
            Scale { values: (least_x, most_x.max(2.0 * least_x)), places: (LEFT, RIGHT), logarithmic: true };
        let values = if self.logarithmic {
            (0.8 * least_y, most_y.min(HIGHEST * least_y).max(2.0 * least_y))
        } else {
            (0.0, 1.15 * most_y)
        };
        let upward = Scale { values, places: (BOTTOM, TOP), logarithmic: self.logarithmic };

        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
             font-family=\"sans-serif\" font-size=\"13\" fill=\"#222\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
             <clipPath id=\"frame\"><rect x=\"{LEFT}\" y=\"{TOP}\" width=\"{}\" height=\"{}\"/></clipPath>\n",
            RIGHT - LEFT,
            BOTTOM - TOP
        );
        text(&mut svg, [0.5 * WIDTH, 24.0], "middle", self.title);
        self.axes(&mut svg, &across, &upward);
        for (index, curve) in self.curves.iter().enumerate() {
            draw_curve(&mut svg, curve, index, &across, &upward);
            legend(&mut svg, curve, index);
        }
        svg += "</svg>\n";
        svg
    }

    fn axes(&self, svg: &mut String, across: &Scale, upward: &Scale) {
        for tick in across.ticks() {
            let x = across.place(tick);
            line(svg, [x, TOP], [x, BOTTOM], "#ddd");
            text(svg, [x, BOTTOM + 18.0], "middle", &tick.to_string());
        }
        for tick in upward.ticks() {
            let y = upward.place(tick);
            line(svg, [LEFT, y], [RIGHT, y], "#ddd");
            text(svg, [LEFT - 8.0, y + 4.5], "end", &tick.to_string());
        }
        line(svg, [LEFT, BOTTOM], [RIGHT, BOTTOM], "#222");
        line(svg, [LEFT, TOP], [LEFT, BOTTOM], "#222");
        text(svg, [0.5 * (LEFT + RIGHT), BOTTOM + 42.0], "middle", self.across);
        let (x, y) = (20.0, 0.5 * (TOP + BOTTOM));
        *svg += &format!("<g transform=\"rotate(-90 {x} {y})\">");
        text(svg, [x, y], "middle", self.upward);
        *svg += "</g>\n";
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
    *svg += &format!(
        "<polyline clip-path=\"url(#frame)\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\" \
         stroke-dasharray=\"{dashes}\" points=\"{}\"/>\n",
        points.trim_end()
    );
    for [x, y] in &curve.marks {
        let (x, y) = (across.place(*x), upward.place(*y));
        *svg += &format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4.5\" fill=\"{color}\"/>\n");
    }
}

/// Below the axis, where no curve can be hidden.
fn legend(svg: &mut String, curve: &Curve, index: usize) {
    let (x, y) = (LEFT + 340.0 * (index % 2) as f64, BOTTOM + 66.0 + 22.0 * (index / 2) as f64);
    *svg += &format!(
        "<line x1=\"{x}\" y1=\"{y}\" x2=\"{}\" y2=\"{y}\" stroke=\"{}\" stroke-width=\"2\" stroke-dasharray=\"{}\"/>\n",
        x + 34.0,
        COLORS[index % 4],
        DASHES[index % 4]
    );
    text(svg, [x + 42.0, y + 4.5], "start", &curve.name);
}

fn line(svg: &mut String, from: [f64; 2], to: [f64; 2], color: &str) {
    *svg += &format!(
        "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"{color}\"/>\n",
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
    }

    #[test]
    fn a_chart_is_well_formed_whatever_it_is_called() {
        let curve = Curve {
            name: "a < b & c".into(),
            points: vec![[1.0, 2.0], [10.0, 3.0]],
            marks: vec![[1.0, 2.0]],
        };
        for curves in [vec![], vec![curve]] {
            let chart = Chart { title: "<&>", across: "x", upward: "y", logarithmic: false, curves };
            let svg = chart.svg();
            assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
            assert!(svg.contains("&lt;&amp;>") && !svg.contains("NaN") && !svg.contains("inf"));
        }
    }
}
