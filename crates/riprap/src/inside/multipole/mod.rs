//! The fast multipole method (Muth, Of, Eberhard, Steinbach 2006, section 2.1.2).
//!
//! J is a sum over all faces of a function of the point and the face. From afar it is a series in which the two are apart, and which may end at
//! some degree p:
//!
//! ```text
//! faces ─▶ octree of clusters ─▶ moments of small clusters ─▶ M2M: of their fathers, up to all faces
//!                                                                    │
//! octree of boxes ─▶ which clusters are far (eq 16) ─▶ M2L: local expansion of a box ◀┘ ─▶ L2L: of its sons, down to boxes with few faces near
//!
//! point ─▶ its box ─▶ value of the local expansion + solid angles of the near faces, exactly
//! ```
//!
//! | file | what |
//! |---|---|
//! | `clusters.rs`, `boxes.rs` | the two octrees; which of the one are far from which of the other |
//! | `harmonics.rs`, `moments.rs` | solid harmonics R and S; their exact integrals over faces |
//! | `translation.rs` | M2M, M2L, L2L |
//! | `expansion.rs` | the value of a local expansion |
//! | `bound.rs`, `plan.rs` | the error, and so the degree; the depth of the trees |
//!
//! The boxes belong to the body: they are set up once, for any number of points. A point that is not in the cube around the body is
//! answered by the clusters themselves.
//!
//! Cost: O(N) to set up and O(1) a point, both with large constants. For surfaces that are not closed, and for the values of J; where only
//! inside or outside of a closed surface matters, `cells.rs` does with less.

mod bound;
mod boxes;
mod clusters;
mod expansion;
mod harmonics;
mod moments;
mod plan;
mod translation;

use super::InsideError;
use super::faces::{Face, faces_of};
use super::solid_angle::{Block, Product, near_faces};
use super::units::Units;
use crate::lanes::vectors::{Kernel, Vector, run};
use crate::mesh::Mesh;
use crate::vector::{components, length, scale, sub};
use bound::{HIGHEST, NormBound, PaperBound};
use boxes::{FARTHEST, Level, Pair};
use clusters::{Clusters, DEEPEST};
use expansion::{Layout, Row};
use harmonics::{columns, irregular, norm_weights, weight};
use plan::Plan;
use translation::{Columns, Matrix, Mirrors, Move, translate};

pub use plan::Depth;

/// The degree of expansions.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Degree {
    /// The lowest one for which the error of J is below the tolerance, by the norms of moments.
    #[default]
    ByNorms,
    /// The lowest one for which it is by eq 27, which asks for about twice the degree.
    ByEquation27,
    /// This one.
    Fixed(usize),
}

/// How closely and how deeply [`Method::Multipole`](super::Method::Multipole) works.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MultipoleOptions {
    /// The wanted error of J, by which the degree of expansions is chosen. Whole numbers need less than a half.
    pub tolerance: f64,
    /// How that is done.
    pub degree: Degree,
    /// The parameter `d` of eq 16, above 1: how far a cluster must be for its expansion to be used.
    pub separation: f64,
    /// How deep the trees are.
    pub depth: Depth,
    /// Whether to use vector registers where the processor has them. The results are the same.
    pub vectors: bool,
}

impl Default for MultipoleOptions {
    fn default() -> Self {
        Self {
            tolerance: 0.4,
            degree: Degree::default(),
            separation: 1.5,
            depth: Depth::default(),
            vectors: true,
        }
    }
}

impl MultipoleOptions {
    pub(super) fn check(&self) -> Result<(), InsideError> {
        let refused = |name, value, expected| Err(InsideError::Option { name, value, expected });
        if !(self.tolerance > 0.0 && self.tolerance.is_finite()) {
            return refused("tolerance", self.tolerance, "a number above zero");
        }
        if !(self.separation > 1.0 && self.separation <= 8.0) {
            return refused("separation", self.separation, "a number above 1, at most 8");
        }
        match self.degree {
            Degree::Fixed(degree) if !(1..=HIGHEST).contains(&degree) => {
                refused("degree", degree as f64, "a number between 1 and 30")
            }
            _ => Ok(()),
        }
    }
}

/// A box that is not divided, in the list of boxes.
const LEAF: u32 = 1 << 31;

