//! How the facets of a surface go on beyond their edges and corners.
//!
//! Where a surface has been cut into facets says nothing of its form: a stone must not feel the edges inside a flat. So each edge is known
//! to be open, where the surface ends or falls away from a side, or not, where it goes on flat or rises; and each corner to be one of the
//! outline of its flat or not. Facets belong together where they have a corner in one place, or where a corner of one is on an edge
//! of the other.

use std::collections::HashMap;

use super::facet_grid::Grid;
use crate::vector::{add_scaled, dot, length, reject, scale, sub, unit};

/// The surface goes on in the same plane.
const FLAT: u8 = 1;
/// It goes on and rises, as seen from the side of the normal: an edge in a hollow.
const UP: u8 = 2;
/// It goes on and falls.
const DOWN: u8 = 4;
/// A corner of the outline of its flat, as seen from the side of the normal; the bit beside it is for the other side.
const CORNER: u8 = 1;
/// A corner at which an edge in a hollow ends, as seen from the side of the normal; the bit beside it is for the other side.
const HOLLOW: u8 = 4;

/// Facets that lean to each other by less are in one plane: those in files are not flat to the last bit.
const LEVEL: f64 = 1e-3;
/// Corners that are nearer to an edge, over its length, are on it.
const ON_EDGE: f64 = 1e-9;

