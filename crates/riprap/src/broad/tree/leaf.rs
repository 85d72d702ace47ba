//! Tests of few members at a time.

use super::record::Record;
use super::visit::Contact;
use crate::broad::Pair;

/// Members that are tested in one go.
pub(super) const LEAF: usize = 16;

/// Some members in columns.
pub(super) struct Leaf<const D: usize> {
    count: usize,
    centers: [[f64; LEAF]; D],
    radii: [f64; LEAF],
}

impl<const D: usize> Leaf<D> {
    /// # Panics
    /// If there are more than [`LEAF`].
    pub(super) fn new(members: &[Record<D>]) -> Self {
        // What is left over is infinitely far away.
        let mut leaf = Self { count: members.len(), centers: [[f64::INFINITY; LEAF]; D], radii: [0.0; LEAF] };
        for (slot, member) in members.iter().enumerate() {
            for k in 0..D {
                leaf.centers[k][slot] = member.center[k];
            }
            leaf.radii[slot] = member.radius;
        }
        leaf
    }

    /// A bit for each member that may touch this particle.
    #[inline(always)]
    pub(super) fn near<const IMAGES: bool>(
        &self,
        contact: &Contact<'_, D, IMAGES>,
        other: &Record<D>,
    ) -> u32 {
        let mut hits = [false; LEAF];
        for slot in 0..LEAF {
            let center = std::array::from_fn(|k| self.centers[k][slot]);
            hits[slot] = contact.near(&other.center, other.radius, &center, self.radii[slot]);
        }
        let bits = hits.iter().enumerate().fold(0, |bits, (slot, hit)| bits | u32::from(*hit) << slot);
        bits & ((1 << self.count) - 1)
    }
}

/// Appends the contacts of members with each other, and those of visitors with members.
///
/// Returns how many tests this took.
pub(super) fn test<const D: usize, const IMAGES: bool>(
    contact: &Contact<'_, D, IMAGES>,
    members: &[Record<D>],
    visitors: &[Record<D>],
    pairs: &mut Vec<Pair>,
) -> usize {
    for (number, part) in members.chunks(LEAF).enumerate() {
        let leaf = Leaf::new(part);
        let mut meet = |other: &Record<D>, mut bits: u32, met: &dyn Fn(&Record<D>) -> bool| {
            while bits != 0 {
                let member = &part[bits.trailing_zeros() as usize];
                bits &= bits - 1;
                if met(member) && contact.touch(other.row, member.row) {
                    pairs.push(Pair::new(other.row, member.row));
                }
            }
        };
        for visitor in visitors {
            let bits = leaf.near(contact, visitor);
            if bits != 0 {
                meet(visitor, bits, &|member| member.size <= visitor.size);
            }
        }
        for earlier in &members[..number * LEAF] {
            meet(earlier, leaf.near(contact, earlier), &|_| true);
        }
        for (slot, member) in part.iter().enumerate() {
            meet(member, leaf.near(contact, member) & !((2u32 << slot) - 1), &|_| true);
        }
    }
    members.len() * visitors.len() + members.len() * members.len().saturating_sub(1) / 2
}
