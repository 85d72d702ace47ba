//! What a scene says about pictures of it.

use std::path::Path;

use super::build::parsed;
use super::format::{Color, Draw, ShapeName};
use super::reader::Reader;
use super::replaced::{self, Replaced};
use super::{SceneError, source};

/// How pictures and films of a scene are drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Drawing {
    /// Whether it is a scene in the plane.
    pub flat: bool,
    /// Opposite to gravity; zero if there is none.
    pub up: [f64; 3],
    /// Direction from which to look; the default depends on the scene.
    pub view: Option<[f64; 3]>,
    /// What colours show.
    pub color: Color,
    /// A point of a plane and its normal: bodies with their centre on the side of the normal are left out.
    pub cut: Option<[[f64; 3]; 2]>,
    /// How each wall is shown, and whether it is an infinite plane.
    pub walls: Vec<(Draw, bool)>,
    /// Where the domain begins and ends along its periodic axes.
    pub periodic: [Option<[f64; 2]>; 3],
}

impl Drawing {
    /// What a scene file says about pictures, after some values have been replaced. The files that it names are not read.
    pub fn read(path: &Path, replaced: &[Replaced]) -> Result<Self, SceneError> {
        let whole = |message: String| SceneError { path: path.to_path_buf(), place: None, message };
        let source = replaced::with(&source(path)?, replaced).map_err(whole)?;
        let file = parsed(path, &source)?;
        let reader = Reader { path, source: &source, file: &file };
        if file.dimension == 2 { reader.drawing::<2>() } else { reader.drawing::<3>() }
    }
}

impl Reader<'_> {
    pub(super) fn drawing<const D: usize>(&self) -> Result<Drawing, SceneError> {
        let values = &self.file.output;
        let in_space = |vector: [f64; D]| std::array::from_fn(|k| if k < D { vector[k] } else { 0.0 });
        let settings = self.settings::<D>()?;
        let cut = values.cut.as_ref().map(|cut| {
            let point = self.vector::<D>("output.cut.point", &cut.point)?;
            Ok([in_space(point), in_space(self.direction::<D>("output.cut.normal", &cut.normal)?)])
        });
        if let Some(view) = &values.view {
            self.direction::<3>("output.view", view)?;
        }
        let domain = &settings.domain;
        Ok(Drawing {
            flat: D == 2,
            up: in_space(settings.gravity.map(|g| 0.0 - g)),
            view: values.view,
            color: values.color.unwrap_or_default(),
            cut: cut.transpose()?,
            walls: self.file.walls.iter().map(|wall| (wall.draw, wall.shape == ShapeName::Plane)).collect(),
            periodic: std::array::from_fn(|k| {
                (k < D && domain.periodic[k]).then(|| [domain.min[k], domain.max[k]])
            }),
        })
    }
}
