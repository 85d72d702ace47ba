//! What a run will do: its first steps are done, without files, and the rest is foreseen from them.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use super::{Run, RunError};
use crate::dem::insert::{Amount, How};
use crate::dem::wall::Surface;
use crate::scene::Setup;
use crate::vector::{length, sub};

/// A mesh is so many times as large as all else, or that smaller, if its file has another unit.
const OTHER_UNIT: f64 = 100.0;

/// The share of a region inside a closed wall with which particles might be meant to be inside or outside.
const EITHER_SIDE: std::ops::RangeInclusive<f64> = 0.15..=0.85;

/// What a run will do.
#[derive(Debug, Clone, PartialEq)]
pub struct Forecast {
    /// Bodies at the start.
    pub particles: usize,
    /// Bytes that the simulation has reserved then.
    pub bytes: usize,
    /// Seconds of the clock until the end, if all steps take as long as the first ones.
    pub seconds: f64,
    /// What each insertion brings.
    pub insertions: Vec<Inserted>,
    /// The meshes among the walls.
    pub meshes: Vec<Extents>,
    /// What is worth a look.
    pub warnings: Vec<String>,
}

/// What an insertion brings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inserted {
    /// Its name.
    pub name: String,
    /// Bodies at the start.
    pub at_start: u64,
    /// Bodies later, if there is room for them; `None` if that is not known yet.
    pub later: Option<u64>,
}

/// Where a mesh is.
#[derive(Debug, Clone, PartialEq)]
pub struct Extents {
    /// Name of the wall.
    pub name: String,
    /// Triangles, in the plane segments.
    pub facets: usize,
    /// Its lowest corner.
    pub low: Vec<f64>,
    /// Its highest corner.
    pub high: Vec<f64>,
}

impl Forecast {
    /// Runs the first steps of a scene, for so long at most; what goes wrong in them is an error.
    pub fn new<const D: usize>(setup: Setup<D>, patience: Duration) -> Result<Self, RunError> {
        let (steps, end) = (setup.steps(), setup.end);
        let mut run = Run::new(setup, None)?;
        let go_on = |_: &super::Progress<'_>| ControlFlow::Continue(());
        run.advance_to(0, go_on)?;
        let insertions = run.insertions.iter().map(|insertion| Inserted {
            name: insertion.name.clone(),
            at_start: insertion.done,
            later: match &insertion.how {
                How::Random { amount: Amount::Fraction(_), .. } if insertion.done == 0 => None,
                How::Random { amount: Amount::Count(count), time, .. } if *time <= end => {
                    Some(count - insertion.done)
                }
                _ => Some(insertion.waiting(end)),
            },
        });
        let mut forecast = Self {
            particles: run.simulation.bodies().len(),
            bytes: run.simulation.bytes(),
            seconds: 0.0,
            insertions: insertions.collect(),
            meshes: meshes(&run),
            warnings: Vec::new(),
        };
        forecast.warnings = forecast.other_units(&run);
        forecast.warnings.extend(sides(&run));
        let (start, mut done) = (Instant::now(), 0);
        while start.elapsed() < patience && done < steps {
            // Twice as many each time: the first steps also make the lists.
            done = (2 * done + 1).min(steps);
            run.advance_to(done, go_on)?;
        }
        forecast.bytes = forecast.bytes.max(run.simulation.bytes());
        forecast.seconds = start.elapsed().as_secs_f64() / done.max(1) as f64 * steps as f64;
        Ok(forecast)
    }

    /// Meshes that seem to be in another unit than the rest of the scene.
    fn other_units<const D: usize>(&self, run: &Run<D>) -> Vec<String> {
        let others = run.inserted.size();
        let warn = |mesh: &Extents| {
            let size = mesh.low.iter().zip(&mesh.high).map(|(low, high)| high - low).fold(0.0, f64::max);
            let (ratio, word) =
                if size > others { (size / others, "large") } else { (others / size, "small") };
            (others > 0.0 && ratio > OTHER_UNIT).then(|| {
                format!(
                    "the mesh of the wall `{}` is {ratio:.0} times as {word} as the region of the particles; if its file is in \
                     another unit, set its `scale`",
                    mesh.name
                )
            })
        };
        self.meshes.iter().filter_map(warn).collect()
    }
}

/// Closed walls that cut the region of an insertion so that either side may be meant.
fn sides<const D: usize>(run: &Run<D>) -> Vec<String> {
    let mut found = Vec::new();
    for insertion in &run.insertions {
        for closed in insertion.closed_walls(&run.simulation) {
            if closed.is_given || !EITHER_SIDE.contains(&closed.share) {
                continue;
            }
            let (side, other) = if closed.inside { ("inside", "outside") } else { ("outside", "inside") };
            found.push(format!(
                "{:.0} % of the region of insertion `{}` are inside the closed wall `{wall}`; particles come {side} it only. Set \
                 `side = \"{side}\"` of the wall if that is meant, else `side = \"{other}\"`",
                100.0 * closed.share,
                insertion.name,
                wall = run.simulation.walls()[closed.wall].name
            ));
        }
    }
    found
}

fn meshes<const D: usize>(run: &Run<D>) -> Vec<Extents> {
    let meshes = run.simulation.walls().iter().filter_map(|wall| match &wall.surface {
        Surface::Facets(facets) => Some((wall.name.clone(), facets.corners())),
        _ => None,
    });
    meshes
        .map(|(name, corners)| {
            let along = |k: usize| corners.iter().flatten().map(move |corner| corner[k]);
            Extents {
                name,
                facets: corners.len(),
                low: (0..D).map(|k| along(k).fold(f64::INFINITY, f64::min)).collect(),
                high: (0..D).map(|k| along(k).fold(f64::NEG_INFINITY, f64::max)).collect(),
            }
        })
        .collect()
}

impl<const D: usize> super::surfaces::Extent<D> {
    /// Its diagonal; zero if there is nothing.
    fn size(&self) -> f64 {
        let [low, high] = self.corners();
        if (0..D).all(|k| low[k] <= high[k]) { length(sub(high, low)) } else { 0.0 }
    }
}
