//! Facets that lie in one plane but for a few digits: a face of a body whose coordinates were written with six digits, or far from
//! the origin. The walk over features takes them as they are; a region of contact extends over all of them.
//!
//! From the largest facets on, each gathers the neighbours whose vertices are all close to its plane. The outline of what was
//! gathered is the hull of its vertices, seen along the normal.

use smallvec::SmallVec;

use super::body::Body;
use super::hull;
use crate::vector::{axes_across, dot, length, sub};

/// Vertices that are closer to a facet's plane, as a part of the radius, are in its flat.
const FLAT: f64 = 1e-5;

/// A facet that is turned by more than about a degree (its cosine), however small it is, has a flat of its own.
const TURNED: f64 = 0.9998;

impl<const D: usize> Body<D> {
    /// Finds the flat of each facet, its outline and its roughness.
    pub(super) fn find_flats(&mut self) {
        let mut order: Vec<usize> = (0..self.facets.len()).collect();
        let extents: Vec<f64> = (0..self.facets.len()).map(|facet| self.extent(facet)).collect();
        order.sort_by(|&i, &j| extents[j].total_cmp(&extents[i]));
        let mut found = vec![false; self.facets.len()];
        for seed in order {
            if found[seed] {
                continue;
            }
            let plane = self.facets[seed];
            let off = |vertex: u32| (dot(plane.normal, self.vertex(vertex)) - plane.offset).abs();
            let mut flat = vec![seed];
            let mut next = 0;
            found[seed] = true;
            while next < flat.len() {
                for facet in self.neighbors(flat[next] as u32).into_iter().map(|facet| facet as usize) {
                    let close = self.ends(facet).into_iter().all(|vertex| off(vertex) <= FLAT * self.radius);
                    if !found[facet] && close && dot(self.facets[facet].normal, plane.normal) > TURNED {
                        found[facet] = true;
                        flat.push(facet);
                    }
                }
                next += 1;
            }
            self.join(&flat);
        }
    }

    /// The vertices of a facet, in its order.
    fn ends(&self, facet: usize) -> SmallVec<[u32; 8]> {
        if D == 2 {
            return self.edges[facet].ends.into_iter().collect();
        }
        self.corners(facet as u32).iter().map(|corner| corner.vertex).collect()
    }

    /// The longest distance of its first vertex from another one.
    fn extent(&self, facet: usize) -> f64 {
        let ends = self.ends(facet);
        ends.iter().map(|&end| length(sub(self.vertex(end), self.vertex(ends[0])))).fold(0.0, f64::max)
    }

    /// Facets that share an edge, or a vertex in the plane, with a facet.
    pub(super) fn neighbors(&self, facet: u32) -> SmallVec<[u32; 8]> {
        if D == 2 {
            let spokes = self.edges[facet as usize].ends.into_iter().flat_map(|end| self.spokes(end));
            return spokes.map(|spoke| spoke.edge).filter(|&edge| edge != facet).collect();
        }
        let edges = self.corners(facet).iter().map(|corner| self.edges[corner.edge as usize].facets);
        edges.map(|facets| facets[usize::from(facets[0] == facet)]).collect()
    }

    /// Gives facets that lie in one plane their common outline.
    fn join(&mut self, flat: &[usize]) {
        let first = self.outlines.len() as u32;
        if let [facet] = *flat {
            self.outlines.extend(self.ends(facet));
            self.facets[facet].outline = [first, self.outlines.len() as u32];
            return;
        }
        let mut vertices: Vec<u32> = flat.iter().flat_map(|&facet| self.ends(facet)).collect();
        vertices.sort_unstable();
        vertices.dedup();
        let seen = self.seen_along(self.facets[flat[0]].normal, &vertices);
        if D == 2 {
            // All on a line: its ends, in the order in which an edge has them.
            let by_place = |&i: &usize, &j: &usize| seen[i][0].total_cmp(&seen[j][0]);
            let ends = [(0..seen.len()).min_by(by_place), (0..seen.len()).max_by(by_place)];
            self.outlines.extend(ends.into_iter().flatten().map(|end| vertices[end]));
        } else {
            self.outlines.extend(hull::in_plane(&seen).into_iter().map(|corner| vertices[corner]));
        }
        let outline = [first, self.outlines.len() as u32];
        for &facet in flat {
            let plane = self.facets[facet];
            let off =
                vertices.iter().map(|&vertex| (dot(plane.normal, self.vertex(vertex)) - plane.offset).abs());
            let roughness = off.fold(0.0, f64::max);
            (self.facets[facet].outline, self.facets[facet].roughness) = (outline, roughness);
        }
    }

    /// Vertices in coordinates across a normal, counter-clockwise when it points to the eye.
    fn seen_along(&self, normal: [f64; D], vertices: &[u32]) -> Vec<[f64; 2]> {
        if D == 2 {
            return vertices
                .iter()
                .map(|&v| self.vertex(v))
                .map(|v| [normal[0] * v[1] - normal[1] * v[0], 0.0])
                .collect();
        }
        let in_space = |v: [f64; D]| -> [f64; 3] { std::array::from_fn(|k| v[k]) };
        let [x, y] = axes_across(in_space(normal));
        vertices.iter().map(|&v| in_space(self.vertex(v))).map(|v| [dot(x, v), dot(y, v)]).collect()
    }
}
