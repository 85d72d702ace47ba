//! How a run begins: from the start, or from a checkpoint.

use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use super::changes::{self, ChangedKey};
use super::checkpoint::{self, Checkpoint, CheckpointError, Origin, ShapeForms};
use super::folder::{
    CHECKPOINTS, FAILED, SCENE, SERIES, create, remove_failed, remove_file, remove_partial, remove_results,
};
use super::lock::lock;
use super::surfaces::Extent;
use super::{Run, RunError, at, frames, series};
use crate::dem::Simulation;
use crate::dem::insert::InsertionMarks;
use crate::dimension::of_dimension;
use crate::io::write_whole;
use crate::scene::Setup;

/// What is no longer as it was when a checkpoint was written.
#[derive(Debug, Clone, PartialEq)]
pub struct SceneChanges {
    /// Whether the scene file is another one.
    pub scene: bool,
    /// What is another value in it, if there is a copy of the scene beside the checkpoint.
    pub keys: Vec<ChangedKey>,
    /// Whether contacts follow other numbers: stiffnesses, dampings or frictions of materials.
    pub contacts: bool,
    /// The time step then and now.
    pub time_step: Option<(f64, f64)>,
}

type Begin<const D: usize> = fn(Setup<D>, Option<&Path>) -> Result<Run<D>, RunError>;
type Resume<const D: usize> = fn(Setup<D>, Option<&Path>, &Path) -> Result<(Run<D>, SceneChanges), RunError>;

static BEGIN: (Begin<2>, Begin<3>) = (Run::begin, Run::begin);
static RESUME: (Resume<2>, Resume<3>) = (Run::go_on_from, Run::go_on_from);

impl<const D: usize> Run<D> {
    /// A run from the start, which writes to this folder if there is one.
    pub fn new(setup: Setup<D>, folder: Option<&Path>) -> Result<Self, RunError> {
        of_dimension::<Begin<D>>(&BEGIN.0, &BEGIN.1)(setup, folder)
    }

    fn begin(setup: Setup<D>, folder: Option<&Path>) -> Result<Self, RunError> {
        let simulation = setup.simulation()?;
        series::check_columns(&simulation, &setup.probes)?;
        let mut run = Self::around(setup, simulation, folder);
        if let Some(folder) = folder {
            create(folder)?;
            run.lock = Some(lock(folder)?);
            remove_results(folder)?;
            remove_failed(folder)?;
            remove_partial(folder)?;
            run.copy_scene(folder)?;
            let path = folder.join(SERIES);
            run.series.begin(&run.simulation, &run.setup.probes, &path).map_err(at(&path))?;
        }
        Ok(run)
    }

    /// A run that resumes from a checkpoint. Returns the run and what has changed since.
    ///
    /// With another time step the number of steps done is what it would be if all had been of that length, which is made a little
    /// shorter where that is no whole number.
    pub fn resume(
        setup: Setup<D>,
        folder: Option<&Path>,
        file: &Path,
    ) -> Result<(Self, SceneChanges), RunError> {
        of_dimension::<Resume<D>>(&RESUME.0, &RESUME.1)(setup, folder, file)
    }

    fn go_on_from(
        mut setup: Setup<D>,
        folder: Option<&Path>,
        file: &Path,
    ) -> Result<(Self, SceneChanges), RunError> {
        let refused = |error| RunError::Checkpoint { path: file.to_path_buf(), error: Box::new(error) };
        let mut found: Checkpoint<D> = checkpoint::read(file).map_err(refused)?;
        let then = (found.origin.time_step, found.state.elapsed.steps);
        fit_time_step(&mut setup, &found).map_err(refused)?;
        let mut simulation = setup.simulation()?;
        series::check_columns(&simulation, &setup.probes)?;
        let changes = SceneChanges {
            scene: found.origin.scene != setup.checksum,
            keys: changes::since(file, found.origin.scene, &setup.source),
            contacts: simulation.contacts_changed(&found.state),
            time_step: Some((then.0, setup.settings.time_step)).filter(|(then, now)| then != now),
        };
        restore(&setup, &mut simulation, &mut found).map_err(refused)?;
        let mut run = Self::around(setup, simulation, folder);
        run.kept = Some(run.simulation.steps());
        run.energy_error = run.simulation.ledger().error();
        for (insertion, mark) in
            run.insertions.iter_mut().zip(found.insertions.iter().flat_map(|marks| &marks.0))
        {
            insertion.resume(*mark);
        }
        if let Some(folder) = folder {
            // Frames of another folder are not this one's.
            if frames::are_there(folder, found.frames.0.len()) {
                run.frames = found.frames;
            }
            create(folder)?;
            run.lock = Some(lock(folder)?);
            if file != folder.join(FAILED) {
                remove_failed(folder)?;
            }
            remove_partial(folder)?;
            // What came after this checkpoint has not happened.
            remove_newer(folder, then.1)?;
            run.copy_scene(folder)?;
            let path = folder.join(SERIES);
            let (simulation, probes) = (&run.simulation, &run.setup.probes);
            run.series.resume(simulation, probes, &path, found.series).map_err(at(&path))?;
            let steps = run.simulation.steps();
            if steps != then.1 {
                // Names of checkpoints count steps as they are now.
                run.save(&folder.join(CHECKPOINTS).join(checkpoint::file_name(steps)))?;
                remove_newer(folder, steps)?;
            }
        }
        Ok((run, changes))
    }

