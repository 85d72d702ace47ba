//! Local expansions of all boxes that are not divided (Muth et al. 2006, eqs 24 and 25).

use super::boxes::{BoxLevel, Divided, FARTHEST, FarPair};
use super::harmonics::columns;
use super::translation::{Matrix, Mirrors, Move, translate};
use super::{LEAF, Leaf, Multipole};

/// Boxes that are divided before the expansions of their sons are worked out: few enough for these to stay in the cache.
const PORTION: usize = 512;

impl Multipole {
    /// Local expansions, level by level.
    pub(super) fn expand(&mut self) {
        let (degree, size) = (self.degree, columns(self.degree));
        let (to_son, mirrors) = (Matrix::to_son(degree), Mirrors::new(degree));
        let mut directions = Directions::new();
        let (mut level, mut divided) = (BoxLevel::root(), Divided::default());
        let mut locals = vec![0.0; size];
        let mut number = 0;
        // The number of the level's first box among all.
        let mut first = 0;
        while level.count() > 0 {
            let mut next_locals = Vec::new();
            for begin in (0..level.count()).step_by(PORTION) {
                let places = begin..(begin + PORTION).min(level.count());
                let (sons, fathers) = (divided.sons.count(), divided.fathers.len());
                self.plan.rules.divide(&self.tree, &level, places, &mut divided, |pair, cluster, _| {
                    directions.push(&pair, cluster.cell);
                });
                next_locals.resize(divided.sons.count() * size, 0.0);
                for octant in 0..8 {
                    let eights = divided.fathers[fathers..].iter().zip((sons as u32..).step_by(8));
                    let moves: Vec<Move> =
                        eights.map(|(&from, eight)| Move { from, to: eight + octant as u32 }).collect();
                    let signs = mirrors.of(7 - octant);
                    translate(&to_son, signs, &moves, &locals, &mut next_locals, self.wide);
                }
                directions.take(degree, |matrix, moves, mirror| {
                    translate(matrix, mirrors.of(mirror), moves, &self.moments, &mut next_locals, self.wide);
                });
            }
            for &leaf in &divided.leaves {
                self.boxes[first + leaf as usize] = LEAF | self.leaves.len() as u32;
                self.push_leaf(&level, number, leaf as usize);
                self.layout.store(&locals[leaf as usize * size..][..size], &mut self.expansions);
            }
            let sons_first = self.boxes.len();
            for (&father, eight) in divided.fathers.iter().zip((sons_first as u32..).step_by(8)) {
                self.boxes[first + father as usize] = eight;
            }
            self.boxes.resize(sons_first + divided.sons.count(), 0);
            locals = next_locals;
            divided.take(&mut level);
            (first, number) = (sons_first, number + 1);
        }
        self.leaves.push(Leaf { middle: [0.0; 3], inverse: 0.0, near: self.near.len() as u32, blocks: 0 });
        self.near.push([0; 2]);
    }

    /// Adds a box that is not divided, with the faces near it.
    fn push_leaf(&mut self, level: &BoxLevel, number: u32, place: usize) {
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
        self.leaves.push(Leaf {
            middle: self.tree.cube.middle(number, level.cells[place]),
            inverse: 1.0 / self.tree.cube.width(number),
            near: near as u32,
            blocks: self.near[near..].iter().map(|[first, last]| last - first).sum(),
        });
    }
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

    fn push(&mut self, pair: &FarPair, cluster: [u32; 3]) {
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
