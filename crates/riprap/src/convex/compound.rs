//! Concave bodies: convex ones that are glued together.

use super::body::Body;
use super::link::Link;
use super::memory::LinkMemory;
use super::method::Solver;
use super::pose::Pose;
use crate::vector::{add, add_scaled, dot, length, scale, sub};

/// A body of convex pieces, which may touch but should not overlap: what they share would count twice.
///
/// ```
/// use riprap::convex::{Compound, CompoundLinks, LinkMethod, Polyhedron, Pose, Solver, shapes};
///
/// // An L of two boxes, each with its corners where they belong.
/// let piece = |low: [f64; 3], size: [f64; 3]| {
///     let corner = |k: usize| std::array::from_fn(|i| low[i] + if k >> i & 1 == 1 { size[i] } else { 0.0 });
///     Polyhedron::from_points(&(0..8).map(corner).collect::<Vec<_>>())
/// };
/// let angle = Compound::new(vec![piece([0.0; 3], [2.0, 1.0, 1.0])?, piece([0.0, 1.0, 0.0], [1.0, 1.0, 1.0])?])
///     .expect("it has pieces");
/// let ball = Compound::new(vec![shapes::fourteen()]).expect("it has a piece");
/// let (mut links, mut solver, mut found) =
///     (CompoundLinks::default(), Solver::new(LinkMethod::ShortestLink), Vec::new());
/// let (here, there) = (Pose::at(angle.centroid()), Pose::at([1.6, 1.6, 0.5]));
/// links.find(&mut solver, [&angle, &ball], [&here, &there], 1.0, &mut found);
/// assert_eq!(found.len(), 2); // both pieces are within 1.0 of it
/// # Ok::<(), riprap::convex::ShapeError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Compound<const D: usize> {
    pieces: Vec<Body<D>>,
    /// Where the centroids of the pieces are, relative to that of the whole.
    places: Vec<[f64; D]>,
    volume: f64,
    centroid: [f64; D],
    second_moments: [[f64; D]; D],
    radius: f64,
}

impl<const D: usize> Compound<D> {
    /// Glues pieces together where they are, in the coordinates they were made from. `None` if there are none.
    pub fn new(pieces: Vec<Body<D>>) -> Option<Self> {
        let volume: f64 = pieces.iter().map(Body::volume).sum();
        let first = pieces.first()?.centroid();
        let weighted = pieces
            .iter()
            .fold([0.0; D], |sum, piece| add_scaled(sum, piece.volume(), sub(piece.centroid(), first)));
        let centroid = add(first, scale(weighted, 1.0 / volume));
        let places: Vec<[f64; D]> = pieces.iter().map(|piece| sub(piece.centroid(), centroid)).collect();
        let mut second_moments = [[0.0; D]; D];
        for (piece, place) in pieces.iter().zip(&places) {
            for i in 0..D {
                for j in 0..D {
                    second_moments[i][j] +=
                        piece.second_moments()[i][j] + piece.volume() * place[i] * place[j];
                }
            }
        }
        let vertices = pieces
            .iter()
            .zip(&places)
            .flat_map(|(piece, place)| piece.vertices().iter().map(|vertex| length(add(*vertex, *place))));
        let radius = vertices.fold(0.0, f64::max);
        Some(Self { pieces, places, volume, centroid, second_moments, radius })
    }

    /// Its pieces.
    pub fn pieces(&self) -> &[Body<D>] {
        &self.pieces
    }

    /// The sum of the pieces' volumes.
    pub fn volume(&self) -> f64 {
        self.volume
    }

    /// Its centroid, in the coordinates the pieces were made from.
    pub fn centroid(&self) -> [f64; D] {
        self.centroid
    }

    /// The integral of `x_i x_j` about its centroid.
    pub fn second_moments(&self) -> [[f64; D]; D] {
        self.second_moments
    }

    /// Where the centroid is when this is the pose of the coordinates the pieces were made from.
    pub fn of_frame(&self, pose: Pose<D>) -> Pose<D> {
        Pose { position: pose.place(self.centroid), ..pose }
    }

    /// Radius of the smallest sphere about the centroid that holds it.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// The pose of a piece when the whole has this one.
    pub fn pose_of_piece(&self, piece: usize, pose: &Pose<D>) -> Pose<D> {
        Pose { position: pose.place(self.places[piece]), rotation: pose.rotation }
    }
}

/// The links between the pieces of two compounds, and what is kept of them.
#[derive(Debug, Clone, Default)]
pub struct CompoundLinks<const D: usize> {
    memories: Vec<LinkMemory<D>>,
}

impl<const D: usize> CompoundLinks<D> {
    /// Fills `links` with the links of all pairs of pieces whose gap is at most `margin`, each with the numbers of the two
    /// pieces. To be called with the same two compounds every time.
    pub fn find(
        &mut self,
        solver: &mut Solver<D>,
        compounds: [&Compound<D>; 2],
        poses: [&Pose<D>; 2],
        margin: f64,
        links: &mut Vec<([usize; 2], Link<D>)>,
    ) {
        let [a, b] = compounds;
        links.clear();
        self.memories.resize(a.pieces.len() * b.pieces.len(), LinkMemory::default());
        let near = |x: [f64; D], y: [f64; D], reach: f64| {
            let between = sub(x, y);
            dot(between, between) <= reach * reach
        };
        if !near(poses[0].position, poses[1].position, a.radius + b.radius + margin) {
            return;
        }
        for (i, piece) in a.pieces.iter().enumerate() {
            let pose = a.pose_of_piece(i, poses[0]);
            for (j, other) in b.pieces.iter().enumerate() {
                let other_pose = b.pose_of_piece(j, poses[1]);
                if near(pose.position, other_pose.position, piece.radius() + other.radius() + margin) {
                    let memory = &mut self.memories[i * b.pieces.len() + j];
                    let link = solver.link([piece, other], [&pose, &other_pose], memory);
                    if link.gap <= margin {
                        links.push(([i, j], link));
                    }
                }
            }
        }
    }
}