/// How facets are connected. Edge `k` of a triangle is from its corner `k` to the next one.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Seams<const D: usize> {
    /// Numbers of the places at which the corners are.
    places: Vec<[u32; D]>,
    /// Facets at each place: those of place `p` are `around[starts[p]..starts[p + 1]]`.
    starts: Vec<u32>,
    around: Vec<u32>,
    edges: Vec<[u8; D]>,
    corners: Vec<[u8; D]>,
}

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
    /// Finds out how these facets with these normals are connected.
    pub(super) fn new(facets: &[[[f64; D]; D]], normals: &[[f64; D]], grid: &Grid<D>) -> Self {
        let mut numbers = HashMap::new();
        let place = |corner: [f64; D], numbers: &mut HashMap<[u64; D], u32>| {
            let next = numbers.len() as u32;
            // Adding zero turns a negative zero into a positive one.
            *numbers.entry(corner.map(|x| (x + 0.0).to_bits())).or_insert(next)
        };
        let places: Vec<[u32; D]> =
            facets.iter().map(|corners| corners.map(|corner| place(corner, &mut numbers))).collect();
        let mut pairs: Vec<(u32, u32)> = Vec::with_capacity(D * facets.len());
        for (facet, places) in places.iter().enumerate() {
            pairs.extend(places.iter().map(|&place| (place, facet as u32)));
        }
        let count = numbers.len();
        drop(numbers);
        let (starts, around) = listed(&mut pairs, count);
        let none = vec![[0; D]; facets.len()];
        let mut seams = Self { places, starts, around, edges: none.clone(), corners: none };
        if D == 2 {
            seams.join_segments(facets, normals);
            return seams;
        }
        seams.join_triangles(facets, normals);
        seams.join_hanging(facets, normals, grid, &mut pairs);
        (seams.starts, seams.around) = listed(&mut pairs, count);
        seams.outline(facets, normals);
        seams
    }

    /// The number of the place of a corner.
    pub(super) fn place(&self, facet: usize, corner: usize) -> u32 {
        self.places[facet][corner]
    }

    /// The facets at a place.
    pub(super) fn around(&self, place: u32) -> &[u32] {
        &self.around[self.starts[place as usize] as usize..self.starts[place as usize + 1] as usize]
    }

    /// The facets that have corners at both of two places.
    pub(super) fn sharing(&self, one: u32, other: u32) -> impl Iterator<Item = u32> {
        // Looking where fewer facets meet keeps the hub of a wheel from being looked at from every spoke.
        let few = if self.around(one).len() <= self.around(other).len() { one } else { other };
        let both = move |facet: &&u32| {
            let places = &self.places[**facet as usize];
            places.contains(&one) && places.contains(&other)
        };
        self.around(few).iter().filter(both).copied()
    }

    /// Whether the surface ends or falls away beyond an edge, as seen from the side of the normal or the other one.
    pub(super) fn is_open(&self, facet: usize, edge: usize, front: bool) -> bool {
        self.edges[facet][edge] & (FLAT | if front { UP } else { DOWN }) == 0
    }

    /// Whether an edge is in a hollow.
    pub(super) fn is_hollow(&self, facet: usize, edge: usize, front: bool) -> bool {
        self.edges[facet][edge] & if front { UP } else { DOWN } != 0
    }

    /// Whether a corner is one of the outline of its flat.
    pub(super) fn is_corner(&self, facet: usize, corner: usize, front: bool) -> bool {
        self.corners[facet][corner] & if front { CORNER } else { CORNER << 1 } != 0
    }

    /// Whether an edge in a hollow ends at a corner.
    pub(super) fn is_hollow_corner(&self, facet: usize, corner: usize, front: bool) -> bool {
        self.corners[facet][corner] & if front { HOLLOW } else { HOLLOW << 1 } != 0
    }

    /// Bytes reserved.
    pub(super) fn bytes(&self) -> usize {
        let lists = self.starts.capacity() + self.around.capacity();
        lists * size_of::<u32>()
            + self.places.capacity() * size_of::<[u32; D]>()
            + 2 * self.edges.capacity() * size_of::<[u8; D]>()
    }

    /// In the plane a corner is what an edge is in space.
    fn join_segments(&mut self, facets: &[[[f64; D]; D]], normals: &[[f64; D]]) {
        for facet in 0..facets.len() {
            for corner in 0..2 {
                let (here, place) = (facets[facet][corner], self.places[facet][corner]);
                let Some(outward) = unit(sub(here, facets[facet][1 - corner])) else { continue };
                let others = self.around(place).iter().map(|&other| other as usize);
                let bits = others.filter(|&other| other != facet).map(|other| {
                    let own = usize::from(self.places[other][0] == place);
                    lean(sub(facets[other][own], here), normals[facet], outward)
                });
                let bits = bits.fold(0, |all, bits| all | bits);
                let side = |rising: u8, shift: u8| match (bits & FLAT != 0, bits & rising != 0) {
                    (_, true) => HOLLOW << shift,
                    (true, false) => 0,
                    (false, false) => CORNER << shift,
                };
                self.corners[facet][corner] = side(UP, 0) | side(DOWN, 1);
            }
        }
    }

    /// Edges of triangles that have both ends in common.
    fn join_triangles(&mut self, facets: &[[[f64; D]; D]], normals: &[[f64; D]]) {
        for facet in 0..facets.len() {
            for edge in 0..D {
                let ends = [self.places[facet][edge], self.places[facet][(edge + 1) % D]];
                let mut bits = 0;
                for other in self.sharing(ends[0], ends[1]).map(|other| other as usize) {
                    let apex = (0..D).find(|&k| !ends.contains(&self.places[other][k]));
                    if let Some(apex) = apex.filter(|_| other != facet) {
                        bits |= lean_at(facets, normals, facet, edge, facets[other][apex]);
                    }
                }
                self.edges[facet][edge] = bits;
            }
        }
    }

    /// Edges of which a part lies on a part of another triangle's edge. Adds to `pairs` the triangles at corners on their edges.
    fn join_hanging(
        &mut self,
        facets: &[[[f64; D]; D]],
        normals: &[[f64; D]],
        grid: &Grid<D>,
        pairs: &mut Vec<(u32, u32)>,
    ) {
        let lonely = |edges: &[[u8; D]], facet: usize| edges[facet].contains(&0);
        let before = self.edges.clone();
        let mut near = Vec::new();
        for facet in (0..facets.len()).filter(|&facet| lonely(&before, facet)) {
            for edge in (0..D).filter(|&edge| before[facet][edge] == 0) {
                let (from, to) = (facets[facet][edge], facets[facet][(edge + 1) % D]);
                let (along, middle) = (sub(to, from), scale(add_scaled(from, 1.0, to), 0.5));
                let long = length(along);
                let along = scale(along, 1.0 / long);
                near.clear();
                grid.near(middle, 0.5 * long, &mut near);
                near.sort_unstable();
                near.dedup();
                for &other in near.iter().filter(|&&other| other as usize != facet) {
                    let other = other as usize;
                    for side in (0..D).filter(|&side| before[other][side] == 0) {
                        let ends = [facets[other][side], facets[other][(side + 1) % D]];
                        let on_line = |end: [f64; D]| {
                            let across = reject(sub(end, from), along);
                            length(across) <= ON_EDGE * long
                        };
                        if !ends.into_iter().all(on_line) {
                            continue;
                        }
                        let share = ends.map(|end| dot(sub(end, from), along) / long);
                        let common = share[0].max(share[1]).min(1.0) - share[0].min(share[1]).max(0.0);
                        if common <= ON_EDGE {
                            continue;
                        }
                        let apex = facets[other][(side + 2) % D];
                        self.edges[facet][edge] |= lean_at(facets, normals, facet, edge, apex);
                        for (end, share) in share.into_iter().enumerate() {
                            if share > ON_EDGE && share < 1.0 - ON_EDGE {
                                pairs.push((self.places[other][(side + end) % D], facet as u32));
                            }
                        }
                    }
                }
            }
        }
    }

    /// Which corners are corners of the outlines of flats.
    fn outline(&mut self, facets: &[[[f64; D]; D]], normals: &[[f64; D]]) {
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

/// The facets at each of so many places.
fn listed(pairs: &mut Vec<(u32, u32)>, places: usize) -> (Vec<u32>, Vec<u32>) {
    pairs.sort_unstable();
    pairs.dedup();
    let mut starts = vec![0; places + 1];
    for &(place, _) in pairs.iter() {
        starts[place as usize + 1] += 1;
    }
    for place in 0..places {
        starts[place + 1] += starts[place];
    }
    (starts, pairs.iter().map(|&(_, facet)| facet).collect())
}

/// How the surface goes on from an edge of a triangle to a point.
fn lean_at<const D: usize>(
    facets: &[[[f64; D]; D]],
    normals: &[[f64; D]],
    facet: usize,
    edge: usize,
    apex: [f64; D],
) -> u8 {
    let corners = &facets[facet];
    let (from, to, third) = (corners[edge], corners[(edge + 1) % D], corners[(edge + 2) % D]);
    let Some(along) = unit(sub(to, from)) else { return 0 };
    let inward = reject(sub(third, from), along);
    let outward = scale(inward, -1.0 / length(inward));
    lean(reject(sub(apex, from), along), normals[facet], outward)
}

/// How a facet that goes on this way is to one with this normal, which ends this way.
fn lean<const D: usize>(on: [f64; D], normal: [f64; D], outward: [f64; D]) -> u8 {
    let (rise, run) = (dot(on, normal), dot(on, outward));
    match () {
        () if rise.abs() > LEVEL * run.abs() => {
            if rise > 0.0 {
                UP
            } else {
                DOWN
            }
        }
        () if run > 0.0 => FLAT,
        // One that is folded back onto it.
        () => 0,
    }
}
