//! What the contacts of stones are worked out from: bodies and walls as each contact sees them.

use super::memory::StoneMemory;
use super::piece_pair::{Opposite, PiecePair};
use super::places::Places;
use super::press::Member;
use super::walls::PlacedWall;
use crate::dem::body::{ShapeIndex, Shapes, View};
use crate::dem::conditions::Conditions;
use crate::dem::law::AnyLaw;
use crate::dem::material::Coefficients;
use crate::dem::materials::Materials;
use crate::dem::settings::StiffnessPer;
use crate::dem::wall::{Around, WallElement};
use crate::vector::sub;

/// What all parts need.
pub(super) struct Context<'a, const D: usize> {
    pub(super) columns: View<'a, D>,
    pub(super) places: &'a Places<D>,
    pub(super) around: &'a Around<'a, D>,
    pub(super) conditions: &'a Conditions<'a, D>,
    /// How far walls may have come since the pairs were listed.
    pub(super) wall_path: f64,
    pub(super) laws: StoneLaws<'a, D>,
    pub(super) stiffness: StiffnessPer,
}

/// The laws, for contacts of each kind.
///
/// A ball has a curvature, which laws of elastic spheres need: on another ball, on a wall and on a stone its contacts follow the law of
/// the simulation. A stone has none where it meets another stone or a wall, and follows the linear law.
#[derive(Clone, Copy)]
pub(crate) struct StoneLaws<'a, const D: usize> {
    /// Of a ball, on whatever it meets.
    pub(crate) round: StoneLaw<'a, D>,
    /// Of a face, with resistance to twisting. Remembers all that the following do, in the same order.
    pub(crate) flat: StoneLaw<'a, D>,
    /// Of a stone at one point.
    pub(crate) point: StoneLaw<'a, D>,
    /// Of a stone on a rod.
    pub(crate) rod: StoneLaw<'a, D>,
}

/// Which of [`StoneLaws`] a contact follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Follows {
    Round,
    Flat,
    Point,
    Rod,
}

/// How many laws there are.
pub(super) const LAWS: usize = 4;

impl<'a, const D: usize> StoneLaws<'a, D> {
    /// All of them, in the order of [`Follows`].
    #[inline(always)]
    pub(super) fn all(&self) -> [StoneLaw<'a, D>; LAWS] {
        [self.round, self.flat, self.point, self.rod]
    }

    /// The law by which to read what a contact remembers, with a ball in it or not.
    pub(super) fn of_memory(&self, with_ball: bool) -> StoneLaw<'a, D> {
        if with_ball { self.round } else { self.flat }
    }
}

/// A law, and how many numbers its contacts remember.
#[derive(Clone, Copy)]
pub(crate) struct StoneLaw<'a, const D: usize> {
    pub(super) law: &'a dyn AnyLaw<D>,
    pub(super) words: usize,
    /// Whether it resists rolling and twisting.
    pub(super) turns: bool,
}

impl<'a, const D: usize> StoneLaw<'a, D> {
    pub(crate) fn new(law: &'a dyn AnyLaw<D>) -> Self {
        Self { law, words: law.words(), turns: law.parts().turning > 0 }
    }

    /// What the springs of a contact store where it ends, which is lost.
    pub(super) fn left_at_end(&self, coefficients: &Coefficients, memory: &StoneMemory<D>) -> f64 {
        let end = -self.law.reach(coefficients, memory.radius);
        self.law.stored(coefficients, end, memory.radius, &memory.numbers)
    }
}

impl<'a, const D: usize> Context<'a, D> {
    /// How far the two of a pair may have come nearer to each other since they were listed.
    pub(super) fn path(&self, pair: &PiecePair<D>) -> f64 {
        match pair.second {
            Opposite::Body { row, .. } => self.places.path([pair.row, row]),
            Opposite::Wall(_) => self.places.paths[pair.row as usize] + self.wall_path,
        }
    }

    /// The same of all pairs, at most.
    pub(super) fn longest_path(&self) -> f64 {
        self.places.longest + self.places.longest.max(self.wall_path)
    }

    pub(super) fn coefficients(&self, pair: &PiecePair<D>, with_ball: bool) -> &'a Coefficients {
        let of = |row: u32| self.columns.material[row as usize];
        let other = match pair.second {
            Opposite::Body { row, .. } => of(row),
            Opposite::Wall(element) => self.around.walls[usize::from(element.wall)].material,
        };
        coefficients(self.around.conditions.materials, [of(pair.row), other], with_ball)
    }

    /// Whether one of the two of a pair is a ball.
    pub(super) fn has_ball(&self, pair: &PiecePair<D>) -> bool {
        has_ball(self.columns.shapes, self.columns.shape, (pair.row, pair.piece), pair.second)
    }

    /// A wall as seen from a body with its centre of mass there.
    pub(super) fn wall(&self, element: WallElement, center: [f64; D]) -> PlacedWall<'a, D> {
        let wall = usize::from(element.wall);
        PlacedWall {
            wall: &self.around.walls[wall],
            placement: &self.around.placements[wall],
            center: sub(center, self.around.conditions.periods.shift(element.image)),
        }
    }

    /// A wall as a contact sees it.
    pub(super) fn member_wall(&self, element: WallElement, center: [f64; D]) -> Member<'a, D> {
        let PlacedWall { placement, center, .. } = self.wall(element, center);
        Member {
            center: sub(placement.center, center),
            velocity: placement.velocity,
            spin: placement.spin,
            inverse_mass: 0.0,
            inverse_inertia: [0.0; 3],
            axes: &placement.rotation,
        }
    }

    /// Where the point is about which the torque on a wall is taken.
    pub(super) fn middle(&self, element: WallElement, center: [f64; D]) -> [f64; D] {
        let PlacedWall { wall, placement, center } = self.wall(element, center);
        sub(placement.to_now(wall.center), center)
    }
}

/// Whether a piece of a body is a ball, or what it is near to.
pub(super) fn has_ball<const D: usize>(
    shapes: &Shapes<D>,
    shape: &[ShapeIndex],
    (row, piece): (u32, u16),
    second: Opposite,
) -> bool {
    let is_ball = |row: u32, piece: u16| shapes.piece(shape[row as usize], piece).is_ball();
    is_ball(row, piece) || matches!(second, Opposite::Body { row, piece } if is_ball(row, piece))
}

/// Coefficients of two materials, in contacts with a ball or without.
pub(super) fn coefficients<const D: usize>(
    materials: &Materials<D>,
    [a, b]: [u8; 2],
    with_ball: bool,
) -> &Coefficients {
    if with_ball { materials.of(a, b) } else { materials.of_faces(a, b) }
}

/// A body as a contact sees it, with its centre of mass there.
pub(super) fn member<'a, const D: usize>(
    columns: &View<'_, D>,
    places: &'a Places<D>,
    row: usize,
    center: [f64; D],
) -> Member<'a, D> {
    let seen = &columns.seen[row];
    let ball = seen.inverse_mass / (columns.inertia * seen.radius * seen.radius);
    Member {
        center,
        velocity: seen.velocity,
        spin: seen.spin,
        inverse_mass: seen.inverse_mass,
        inverse_inertia: columns.shapes.softness(columns.shape[row]).map(|softness| ball * softness),
        axes: &places.rotations[row],
    }
}
