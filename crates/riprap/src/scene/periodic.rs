//! What a periodic box does not allow.

use super::SceneError;
use super::reader::Reader;
use crate::dem::insert::Insertion;
use crate::dem::wall::Wall;
use crate::dem::{Domain, Shapes};
use crate::error::AXES;

impl Reader<'_> {
    /// Refuses walls that a periodic box would cut, and bodies too large for it.
    pub(super) fn check_periodic<const D: usize>(
        &self,
        domain: &Domain<D>,
        walls: &[Wall<D>],
        insertions: &[Insertion<D>],
        shapes: &Shapes<D>,
    ) -> Result<(), SceneError> {
        for (index, wall) in walls.iter().enumerate() {
            if let Err(error) = wall.check_periodic(domain) {
                return self.fail(&format!("walls[{index}].shape"), error.to_string());
            }
        }
        for (index, insertion) in insertions.iter().enumerate() {
            let largest = insertion.largest(shapes);
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
