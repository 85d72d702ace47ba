//! Which elements of a wall a body touches, and what its contacts remember.
//!
//! A body may touch several elements of a wall at once, of which not all are contacts of their own: a ball that rests on a
//! flat surface of triangles overlaps the edges of the triangles around. Elements are therefore looked at in order, faces
//! before edges before corners and the deepest first, and one whose nearest point is not in front of the plane of a contact
//! already found adds nothing. When a contact passes on to another element of the same wall, its memory goes with it, so that
//! a ball feels nothing where it rolls from one triangle to the next.

use super::near::Candidate;
use super::{Nearest, Placement, Wall};
use crate::dem::contact::store::Slots;
use crate::dem::domain::Periods;
use crate::vector::{components, dot, scale, sub};

/// An element that a body overlaps.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FoundElement<const D: usize> {
    /// Index among the candidates looked at.
    pub(crate) candidate: usize,
    pub(crate) near: Nearest<D>,
    /// Nearest point of the wall, seen from the centre of the body.
    pub(crate) arm: [f64; D],
}

/// How far in front of the plane of another contact a point must be to be a contact of its own, over the radius and over that
/// contact's overlap: the corners of flat surfaces in files are not flat to the last bit.
const IN_FRONT: (f64, f64) = (1e-6, 0.1);

/// Contacts with normals less alike than this (cosine) share no memory.
const ALIKE: f64 = 0.7;

/// A ball that may touch a wall.
pub(crate) struct NearBall<const D: usize> {
    pub(crate) center: [f64; D],
    pub(crate) radius: f64,
    /// How far contacts reach beyond touch.
    pub(crate) reach: f64,
}

/// The point of an element nearest to a body; its normal is that at the start.
pub(super) fn nearest<const D: usize>(
    candidate: &Candidate,
    wall: &Wall<D>,
    placement: &Placement<D>,
    center: [f64; D],
    periods: &Periods<D>,
) -> Option<Nearest<D>> {
    let local = placement.to_start(sub(center, periods.shift(candidate.image)));
    wall.surface.nearest(candidate.element as usize, local)
}

/// Replaces `found` by the contacts of a ball with a wall.
pub(crate) fn find_contacts<const D: usize>(
    candidates: &[Candidate],
    wall: &Wall<D>,
    placement: &Placement<D>,
    ball: &NearBall<D>,
    periods: &Periods<D>,
    found: &mut Vec<FoundElement<D>>,
) {
    let NearBall { center, radius, reach } = *ball;
    found.clear();
    for (candidate, near) in candidates.iter().enumerate() {
        let Some(mut near) = nearest(near, wall, placement, center, periods) else { continue };
        if near.distance < radius + reach {
            near.normal = placement.direction_now(near.normal);
            found.push(FoundElement { candidate, near, arm: scale(near.normal, -near.distance) });
        }
    }
    if !wall.surface.has_ends() || found.len() < 2 {
        return;
    }
    found.sort_unstable_by(|a, b| {
        let depth = a.near.distance.total_cmp(&b.near.distance);
        a.near.feature.cmp(&b.near.feature).then(depth).then(a.candidate.cmp(&b.candidate))
    });
    let mut contacts = 0;
    for index in 0..found.len() {
        let arm = found[index].arm;
        let in_front = |other: &FoundElement<D>| {
            let tolerance = IN_FRONT.0 * radius + IN_FRONT.1 * (radius - other.near.distance).max(0.0);
            dot(sub(arm, other.arm), other.near.normal) > tolerance
        };
        if found[..contacts].iter().all(in_front) {
            found[contacts] = found[index];
            contacts += 1;
        }
    }
    found.truncate(contacts);
}

/// Gives each new contact the memory of a contact that has ended at another element, and forgets those that have ended. It tells of each
/// change which candidate a contact was, which one it is now, and what the law remembers; of those without a past only where the body has
/// touched the wall before. A memory is the normal, then what the law remembers.
pub(super) fn hand_over<const D: usize>(
    slots: &mut Slots<'_>,
    found: &[FoundElement<D>],
    mut changed: impl FnMut(Option<usize>, Option<usize>, &[f64]),
) {
    let words = slots.words;
    let touched = slots.touching.contains(&true);
    let goes_on = |candidate: usize| found.iter().any(|found| found.candidate == candidate);
    for contact in found {
        let normal = contact.near.normal;
        let own = contact.candidate * words;
        if !slots.touching[contact.candidate] {
            let alike = |slot: usize| dot(components(|k| slots.numbers[slot * words + k]), normal);
            let last = (0..slots.touching.len())
                .filter(|&slot| slots.touching[slot] && !goes_on(slot) && alike(slot) > ALIKE)
                .max_by(|&i, &j| alike(i).total_cmp(&alike(j)));
            match last {
                Some(slot) => {
                    slots.touching[slot] = false;
                    slots.numbers.copy_within(slot * words..(slot + 1) * words, own);
                    changed(Some(slot), Some(contact.candidate), &slots.numbers[own + D..own + words]);
                }
                None => {
                    slots.numbers[own..own + words].fill(0.0);
                    if touched {
                        changed(None, Some(contact.candidate), &slots.numbers[own + D..own + words]);
                    }
                }
            }
            slots.touching[contact.candidate] = true;
        }
        slots.numbers[own..own + D].copy_from_slice(&normal);
    }
    for slot in 0..slots.touching.len() {
        if slots.touching[slot] && !goes_on(slot) {
            slots.touching[slot] = false;
            changed(Some(slot), None, &slots.numbers[slot * words + D..(slot + 1) * words]);
        }
    }
}
