//! Families of particles that are hard for contact detection: sizes and distances over many decades, all unevenly spread.
//!
//! Each has some contacts per particle however many there are, so that time may grow in proportion to the number.

use riprap::{Random, SphereColumns, packing};

/// Particles that someone might have, and that some methods take quadratic time for.
pub(crate) struct Family<const D: usize> {
    pub(crate) name: &'static str,
    pub(crate) spheres: SphereColumns<D>,
}

/// A point spread evenly over a ball around the origin.
fn in_ball<const D: usize>(random: &mut Random) -> [f64; D] {
    loop {
        let point = [(); D].map(|()| random.uniform(-1.0, 1.0));
        if point.iter().map(|x| x * x).sum::<f64>() <= 1.0 {
            return point;
        }
    }
}

/// A direction, all equally likely.
fn direction<const D: usize>(random: &mut Random) -> [f64; D] {
    let point = [(); D].map(|()| random.normal());
    let length = point.iter().map(|x| x * x).sum::<f64>().sqrt();
    point.map(|x| x / length)
}

fn sum<const D: usize>(a: [f64; D], b: [f64; D], factor: f64) -> [f64; D] {
    std::array::from_fn(|k| a[k] + factor * b[k])
}

/// Particles of a radius and a place each, in random order.
fn columns<const D: usize>(
    random: &mut Random,
    count: usize,
    mut particle: impl FnMut(usize, &mut Random) -> ([f64; D], f64),
) -> SphereColumns<D> {
    let mut order: Vec<usize> = (0..count).collect();
    random.shuffle(&mut order);
    let mut spheres = SphereColumns::default();
    for number in order {
        let (center, radius) = particle(number, random);
        spheres.push(center, radius);
    }
    spheres
}

/// The radius with which so many equal particles fill this share of a cube of edge 1.
fn filling<const D: usize>(count: usize, fraction: f64) -> f64 {
    (fraction / (count.max(1) as f64 * packing::ball_volume::<D>(1.0))).powf(1.0 / D as f64)
}

