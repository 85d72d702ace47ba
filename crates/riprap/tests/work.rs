//! The work counted on random systems is the work the papers predict.

use riprap::broad::{BottomUp, BroadPhase, CrossLevel, HGrid, LevelSizes, LinkedCell, TopDown, Work};
use riprap::{Criterion, Random, SphereColumns, packing};

fn work<const D: usize>(method: &mut dyn BroadPhase<D>, spheres: &SphereColumns<D>, edge: f64) -> Work {
    let criterion = Criterion { margin: 0.0, lengths: [edge; D] };
    method.find_counted(spheres.view().unwrap(), &criterion, &mut Vec::new()).unwrap()
}

fn assert_close(what: &str, measured: f64, predicted: f64, tolerance: f64) {
    let ratio = measured / predicted;
    assert!(
        (ratio - 1.0).abs() < tolerance,
        "{what}: measured {measured}, predicted {predicted}, ratio {ratio}"
    );
}

/// Leszczynski and Ciesielski: 4.5 n p candidates in 2D, 13.5 n p in 3D, with p particles per cell.
fn linked_cell<const D: usize>(factor: f64) {
    let n = 100_000;
    for per_cell in [1.0, 5.0, 10.0] {
        let mut random = Random::new(1);
        let spheres = packing::scattered::<D>(vec![1e-4; n], [1.0; D], &mut random);
        let mut method = LinkedCell::<D>::new(per_cell);
        let work = work(&mut method, &spheres, 1.0);
        let cells = method.cell_count() as f64;
        let mean = n as f64 / cells;
        assert!((mean / per_cell - 1.0).abs() < 0.1, "{mean} instead of {per_cell} per cell");
        assert_close("candidates", work.candidates as f64, factor * n as f64 * mean, 0.01);
        let occupied = cells * (1.0 - (-mean).exp());
        let neighbors = f64::from(3u32.pow(D as u32) / 2);
        assert_close("cells", work.cells as f64, cells + occupied * neighbors, 0.01);
    }
}

#[test]
fn linked_cell_tests_as_many_candidates_as_predicted() {
    linked_cell::<2>(4.5);
    linked_cell::<3>(13.5);
}

/// The cost model of Krijgsman, Ogarko and Luding for radii with f(r) = C r^alpha on [1, omega].
struct Model<const D: usize> {
    alpha: f64,
    omega: f64,
    fraction: f64,
    sizes: Vec<f64>,
}

impl<const D: usize> Model<D> {
    /// The integral of r^power f(r) over an interval.
    fn moment(&self, power: f64, from: f64, to: f64) -> f64 {
        let integral = |exponent: f64, from: f64, to: f64| {
            if exponent == -1.0 {
                (to / from).ln()
            } else {
                (to.powf(exponent + 1.0) - from.powf(exponent + 1.0)) / (exponent + 1.0)
            }
        };
        integral(self.alpha + power, from, to) / integral(self.alpha, 1.0, self.omega)
    }

    /// The radii of the particles at a level.
    fn radii(&self, level: usize) -> (f64, f64) {
        let from = if level == 0 { 1.0 } else { self.sizes[level - 1] / 2.0 };
        (from, (self.sizes[level] / 2.0).min(self.omega))
    }

    /// Share of the particles at a level, eq. 9.
    fn share(&self, level: usize) -> f64 {
        let (from, to) = self.radii(level);
        self.moment(0.0, from, to)
    }

    /// Particles per cell, eq. 11.
    fn per_cell(&self, level: usize) -> f64 {
        let volume = packing::ball_volume::<D>(1.0) * self.moment(D as f64, 1.0, self.omega);
        self.fraction * self.sizes[level].powi(D as i32) / volume * self.share(level)
    }

    /// Cells of level j that a particle of level h visits, eq. 16: the power expanded.
    fn visited(&self, j: usize, h: usize) -> f64 {
        let (from, to) = self.radii(h);
        let binomials: &[f64] = if D == 2 { &[1.0, 2.0, 1.0] } else { &[1.0, 3.0, 3.0, 1.0] };
        let sum: f64 = (0..=D)
            .map(|i| {
                let factor = (2.0 / self.sizes[j]).powi(i as i32) * 2f64.powi((D - i) as i32);
                binomials[i] * factor * self.moment(i as f64, from, to)
            })
            .sum();
        sum / self.share(h)
    }

