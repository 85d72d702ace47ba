//! Which corners of facets are corners of the outlines of their flats.

use super::{CORNER, FLAT, HOLLOW, LEVEL, Seams};
use crate::vector::{add_scaled, dot, length, sub, unit};

/// A flat group of facets round a place: what its outline is like there, as seen from either side.
#[derive(Debug, Clone, Copy)]
struct Fan<const D: usize> {
    /// Number of open edges.
    open: [u8; 2],
    /// The sum of their directions.
    along: [[f64; D]; 2],
    hollow: [bool; 2],
}

/// The same bits as seen from the other side.
fn flipped(bits: u8, first: u8) -> u8 {
    let both = first | first << 1;
    bits & !both | (bits & first) << 1 | (bits >> 1) & first
}

impl<const D: usize> Seams<D> {
    /// Which corners are corners of the outlines of flats.
    pub(super) fn outline(&mut self, facets: &[[[f64; D]; D]], normals: &[[f64; D]]) {
        let mut spokes: Vec<(u32, u32)> = Vec::new();
        let (mut root, mut fans): (Vec<(usize, bool)>, Vec<Fan<D>>) = (Vec::new(), Vec::new());
        for place in 0..self.starts.len() - 1 {
            let place = place as u32;
            let members = self.around(place);
            // Those with a corner here, by the other end of each edge.
            spokes.clear();
            for (member, &facet) in members.iter().enumerate() {
                let places = self.places[facet as usize];
                if places.contains(&place) {
                    spokes.extend(
                        places.iter().filter(|&&other| other != place).map(|&other| (other, member as u32)),
                    );
                }
            }
            spokes.sort_unstable();
            // Facets in one plane across an edge are of one fan; whether their normals are opposite to that of its root.
            root.clear();
            root.extend((0..members.len()).map(|member| (member, false)));
            for window in spokes.windows(2) {
                let [(one, a), (other, b)] = [window[0], window[1]];
                let [f, g] = [a, b].map(|member| members[member as usize] as usize);
                let likeness = dot(normals[f], normals[g]);
                if one == other && likeness.abs() >= 1.0 - 0.5 * LEVEL * LEVEL {
                    join(&mut root, a as usize, b as usize, likeness < 0.0);
                }
            }
            // And so are those that go on flat in triangles whose edges are longer or shorter.
            let shared = |k: usize, other: Option<usize>| {
                other.and_then(|other| spokes.get(other)).is_some_and(|other| other.0 == spokes[k].0)
            };
            let mut first = None;
            for k in (0..spokes.len()).filter(|&k| !shared(k, k.checked_sub(1)) && !shared(k, Some(k + 1))) {
                let (spoke, member) = (spokes[k], spokes[k].1 as usize);
                let facet = members[member] as usize;
                let flat = edge_between(self.places[facet], place, spoke.0)
                    .is_some_and(|(edge, _)| self.edges[facet][edge] & FLAT != 0);
                if !flat {
                    continue;
                }
                let Some(before) = first else {
                    first = Some(member);
                    continue;
                };
                let likeness = dot(normals[members[before] as usize], normals[facet]);
                if likeness.abs() >= 1.0 - 0.5 * LEVEL * LEVEL {
                    join(&mut root, before, member, likeness < 0.0);
                }
            }
            fans.clear();
            fans.resize(members.len(), Fan { open: [0; 2], along: [[0.0; D]; 2], hollow: [false; 2] });
            for &(other_end, member) in &spokes {
                let facet = members[member as usize] as usize;
                let (fan, turned) = top(&mut root, member as usize);
                let Some((edge, corner)) = edge_between(self.places[facet], place, other_end) else {
                    continue;
                };
                let far = if corner == edge { (edge + 1) % D } else { edge };
                let Some(along) = unit(sub(facets[facet][far], facets[facet][corner])) else { continue };
                for side in 0..2 {
                    let front = (side == 0) ^ turned;
                    if self.is_open(facet, edge, front) {
                        fans[fan].open[side] = fans[fan].open[side].saturating_add(1);
                        fans[fan].along[side] = add_scaled(fans[fan].along[side], 1.0, along);
                    }
                    fans[fan].hollow[side] |= self.is_hollow(facet, edge, front);
                }
            }
            for member in 0..members.len() {
                let facet = self.around(place)[member] as usize;
                let Some(corner) = self.places[facet].iter().position(|&other| other == place) else {
                    continue;
                };
                let (fan, turned) = top(&mut root, member);
                let Fan { open, along, hollow } = fans[fan];
                let mut bits = 0;
                for side in 0..2 {
                    // Two open edges that go straight on are none.
                    let straight = open[side] == 2 && length(along[side]) < LEVEL;
                    if open[side] > 0 && !straight {
                        bits |= CORNER << side;
                    }
                    if hollow[side] {
                        bits |= HOLLOW << side;
                    }
                }
                let bits = if turned { flipped(flipped(bits, CORNER), HOLLOW) } else { bits };
                self.corners[facet][corner] = bits;
            }
        }
    }
}

/// Makes one fan of those of two members, whose normals are opposite to each other or not.
fn join(root: &mut [(usize, bool)], a: usize, b: usize, opposite: bool) {
    let ((p, p_turned), (q, q_turned)) = (top(root, a), top(root, b));
    if p != q {
        root[q] = (p, p_turned ^ q_turned ^ opposite);
    }
}

/// The first of a fan, and whether its normal is opposite to the member's.
fn top(root: &mut [(usize, bool)], member: usize) -> (usize, bool) {
    let (mut here, mut turned) = (member, false);
    while root[here].0 != here {
        turned ^= root[here].1;
        here = root[here].0;
    }
    root[member] = (here, turned);
    (here, turned)
}

/// The edge of a triangle between two places, and which of its corners the first is.
fn edge_between<const D: usize>(places: [u32; D], from: u32, to: u32) -> Option<(usize, usize)> {
    let corner = places.iter().position(|&place| place == from)?;
    let other = places.iter().position(|&place| place == to)?;
    Some((if (corner + 1) % D == other { corner } else { other }, corner))
}