/// All families, with about so many particles each.
pub(crate) fn all<const D: usize>(count: usize) -> Vec<Family<D>> {
    let random = &mut Random::new(2026);
    let mut families = Vec::new();
    let mut add = |name, spheres| families.push(Family { name, spheres });
    let evenly = |random: &mut Random| [(); D].map(|()| random.uniform(0.0, 1.0));
    let half = count / 2;
    let giant = filling::<D>(half, 0.3);
    let share = count as f64;

    let cluster = 1e-3f64.powf(1.0 / D as f64);
    add(
        "dust in a thousandth of the space beside giants",
        columns(random, count, |i, random| {
            let place = evenly(random);
            if i % 2 == 0 { (place, giant) } else { (place.map(|x| 0.4 + cluster * x), 1e-6 * giant) }
        }),
    );
    add(
        "a speck of dust among giants",
        columns(random, count, |i, random| {
            let place = evenly(random);
            if i % 2 == 0 { (place, giant) } else { (place.map(|x| 0.4 + 1e-3 * x), 1e-6 * giant) }
        }),
    );
    add(
        "bimodal 1:10^6, mixed",
        columns(random, count, |i, random| (evenly(random), if i % 2 == 0 { giant } else { 1e-6 * giant })),
    );
    // Of each size as many in as many of its diameters.
    let pitch = 2.0 * filling::<D>(count / 6, 0.1);
    add(
        "spiral of sizes over six decades",
        columns(random, count, |i, random| {
            let distance = 10f64.powf(6.0 * i as f64 / share - 6.0);
            (direction(random).map(|x| distance * x), pitch * distance)
        }),
    );
    let fine = filling::<D>(count, 0.2);
    add(
        "one giant over dust",
        columns(random, count, |i, random| if i == 0 { ([0.5; D], 0.4) } else { (evenly(random), fine) }),
    );
    let heaps: Vec<[f64; D]> = (0..count / 20 + 1).map(|_| evenly(random)).collect();
    add(
        "heaps of sizes 1:10^4 at the same points",
        columns(random, count, |i, random| (heaps[i / 20], fine * 10f64.powf(random.uniform(-4.0, 0.0)))),
    );
    add(
        "sizes 1:10^3 along a line",
        columns(random, count, |_, random| {
            let place = random.uniform(0.0, 1.0);
            ([place; D], 10f64.powf(random.uniform(-3.0, 0.0)) / share)
        }),
    );
    add(
        "sizes 1:10^3 in a tilted plane",
        columns(random, count, |_, random| {
            let mut place = evenly(random);
            place[D - 1] = 0.5 * place[0] + if D == 3 { 0.2 * place[1] } else { 0.0 };
            let radius = if D == 3 { 0.5 / share.sqrt() } else { 1.0 / share };
            (place, radius * 10f64.powf(random.uniform(-3.0, 0.0)))
        }),
    );
    add(
        "two clusters far apart, sizes 1:100",
        columns(random, count, |i, random| {
            let place: [f64; D] = evenly(random);
            (place.map(|x| x + 1e7 * (i % 2) as f64), 2.0 * fine * 10f64.powf(random.uniform(-2.0, 0.0)))
        }),
    );
    // Five generations of eight clusters, each a tenth as wide.
    let nodes: Vec<[f64; D]> = (0..5 * 8).map(|_| in_ball(random)).collect();
    add(
        "clusters of clusters, sizes 1:10^5",
        columns(random, count, |_, random| {
            let (mut place, mut width) = ([0.0; D], 1.0);
            for generation in 0..5 {
                place = sum(place, nodes[8 * generation + random.below(8)], width);
                width *= 0.1;
            }
            let radius = 0.5 * width * filling::<D>(count / (1 << 15) + 1, 0.3);
            (sum(place, in_ball(random), width), radius * 10f64.powf(random.uniform(-5.0, 0.0)))
        }),
    );
    // Dust of a ten-thousandth lies on the surfaces of giants, ten for each.
    let giants: Vec<[f64; D]> = (0..count / 10 + 1).map(|_| evenly(random)).collect();
    let bearer = filling::<D>(giants.len(), 0.1);
    add(
        "dust on the surfaces of giants, 1:10^4",
        columns(random, count, |i, random| {
            let middle = giants[i / 10];
            if i % 10 == 0 {
                (middle, bearer)
            } else {
                (sum(middle, direction(random), bearer), 1e-4 * bearer)
            }
        }),
    );
    let shell = filling::<D>(count, 1.0);
    add(
        "shells one in another, sizes 1:10^3",
        columns(random, count, |i, random| {
            let distance = 1.0 + (i % 5) as f64;
            let radius = shell.powf(D as f64 / (D - 1) as f64);
            (direction(random).map(|x| distance * x), 4.0 * radius * 10f64.powf(random.uniform(-3.0, 0.0)))
        }),
    );
    let side = share.powf(1.0 / D as f64).round() as usize;
    let mut lattice = packing::lattice([side; D], [1.0; D], 0.5);
    lattice.centers.iter_mut().flatten().for_each(|x| *x += 1e9);
    add("a lattice that just touches, far from the origin", lattice);
    add("sizes by a power law over five decades", {
        let radii = packing::power_law_radii(count, -2.0, 1e-5, 1e5, random);
        let edge = packing::edge_for_fraction::<D>(&radii, 0.3);
        packing::scattered(radii, [edge; D], random)
    });
    let bunches: Vec<[f64; D]> = (0..count / 50 + 1).map(|_| evenly(random).map(|x| 1e12 * x)).collect();
    add(
        "small bunches in a space 10^12 times as wide",
        columns(random, count, |i, random| {
            (sum(bunches[i / 50], in_ball(random), 4.0), random.uniform(0.2, 1.0))
        }),
    );
    families
}