/// The expansions of a body.
#[derive(Debug, Clone)]
pub(super) struct Multipole {
    units: Units,
    plan: Plan,
    /// Of the expansions.
    degree: usize,
    /// What their error is at most.
    error: f64,
    wide: bool,
    tree: Clusters,
    /// In the order of the clusters.
    faces: Vec<Face>,
    blocks: Vec<Block>,
    /// The blocks of each cluster that is not taken apart.
    cluster_blocks: Vec<[u32; 2]>,
    /// Moments of each cluster, up to a degree of their own.
    moments: Vec<f64>,
    moments_degree: usize,
    layout: Layout,
    /// The first of eight sons of each box, or its number among the undivided ones.
    boxes: Vec<u32>,
    leaves: Vec<Leaf>,
    expansions: Vec<Row>,
    /// Ranges of blocks near each leaf.
    near: Vec<[u32; 2]>,
    /// The faces in them.
    near_faces: Vec<[u32; 2]>,
}

/// A box that is not divided.
#[derive(Debug, Clone, Copy)]
struct Leaf {
    level: u32,
    cell: [u32; 3],
    /// Its first range of near blocks; the next leaf has one past the last.
    near: u32,
}

impl Multipole {
    pub(super) fn new(mesh: &Mesh, options: &MultipoleOptions) -> Self {
        let (units, mut faces) = (Units::of(mesh), faces_of(mesh));
        let known = known_degree(options);
        let tree = Clusters::new(&mut faces, |corner| units.scaled(corner), known);
        let moments = gather_moments(&tree, &faces, &units, known, options.vectors);
        let plan = Plan::new(&tree, options.separation, options.depth, known / 2);
        let (degree, error) = choose_degree(&tree, &plan, &moments, known, options);
        let mut body = Self {
            units,
            plan,
            degree,
            error,
            wide: options.vectors,
            faces,
            blocks: Vec::new(),
            cluster_blocks: vec![[0; 2]; tree.all.len()],
            moments,
            moments_degree: known.max(degree),
            tree,
            layout: Layout::new(degree),
            boxes: vec![0],
            leaves: Vec::new(),
            expansions: Vec::new(),
            near: Vec::new(),
            near_faces: Vec::new(),
        };
        if degree > known {
            body.moments = gather_moments(&body.tree, &body.faces, &units, degree, options.vectors);
        }
        body.list_blocks();
        body.expand();
        body
    }

    /// The degree of the expansions, and the bound of their error.
    pub(super) fn degree(&self) -> (usize, f64) {
        (self.degree, self.error)
    }

    pub(super) fn stats(&self) -> String {
        format!(
            "p {} err {:.3} {:?} leaves {} clusters {}",
            self.degree,
            self.error,
            self.plan,
            self.leaves.len(),
            self.tree.all.len()
        )
    }

    /// Blocks of faces, cluster by cluster, so that neighbours in the tree are neighbours in memory.
    fn list_blocks(&mut self) {
        let mut stack = vec![0usize];
        while let Some(index) = stack.pop() {
            let cluster = &self.tree.all[index];
            if !self.plan.rules.is_leaf(cluster) {
                stack.extend(cluster.sons().rev());
                continue;
            }
            let first = self.blocks.len() as u32;
            let faces = &self.faces[cluster.first as usize..cluster.last as usize];
            let corners = faces.iter().map(|face| face.corners.map(|corner| self.units.scaled(corner)));
            self.blocks.extend(Block::all(corners));
            self.cluster_blocks[index] = [first, self.blocks.len() as u32];
        }
    }

