//! How a run begins: from the start, or from a checkpoint.

use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

use super::checkpoint::{self, Checkpoint, CheckpointError, Origin};
use super::folder::{
    CHECKPOINTS, FAILED, PICTURE, SCENE, SERIES, create, remove_failed, remove_file, remove_folder,
    remove_partial,
};
use super::{Run, RunError, at, frames, series};
use crate::dem::Simulation;
use crate::dem::insert::InsertionMarks;
use crate::scene::Setup;

impl<const D: usize> Run<D> {
    /// A run from the start, which writes to this folder if there is one.
    pub fn new(setup: Setup<D>, folder: Option<&Path>) -> Result<Self, RunError> {
        let simulation = setup.simulation()?;
        let mut run = Self::around(setup, simulation, folder);
        if let Some(folder) = folder {
            create(folder)?;
            for name in [frames::PARTICLES, frames::CONTACTS, frames::WALLS, CHECKPOINTS] {
                remove_folder(&folder.join(name))?;
            }
            remove_file(&folder.join(PICTURE))?;
            remove_failed(folder)?;
            remove_partial(folder)?;
            run.copy_scene(folder)?;
            let path = folder.join(SERIES);
            run.series.begin(&run.simulation, &run.setup.probes, &path).map_err(at(&path))?;
        }
        Ok(run)
    }

    /// A run that resumes from a checkpoint. Returns the run and whether the scene is still the same.
    pub fn resume(setup: Setup<D>, folder: Option<&Path>, file: &Path) -> Result<(Self, bool), RunError> {
        let mut simulation = setup.simulation()?;
        let found = restore(&setup, &mut simulation, file)
            .map_err(|error| RunError::Checkpoint { path: file.to_path_buf(), error: Box::new(error) })?;
        let same = found.origin.scene == setup.checksum;
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
            if file != folder.join(FAILED) {
                remove_failed(folder)?;
            }
            remove_partial(folder)?;
            // What came after this checkpoint has not happened.
            for newer in checkpoint::in_folder(&folder.join(CHECKPOINTS)) {
                if newer.file_name() > Some(checkpoint::file_name(run.simulation.steps()).as_ref()) {
                    remove_file(&newer)?;
                }
            }
            run.copy_scene(folder)?;
            let path = folder.join(SERIES);
            let (simulation, probes) = (&run.simulation, &run.setup.probes);
            run.series.resume(simulation, probes, &path, found.series).map_err(at(&path))?;
        }
        Ok((run, same))
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
            setup,
            simulation,
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
        fs::copy(&self.setup.path, &path).map(|_| ()).map_err(at(&path))
    }
}

/// Reads a checkpoint and gives its state to the simulation, if it is one of the scene.
fn restore<const D: usize>(
    setup: &Setup<D>,
    simulation: &mut Simulation<D>,
    file: &Path,
) -> Result<Checkpoint<D>, CheckpointError> {
    let mut found: Checkpoint<D> = checkpoint::read(file)?;
    let (here, there) = (origin(setup), &found.origin);
    if there.time_step != here.time_step {
        return Err(CheckpointError::TimeStep { then: there.time_step, now: here.time_step });
    }
    if there.nature != here.nature {
        return Err(CheckpointError::Nature);
    }
    simulation.check(&found.state)?;
    if let Some(InsertionMarks(marks)) = &found.insertions
        && marks.len() != setup.insertions.len()
    {
        let (found, expected) = (marks.len(), setup.insertions.len());
        return Err(CheckpointError::Insertions { found, expected });
    }
    simulation.restore(std::mem::take(&mut found.state))?;
    Ok(found)
}

/// What a checkpoint knows of its scene.
pub(super) fn origin<const D: usize>(setup: &Setup<D>) -> Origin {
    let names = setup.materials.list().iter().map(|material| material.name.as_str());
    let nature: Vec<&str> = names.chain([setup.materials.law().name()]).collect();
    Origin {
        scene: setup.checksum,
        time_step: setup.settings.time_step,
        nature: crc32fast::hash(nature.join("\n").as_bytes()),
    }
}
