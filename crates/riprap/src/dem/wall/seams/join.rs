//! Which edges of facets lie on edges of others, and how the surface goes on there.

use super::super::facet_grid::Grid;
use super::lean::{lean, lean_at};
use super::{CORNER, DOWN, FLAT, HOLLOW, Seams, UP};
use crate::vector::{add_scaled, dot, length, reject, scale, sub, unit};

/// Corners that are nearer to an edge, over its length, are on it.
const ON_EDGE: f64 = 1e-9;

impl<const D: usize> Seams<D> {
    /// In the plane a corner is what an edge is in space.
    pub(super) fn join_segments(&mut self, facets: &[[[f64; D]; D]], normals: &[[f64; D]]) {
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
    pub(super) fn join_triangles(&mut self, facets: &[[[f64; D]; D]], normals: &[[f64; D]]) {
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
    pub(super) fn join_hanging(
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
}
