//! The loops over contacts, compiled once per law and chosen once per pass.

use super::law::{AnyLaw, By, Law, LawKind, MemoryParts, OfLaw};
use super::materials::Materials;
use super::pairs::PairPass;
use super::stones::{StoneLaw, StoneLaws};
use super::wall::WallPass;
use crate::dimension::of_dimension;

/// Everything that depends on the law.
pub(crate) trait Passes<const D: usize>: PairPass<D> + WallPass<D> + AnyLaw<D> {}

impl<P: PairPass<D> + WallPass<D> + AnyLaw<D>, const D: usize> Passes<D> for P {}

/// The passes of the law of these materials.
pub(crate) fn passes_of<const D: usize>(materials: &Materials<D>) -> &'static dyn Passes<D> {
    passes(materials.law(), materials.turn())
}

/// The law of faces that meet faces or walls, with or without resistance to rolling and twisting.
pub(crate) fn law_of_faces<const D: usize>(turns: bool) -> &'static dyn Passes<D> {
    passes(LawKind::Linear, turns)
}

/// The laws of contacts of bodies that are not balls.
pub(crate) fn stone_laws_of<const D: usize>(materials: &Materials<D>) -> StoneLaws<'static, D> {
    StoneLaws {
        round: StoneLaw::new(passes_of(materials)),
        flat: StoneLaw::new(law_of_faces(true)),
        point: StoneLaw::new(law_of_faces(false)),
        rod: StoneLaw::new(law_of_faces(materials.turn())),
    }
}

/// What contacts remember under a law, with or without resistance to rolling and twisting.
pub(crate) fn remembered_by<const D: usize>(law: LawKind, turns: bool) -> MemoryParts {
    passes::<D>(law, turns).parts()
}

type Lookup<const D: usize> = fn(LawKind, bool) -> &'static dyn Passes<D>;

static IN_PLANE: Lookup<2> = LawKind::made::<Compiled, 2>;
static IN_SPACE: Lookup<3> = LawKind::made::<Compiled, 3>;

/// The passes of a law, with or without resistance to rolling and twisting.
fn passes<const D: usize>(law: LawKind, turns: bool) -> &'static dyn Passes<D> {
    of_dimension::<Lookup<D>>(&IN_PLANE, &IN_SPACE)(law, turns)
}

/// Passes of a law.
struct Compiled;

impl<const D: usize> OfLaw<D> for Compiled {
    type Made = &'static dyn Passes<D>;

    fn make<L: Law<D>>() -> Self::Made {
        &By::<L>::NEW
    }
}
