//! A piece of a body and what it is near to.

use crate::convex::ApartMemory;
use crate::dem::wall::WallElement;

/// No contact.
pub(super) const NONE: u32 = u32::MAX;

/// A piece of a body near a piece of another, or near an element of a wall.
#[derive(Debug, Clone, Copy)]
pub(super) struct PiecePair<const D: usize> {
    pub(super) row: u32,
    pub(super) piece: u16,
    pub(super) second: Opposite,
    /// What is known of its link while it is apart.
    pub(super) apart: ApartMemory<D>,
    /// Index of its contact, if it touches.
    pub(super) contact: u32,
}

/// What a piece is near to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Opposite {
    /// A piece of a body whose id is the larger one.
    Body {
        /// Its row.
        row: u32,
        /// Its piece.
        piece: u16,
    },
    /// An element of a wall.
    Wall(WallElement),
}

/// Path of the two of a pair from which on it has to be looked at again.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub(super) struct Sleep(f32);

impl Sleep {
    /// Is to be looked at in any case.
    pub(super) const AWAKE: Self = Self(f32::NEG_INFINITY);

    /// Need not be looked at before this path.
    pub(super) fn until(path: f64) -> Self {
        let rounded = path as f32;
        Self(if f64::from(rounded) > path { rounded.next_down() } else { rounded })
    }

    /// Whether it has to be looked at after this path.
    #[inline(always)]
    pub(super) fn is_over(self, path: f64) -> bool {
        path >= f64::from(self.0)
    }

    /// The same where paths are counted anew after this one.
    pub(super) fn counted_from(self, path: f64) -> Self {
        Self::until(f64::from(self.0) - path)
    }
}

impl<const D: usize> PiecePair<D> {
    pub(super) fn new(row: u32, piece: u16, second: Opposite) -> Self {
        Self { row, piece, second, apart: ApartMemory::default(), contact: NONE }
    }

    /// What pairs are sorted by: those of bodies by their rows, the lower one first, then those with walls.
    pub(super) fn order(&self) -> impl Ord + use<D> {
        match self.second {
            Opposite::Body { row, piece } => {
                (0, self.row.min(row), u64::from(self.row.max(row)), self.piece, piece)
            }
            Opposite::Wall(WallElement { wall, image, element }) => {
                let place = u64::from(wall) << 48 | u64::from(image.0) << 32 | u64::from(element);
                (1, self.row, place, self.piece, 0)
            }
        }
    }

    /// The same pair after its bodies have got other rows; `None` if one of them is gone.
    pub(super) fn renamed(mut self, new_row: &dyn Fn(u32) -> Option<u32>) -> Option<Self> {
        self.row = new_row(self.row)?;
        if let Opposite::Body { row, .. } = &mut self.second {
            *row = new_row(*row)?;
        }
        Some(self)
    }
}
