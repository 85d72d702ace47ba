//! Particles in hashed cells: each bucket of a table begins a chain of the particles whose cells fall into it.
//!
//! The key of a cell is linear in its index, so that the keys around it are a sum away, and its top bits are the bucket. Keys
//! of different cells may be equal: who finds a contact compares the cells themselves, which is rare enough to cost nothing.
//! A particle is one record, with all that a test needs.

use crate::broad::bytes_of;

/// End of a chain.
const NONE: u32 = u32::MAX;

/// One odd factor per axis, and one for the level: the golden ratio and roots of the polynomials that generalise it.
const FACTORS: [u64; 4] =
    [0x9e37_79b9_7f4a_7c15, 0xc13f_a9a9_02a6_328f, 0xd1b5_4a32_d192_ed03, 0xdb4f_0b91_75ae_2165];

/// A cell of one level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Cell<const D: usize> {
    pub(super) index: [i64; D],
    pub(super) level: u32,
}

impl<const D: usize> Cell<D> {
    /// The cell's key, also of the difference of two indices if the level is 0.
    #[inline(always)]
    pub(super) fn key(&self) -> u64 {
        let mut key = u64::from(self.level).wrapping_mul(FACTORS[3]);
        for k in 0..D {
            key = key.wrapping_add((self.index[k] as u64).wrapping_mul(FACTORS[k]));
        }
        key
    }
}

/// A particle in its chain.
#[derive(Debug, Clone, Copy)]
pub(super) struct ChainNode<const D: usize> {
    pub(super) center: [f64; D],
    pub(super) radius: f64,
    key: u64,
    next: u32,
    previous: u32,
}

/// All particles, by number, in the chains of their cells.
#[derive(Debug, Clone, Default)]
pub(super) struct Chains<const D: usize> {
    /// First particle of each bucket; their number is a power of two.
    heads: Vec<u32>,
    /// A bit for each possible beginning of a key, eight of them per bucket: set if a particle has come with such a key.
    seen: Vec<u8>,
    nodes: Vec<ChainNode<D>>,
    linked: usize,
}

impl<const D: usize> Chains<D> {
    /// Forgets all particles and makes room for so many.
    pub(super) fn clear(&mut self, expected: usize) {
        self.nodes.clear();
        self.nodes.reserve(expected);
        self.linked = 0;
        self.heads.clear();
        self.heads.resize(buckets_for(expected), NONE);
        self.seen.clear();
        self.seen.resize(self.heads.len(), 0);
    }

    #[inline(always)]
    pub(super) fn node(&self, number: usize) -> &ChainNode<D> {
        &self.nodes[number]
    }

    /// Puts a particle with a new number, or an unlinked one, at the front of the chain of its cell.
    pub(super) fn link(&mut self, number: u32, center: [f64; D], radius: f64, cell: &Cell<D>) {
        let node = ChainNode { center, radius, key: cell.key(), next: NONE, previous: NONE };
        match self.nodes.get_mut(number as usize) {
            Some(place) => *place = node,
            None => self.nodes.push(node),
        }
        self.linked += 1;
        if self.linked > self.heads.len() {
            self.grow();
        }
        self.hang_up(number);
    }

    fn hang_up(&mut self, number: u32) {
        let key = self.nodes[number as usize].key;
        let bucket = self.bucket(key);
        self.seen[bucket] |= self.bit(key);
        let following = std::mem::replace(&mut self.heads[bucket], number);
        self.nodes[number as usize].next = following;
        if let Some(following) = self.nodes.get_mut(following as usize) {
            following.previous = number;
        }
    }

    /// Takes a particle out of its chain.
    pub(super) fn unlink(&mut self, number: u32) {
        let ChainNode { key, next, previous, .. } = self.nodes[number as usize];
        if next != NONE {
            self.nodes[next as usize].previous = previous;
        }
        if previous != NONE {
            self.nodes[previous as usize].next = next;
        } else {
            let bucket = self.bucket(key);
            self.heads[bucket] = next;
        }
        self.linked -= 1;
    }

    /// Moves a particle within its cell.
    pub(super) fn shift(&mut self, number: u32, center: [f64; D]) {
        self.nodes[number as usize].center = center;
    }

    /// Visits the particles whose cells have this key.
    #[inline(always)]
    pub(super) fn visit(&self, key: u64, visit: impl FnMut(u32, &ChainNode<D>)) {
        let bucket = self.bucket(key);
        // Most cells around a particle are empty; the bits of all fit into the nearest cache.
        if self.seen[bucket] & self.bit(key) != 0 {
            self.visit_from(self.heads[bucket], key, visit);
        }
    }

    /// Visits the particles behind this one whose cells have the same key.
    #[inline(always)]
    pub(super) fn visit_rest(&self, node: &ChainNode<D>, visit: impl FnMut(u32, &ChainNode<D>)) {
        self.visit_from(node.next, node.key, visit);
    }

    #[inline(always)]
    fn visit_from(&self, first: u32, key: u64, mut visit: impl FnMut(u32, &ChainNode<D>)) {
        let mut number = first;
        // The end of a chain is a number that nobody has.
        while let Some(node) = self.nodes.get(number as usize) {
            if node.key == key {
                visit(number, node);
            }
            number = node.next;
        }
    }

    #[inline(always)]
    fn bucket(&self, key: u64) -> usize {
        // A table has two buckets at least, so the shift is below 64; the mask only tells the compiler the bound.
        (key >> (64 - self.heads.len().trailing_zeros())) as usize & (self.heads.len() - 1)
    }

    /// The three bits of a key behind those of its bucket, as one of eight.
    #[inline(always)]
    fn bit(&self, key: u64) -> u8 {
        1 << (key >> (61 - self.heads.len().trailing_zeros()) & 7)
    }

    /// Doubles the number of buckets.
    fn grow(&mut self) {
        let mut numbers = Vec::with_capacity(self.linked);
        for &head in &self.heads {
            let mut number = head;
            while let Some(node) = self.nodes.get(number as usize) {
                numbers.push(number);
                number = node.next;
            }
        }
        let buckets = buckets_for(self.linked);
        self.heads.clear();
        self.heads.resize(buckets, NONE);
        self.seen.clear();
        self.seen.resize(buckets, 0);
        // From the back, so that each chain keeps its order.
        for &number in numbers.iter().rev() {
            self.nodes[number as usize].previous = NONE;
            self.hang_up(number);
        }
    }

    /// Bytes reserved.
    pub(super) fn bytes(&self) -> usize {
        bytes_of(&self.heads) + bytes_of(&self.seen) + bytes_of(&self.nodes)
    }
}

/// Two to four buckets per particle: few chains hold particles of more than one cell.
fn buckets_for(particles: usize) -> usize {
    (2 * particles).next_power_of_two().max(2)
}
