//! Small scenes, ordinary and adversarial, in 2D and 3D.

use riprap::{Random, SphereColumns, packing};

/// A scene and a periodic box that suits it.
pub struct Scene<const D: usize> {
    pub name: &'static str,
    pub spheres: SphereColumns<D>,
    /// Edge of a box that holds the scene; lattices continue across its border.
    pub edge: f64,
}

/// How much wider than the reach the cells of the library are; a lattice of this spacing lies on their borders.
const CELL: f64 = 1.0 + 1.0 / (1 << 18) as f64;

fn place<const D: usize>(radii: Vec<f64>, mut center: impl FnMut(usize) -> [f64; D]) -> SphereColumns<D> {
    SphereColumns { centers: (0..radii.len()).map(&mut center).collect(), radii }
}

fn moved<const D: usize>(mut spheres: SphereColumns<D>, by: f64) -> SphereColumns<D> {
    spheres.centers.iter_mut().flatten().for_each(|x| *x += by);
    spheres
}

/// All scenes.
pub fn all<const D: usize>() -> Vec<Scene<D>> {
    let random = &mut Random::new(42 + D as u64);
    let side = if D == 2 { 16 } else { 6 };
    let edge = side as f64;
    let lattice = packing::lattice([side; D], [1.0; D], 0.5);
    let radii = |random: &mut Random, n: usize, low: f64, high: f64| -> Vec<f64> {
        (0..n).map(|_| random.uniform(low, high)).collect()
    };
    let mixed = |random: &mut Random, n: usize| packing::power_law_radii(n, -3.0, 0.05, 30.0, random);

    let mut scenes = Vec::new();
    let mut add = |name, spheres, edge| scenes.push(Scene { name, spheres, edge });

    let r = radii(random, 300, 0.2, 0.5);
    add("uniform random", packing::scattered(r, [edge; D], random), edge);
    let r = mixed(random, 300);
    add("power law", packing::scattered(r, [edge; D], random), edge);
    add("dense lattice, touching exactly", lattice.clone(), edge);
    add("lattice on cell borders", packing::lattice([side; D], [CELL; D], 0.5), edge * CELL);
    add("touching lattice on cell borders", packing::lattice([side; D], [CELL; D], 0.5 * CELL), edge * CELL);
    add(
        "lattice of many spacings and sizes",
        place((0..256).map(|i| [0.125, 0.25, 0.5, 1.0][i % 4]).collect(), |i| {
            std::array::from_fn(|k| (i >> (3 * k) & 7) as f64 * 0.5)
        }),
        4.0,
    );
    add(
        "touching lattice off by the last bit",
        {
            let mut jittered = lattice.clone();
            for x in jittered.centers.iter_mut().flatten() {
                *x = [x.next_down(), *x, x.next_up()][random.below(3)];
            }
            jittered
        },
        edge,
    );
    let r = radii(random, 40, 0.1, 0.5);
    add("coincident centres", place(r, |_| [0.75; D]), edge);
    let r = radii(random, 60, 0.1, 0.5);
    add("two coincident groups", place(r, |i| [(i % 2) as f64 * 0.75; D]), edge);
    add(
        "one huge, many tiny",
        {
            let mut radii = radii(random, 300, 0.001, 0.02);
            radii[150] = 3.0;
            packing::scattered(radii, [8.0; D], random)
        },
        16.0,
    );
    add(
        "one huge around all",
        {
            let mut radii = radii(random, 200, 0.001, 0.02);
            radii[0] = 1e6;
            packing::scattered(radii, [8.0; D], random)
        },
        8e6,
    );
    let r = radii(random, 200, 0.1, 0.3);
    add(
        "collinear along x",
        place(r, |i| {
            let mut center = [0.0; D];
            center[0] = i as f64 * 0.35;
            center
        }),
        70.0,
    );
    let r = radii(random, 200, 0.1, 0.3);
    add(
        "collinear along the last axis",
        place(r, |i| {
            let mut center = [0.0; D];
            center[D - 1] = -(i as f64) * 0.35;
            center
        }),
        70.0,
    );
    let r = radii(random, 200, 0.1, 0.3);
    add("collinear along the diagonal", place(r, |i| [i as f64 * 0.25; D]), 50.0);
    add(
        "clustered",
        {
            let radii = radii(random, 300, 0.02, 0.1);
            let mut spheres = packing::scattered(radii, [100.0; D], random);
            for center in spheres.centers.iter_mut().take(270) {
                center.iter_mut().for_each(|x| *x = 40.0 + *x * 0.02);
            }
            spheres
        },
        100.0,
    );
    let r = radii(random, 300, 0.2, 0.5);
    add("far from the origin", moved(packing::scattered(r, [edge; D], random), 1e9), edge);
    add("touching lattice far from the origin", moved(lattice.clone(), 1e9), edge);
    let r = radii(random, 300, 1e-4, 1e-3);
    add("tiny and far from the origin", moved(packing::scattered(r, [0.02; D], random), 1e9), 0.5);
    let r = mixed(random, 300);
    add("negative coordinates", moved(packing::scattered(r, [edge; D], random), -0.7 * edge), edge);
    add("lattice around the origin", moved(lattice, -0.5 * edge), edge);
    // Decimal numbers, which touch or not by how they round; mostly at negative coordinates.
    let decimal = |i: usize| (i as f64 - 0.5 * edge) * 0.1;
    add(
        "decimal lattice",
        place(vec![0.05; side.pow(D as u32)], |i| {
            std::array::from_fn(|k| decimal(i / side.pow(k as u32) % side))
        }),
        0.1 * edge,
    );
    add(
        "decimal numbers in a row",
        place((0..200).map(|_| (1 + random.below(60)) as f64 / 100.0).collect(), |i| {
            let mut center = [0.0; D];
            center[0] = (i * 37 % 400) as f64 / 100.0;
            center
        }),
        4.0,
    );
    let r = radii(random, 60, 0.4, 0.5);
    add("all in one cell", packing::scattered(r, [0.9; D], random), 4.0);
    add(
        "outliers far away",
        {
            let radii = radii(random, 200, 0.2, 0.5);
            let mut spheres = packing::scattered(radii, [edge; D], random);
            spheres.centers[17] = [1e15; D];
            spheres.centers[18] = [1e15; D];
            spheres.centers[19] = [-1e100; D];
            spheres
        },
        edge,
    );
    add(
        "first one far away",
        {
            let radii = radii(random, 200, 0.2, 0.5);
            let mut spheres = packing::scattered(radii, [edge; D], random);
            spheres.centers[0] = [1e12; D];
            spheres
        },
        edge,
    );
    add("empty", SphereColumns::default(), 1.0);
    add("one particle", place(vec![0.5], |_| [0.25; D]), 4.0);
    add(
        "two particles that touch",
        place(vec![0.5; 2], |i| [i as f64; D].map(|x| if D == 2 { x * 0.5 } else { x * 0.25 })),
        4.0,
    );
    add(
        "extreme scales",
        place(vec![1e-150, 1e-150, 1e-100, 1e100], |i| [[0.0, 1e-150, 1e-120, 1e100][i]; D]),
        1e102,
    );
    scenes
}