    /// Candidates and cell accesses per particle, eqs 23 to 26.
    fn work(&self, looks_down: bool) -> (f64, f64) {
        let neighbors = f64::from(3u32.pow(D as u32) / 2);
        let (mut candidates, mut accesses) = (0.0, 0.0);
        for h in 0..self.sizes.len() {
            let others = if looks_down { 0..h } else { h + 1..self.sizes.len() };
            let (mut checks, mut cells) = ((0.5 + neighbors) * self.per_cell(h), 1.0 + neighbors);
            for j in others {
                checks += self.per_cell(j) * self.visited(j, h);
                cells += self.visited(j, h);
            }
            candidates += self.share(h) * checks;
            accesses += self.share(h) * cells;
        }
        (candidates, accesses)
    }
}

fn hgrid<const D: usize, C: CrossLevel>() {
    let (n, omega, fraction, k) = (100_000, 10.0, 0.3, 0.2);
    for alpha in [0.0, -2.0, -3.0] {
        for levels in [1, 3, 5] {
            let mut random = Random::new(2);
            let radii = packing::power_law_radii(n, alpha, 1.0, omega, &mut random);
            let edge = packing::edge_for_fraction::<D>(&radii, fraction);
            // Cell sizes that divide the edge; others are stretched until they do.
            let sizes: Vec<f64> = (1..=levels)
                .map(|h| 2.0 * omega.powf(h as f64 / levels as f64))
                .map(|size| edge / ((edge / size).floor() + 1e-3))
                .collect();
            let spheres = packing::scattered::<D>(radii, [edge; D], &mut random);
            let model = Model::<D> { alpha, omega, fraction, sizes: sizes.clone() };
            let (candidates, accesses) = model.work(C::LOOKS_DOWN);
            let work = work(&mut HGrid::<D, C>::new(LevelSizes::Given(sizes)), &spheres, edge);
            let what = format!("{} {D}D, alpha {alpha}, {levels} levels", C::NAME);
            let n = n as f64;
            assert_close(&format!("{what}, candidates"), work.candidates as f64, n * candidates, 0.03);
            assert_close(&format!("{what}, cells"), work.cells as f64, n * accesses, 0.03);
            let total = work.candidates as f64 + k * work.cells as f64;
            assert_close(&format!("{what}, total"), total, n * (candidates + k * accesses), 0.03);
        }
    }
}

#[test]
fn hgrid_does_the_work_of_the_cost_model() {
    hgrid::<2, TopDown>();
    hgrid::<3, TopDown>();
}

#[test]
fn hgrid_bottom_up_does_the_work_of_the_cost_model() {
    hgrid::<2, BottomUp>();
    hgrid::<3, BottomUp>();
}

/// The paper's own number for one level: the free cooling system of section 5.4.2.
#[test]
fn the_model_of_this_test_gives_the_papers_numbers() {
    let model = |sizes: &[f64]| {
        let model = Model::<2> { alpha: -3.0, omega: 20.0, fraction: 0.4, sizes: sizes.to_vec() };
        let (candidates, accesses) = model.work(true);
        candidates + 0.2 * accesses
    };
    let (one, five) = (model(&[40.0]), model(&[4.0, 7.9, 15.1, 27.2, 40.0]));
    assert_close("one level", one, 153.6, 0.005);
    assert_close("five levels", five, 4.40, 0.005);
}

/// One particle very far away, whichever it is, must not crowd all others into one cell.
#[test]
fn a_stray_particle_costs_nothing() {
    for specification in ["levels", "hgrid", "hgrid-bottom-up", "mr", "mmr"] {
        for row in [0, 1999] {
            for far in [1e7, 1e12, -1e100] {
                let mut spheres = packing::scattered::<3>(vec![0.3; 2000], [11.0; 3], &mut Random::new(5));
                spheres.centers[row] = [far; 3];
                let mut method = riprap::broad::create::<3>(specification).unwrap();
                let criterion = Criterion::default();
                let work = method.find_counted(spheres.view().unwrap(), &criterion, &mut Vec::new()).unwrap();
                assert!(work.candidates < 20 * 2000, "{specification}, row {row} at {far}: {work:?}");
            }
        }
    }
}
