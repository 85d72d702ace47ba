//! Convex bodies: vertices, edges and facets with their adjacency, in flat arrays.

use crate::vector::{dot, sub};

use super::mass::Mass;

/// A convex polygon (`D` = 2) or polyhedron (`D` = 3). Its coordinates are relative to its centroid.
///
/// The facets of a polyhedron are its faces, those of a polygon its edges. Made by `from_points` or `from_faces`:
///
/// ```
/// use riprap::convex::Polyhedron;
///
/// let wedge = Polyhedron::from_points(&[
///     [0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.2, 0.2, 0.2],
/// ])?;
/// assert_eq!(wedge.vertices().len(), 4); // the last point is inside
/// assert!((wedge.volume() - 1.0 / 6.0).abs() < 1e-15);
/// # Ok::<(), riprap::convex::ShapeError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Body<const D: usize> {
    pub(super) vertices: Vec<[f64; D]>,
    /// Edges at each vertex: those of vertex `v` are `spokes[spokes_of[v]..spokes_of[v + 1]]`.
    pub(super) spokes_of: Vec<u32>,
    pub(super) spokes: Vec<Spoke<D>>,
    pub(super) edges: Vec<Edge<D>>,
    pub(super) facets: Vec<Facet<D>>,
    /// Corners of the faces of a polyhedron, counter-clockwise as seen from outside; none for a polygon.
    pub(super) corners: Vec<Corner<D>>,
    /// Vertices around the flats, see [`Facet::outline`].
    pub(super) outlines: Vec<u32>,
    /// The coordinates of the vertices of a body that is looked at whole, four by four, filled up with the first vertex.
    pub(super) blocks: Vec<[[f64; 4]; D]>,
    /// For each of a set of directions a vertex that is furthest along it; empty for bodies that are looked at whole.
    pub(super) furthest: Vec<u32>,
    pub(super) mass: Mass<D>,
    pub(super) radius: f64,
    /// Whether features cannot be trusted to tell what is closest: an edge is tiny, rounding has turned the plane of a facet into
    /// the body, or a corner of a face is nearly straight, so that no edge there leads into the face.
    pub(super) delicate: bool,
    /// The slope up to which a body that leans shares its load among its corners, see `share.rs`.
    pub(super) lean: f64,
    /// Whether no two facets that meet differ by less than twice that slope.
    pub(super) is_sharp: bool,
    /// Where the centroid is in the coordinates the body was made from.
    pub(super) centroid: [f64; D],
}

/// A convex body in the plane.
pub type Polygon = Body<2>;
/// A convex body in space.
pub type Polyhedron = Body<3>;

/// An edge as seen from one of its ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spoke<const D: usize> {
    /// The other end.
    pub vertex: u32,
    /// The edge.
    pub edge: u32,
    /// Unit vector to the other end.
    pub direction: [f64; D],
}

/// An edge.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Edge<const D: usize> {
    /// Its ends, in the order in which the first facet has them.
    pub ends: [u32; 2],
    /// The two facets that share it; in the plane it is a facet itself, named twice.
    pub facets: [u32; 2],
    /// Unit vector from the first end to the second.
    pub(super) direction: [f64; D],
    /// Unit vectors in the two faces, away from the edge and perpendicular to it; zero in the plane.
    pub(super) inward: [[f64; D]; 2],
}

/// The plane of a face, or the line of an edge in the plane: `normal . x = offset`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Facet<const D: usize> {
    /// Unit vector that points outwards.
    pub normal: [f64; D],
    /// Distance from the centroid.
    pub offset: f64,
    /// Its first corner in the list of corners, and one past its last.
    pub(super) corners: [u32; 2],
    /// The first vertex in the list of outlines, and one past the last, of the flat it belongs to: facets in one plane but for a
    /// few digits.
    pub(super) outline: [u32; 2],
    /// How far vertices of the flat are from its plane.
    pub(super) roughness: f64,
}

/// A corner of a face, and the edge from it to the next one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Corner<const D: usize> {
    /// The vertex.
    pub vertex: u32,
    /// The edge to the next corner.
    pub edge: u32,
    /// Points of the face have `inward . x >= offset`; a unit vector in the face, perpendicular to the edge.
    pub(super) inward: [f64; D],
    pub(super) offset: f64,
}

/// Bodies with more vertices climb from neighbour to neighbour, unless they are delicate; the others look at all of them.
const FEW: usize = 16;
/// Divisions of each face of the cube of directions.
const DIVISIONS: usize = 8;

impl<const D: usize> Body<D> {
    /// Its vertices, relative to the centroid.
    pub fn vertices(&self) -> &[[f64; D]] {
        &self.vertices
    }

    /// Its edges.
    pub fn edges(&self) -> &[Edge<D>] {
        &self.edges
    }

