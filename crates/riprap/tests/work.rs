//! The work counted on random systems is the work the papers predict.

#[path = "common/long.rs"]
mod long;

use long::cases;
use riprap::broad::{BottomUp, BroadPhase, CrossLevel, HGrid, LevelSizes, LinkedCell, TopDown, Work};
use riprap::tune::{Direction, Model, Parameters, RadiusDistribution};
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

/// Krijgsman, Ogarko and Luding: radii with f(r) ~ r^alpha at random places.
fn hgrid<const D: usize, C: CrossLevel>() {
    let (n, omega, fraction, k) = (cases(30_000), 10.0, 0.3, 0.2);
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
            let direction = if C::LOOKS_DOWN { Direction::TopDown } else { Direction::BottomUp };
            let law = RadiusDistribution::power_law(alpha, omega).unwrap();
            let parameters = Parameters { dimension: D, fraction, access_cost: k, direction };
            let predicted = Model::new(&law, parameters).unwrap().estimate(&sizes);
            let work = work(&mut HGrid::<D, C>::new(LevelSizes::Given(sizes)), &spheres, edge);
            let what = format!("{} {D}D, alpha {alpha}, {levels} levels", C::NAME);
            let n = n as f64;
            assert_close(&format!("{what}, candidates"), work.candidates as f64, n * predicted.checks, 0.03);
            assert_close(&format!("{what}, cells"), work.cells as f64, n * predicted.accesses, 0.03);
            let total = work.candidates as f64 + k * work.cells as f64;
            assert_close(&format!("{what}, total"), total, n * predicted.work, 0.03);
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

/// Large particles over a plane with a cluster of small ones and some strays must not visit every empty row between.
#[test]
fn giants_over_a_cluster_do_not_visit_empty_space() {
    let (count, width) = (20_000, 1e-4);
    let mut random = Random::new(5);
    let edge = (0.5 * count as f64).sqrt() * width;
    let mut spheres = packing::scattered::<3>(vec![0.45 * width; count], [0.0, edge, edge], &mut random);
    for center in &mut spheres.centers[..50] {
        *center = [0.0, random.uniform(0.0, 1.0), random.uniform(0.0, 1.0)];
    }
    for row in count - 20..count {
        spheres.centers[row] = [0.0, random.uniform(0.5, 0.6), random.uniform(0.5, 0.6)];
        spheres.radii[row] = 0.35;
    }
    let mut method = riprap::broad::create::<3>("levels").unwrap();
    let view = spheres.view().unwrap();
    let work = method.find_counted(view, &Criterion::default(), &mut Vec::new()).unwrap();
    assert!(work.cells < 500 * count as u64, "{work:?}");
}

/// Volumes of lengths that are accepted may be too small or too large for a number.
#[test]
fn a_line_of_any_scale_is_searched() {
    for scale in [1e-149, 1e-120, 1.0, 1e120, 1e147] {
        let mut spheres = packing::lattice([30, 1, 1], [1.0; 3], 0.6);
        spheres.centers.iter_mut().flatten().for_each(|x| *x *= scale);
        spheres.radii.iter_mut().for_each(|r| *r *= scale);
        let mut method = riprap::broad::create::<3>("levels").unwrap();
        let mut pairs = Vec::new();
        method.find(spheres.view().unwrap(), &Criterion::default(), &mut pairs).unwrap();
        assert_eq!(pairs.len(), 29, "{scale}");
    }
}