    /// Local expansions, level by level.
    fn expand(&mut self) {
        let (degree, size) = (self.degree, columns(self.degree));
        let (to_son, mirrors) = (Matrix::to_son(degree), Mirrors::new(degree));
        let mut directions = Directions::new();
        let (mut level, mut next) = (Level::root(), Level::default());
        let (mut fathers, mut leaves) = (Vec::new(), Vec::new());
        let mut locals = vec![0.0; size];
        let mut number = 0;
        // The number of the level's first box among all.
        let mut first = 0;
        while !level.cells.is_empty() {
            let tree = &self.tree;
            self.plan.rules.divide(tree, &level, &mut next, &mut fathers, &mut leaves, |pair, cluster, _| {
                directions.push(&pair, cluster.cell);
            });
            for &leaf in &leaves {
                self.boxes[first + leaf as usize] = LEAF | self.leaves.len() as u32;
                self.push_leaf(&level, number, leaf as usize);
                self.layout.store(&locals[leaf as usize * size..][..size], &mut self.expansions);
            }
            let sons_first = self.boxes.len();
            for (son, &father) in fathers.iter().enumerate().step_by(8) {
                self.boxes[first + father as usize] = (sons_first + son) as u32;
            }
            self.boxes.resize(sons_first + next.cells.len(), 0);
            let mut next_locals = vec![0.0; next.cells.len() * size];
            let of_fathers = Columns { all: &locals, size };
            for octant in 0..8 {
                let sons = fathers.iter().zip(0..).skip(octant).step_by(8);
                let moves: Vec<Move> = sons.map(|(&from, to)| Move { from, to }).collect();
                let signs = mirrors.of(7 - octant);
                translate(&to_son, signs, &moves, of_fathers, &mut next_locals, self.wide);
            }
            let moments = Columns { all: &self.moments, size: columns(self.moments_degree) };
            directions.take(degree, |matrix, moves, mirror| {
                translate(matrix, mirrors.of(mirror), moves, moments, &mut next_locals, self.wide);
            });
            locals = next_locals;
            std::mem::swap(&mut level, &mut next);
            (first, number) = (sons_first, number + 1);
        }
        self.leaves.push(Leaf { level: 0, cell: [0; 3], near: self.near.len() as u32 });
    }

    /// Adds a box that is not divided, with the faces near it.
    fn push_leaf(&mut self, level: &Level, number: u32, place: usize) {
        let near = self.near.len();
        let mut clusters = level.near(place).to_vec();
        clusters.sort_unstable_by_key(|&cluster| self.tree.all[cluster as usize].first);
        for cluster in clusters {
            let blocks = self.cluster_blocks[cluster as usize];
            let cluster = &self.tree.all[cluster as usize];
            let faces = [cluster.first, cluster.last];
            match self.near[near..].last_mut() {
                Some(last) if last[1] == blocks[0] => {
                    last[1] = blocks[1];
                    if let Some(last) = self.near_faces.last_mut() {
                        last[1] = faces[1];
                    }
                }
                _ => {
                    self.near.push(blocks);
                    self.near_faces.push(faces);
                }
            }
        }
        self.leaves.push(Leaf { level: number, cell: level.cells[place], near: near as u32 });
    }

    /// The undivided box that holds a point of the cube.
    #[inline(always)]
    fn leaf_of(&self, point: [f64; 3]) -> usize {
        let cell = self.tree.cube.cell(point);
        let mut index = self.boxes[0];
        let mut shift = DEEPEST;
        while index & LEAF == 0 {
            shift -= 1;
            let octant = (cell[0] >> shift & 1) | (cell[1] >> shift & 1) << 1 | (cell[2] >> shift & 1) << 2;
            index = self.boxes[(index + octant) as usize];
        }
        (index & !LEAF) as usize
    }

    /// The value of the local expansion of a leaf.
    #[inline(always)]
    fn far_value<V: Vector>(&self, number: usize, point: [f64; 3]) -> f64 {
        let leaf = &self.leaves[number];
        let (middle, width) =
            (self.tree.cube.middle(leaf.level, leaf.cell), self.tree.cube.width(leaf.level));
        let rows = self.layout.rows();
        let inverse = 1.0 / width;
        let mut from = [0.0; 3];
        for k in 0..3 {
            from[k] = (point[k] - middle[k]) * inverse;
        }
        self.layout.value::<V>(&self.expansions[number * rows..][..rows], from)
    }

    fn near_of(&self, number: usize) -> std::ops::Range<usize> {
        self.leaves[number].near as usize..self.leaves[number + 1].near as usize
    }

    /// Fills `windings` with J at each point; a point on a face has none.
    pub(super) fn windings(&self, points: &[[f64; 3]], windings: &mut [f64]) {
        run(Evaluation { body: self, points, windings: &mut *windings }, self.wide);
        for (point, winding) in points.iter().zip(windings) {
            if winding.is_nan() {
                *winding = self.winding_close(*point).unwrap_or(f64::NAN);
            }
        }
    }

