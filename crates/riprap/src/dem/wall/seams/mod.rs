//! How the facets of a surface go on beyond their edges and corners.
//!
//! Where a surface has been cut into facets says nothing of its form: a stone must not feel the edges inside a flat. So each edge is known
//! to be open, where the surface ends or falls away from a side, or not, where it goes on flat or rises; and each corner to be one of the
//! outline of its flat or not. Facets belong together where they have a corner in one place, or where a corner of one is on an edge
//! of the other.

mod join;
mod lean;
mod outline;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use super::facet_grid::Grid;

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

/// How facets are connected. Edge `k` of a triangle is from its corner `k` to the next one.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::dem::wall) struct Seams<const D: usize> {
    /// Numbers of the places at which the corners are.
    places: Vec<[u32; D]>,
    /// Facets at each place: those of place `p` are `around[starts[p]..starts[p + 1]]`.
    starts: Vec<u32>,
    around: Vec<u32>,
    edges: Vec<[u8; D]>,
    corners: Vec<[u8; D]>,
}

impl<const D: usize> Seams<D> {
    /// Finds out how these facets with these normals are connected.
    pub(in crate::dem::wall) fn new(facets: &[[[f64; D]; D]], normals: &[[f64; D]], grid: &Grid<D>) -> Self {
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
    pub(in crate::dem::wall) fn place(&self, facet: usize, corner: usize) -> u32 {
        self.places[facet][corner]
    }

    /// The facets at a place.
    pub(in crate::dem::wall) fn around(&self, place: u32) -> &[u32] {
        &self.around[self.starts[place as usize] as usize..self.starts[place as usize + 1] as usize]
    }

    /// The facets that have corners at both of two places.
    pub(in crate::dem::wall) fn sharing(&self, one: u32, other: u32) -> impl Iterator<Item = u32> {
        // Looking where fewer facets meet keeps the hub of a wheel from being looked at from every spoke.
        let few = if self.around(one).len() <= self.around(other).len() { one } else { other };
        let both = move |facet: &&u32| {
            let places = &self.places[**facet as usize];
            places.contains(&one) && places.contains(&other)
        };
        self.around(few).iter().filter(both).copied()
    }

    /// Whether the surface ends or falls away beyond an edge, as seen from the side of the normal or the other one.
    pub(in crate::dem::wall) fn is_open(&self, facet: usize, edge: usize, front: bool) -> bool {
        self.edges[facet][edge] & (FLAT | if front { UP } else { DOWN }) == 0
    }

    /// Whether the surface goes on in the same plane beyond an edge.
    pub(in crate::dem::wall) fn is_flat(&self, facet: usize, edge: usize) -> bool {
        self.edges[facet][edge] & FLAT != 0
    }

    /// Whether the surface rises beyond an edge of a triangle, or the end of a segment.
    pub(in crate::dem::wall) fn rises(&self, facet: usize, edge: usize, front: bool) -> bool {
        if D == 3 { self.is_hollow(facet, edge, front) } else { self.is_hollow_corner(facet, edge, front) }
    }

    /// Whether an edge is in a hollow.
    pub(in crate::dem::wall) fn is_hollow(&self, facet: usize, edge: usize, front: bool) -> bool {
        self.edges[facet][edge] & if front { UP } else { DOWN } != 0
    }

    /// Whether a corner is one of the outline of its flat.
    pub(in crate::dem::wall) fn is_corner(&self, facet: usize, corner: usize, front: bool) -> bool {
        self.corners[facet][corner] & if front { CORNER } else { CORNER << 1 } != 0
    }

    /// Whether an edge in a hollow ends at a corner.
    pub(in crate::dem::wall) fn is_hollow_corner(&self, facet: usize, corner: usize, front: bool) -> bool {
        self.corners[facet][corner] & if front { HOLLOW } else { HOLLOW << 1 } != 0
    }

    /// Bytes reserved.
    pub(in crate::dem::wall) fn bytes(&self) -> usize {
        let lists = self.starts.capacity() + self.around.capacity();
        lists * size_of::<u32>()
            + self.places.capacity() * size_of::<[u32; D]>()
            + 2 * self.edges.capacity() * size_of::<[u8; D]>()
    }
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
