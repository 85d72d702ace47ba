//! A drawing of work against the number of levels, as SVG.

use std::fmt::Write;

/// Levels that a drawing shows at most.
pub(crate) const MOST_LEVELS: usize = 64;

/// The work of one rule.
pub(crate) struct Curve {
    pub(crate) name: &'static str,
    /// Work with 1, 2, ... levels.
    pub(crate) work: Vec<f64>,
    /// The best number of levels and its work.
    pub(crate) minimum: (usize, f64),
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
/// Work above so many times the least is cut off, to leave room for where the curves differ.
const HIGHEST: f64 = 30.0;

/// A logarithmic scale from values to places on the drawing.
struct Scale {
    values: (f64, f64),
    places: (f64, f64),
}

impl Scale {
    fn place(&self, value: f64) -> f64 {
        let share = (value / self.values.0).ln() / (self.values.1 / self.values.0).ln();
        self.places.0 + share * (self.places.1 - self.places.0)
    }

    /// 1, 2 and 5 times the powers of ten inside.
    fn ticks(&self) -> Vec<f64> {
        let decade = self.values.0.log10().floor() as i32;
        let last = self.values.1.log10().ceil() as i32;
        (decade..=last)
            .flat_map(|decade| [1.0, 2.0, 5.0].map(|digit| digit * 10f64.powi(decade)))
            .filter(|tick| (self.values.0..=self.values.1).contains(tick))
            .collect()
    }
}

/// The drawing as the text of an SVG file; both axes are logarithmic.
pub(crate) fn draw(title: &str, curves: &[Curve]) -> String {
    let most = curves.iter().map(|curve| curve.work.len()).max().unwrap_or(1).max(2);
    let all = || curves.iter().flat_map(|curve| curve.work.iter().copied());
    let least = all().fold(f64::INFINITY, f64::min);
    let highest = all().fold(0.0, f64::max).min(HIGHEST * least).max(2.0 * least);
    let across = Scale { values: (1.0, most as f64), places: (LEFT, RIGHT) };
    let upward = Scale { values: (0.8 * least, highest), places: (BOTTOM, TOP) };

    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"13\" fill=\"#222\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <clipPath id=\"frame\"><rect x=\"{LEFT}\" y=\"{TOP}\" width=\"{}\" height=\"{}\"/></clipPath>\n",
        RIGHT - LEFT,
        BOTTOM - TOP
    );
    text(&mut svg, [0.5 * WIDTH, 24.0], "middle", title);
    axes(&mut svg, &across, &upward);
    for (index, curve) in curves.iter().enumerate() {
        draw_curve(&mut svg, curve, index, &across, &upward);
        legend(&mut svg, curve, index);
    }
    svg += "</svg>\n";
    svg
}

fn axes(svg: &mut String, across: &Scale, upward: &Scale) {
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
    text(svg, [0.5 * (LEFT + RIGHT), BOTTOM + 42.0], "middle", "number of levels");
    let (x, y) = (20.0, 0.5 * (TOP + BOTTOM));
    *svg += &format!("<g transform=\"rotate(-90 {x} {y})\">");
    text(svg, [x, y], "middle", "work per particle (tests of a pair)");
    *svg += "</g>\n";
}

fn draw_curve(svg: &mut String, curve: &Curve, index: usize, across: &Scale, upward: &Scale) {
    let (color, dashes) = (COLORS[index % 4], DASHES[index % 4]);
    let mut points = String::new();
    for (levels, work) in (1..).zip(&curve.work) {
        write!(points, "{:.1},{:.1} ", across.place(f64::from(levels)), upward.place(*work))
            .expect("a string takes any text");
    }
    *svg += &format!(
        "<polyline clip-path=\"url(#frame)\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\" \
         stroke-dasharray=\"{dashes}\" points=\"{}\"/>\n",
        points.trim_end()
    );
    let (levels, work) = curve.minimum;
    if levels <= curve.work.len() {
        let (x, y) = (across.place(levels as f64), upward.place(work));
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
    let (levels, work) = curve.minimum;
    let label =
        format!("{}: {work:.2} at {levels} {}", curve.name, if levels == 1 { "level" } else { "levels" });
    text(svg, [x + 42.0, y + 4.5], "start", &label);
}

fn line(svg: &mut String, from: [f64; 2], to: [f64; 2], color: &str) {
    *svg += &format!(
        "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"{color}\"/>\n",
        from[0], from[1], to[0], to[1]
    );
}

/// The words hold no characters that SVG would take for its own.
fn text(svg: &mut String, [x, y]: [f64; 2], anchor: &str, words: &str) {
    *svg += &format!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{words}</text>\n");
}