    /// Its facets: faces in space, edges in the plane.
    pub fn facets(&self) -> &[Facet<D>] {
        &self.facets
    }

    /// The corners of a face, counter-clockwise as seen from outside; none in the plane.
    #[inline]
    pub fn corners(&self, facet: u32) -> &[Corner<D>] {
        let [first, last] = self.facets[facet as usize].corners;
        &self.corners[first as usize..last as usize]
    }

    /// The vertices around the flat that a facet belongs to, counter-clockwise as seen from outside.
    pub(crate) fn outline(&self, facet: u32) -> &[u32] {
        let [first, last] = self.facets[facet as usize].outline;
        &self.outlines[first as usize..last as usize]
    }

    /// The edges at a vertex.
    #[inline]
    pub fn spokes(&self, vertex: u32) -> &[Spoke<D>] {
        let v = vertex as usize;
        &self.spokes[self.spokes_of[v] as usize..self.spokes_of[v + 1] as usize]
    }

    /// Of the facets at a vertex the one that looks most along a direction.
    #[inline(always)]
    pub(crate) fn facing(&self, direction: [f64; D], vertex: u32) -> u32 {
        let (mut facing, mut most) = (0, f64::NEG_INFINITY);
        for facet in self.spokes(vertex).iter().flat_map(|spoke| self.edges[spoke.edge as usize].facets) {
            let along = dot(direction, self.facets[facet as usize].normal);
            if along > most {
                (facing, most) = (facet, along);
            }
        }
        facing
    }

    /// Its volume, or its area in the plane.
    pub fn volume(&self) -> f64 {
        self.mass.volume
    }

    /// Where its centroid is in the coordinates it was made from.
    pub fn centroid(&self) -> [f64; D] {
        self.centroid
    }

    /// Radius of the smallest sphere about the centroid that holds it.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// The integral of `x_i x_j` over the body, about its centroid.
    pub fn second_moments(&self) -> [[f64; D]; D] {
        self.mass.second_moments
    }

    #[inline(always)]
    pub(super) fn vertex(&self, vertex: u32) -> [f64; D] {
        self.vertices[vertex as usize]
    }

    /// A vertex that is furthest along a direction; `near` is where large bodies start to look.
    #[inline]
    pub(super) fn support(&self, direction: [f64; D], near: u32) -> u32 {
        if self.looks_at_all() { self.scan(direction) } else { self.climb(direction, near) }
    }

    /// The same without a vertex to start from.
    #[inline]
    pub(super) fn support_anew(&self, direction: [f64; D]) -> u32 {
        if self.looks_at_all() {
            self.scan(direction)
        } else {
            self.climb(direction, self.furthest[direction_cell(direction)])
        }
    }

    #[inline(always)]
    fn looks_at_all(&self) -> bool {
        self.furthest.is_empty()
    }

    /// Looks at all vertices, four side by side and without branches: which one is furthest cannot be guessed.
    #[inline]
    fn scan(&self, direction: [f64; D]) -> u32 {
        let (mut furthest, mut block_of) = ([f64::NEG_INFINITY; 4], [0u64; 4]);
        for (number, block) in self.blocks.iter().enumerate() {
            for lane in 0..4 {
                let mut along = direction[0] * block[0][lane];
                for k in 1..D {
                    along += direction[k] * block[k][lane];
                }
                let further = along > furthest[lane];
                furthest[lane] = if further { along } else { furthest[lane] };
                block_of[lane] = if further { number as u64 } else { block_of[lane] };
            }
        }
        let (mut best, mut largest) = (4 * block_of[0], furthest[0]);
        for lane in 1..4 {
            let further = furthest[lane] > largest;
            best = if further { 4 * block_of[lane] + lane as u64 } else { best };
            largest = if further { furthest[lane] } else { largest };
        }
        let best = best as usize;
        if best < self.vertices.len() { best as u32 } else { 0 }
    }

    /// Climbs over the steepest edges as long as they lead upwards. On a convex body what is higher than its neighbours is
    /// highest. Looks at slopes, not at heights: those of the ends of a short edge are equal after rounding, and a long climb
    /// may lie beyond it.
    pub(super) fn climb(&self, direction: [f64; D], near: u32) -> u32 {
        let mut here = near;
        // The steps are bounded, so that roundings cannot make it go round in circles.
        for _ in 0..self.vertices.len() {
            let (mut best, mut steepest) = (here, 0.0);
            for spoke in self.spokes(here) {
                let slope = dot(direction, spoke.direction);
                if slope > steepest {
                    (best, steepest) = (spoke.vertex, slope);
                }
            }
            if best == here {
                break;
            }
            here = best;
        }
        here
    }

