//! Pictures of a run: of its state, and films of its frames.

mod bodies;
mod colors;
mod film;
mod frame;
mod walls;

use std::io;
use std::path::Path;

pub use film::{Film, FilmError, FilmOptions};

use super::frames::in_space;
use super::surfaces::{self, Extent};
use crate::dem::Simulation;
use crate::io::write_whole;
use crate::picture::{self, Picture};
use crate::scene::{Color, Drawing};
use crate::vector::{add_scaled, dot, length, sub};
use crate::words::short;
use colors::Colors;
use walls::Plane;

const WIDTH: usize = 1200;
const HEIGHT: usize = 900;

/// Draws the present state.
pub(super) fn write<const D: usize>(
    path: &Path,
    simulation: &Simulation<D>,
    drawing: &Drawing,
) -> io::Result<()> {
    // Walls without end go as far as there are bodies now, wherever those came from.
    let (mut picture, planes) = state(simulation, drawing, Extent::NOTHING);
    let mut colors = Colors::new(drawing.color);
    colors.note(&picture, || bodies::names(simulation, drawing.color));
    colors.apply(&mut picture);
    picture.caption = format!("t = {} s", short(simulation.time()));
    let extent = picture.extent();
    outline(&mut picture, drawing, &extent);
    walls::add_planes(&mut picture, &planes, drawing, &extent);
    let image = picture.render(WIDTH, HEIGHT);
    write_whole(path, |writer| image.write_png(writer))
}

/// Bodies and walls as they are now, without planes. Values of bodies are what colours show.
fn state<const D: usize>(
    simulation: &Simulation<D>,
    drawing: &Drawing,
    inserted: Extent<D>,
) -> (Picture, Vec<Plane>) {
    let bodies = simulation.bodies();
    let values: Vec<f64> = match drawing.color {
        Color::Speed => simulation.velocities().map(length).collect(),
        Color::Radius => bodies.radius.clone(),
        Color::Material => bodies.material.iter().map(|material| f64::from(*material)).collect(),
        Color::Shape => bodies.shape.iter().map(|shape| f64::from(shape.0)).collect(),
        Color::Id => bodies.id.iter().map(|id| *id as f64).collect(),
    };
    let mut picture = begin(drawing);
    bodies::add(&mut picture, simulation, |row| {
        shows(drawing, in_space(bodies.position[row])).then(|| values[row])
    });
    let mut facets = Vec::new();
    surfaces::facets(simulation, inserted, |wall, corners| facets.push((wall, corners.map(in_space))));
    let planes = walls::add(&mut picture, &facets, drawing);
    (picture, planes)
}

/// A picture without anything in it.
fn begin(drawing: &Drawing) -> Picture {
    let upright = [0.0, 0.0, 1.0];
    let up = if length(drawing.up) > 0.0 { drawing.up } else { upright };
    // What is cut open is looked at from that side, a little from above.
    let open = drawing.cut.map(|[_, normal]| add_scaled(normal, 0.35 / length(up), up));
    Picture { flat: drawing.flat, up, view: drawing.view.or(open), ..Picture::default() }
}

/// Whether a body with this centre is shown.
fn shows(drawing: &Drawing, center: [f64; 3]) -> bool {
    drawing.cut.is_none_or(|[point, normal]| dot(sub(center, point), normal) <= 0.0)
}

/// Adds the edges of the periodic box; along axes that are not periodic it goes as far as bodies.
fn outline(picture: &mut Picture, drawing: &Drawing, extent: &picture::Extent) {
    let Some(bodies) = extent.bodies().filter(|_| drawing.periodic.iter().any(Option::is_some)) else {
        return;
    };
    let ends: [[f64; 2]; 3] =
        std::array::from_fn(|k| drawing.periodic[k].unwrap_or([bodies[0][k], bodies[1][k]]));
    let dimensions = if drawing.flat { 2 } else { 3 };
    let corner =
        |bits: usize| std::array::from_fn(|k| if k < dimensions { ends[k][bits >> k & 1] } else { 0.0 });
    for edge in 0..1 << dimensions {
        for k in (0..dimensions).filter(|k| edge >> k & 1 == 0) {
            picture.lines.push([corner(edge), corner(edge | 1 << k)]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::Ball;
    use crate::scene::Draw;

    fn drawing() -> Drawing {
        Drawing {
            flat: false,
            up: [0.0, 0.0, 9.81],
            view: None,
            color: Color::Speed,
            cut: None,
            walls: vec![(Draw::Glass, false)],
            periodic: [Some([0.0, 1.0]), None, None],
        }
    }

    #[test]
    fn a_periodic_box_has_edges_around_what_is_in_it() {
        let ball = |center: [f64; 3]| Ball { center, radius: 0.1, value: 0.0 };
        let mut picture =
            Picture { balls: vec![ball([0.5, 0.0, 0.0]), ball([0.5, 1.0, 2.0])], ..begin(&drawing()) };
        let extent = picture.extent();
        outline(&mut picture, &Drawing { periodic: [None; 3], ..drawing() }, &extent);
        assert!(picture.lines.is_empty());
        outline(&mut picture, &drawing(), &extent);
        assert_eq!(picture.lines.len(), 12);
        let corners = picture.lines.as_flattened();
        assert!(corners.contains(&[0.0, -0.1, -0.1]) && corners.contains(&[1.0, 1.1, 2.1]), "{corners:?}");
        let mut flat = Picture { flat: true, lines: Vec::new(), ..picture };
        outline(&mut flat, &Drawing { flat: true, ..drawing() }, &extent);
        assert_eq!(flat.lines.len(), 4);
    }

    #[test]
    fn a_cut_leaves_out_one_side_and_is_looked_at_from_there() {
        let cut = Drawing { cut: Some([[0.0, 1.0, 0.0], [0.0, -1.0, 0.0]]), ..drawing() };
        assert!(shows(&cut, [5.0, 1.5, 0.0]) && !shows(&cut, [5.0, 0.5, 0.0]) && shows(&drawing(), [0.0; 3]));
        let view = begin(&cut).view.unwrap();
        assert!(view[1] == -1.0 && (view[2] - 0.35).abs() < 1e-12);
        assert_eq!(begin(&Drawing { view: Some([1.0, 0.0, 0.0]), ..cut }).view, Some([1.0, 0.0, 0.0]));
    }
}
