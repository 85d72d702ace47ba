//! What a periodic box does not allow.

use super::SceneError;
use super::reader::Reader;
use crate::dem::Domain;
use crate::dem::insert::Insertion;
use crate::dem::wall::{Surface, Wall};
use crate::error::AXES;

impl Reader<'_> {
    /// Refuses walls that a periodic box would cut, and bodies too large for it.
    pub(super) fn check_periodic<const D: usize>(
        &self,
        domain: &Domain<D>,
        walls: &[Wall<D>],
        insertions: &[Insertion<D>],
    ) -> Result<(), SceneError> {
        for (index, wall) in walls.iter().enumerate() {
            for k in (0..D).filter(|&k| domain.periodic[k]) {
                let periodic: [f64; D] = std::array::from_fn(|i| f64::from(u8::from(i == k)));
                let turns = |own: [f64; D]| {
                    wall.motion.iter().any(|phase| !phase.keeps(own) && !phase.keeps(periodic))
                };
                let cut = match &wall.surface {
                    Surface::Plane { normal, .. } => normal[k] != 0.0 || turns(*normal),
                    Surface::Box { .. } => true,
                    Surface::Cylinder { axis, .. } => axis[k].abs() != 1.0 || turns(*axis),
                    Surface::Facets(_) => false,
                };
                if cut {
                    return self.fail(
                        &format!("walls[{index}].shape"),
                        format!("wall `{}` goes across axis {}, which is periodic: leave the axis open, or use walls along it", wall.name, AXES[k]),
                    );
                }
            }
        }
        for (index, insertion) in insertions.iter().enumerate() {
            let largest = insertion.how.largest();
            for k in (0..D).filter(|&k| domain.periodic[k]) {
                let length = domain.max[k] - domain.min[k];
                if 4.0 * largest > length {
                    return self.fail(
                        &format!("insert[{index}]"),
                        format!(
                            "particles of radius {largest} are wider than half the periodic box (length {length} along {}): enlarge the domain",
                            AXES[k]
                        ),
                    );
                }
            }
        }
        Ok(())
    }
}
