//! Triangle surfaces: numbered vertices, triangles, and whether they close a body.
//!
//! ```text
//! triangles of a file ─▶ welded ─▶ Mesh ─▶ check_closed: each edge as often in one direction as in the other
//!                                   └────▶ degenerate_triangles: those without area
//! ```

mod area;
mod closed;
mod error;
pub mod shapes;
mod weld;

use rustc_hash::FxHashMap;

use crate::error::AXES;

pub(crate) use area::{has_area, turn};
pub use error::MeshError;

/// Largest coordinate: products of six lengths must not overflow, nor vanish if they are as small.
const LARGEST: f64 = 1e50;

/// A surface of triangles.
///
/// ```
/// use riprap::mesh::{Mesh, shapes};
///
/// let sphere = shapes::sphere(3);
/// assert_eq!(sphere.triangles().len(), 512);
/// sphere.check_closed()?;
/// # Ok::<(), riprap::mesh::MeshError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Mesh {
    vertices: Vec<[f64; 3]>,
    triangles: Vec<[u32; 3]>,
}

impl Mesh {
    /// A mesh of vertices and triangles, whose corners are counter-clockwise as seen from outside.
    pub fn new(vertices: Vec<[f64; 3]>, triangles: Vec<[u32; 3]>) -> Result<Self, MeshError> {
        if triangles.is_empty() {
            return Err(MeshError::Empty);
        }
        if vertices.len().max(triangles.len()) > u32::MAX as usize / 8 {
            return Err(MeshError::TooLarge { count: vertices.len().max(triangles.len()) });
        }
        for (vertex, position) in vertices.iter().enumerate() {
            for k in 0..3 {
                if position[k].is_nan() || position[k].abs() > LARGEST {
                    return Err(MeshError::Coordinate {
                        vertex,
                        axis: AXES[k],
                        value: position[k],
                        largest: LARGEST,
                    });
                }
            }
        }
        for (triangle, corners) in triangles.iter().enumerate() {
            if let Some(&vertex) = corners.iter().find(|&&vertex| vertex as usize >= vertices.len()) {
                return Err(MeshError::UnknownVertex { triangle, vertex, count: vertices.len() });
            }
        }
        Ok(Self { vertices, triangles })
    }

    /// A mesh of triangles that do not say which corners they share, as in STL files: equal corners are one vertex.
    pub fn from_triangles(soup: &[[[f64; 3]; 3]]) -> Result<Self, MeshError> {
        let mut numbers: FxHashMap<[u64; 3], u32> = FxHashMap::default();
        let mut vertices = Vec::new();
        let triangles = soup
            .iter()
            .map(|corners| {
                corners.map(|corner| {
                    *numbers.entry(place(corner)).or_insert_with(|| {
                        vertices.push(corner);
                        vertices.len() as u32 - 1
                    })
                })
            })
            .collect();
        Self::new(vertices, triangles)
    }

    /// The same surface, where triangles share vertices that are at the same place. Vertices keep their numbers; of equal ones
    /// only the first is used.
    pub fn welded(mut self) -> Self {
        let mut first: FxHashMap<[u64; 3], u32> = FxHashMap::default();
        let vertices = self.vertices.iter().zip(0u32..);
        let used: Vec<u32> =
            vertices.map(|(&position, number)| *first.entry(place(position)).or_insert(number)).collect();
        for vertex in self.triangles.iter_mut().flatten() {
            *vertex = used[*vertex as usize];
        }
        self
    }

    /// The same surface, where vertices within this distance of an earlier one have become that one. Triangles that lose a corner by that are
    /// left out.
    ///
    /// A tolerance of zero joins those at exactly the same place, as [`Mesh::welded`] does.
    pub fn welded_within(self, tolerance: f64) -> Result<Self, MeshError> {
        if !(0.0..=LARGEST).contains(&tolerance) {
            return Err(MeshError::Tolerance { value: tolerance });
        }
        let mut welded = self.welded();
        if tolerance > 0.0 {
            let becomes = weld::first_within(&welded.vertices, tolerance);
            for vertex in welded.triangles.iter_mut().flatten() {
                *vertex = becomes[*vertex as usize];
            }
            welded.triangles.retain(|[a, b, c]| a != b && b != c && c != a);
        }
        if welded.triangles.is_empty() { Err(MeshError::Empty) } else { Ok(welded) }
    }

    /// Its vertices.
    pub fn vertices(&self) -> &[[f64; 3]] {
        &self.vertices
    }

    /// Its triangles, by their corners.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The corners of a triangle.
    #[inline]
    pub fn corners(&self, triangle: usize) -> [[f64; 3]; 3] {
        self.triangles[triangle].map(|vertex| self.vertices[vertex as usize])
    }

    /// The lowest and the highest corner of the box around its triangles.
    pub fn bounds(&self) -> [[f64; 3]; 2] {
        let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        for &vertex in self.triangles.iter().flatten() {
            let position = self.vertices[vertex as usize];
            for k in 0..3 {
                low[k] = low[k].min(position[k]);
                high[k] = high[k].max(position[k]);
            }
        }
        [low, high]
    }

    /// Whether the triangles close a body: each edge is passed as often in one direction as in the other. Names an edge that
    /// is not.
    pub fn check_closed(&self) -> Result<(), MeshError> {
        closed::check(self)
    }

    /// The triangles without area: those with corners that are on a line or at the same place. Exactly, for coordinates that are zero or
    /// above 1e-90. They enclose nothing, and methods pass over them.
    pub fn degenerate_triangles(&self) -> impl Iterator<Item = usize> {
        (0..self.triangles.len()).filter(|&triangle| !has_area(&self.corners(triangle)))
    }
}

/// A key that is the same for equal positions: zero and minus zero are equal.
fn place(position: [f64; 3]) -> [u64; 3] {
    position.map(|x| (x + 0.0).to_bits())
}