    /// Fills what `support` looks up.
    pub(super) fn survey(&mut self) {
        (self.blocks, self.furthest) = (Vec::new(), Vec::new());
        if self.vertices.len() <= FEW || self.delicate {
            for first in (0..self.vertices.len()).step_by(4) {
                let vertex = |lane: usize| *self.vertices.get(first + lane).unwrap_or(&self.vertices[0]);
                self.blocks.push(std::array::from_fn(|k| std::array::from_fn(|lane| vertex(lane)[k])));
            }
        } else {
            let mut near = 0;
            for cell in 0..direction_cells(D) {
                near = self.climb(cell_direction(cell), near);
                self.furthest.push(near);
            }
        }
    }

    /// Whether a point, relative to the centroid, is in the body or on its surface, but for rounding.
    pub fn contains(&self, point: [f64; D]) -> bool {
        self.facets.iter().all(|facet| dot(facet.normal, point) <= facet.offset + 1e-13 * self.radius)
    }

    /// The vector along an edge.
    #[inline(always)]
    pub(super) fn along(&self, edge: &Edge<D>) -> [f64; D] {
        sub(self.vertex(edge.ends[1]), self.vertex(edge.ends[0]))
    }
}

impl Polygon {
    /// The moment of inertia about the centroid, for a density of one.
    pub fn inertia(&self) -> f64 {
        let m = self.mass.second_moments;
        m[0][0] + m[1][1]
    }
}

impl Polyhedron {
    /// The tensor of inertia about the centroid, for a density of one.
    pub fn inertia(&self) -> [[f64; 3]; 3] {
        let m = self.mass.second_moments;
        let trace = m[0][0] + m[1][1] + m[2][2];
        std::array::from_fn(|i| std::array::from_fn(|j| if i == j { trace - m[i][i] } else { -m[i][j] }))
    }
}

/// The directions are the middles of squares on the faces of a cube, or of intervals on the sides of a square.
const fn direction_cells(dimension: usize) -> usize {
    if dimension == 2 { 4 * DIVISIONS } else { 6 * DIVISIONS * DIVISIONS }
}

fn direction_cell<const D: usize>(direction: [f64; D]) -> usize {
    let mut axis = 0;
    for k in 1..D {
        if direction[k].abs() > direction[axis].abs() {
            axis = k;
        }
    }
    let size = direction[axis].abs();
    let mut cell = 2 * axis + usize::from(direction[axis] < 0.0);
    for k in 1..D {
        // From -1..1 to the number of a division; a zero vector, whose quotient is not a number, falls into the first.
        let position = (0.5 * direction[(axis + k) % D] / size + 0.5) * DIVISIONS as f64;
        cell = cell * DIVISIONS + (position as usize).min(DIVISIONS - 1);
    }
    cell
}

fn cell_direction<const D: usize>(mut cell: usize) -> [f64; D] {
    let mut position = [0.0; D];
    for k in (1..D).rev() {
        position[k] = ((cell % DIVISIONS) as f64 + 0.5) * (2.0 / DIVISIONS as f64) - 1.0;
        cell /= DIVISIONS;
    }
    let axis = cell / 2;
    let mut direction = [0.0; D];
    direction[axis] = if cell.is_multiple_of(2) { 1.0 } else { -1.0 };
    for k in 1..D {
        direction[(axis + k) % D] = position[k];
    }
    direction
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;

    #[test]
    fn cells_hold_their_directions() {
        for cell in 0..direction_cells(3) {
            assert_eq!(direction_cell(cell_direction::<3>(cell)), cell);
        }
        for cell in 0..direction_cells(2) {
            assert_eq!(direction_cell(cell_direction::<2>(cell)), cell);
        }
    }

    #[test]
    fn climbing_finds_what_looking_at_all_finds() {
        let mut random = Random::new(1);
        let stone = super::super::shapes::stone(300, [1.0, 0.6, 0.3], &mut random);
        for _ in 0..2000 {
            let direction = std::array::from_fn(|_| random.normal());
            let all = stone.vertices.iter().map(|&v| dot(direction, v)).fold(f64::NEG_INFINITY, f64::max);
            let near = random.below(stone.vertices.len()) as u32;
            assert_eq!(dot(direction, stone.vertex(stone.climb(direction, near))), all);
            assert_eq!(dot(direction, stone.vertex(stone.support_anew(direction))), all);
        }
    }

    #[test]
    fn bodies_of_few_vertices_are_looked_at_whole() {
        let mut random = Random::new(2);
        for count in 4..=FEW {
            let stone = super::super::shapes::stone(count, [1.0, 0.6, 0.3], &mut random);
            for _ in 0..200 {
                let direction = std::array::from_fn(|_| random.normal());
                let all = stone.vertices.iter().map(|&v| dot(direction, v)).fold(f64::NEG_INFINITY, f64::max);
                assert_eq!(dot(direction, stone.vertex(stone.support(direction, 0))), all);
            }
        }
    }
}