    fn around(mut setup: Setup<D>, simulation: Simulation<D>, folder: Option<&Path>) -> Self {
        let insertions = std::mem::take(&mut setup.insertions);
        Self {
            series: series::Series::default(),
            frames: frames::FrameTimes::default(),
            kept: None,
            energy_error: 0.0,
            warnings: super::Warnings::default(),
            output_time: Duration::ZERO,
            folder: folder.map(Path::to_path_buf),
            lock: None,
            setup,
            simulation,
            inserted: Extent::of_insertions(&insertions),
            insertions,
        }
    }

    fn copy_scene(&self, folder: &Path) -> Result<(), RunError> {
        let path = folder.join(SCENE);
        let is_scene =
            |path: &Path| -> io::Result<bool> { Ok(path.canonicalize()? == self.setup.path.canonicalize()?) };
        // Running the copy of a scene in its own folder must not empty it.
        if is_scene(&path).unwrap_or(false) {
            return Ok(());
        }
        write_whole(&path, |writer| writer.write_all(self.setup.source.as_bytes())).map_err(at(&path))
    }
}

/// Removes the checkpoints of a folder that come after so many steps.
fn remove_newer(folder: &Path, steps: u64) -> Result<(), RunError> {
    let name = checkpoint::file_name(steps);
    let files = checkpoint::in_folder(&folder.join(CHECKPOINTS));
    files.iter().filter(|file| file.file_name() > Some(name.as_ref())).try_for_each(|file| remove_file(file))
}

/// Makes the time of a checkpoint a whole number of the scene's steps.
fn fit_time_step<const D: usize>(setup: &mut Setup<D>, found: &Checkpoint<D>) -> Result<(), CheckpointError> {
    let (then, now) = (found.origin.time_step, setup.settings.time_step);
    if found.state.basis.is_none_or(|basis| basis.time_step == then) && then == now {
        return Ok(());
    }
    let time = found.state.elapsed.steps as f64 * then;
    let steps = (time / now * (1.0 - 1e-12)).ceil();
    if found.state.basis.is_none_or(|basis| basis.time_step != then) || steps.is_nan() || steps >= 1e15 {
        return Err(CheckpointError::TimeStep { then, now });
    }
    if steps > 0.0 {
        setup.settings.time_step = time / steps;
    }
    Ok(())
}

/// Gives the state of a checkpoint to the simulation, if it is one of the scene.
fn restore<const D: usize>(
    setup: &Setup<D>,
    simulation: &mut Simulation<D>,
    found: &mut Checkpoint<D>,
) -> Result<(), CheckpointError> {
    if found.origin.nature != origin(setup).nature {
        return Err(CheckpointError::Nature);
    }
    let now = forms(setup);
    if let Some((built, _)) =
        setup.shapes.iter().zip(now.0.iter().zip(&found.forms.0)).find(|(_, (now, then))| now != then)
    {
        return Err(CheckpointError::Shape { name: built.shape.name.clone() });
    }
    simulation.check(&found.state)?;
    if let Some(InsertionMarks(marks)) = &found.insertions
        && marks.len() != setup.insertions.len()
    {
        let (found, expected) = (marks.len(), setup.insertions.len());
        return Err(CheckpointError::Insertions { found, expected });
    }
    simulation.restore(std::mem::take(&mut found.state))?;
    Ok(())
}

/// What the shapes of a scene are like.
pub(super) fn forms<const D: usize>(setup: &Setup<D>) -> ShapeForms {
    ShapeForms(setup.shapes.iter().map(|built| built.shape.checksum()).collect())
}

/// What a checkpoint knows of its scene.
pub(super) fn origin<const D: usize>(setup: &Setup<D>) -> Origin {
    let names = setup.materials.list().iter().map(|material| material.name.as_str());
    let shapes = setup.shapes.iter().map(|built| built.shape.name.as_str());
    let nature: Vec<&str> = names.chain([setup.materials.law().name()]).chain(shapes).collect();
    Origin {
        scene: setup.checksum,
        time_step: setup.settings.time_step,
        nature: crc32fast::hash(nature.join("\n").as_bytes()),
    }
}