    /// J of a point outside of the cube, or next to a face: from the clusters themselves.
    fn winding_close(&self, point: [f64; 3]) -> Option<f64> {
        let Some(scaled) = self.units.place(point) else { return Some(0.0) };
        if self.tree.cube.holds(scaled) {
            let leaf = self.leaf_of(scaled);
            let near = self.near_faces[self.near_of(leaf)].iter();
            let faces = near.flat_map(|&[first, last]| &self.faces[first as usize..last as usize]);
            return Some(self.far_value::<crate::lanes::Lanes>(leaf, scaled) + near_faces(faces, point)?);
        }
        let size = columns(self.degree);
        let (mut sum, mut stack, mut level_of) = (0.0, vec![(0usize, 0u32)], Vec::new());
        while let Some((index, level)) = stack.pop() {
            let cluster = &self.tree.all[index];
            let (middle, width) = (self.tree.cube.middle(level, cluster.cell), self.tree.cube.width(level));
            let from = scale(sub(scaled, middle), 1.0 / width);
            if length(from) > (self.plan.rules.separation + 1.0) * cluster.radius {
                let column = &self.moments[index * columns(self.moments_degree)..][..size];
                let harmonics = irregular(from, self.degree);
                let terms = (0..size).map(|k| weight(k) * column[k] * harmonics[k]);
                sum -= terms.sum::<f64>() / (4.0 * std::f64::consts::PI);
            } else if self.plan.rules.is_leaf(cluster) {
                level_of.push([cluster.first, cluster.last]);
            } else {
                stack.extend(cluster.sons().map(|son| (son, level + 1)));
            }
        }
        let faces = level_of.iter().flat_map(|&[first, last]| &self.faces[first as usize..last as usize]);
        Some(sum + near_faces(faces, point)?)
    }
}

/// The degree up to which moments are worked out before the one of expansions is chosen.
fn known_degree(options: &MultipoleOptions) -> usize {
    match options.degree {
        Degree::Fixed(degree) => degree.next_multiple_of(2),
        // Each degree makes the error about half as large.
        _ => (6 + 2 * (0.5 - 0.5 * options.tolerance.log2()).max(0.0) as usize).min(HIGHEST),
    }
}

/// The degree of expansions, and what their error is at most.
fn choose_degree(
    tree: &Clusters,
    plan: &Plan,
    moments: &[f64],
    known: usize,
    options: &MultipoleOptions,
) -> (usize, f64) {
    let by_equation_27 = || plan.errors(tree, &PaperBound::new(options.separation));
    let lowest = |errors: &[f64]| {
        errors
            .iter()
            .position(|&error| error <= options.tolerance)
            .map(|degree| (degree.max(1), errors[degree]))
    };
    let highest = |errors: Vec<f64>| lowest(&errors).unwrap_or((HIGHEST, errors[HIGHEST]));
    match options.degree {
        Degree::Fixed(degree) => (degree, by_equation_27()[degree.min(HIGHEST)]),
        Degree::ByEquation27 => highest(by_equation_27()),
        Degree::ByNorms => {
            let norms = norms(tree, moments, known);
            lowest(&plan.errors(tree, &NormBound::new(known, &norms)))
                .unwrap_or_else(|| highest(by_equation_27()))
        }
    }
}

/// The norms of each cluster's moments, degree by degree; there is none of degree 0, and in its place is the radial moment.
fn norms(tree: &Clusters, moments: &[f64], degree: usize) -> Vec<f64> {
    let weights = norm_weights(degree);
    let mut norms = Vec::with_capacity(tree.all.len() * (degree + 1));
    for (cluster, column) in tree.all.iter().zip(moments.chunks(columns(degree))) {
        norms.push(cluster.radial);
        for n in 1..=degree {
            let squares = (n * n..columns(n)).map(|k| weights[k] * column[k] * column[k]);
            norms.push(squares.sum::<f64>().sqrt());
        }
    }
    norms
}

