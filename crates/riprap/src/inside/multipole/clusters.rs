//! The octree of the faces: clusters of faces whose middles are in a box.

use crate::inside::faces::Face;
use crate::number;
use crate::vector::{cross, dot, length, scale, sub};

/// Most divisions of the box around the body.
pub(super) const DEEPEST: u32 = 16;
/// The fewest faces for which a box is divided.
pub(super) const FEWEST: usize = 6;

/// The cube that the trees divide, in the units of the method.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cube {
    pub(super) low: [f64; 3],
    pub(super) width: f64,
}

impl Cube {
    /// The middle of a box of a level.
    #[inline(always)]
    pub(super) fn middle(&self, level: u32, cell: [u32; 3]) -> [f64; 3] {
        let width = self.width(level);
        [0, 1, 2].map(|k| self.low[k] + width * (f64::from(cell[k]) + 0.5))
    }

    /// The width of the boxes of a level.
    #[inline(always)]
    pub(super) fn width(&self, level: u32) -> f64 {
        self.width / f64::from(1u32 << level)
    }

    /// The box of the deepest level that holds a point, which must be in the cube.
    #[inline(always)]
    pub(super) fn cell(&self, point: [f64; 3]) -> [u32; 3] {
        let scale = f64::from(1u32 << DEEPEST) / self.width;
        let last = (1u32 << DEEPEST) - 1;
        [0, 1, 2].map(|k| (((point[k] - self.low[k]) * scale) as u32).min(last))
    }

    #[inline(always)]
    pub(super) fn holds(&self, point: [f64; 3]) -> bool {
        (0..3).all(|k| point[k] >= self.low[k] && point[k] <= self.low[k] + self.width)
    }
}

/// Faces in a box.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cluster {
    pub(super) cell: [u32; 3],
    /// Its faces, in the order of the tree.
    pub(super) first: u32,
    pub(super) last: u32,
    /// Its sons; none in a box with few faces.
    pub(super) sons: [u32; 2],
    /// Distance of the farthest corner of its faces from the middle of the box, in widths of the box.
    pub(super) radius: f64,
    /// Of its faces, in squares of that width.
    pub(super) area: f64,
    /// Whether its faces are wider than the box: then it is not divided.
    large: bool,
}

impl Cluster {
    pub(super) fn new(cell: [u32; 3], first: u32, last: u32) -> Self {
        Self { cell, first, last, sons: [0; 2], radius: 0.0, area: 0.0, large: false }
    }

    pub(super) fn faces(&self) -> usize {
        (self.last - self.first) as usize
    }

    pub(super) fn sons(&self) -> std::ops::Range<usize> {
        self.sons[0] as usize..self.sons[1] as usize
    }
}

/// Clusters, level after level.
#[derive(Debug, Clone)]
pub(super) struct Clusters {
    pub(super) cube: Cube,
    /// How many times as wide as the body that is.
    pub(super) times: f64,
    pub(super) all: Vec<Cluster>,
    /// The first cluster of each level, and one past the last.
    pub(super) levels: Vec<u32>,
}

impl Clusters {
    /// The tree of a cube so many times as wide as the body, and the faces in its order. Corners are in the units of the method.
    pub(super) fn new(faces: &mut [Face], times: f64, scaled: impl Fn([f64; 3]) -> [f64; 3]) -> Self {
        let cube = cube_around(faces, times, &scaled);
        let mut order: Vec<(u64, u32)> = faces
            .iter()
            .zip(0..)
            .map(|(face, index)| {
                let [a, b, c] = face.corners.map(&scaled);
                let middle = [0, 1, 2].map(|k| (a[k] + b[k] + c[k]) / 3.0);
                (interleaved(cube.cell(middle)), index)
            })
            .collect();
        order.sort_unstable();
        let extents: Vec<f64> = faces.iter().map(|face| extent(face.corners.map(&scaled))).collect();
        let mut tree = Self { cube, times, all: Vec::new(), levels: vec![0] };
        tree.all.push(Cluster::new([0; 3], 0, faces.len() as u32));
        for level in 0..=DEEPEST {
            let from = tree.levels[level as usize] as usize;
            let to = tree.all.len();
            tree.levels.push(to as u32);
            for index in from..to {
                let cluster = &tree.all[index];
                if level < DEEPEST && cluster.faces() > FEWEST && !cluster.large {
                    tree.divide(index, level, &mut order, &extents);
                }
            }
            if tree.all.len() == to {
                break;
            }
        }
        let sorted: Vec<Face> = order.iter().map(|&(_, index)| faces[index as usize]).collect();
        faces.copy_from_slice(&sorted);
        for level in 0..tree.levels.len() - 1 {
            for index in tree.levels[level]..tree.levels[level + 1] {
                tree.measure(index as usize, level as u32, faces, &scaled);
            }
        }
        tree
    }

