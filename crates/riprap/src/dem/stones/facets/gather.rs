//! The contacts of a stone with a surface of facets: points of all facets that push alike are one contact.

use std::ops::Range;

use smallvec::SmallVec;

use super::axis::{ALIKE, FacetAxis, SIMILAR, least_overlap};
use super::points::{Facing, FoundPoint, PointOf};
use super::section::Sections;
use super::seen::SeenStone;
use crate::convex::{Body, ContactPoint};
use crate::dem::wall::Facets;
use crate::vector::{dot, scale};

/// A contact in the coordinates of the wall at its start.
#[derive(Debug, Clone)]
pub(super) struct Gathered<const D: usize> {
    /// The first facet that it is with.
    pub(super) facet: u32,
    /// Unit vector from the surface to the stone.
    pub(super) axis: [f64; D],
    pub(super) points: Range<usize>,
}

/// What is needed to find the contacts of a stone; its memory is used again for the next one.
#[derive(Debug, Clone)]
pub(super) struct Gatherer<const D: usize> {
    pub(super) stone: SeenStone<D>,
    sections: Sections<D>,
    /// What is pressed on, each with the number of its contact.
    entries: Vec<(usize, FacetAxis<D>)>,
    /// Directions of the contacts.
    axes: Vec<[f64; D]>,
    found: Vec<FoundPoint<D>>,
    pub(super) contacts: Vec<Gathered<D>>,
    pub(super) points: Vec<ContactPoint<D>>,
}

impl<const D: usize> Default for Gatherer<D> {
    fn default() -> Self {
        Self {
            stone: SeenStone::default(),
            sections: Sections::default(),
            entries: Vec::new(),
            axes: Vec::new(),
            found: Vec::new(),
            contacts: Vec::new(),
            points: Vec::new(),
        }
    }
}

impl<const D: usize> Gatherer<D> {
    /// Forgets the last stone.
    pub(super) fn clear(&mut self) {
        self.sections.clear();
        self.entries.clear();
        self.axes.clear();
        self.contacts.clear();
        self.points.clear();
    }

    /// Looks at a facet; returns how far the stone is away from it if it does not matter to it.
    pub(super) fn look_at(&mut self, facets: &Facets<D>, facet: u32) -> Option<f64> {
        self.sections.look_at(&self.stone, facets, facet)
    }

    /// Finds the contacts with the facets looked at.
    pub(super) fn gather(&mut self, body: &Body<D>, facets: &Facets<D>) {
        self.sections.find_patches(&self.stone, facets);
        for patch in 0..self.sections.patches.len() {
            self.enter(body, facets, patch);
        }
        self.group();
        let Self { stone, entries, axes, found, contacts, points, .. } = self;
        for (index, &axis) in axes.iter().enumerate() {
            let members = || entries.iter().filter(|entry| entry.0 == index).map(|entry| &entry.1);
            let facing = Facing::new(stone, body, axis);
            found.clear();
            let mut first = None;
            for entry in members() {
                let before = found.len();
                facing.add_points(facets, entries, entry, found);
                if found.len() > before && first.is_none() {
                    first = Some(entry.facet);
                }
            }
            let deepest = found.iter().map(|found| found.point.depth).fold(0.0, f64::max);
            // What reaches furthest into the stone at an edge need not be under the face that looks at it.
            let lacks = |entry: &FacetAxis<D>| {
                if entry.face {
                    found.is_empty() && ends_somewhere(facets, entry)
                } else {
                    deepest < SIMILAR * entry.overlap
                }
            };
            let most = members()
                .filter(|entry| entry.tops && lacks(entry))
                .max_by(|one, other| one.overlap.total_cmp(&other.overlap));
            let middle = most.and_then(|entry| Some((entry.facet, facing.middle(facets, entry)?)));
            if let Some((facet, point)) = middle {
                first = first.or(Some(facet));
                found.push(FoundPoint { of: PointOf::Middle, point, on: (facet, axis, 0) });
            }
            // In an order that does not depend on how the surface was cut.
            found.sort_unstable_by_key(|point| point.of);
            let pressed: SmallVec<[&FacetAxis<D>; 8]> = members().collect();
            facing.share_out(facets, &pressed, found);
            if let (Some(facet), false) = (first, found.is_empty()) {
                let start = points.len();
                points.extend(found.iter().map(|found| found.point));
                contacts.push(Gathered { facet, axis, points: start..points.len() });
            }
        }
    }

    /// Notes the facets of a patch: those pressed along their normal, also beside the stone, and those at whose edges it is pressed.
    fn enter(&mut self, body: &Body<D>, facets: &Facets<D>, patch: usize) {
        let Self { stone, sections, entries, .. } = self;
        let least = least_overlap((stone, body), facets, sections, patch);
        for cut in sections.around(stone, facets, patch) {
            let (beside, at) = (cut.patch.is_none(), cut.facet == least.at.facet);
            let face = least.face && sections.is_level(stone, facets, least.at, cut);
            // A facet beside the stone may be in the plane of several patches.
            let is_taken = |other: &FacetAxis<D>| other.facet == cut.facet && (other.face || !face);
            let wanted = at || !entries.iter().any(|(_, other)| is_taken(other));
            if beside && !wanted {
                continue;
            }
            let upright = face || dot(least.axis, cut.normal) >= 0.0;
            let entry = FacetAxis {
                facet: cut.facet,
                front: cut.front == upright,
                normal: if upright { cut.normal } else { scale(cut.normal, -1.0) },
                axis: if face { cut.normal } else { least.axis },
                overlap: if face { cut.depth } else { least.overlap },
                face,
                tops: if face { !beside } else { at },
                beside: beside && (face || !at),
            };
            entries.push((0, entry));
        }
    }

    /// Numbers the contacts: facets by their normals, then what is at their edges.
    fn group(&mut self) {
        let Self { entries, axes, .. } = self;
        // Those beside the stone come last: which of them are known depends on how far was looked.
        for (face, beside, likeness) in [(true, false, ALIKE), (true, true, ALIKE), (false, false, SIMILAR)] {
            let wanted = |entry: &FacetAxis<D>| (entry.face, entry.beside) == (face, beside);
            for (group, entry) in entries.iter_mut().filter(|(_, entry)| wanted(entry)) {
                let like = |axis: &[f64; D]| dot(*axis, entry.axis);
                let most = (0..axes.len()).max_by(|&i, &j| like(&axes[i]).total_cmp(&like(&axes[j])));
                let same = most.filter(|&most| like(&axes[most]) >= likeness);
                *group = same.unwrap_or(axes.len());
                if same.is_none() {
                    axes.push(entry.axis);
                }
            }
        }
    }
}

/// Whether a facet has an edge or corner at which its flat ends.
fn ends_somewhere<const D: usize>(facets: &Facets<D>, entry: &FacetAxis<D>) -> bool {
    let facet = entry.facet as usize;
    let open = |k: usize| facets.is_open(facet, k, entry.front) || facets.is_corner(facet, k, entry.front);
    (0..D).any(open)
}