/// The moments of all clusters: of those without sons from their faces, of the others from their sons.
fn gather_moments(tree: &Clusters, faces: &[Face], units: &Units, degree: usize, wide: bool) -> Vec<f64> {
    let size = columns(degree);
    let mut moments = vec![0.0; tree.all.len() * size];
    let (matrix, mirrors) = (Matrix::to_father(degree), Mirrors::new(degree));
    let mut corners = Vec::new();
    for level in (0..tree.levels.len() - 1).rev() {
        let clusters = tree.levels[level] as usize..tree.levels[level + 1] as usize;
        let (above, below) = moments.split_at_mut(clusters.end * size);
        let width = tree.cube.width(level as u32);
        let mut moves: [Vec<Move>; 8] = Default::default();
        for index in clusters.clone() {
            let cluster = &tree.all[index];
            if cluster.sons().is_empty() {
                let middle = tree.cube.middle(level as u32, cluster.cell);
                let faces = &faces[cluster.first as usize..cluster.last as usize];
                corners.clear();
                corners.extend(faces.iter().map(|face| {
                    face.corners.map(|corner| scale(sub(units.scaled(corner), middle), 1.0 / width))
                }));
                moments::add_moments(&corners, degree, &mut above[index * size..][..size], wide);
            }
            for son in cluster.sons() {
                let cell = tree.all[son].cell;
                let octant = (0..3).map(|k| (cell[k] as usize & 1) << k).sum::<usize>();
                moves[octant].push(Move { from: (son - clusters.end) as u32, to: index as u32 });
            }
        }
        for (octant, moves) in moves.iter().enumerate() {
            let signs = mirrors.of(7 - octant);
            translate(&matrix, signs, moves, Columns { all: below, size }, above, wide);
        }
    }
    moments
}

/// Moves from clusters to boxes, by the direction between them and its mirror, and the matrices for it.
struct Directions {
    moves: Vec<Vec<Move>>,
    matrices: Vec<Option<Matrix>>,
}

impl Directions {
    fn new() -> Self {
        let count = FARTHEST.pow(3) as usize;
        Self { moves: vec![Vec::new(); 8 * count], matrices: vec![None; count] }
    }

    fn push(&mut self, pair: &Pair, cluster: [u32; 3]) {
        let (mut direction, mut mirror) = (0, 0);
        for k in 0..3 {
            direction = direction * FARTHEST + pair.cell[k].abs_diff(cluster[k]);
            mirror |= u32::from(pair.cell[k] < cluster[k]) << k;
        }
        self.moves[(8 * direction + mirror) as usize].push(Move { from: pair.cluster, to: pair.place });
    }

    /// Each matrix with its moves and their mirror, in a fixed order; then they are forgotten.
    fn take(&mut self, degree: usize, mut apply: impl FnMut(&Matrix, &[Move], usize)) {
        for (index, moves) in self.moves.iter_mut().enumerate().filter(|(_, moves)| !moves.is_empty()) {
            let number = (index / 8) as u32;
            let direction = [number / FARTHEST / FARTHEST, number / FARTHEST % FARTHEST, number % FARTHEST];
            let matrix = self.matrices[index / 8].get_or_insert_with(|| Matrix::to_box(direction, degree));
            apply(matrix, moves, index % 8);
            moves.clear();
        }
    }
}

struct Evaluation<'a> {
    body: &'a Multipole,
    points: &'a [[f64; 3]],
    windings: &'a mut [f64],
}

impl Kernel for Evaluation<'_> {
    #[inline(always)]
    fn run<V: Vector>(self) {
        let body = self.body;
        for (point, winding) in self.points.iter().zip(self.windings) {
            let point = body.units.scaled(*point);
            if !body.tree.cube.holds(point) {
                *winding = f64::NAN;
                continue;
            }
            let leaf = body.leaf_of(point);
            let far = body.far_value::<V>(leaf, point);
            let near = body.near_of(leaf);
            if near.is_empty() {
                *winding = far;
                continue;
            }
            let mut product = Product::<V>::new();
            let place = components(|k| V::all(point[k]));
            for &[first, last] in &body.near[near] {
                product.multiply(&body.blocks[first as usize..last as usize], place);
            }
            *winding = product.sum().map_or(f64::NAN, |angles| far + angles);
        }
    }
}