    fn measure(&mut self, index: usize, level: u32, faces: &[Face], scaled: impl Fn([f64; 3]) -> [f64; 3]) {
        let (mut largest, mut area) = (0.0f64, 0.0);
        for corners in self.corners_of(index, level, faces, scaled) {
            area += area_of(corners);
            largest = corners.iter().fold(largest, |largest, corner| largest.max(dot(*corner, *corner)));
        }
        let cluster = &mut self.all[index];
        (cluster.radius, cluster.area) = (largest.sqrt(), area);
    }

    /// The corners of a cluster's faces, in widths of its box from its middle.
    fn corners_of<'a>(
        &self,
        index: usize,
        level: u32,
        faces: &'a [Face],
        scaled: impl Fn([f64; 3]) -> [f64; 3] + 'a,
    ) -> impl Iterator<Item = [[f64; 3]; 3]> + 'a {
        let cluster = &self.all[index];
        let (middle, inverse) = (self.cube.middle(level, cluster.cell), 1.0 / self.cube.width(level));
        let faces = &faces[cluster.first as usize..cluster.last as usize];
        faces.iter().map(move |face| face.corners.map(|corner| scale(sub(scaled(corner), middle), inverse)))
    }

    /// At least the integral over the faces of each cluster of the distance from its middle to a power, an even one. There is room for as
    /// many numbers after each.
    pub(super) fn radial_moments(
        &self,
        faces: &[Face],
        scaled: impl Fn([f64; 3]) -> [f64; 3],
        power: usize,
    ) -> Vec<f64> {
        let mut moments = vec![0.0; self.all.len() * (power + 1)];
        for (level, clusters) in self.levels.windows(2).enumerate() {
            for index in clusters[0] as usize..clusters[1] as usize {
                for corners in self.corners_of(index, level as u32, faces, &scaled) {
                    // The power is convex: its mean over the face is at most that over the corners.
                    let powers = corners.map(|corner| number::power(dot(corner, corner), power as u32 / 2));
                    moments[index * (power + 1)] += area_of(corners) * powers.iter().sum::<f64>() / 3.0;
                }
            }
        }
        moments
    }

    /// Appends the sons of a cluster; `order` holds the faces' keys. Faces wider than a son come first and are a son of their own: they
    /// would reach out of any other, far into its neighbours.
    fn divide(&mut self, index: usize, level: u32, order: &mut [(u64, u32)], extents: &[f64]) {
        let father = self.all[index];
        let shift = 3 * (DEEPEST - level - 1);
        let width = self.cube.width(level + 1);
        let first_son = self.all.len() as u32;
        let cell_of = |key: u64| [0, 1, 2].map(|k| 2 * father.cell[k] + ((key >> shift) as u32 >> k & 1));
        let there = &mut order[father.first as usize..father.last as usize];
        let (large, others): (Vec<_>, Vec<_>) =
            there.iter().copied().partition(|&(_, face)| extents[face as usize] > width);
        there[..large.len()].copy_from_slice(&large);
        there[large.len()..].copy_from_slice(&others);
        let mut first = father.first + large.len() as u32;
        if let Some(&(key, _)) = large.first() {
            self.all.push(Cluster { large: true, ..Cluster::new(cell_of(key), father.first, first) });
        }
        while first < father.last {
            let octant = order[first as usize].0 >> shift;
            let there = &order[first as usize..father.last as usize];
            let last = first + there.partition_point(|(key, _)| key >> shift == octant) as u32;
            self.all.push(Cluster::new(cell_of(order[first as usize].0), first, last));
            first = last;
        }
        self.all[index].sons = [first_son, self.all.len() as u32];
    }
}

/// The longest side of the box around a face.
fn extent([a, b, c]: [[f64; 3]; 3]) -> f64 {
    (0..3).map(|k| a[k].max(b[k]).max(c[k]) - a[k].min(b[k]).min(c[k])).fold(0.0, f64::max)
}

fn area_of([a, b, c]: [[f64; 3]; 3]) -> f64 {
    0.5 * length(cross(sub(b, a), sub(c, a)))
}

fn cube_around(faces: &[Face], times: f64, scaled: impl Fn([f64; 3]) -> [f64; 3]) -> Cube {
    let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for corner in faces.iter().flat_map(|face| face.corners) {
        let corner = scaled(corner);
        for k in 0..3 {
            low[k] = low[k].min(corner[k]);
            high[k] = high[k].max(corner[k]);
        }
    }
    if faces.is_empty() {
        return Cube { low: [0.0; 3], width: 1.0 };
    }
    let width = 1.001 * times * (0..3).map(|k| high[k] - low[k]).fold(f64::MIN_POSITIVE, f64::max);
    Cube { low: [0, 1, 2].map(|k| 0.5 * (low[k] + high[k] - width)), width }
}

/// The bits of three numbers in turn, so that boxes within a box follow each other.
fn interleaved(cell: [u32; 3]) -> u64 {
    let spread = |x: u32| (0..DEEPEST).fold(0u64, |all, bit| all | u64::from(x >> bit & 1) << (3 * bit));
    spread(cell[0]) | spread(cell[1]) << 1 | spread(cell[2]) << 2
}
