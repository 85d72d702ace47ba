//! The hierarchical grid as a data structure: particles inserted, removed and moved one at a time.

mod common;

use common::{compare, oracle};
use riprap::broad::HierarchicalGrid;
use riprap::{Criterion, Error, Random, SphereColumns};

const EDGE: f64 = 8.0;

/// The particles that should be in the grid, by number.
#[derive(Default)]
struct Expected<const D: usize> {
    numbers: Vec<u32>,
    spheres: SphereColumns<D>,
}

impl<const D: usize> Expected<D> {
    /// The true pairs of numbers, sorted.
    fn pairs(&self, criterion: &Criterion<D>) -> Vec<(u32, u32)> {
        let mut pairs: Vec<_> = oracle(&self.spheres, criterion.margin, criterion.lengths)
            .into_iter()
            .map(|(i, j)| (self.numbers[i as usize], self.numbers[j as usize]))
            .map(|(a, b)| (a.min(b), a.max(b)))
            .collect();
        pairs.sort_unstable();
        pairs
    }
}

fn random_operations<const D: usize>(criterion: Criterion<D>) {
    let mut random = Random::new(11);
    let mut grid = HierarchicalGrid::<D>::new(criterion, &[0.1, 0.3]).unwrap();
    let mut expected = Expected::default();
    let mut pairs = Vec::new();
    for step in 0..1500 {
        // Grows at first, then shrinks to nothing, then grows again.
        let insert = if (500..1000).contains(&step) { 2 } else { 6 };
        let center = std::array::from_fn(|_| random.uniform(-EDGE, 2.0 * EDGE));
        match random.below(10) {
            choice if choice < insert || expected.numbers.is_empty() => {
                let radius = 0.02 * random.uniform(0.0, 4.5).exp();
                let number = grid.insert(center, radius).unwrap();
                assert!(!expected.numbers.contains(&number));
                expected.numbers.push(number);
                expected.spheres.push(center, radius);
            }
            choice if choice < 8 => {
                let row = random.below(expected.numbers.len());
                let number = expected.numbers.swap_remove(row);
                expected.spheres.centers.swap_remove(row);
                expected.spheres.radii.swap_remove(row);
                assert!(grid.remove(number));
                assert!(!grid.remove(number));
                assert!(!grid.contains(number));
            }
            _ => {
                let row = random.below(expected.numbers.len());
                expected.spheres.centers[row] = center;
                assert_eq!(grid.relocate(expected.numbers[row], center), Ok(true));
            }
        }
        assert_eq!(grid.len(), expected.numbers.len());
        grid.find_pairs(&mut pairs);
        compare(&pairs, &expected.pairs(&criterion))
            .unwrap_or_else(|difference| panic!("step {step}: {difference:?}"));

        // Whom would a sphere here touch? Those that pair with it once it is in.
        let (probe, radius) = (std::array::from_fn(|_| random.uniform(0.0, EDGE)), random.uniform(0.01, 1.0));
        let mut touching = Vec::new();
        grid.find_touching(probe, radius, &mut touching).unwrap();
        touching.sort_unstable();
        expected.spheres.push(probe, radius);
        let last = expected.numbers.len() as u32;
        let mut truth: Vec<_> = oracle(&expected.spheres, criterion.margin, criterion.lengths)
            .into_iter()
            .filter(|pair| pair.1 == last)
            .map(|pair| expected.numbers[pair.0 as usize])
            .collect();
        truth.sort_unstable();
        assert_eq!(touching, truth);
        expected.spheres.centers.pop();
        expected.spheres.radii.pop();
    }
}

#[test]
fn pairs_stay_right_through_insertions_removals_and_moves() {
    random_operations::<2>(Criterion::default());
    random_operations::<3>(Criterion { margin: 0.1, ..Criterion::default() });
    random_operations::<2>(Criterion { margin: 0.1, lengths: [EDGE; 2] });
    random_operations::<3>(Criterion { margin: 0.0, lengths: [EDGE, f64::INFINITY, 2.0 * EDGE] });
}

/// The domain is unbounded: a cell that is left behind is forgotten.
#[test]
fn empty_cells_take_no_memory() {
    let mut grid = HierarchicalGrid::<3>::new(Criterion::default(), &[1.0]).unwrap();
    let walker = grid.insert([0.0; 3], 0.5).unwrap();
    for step in 0..10_000 {
        grid.relocate(walker, [f64::from(step) * 7.0, 0.0, 1e9]).unwrap();
        assert_eq!(grid.occupied_cells(), 1);
    }
    grid.remove(walker);
    assert_eq!((grid.len(), grid.occupied_cells()), (0, 0));
}

#[test]
fn numbers_of_removed_particles_are_used_again() {
    let mut grid = HierarchicalGrid::<2>::new(Criterion::default(), &[]).unwrap();
    let numbers: Vec<u32> = (0..5).map(|i| grid.insert([f64::from(i), 0.0], 0.5).unwrap()).collect();
    assert_eq!(numbers, [0, 1, 2, 3, 4]);
    grid.remove(2);
    assert_eq!(grid.insert([9.0, 9.0], 0.5), Ok(2));
    assert_eq!(grid.insert([9.0, 9.0], 0.5), Ok(5));
}

#[test]
fn refuses_what_is_not_a_particle() {
    let mut grid = HierarchicalGrid::<2>::new(Criterion { margin: 0.0, lengths: [4.0; 2] }, &[1.0]).unwrap();
    assert!(matches!(grid.insert([f64::NAN, 0.0], 0.5), Err(Error::Particle { .. })));
    assert!(matches!(grid.insert([0.0, 0.0], 0.0), Err(Error::Particle { .. })));
    assert!(matches!(grid.insert([0.0, 0.0], 1.1), Err(Error::WiderThanHalfBox { .. })));
    assert!(grid.is_empty());
    let number = grid.insert([0.0, 0.0], 0.5).unwrap();
    assert!(matches!(grid.relocate(number, [0.0, f64::INFINITY]), Err(Error::Particle { .. })));
    assert_eq!(grid.relocate(77, [0.0, 0.0]), Ok(false));
    assert!(HierarchicalGrid::<2>::new(Criterion::default(), &[2.0, 1.0]).is_err());
    assert!(HierarchicalGrid::<2>::new(Criterion { margin: -1.0, ..Criterion::default() }, &[]).is_err());
}
