//! What forces depend on beside bodies and walls, for one pass over the contacts.

use super::contact::{Kinds, Span};
use super::domain::Periods;
use super::inserted::Inserted;
use super::materials::Materials;
use super::settings::Settings;

/// What forces depend on beside bodies and walls.
#[derive(Clone, Copy)]
pub(crate) struct Conditions<'a, const D: usize> {
    pub(crate) materials: &'a Materials<D>,
    pub(crate) kinds: Kinds,
    pub(crate) periods: Periods<D>,
    /// How long forces act.
    pub(crate) span: Span<f64>,
    /// Overlap over the smaller radius that is told when it is exceeded.
    pub(crate) overlap_limit: f64,
    /// How far contacts reach beyond touch at most.
    pub(crate) reach: f64,
    /// Whether wide vector instructions are used where there are any.
    pub(crate) vectors: bool,
    /// Whether contacts are recorded.
    pub(crate) record: bool,
}

impl<'a, const D: usize> Conditions<'a, D> {
    /// At one moment, without a record.
    pub(super) fn new(
        settings: &'a Settings<D>,
        materials: &'a Materials<D>,
        inserted: &'a Inserted,
    ) -> Self {
        Self {
            materials,
            kinds: inserted.kinds,
            periods: settings.domain.periods(),
            span: Span::of_step(settings.time_step),
            overlap_limit: settings.overlap_limit,
            reach: inserted.reach,
            vectors: settings.vectors,
            record: false,
        }
    }

    /// Over this time, with a record or without.
    pub(super) fn over(self, span: Span<f64>, record: bool) -> Self {
        Self { span, record, ..self }
    }

    /// With this overlap to look out for.
    pub(super) fn watching(self, overlap_limit: f64) -> Self {
        Self { overlap_limit, ..self }
    }
}
