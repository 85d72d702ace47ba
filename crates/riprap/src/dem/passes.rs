//! The loops over contacts, compiled once per law and chosen once per pass.

use super::law::{AnyLaw, By, Law, LawKind, MemoryParts, OfLaw};
use super::materials::Materials;
use super::pairs::PairPass;
use super::wall::WallPass;

/// Everything that depends on the law.
pub(crate) trait Passes<const D: usize>: PairPass<D> + WallPass<D> + AnyLaw<D> {}

impl<P: PairPass<D> + WallPass<D> + AnyLaw<D>, const D: usize> Passes<D> for P {}

/// The passes of the law of these materials.
pub(crate) fn passes_of<const D: usize>(materials: &Materials<D>) -> &'static dyn Passes<D> {
    materials.law().made::<Compiled, D>(materials.turn())
}

/// The same for contacts of bodies that are not balls, which always resist twisting.
pub(crate) fn shaped_passes_of<const D: usize>(materials: &Materials<D>) -> &'static dyn Passes<D> {
    materials.law().made::<Compiled, D>(true)
}

/// The same for contacts at a point, without resistance to rolling and twisting.
pub(crate) fn pointed_passes_of<const D: usize>(materials: &Materials<D>) -> &'static dyn Passes<D> {
    materials.law().made::<Compiled, D>(false)
}

/// What contacts remember under a law, with or without resistance to rolling and twisting.
pub(crate) fn remembered_by<const D: usize>(law: LawKind, turns: bool) -> MemoryParts {
    law.made::<Compiled, D>(turns).parts()
}

/// Passes of a law.
struct Compiled;

impl<const D: usize> OfLaw<D> for Compiled {
    type Made = &'static dyn Passes<D>;

    fn make<L: Law<D>>() -> Self::Made {
        &By::<L>::NEW
    }
}
