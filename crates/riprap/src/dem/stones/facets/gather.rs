//! The contacts of a stone with a surface of facets: points of all facets that push alike are one contact.

use std::ops::Range;

use super::axis::{ALIKE, FacetAxis, SIMILAR, TINY, Verdict, judge};
use super::points::{Facing, FoundPoint, PointOf};
use super::seen::SeenStone;
use super::surroundings::Surroundings;
use crate::convex::{Body, ContactPoint};
use crate::dem::wall::Facets;
use crate::vector::{add_scaled, dot};

/// A contact in the coordinates of the wall at its start.
#[derive(Debug, Clone)]
pub(super) struct Gathered<const D: usize> {
    /// The first facet that it is with.
    pub(super) facet: u32,
    /// Unit vector from the surface to the stone.
    pub(super) axis: [f64; D],
    pub(super) points: Range<usize>,
}

/// Facets that push a stone alike.
#[derive(Debug, Clone, Copy)]
struct Alike<const D: usize> {
    axis: [f64; D],
    /// The largest overlap along it.
    overlap: f64,
    face: bool,
}

/// What is needed to find the contacts of a stone; its memory is used again for the next one.
#[derive(Debug, Clone)]
pub(super) struct Gatherer<const D: usize> {
    pub(super) stone: SeenStone<D>,
    entries: Vec<(u32, FacetAxis<D>)>,
    groups: Vec<Alike<D>>,
    found: Vec<FoundPoint<D>>,
    pub(super) contacts: Vec<Gathered<D>>,
    pub(super) points: Vec<ContactPoint<D>>,
}

impl<const D: usize> Default for Gatherer<D> {
    fn default() -> Self {
        Self {
            stone: SeenStone::default(),
            entries: Vec::new(),
            groups: Vec::new(),
            found: Vec::new(),
            contacts: Vec::new(),
            points: Vec::new(),
        }
    }
}

impl<const D: usize> Gatherer<D> {
    /// Forgets the last stone.
    pub(super) fn clear(&mut self) {
        self.entries.clear();
        self.contacts.clear();
        self.points.clear();
    }

    /// Looks at a facet from the front or from behind; returns how far the stone is away from it if it does not touch it.
    pub(super) fn look_at(
        &mut self,
        body: &Body<D>,
        facets: &Facets<D>,
        facet: u32,
        front: bool,
    ) -> Option<f64> {
        match judge(&self.stone, body, facets, facet, front) {
            Verdict::Apart(gap) => Some(gap),
            Verdict::Touching(entry) => {
                self.entries.push((0, entry));
                None
            }
        }
    }

    /// Finds the contacts with the facets looked at, of all that are near.
    pub(super) fn gather(&mut self, body: &Body<D>, facets: &Facets<D>, near: &[u32]) {
        let Self { stone, entries, groups, found, contacts, points } = self;
        groups.clear();
        // Facets by their normals, then what is at their edges.
        for (face, likeness) in [(true, ALIKE), (false, SIMILAR)] {
            for (group, entry) in entries.iter_mut().filter(|entry| entry.1.face == face) {
                let like = |group: &Alike<D>| dot(group.axis, entry.axis);
                let most = (0..groups.len()).max_by(|&i, &j| like(&groups[i]).total_cmp(&like(&groups[j])));
                let same = most.filter(|&most| like(&groups[most]) >= likeness);
                *group = same.unwrap_or(groups.len()) as u32;
                match same {
                    Some(same) => groups[same].overlap = groups[same].overlap.max(entry.overlap),
                    None => groups.push(Alike { axis: entry.axis, overlap: entry.overlap, face }),
                }
            }
        }
        let surface = Surroundings { facets, near, touched: entries };
        for (index, group) in groups.iter().enumerate() {
            let members = || entries.iter().filter(|entry| entry.0 as usize == index).map(|entry| &entry.1);
            let facing = Facing::new(stone, body, group.axis);
            found.clear();
            let mut first = None;
            for entry in members() {
                let before = found.len();
                facing.add_points(&surface, entry, found);
                if found.len() > before && first.is_none() {
                    first = Some(entry.facet);
                }
            }
            if group.face {
                let edges = groups.iter().filter(|other| !other.face);
                for edge in edges {
                    found.retain(|point| !slips_off(stone, &surface, group, edge, point));
                }
            }
            if found.is_empty() {
                let most = members()
                    .filter(|entry| !entry.hidden && entry.deepest == f64::INFINITY && first.is_none())
                    .filter(|entry| !entry.face || ends_somewhere(facets, entry))
                    .max_by(|one, other| one.overlap.total_cmp(&other.overlap));
                let middle = most.and_then(|entry| Some((entry.facet, facing.middle(facets, entry)?)));
                if let Some((facet, point)) = middle {
                    first = Some(facet);
                    found.push(FoundPoint { of: PointOf::Middle, point });
                }
            }
            // In an order that does not depend on how the surface was cut.
            found.sort_unstable_by_key(|point| point.of);
            if let (Some(facet), false) = (first, found.is_empty()) {
                let start = points.len();
                points.extend(found.iter().map(|found| found.point));
                contacts.push(Gathered { facet, axis: group.axis, points: start..points.len() });
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

/// Whether a vertex of the stone that is deep behind a flat is there only because the stone overlaps the edge of the flat, and would
/// be beside the flat without that.
fn slips_off<const D: usize>(
    stone: &SeenStone<D>,
    surface: &Surroundings<'_, D>,
    group: &Alike<D>,
    edge: &Alike<D>,
    found: &FoundPoint<D>,
) -> bool {
    let ContactPoint { position, depth, .. } = found.point;
    if !matches!(found.of, PointOf::Vertex(_)) || depth <= edge.overlap {
        return false;
    }
    let above = add_scaled(position, 0.5 * depth, group.axis);
    let moved = add_scaled(above, (1.0 + 1e-6) * edge.overlap, edge.axis);
    !surface.has_below(group.axis, moved, depth, TINY * stone.radius)
}
