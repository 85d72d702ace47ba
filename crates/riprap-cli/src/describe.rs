//! What a scene is, in a few lines: for `riprap run` and `riprap check`.

use riprap::scene::Setup;
use riprap::shape::{Built, Form};

use riprap::words::{counted, short};

/// What is going to be simulated.
pub(crate) fn describe<const D: usize>(setup: &Setup<D>) -> String {
    let step = setup.settings.time_step;
    let (walls, steps) = (counted(setup.walls.len() as u64, "wall"), counted(setup.steps(), "step"));
    let mut text = format!("{}: {D}D, {walls}, {steps} of {} s", setup.title, short(step));
    if let Some(stiffest) = setup.stiffest {
        text += &format!(
            " ({:.1} % of the shortest collision, {:.0} % of the stable limit)",
            100.0 * step / stiffest.collision,
            100.0 * step / stiffest.limit
        );
    }
    for built in &setup.shapes {
        text += &format!("\n  {}", describe_shape(built));
    }
    text
}

/// What a shape is made of.
fn describe_shape<const D: usize>(built: &Built<D>) -> String {
    let pieces = &built.shape.pieces;
    let balls = pieces.iter().filter(|piece| matches!(piece.form, Form::Ball { .. })).count();
    let of = |count: usize, name: &str| counted(count as u64, name);
    let mut parts = Vec::new();
    if balls > 0 {
        parts.push(of(balls, if D == 2 { "disk" } else { "sphere" }));
    }
    if balls < pieces.len() {
        let vertices = built.shape.vertices().count();
        parts.push(format!("{} with {vertices} vertices", of(pieces.len() - balls, "convex piece")));
    }
    let mut text = format!("shape `{}`: {}", built.shape.name, parts.join(" and "));
    if built.growth != 1.0 {
        let added = 100.0 * (built.growth - 1.0);
        text += &format!(", cut from a concave mesh, whose volume they exceed by {added:.2} %");
    }
    text
}
