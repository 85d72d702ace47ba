//! `cargo bench --bench convex`: what the shortest link promises, measured.
//!
//! A dense heap of the paper's four shapes that moves: time per pair by every method with the last links kept, how many times
//! faster than the conventional common plane (the paper's R), and iterations. Nine situations in the plane, as in the
//! paper. Times for stones of more and more vertices. Overlaps against the least ones. Two threads against one. Without
//! `--bench` (as in `cargo test`) everything is small.

use std::time::Instant;

use riprap::broad::Pair;
use riprap::convex::{
    Body, Link, LinkMemory, LinkMethod, Links, PlacedBodies, Polygon, Polyhedron, Pose, Solver, shapes,
};
use riprap::{Random, machine};

fn main() {
    let full = std::env::args().any(|argument| argument == "--bench");
    if full {
        println!("machine: {}\ncommand: cargo bench --bench convex\n", machine::describe());
    }
    let (side, steps) = if full { (12, 40) } else { (4, 4) };
    heap(side, steps);
    nine_situations(if full { 20_000 } else { 20 });
    vertices(if full { 1000 } else { 50 });
    overlaps(if full { 400 } else { 20 });
    threads(side, steps);
}

/// Bodies that move a thousandth of their size and turn by a thousandth in each step.
struct Heap {
    shapes: Vec<Polyhedron>,
    shape_of: Vec<u32>,
    places: Vec<[f64; 3]>,
    quaternions: Vec<[f64; 4]>,
    velocities: Vec<[f64; 3]>,
    spins: Vec<[f64; 3]>,
}

fn direction<const D: usize>(random: &mut Random) -> [f64; D] {
    let vector: [f64; D] = std::array::from_fn(|_| random.normal());
    let length = vector.iter().map(|x| x * x).sum::<f64>().sqrt();
    vector.map(|x| x / length)
}

fn turned([w, x, y, z]: [f64; 4], turn: [f64; 3]) -> [f64; 4] {
    let [i, j, k] = turn.map(|angle| 0.5 * angle);
    [
        w - i * x - j * y - k * z,
        x + i * w + j * z - k * y,
        y + j * w + k * x - i * z,
        z + k * w + i * y - j * x,
    ]
}

impl Heap {
    fn new(side: usize) -> Self {
        let mut random = Random::new(1);
        let count = side * side * side;
        let place = |i: usize| [i % side, i / side % side, i / side / side].map(|x| 0.95 * x as f64);
        Self {
            shapes: vec![shapes::tetrahedron(), shapes::pyramid(), shapes::cube(), shapes::fourteen()],
            shape_of: (0..count).map(|_| random.below(4) as u32).collect(),
            places: (0..count).map(place).collect(),
            quaternions: (0..count).map(|_| direction(&mut random)).collect(),
            velocities: (0..count).map(|_| direction(&mut random)).collect(),
            spins: (0..count).map(|_| direction(&mut random)).collect(),
        }
    }

    fn poses(&self, step: usize) -> Vec<Pose<3>> {
        let time = 1e-3 * step as f64;
        (0..self.places.len())
            .map(|i| {
                let position = std::array::from_fn(|k| self.places[i][k] + time * self.velocities[i][k]);
                let quaternion = turned(self.quaternions[i], self.spins[i].map(|x| time * x));
                Pose::from_quaternion(position, quaternion).expect("a pose")
            })
            .collect()
    }

    fn near(&self) -> Vec<Pair> {
        let mut pairs = Vec::new();
        for (b, second) in self.places.iter().enumerate() {
            for (a, first) in self.places[..b].iter().enumerate() {
                let reach: f64 = (0..3).map(|k| (first[k] - second[k]).powi(2)).sum();
                if reach < 1.7 * 1.7 {
                    pairs.push(Pair { a: a as u32, b: b as u32 });
                }
            }
        }
        pairs
    }

    /// The best time per pair of a step with the last links kept, and the links of all those steps.
    fn run(&self, method: LinkMethod, threads: usize, steps: usize) -> (f64, Vec<Link<3>>) {
        let pairs = self.near();
        let mut links = Links::new(method, threads);
        let (mut found, mut all) = (Vec::new(), Vec::new());
        let mut best = f64::INFINITY;
        for step in 0..=steps {
            let poses = self.poses(step);
            let placed = PlacedBodies { shapes: &self.shapes, shape_of: &self.shape_of, poses: &poses };
            let start = Instant::now();
            links.find(placed, &pairs, &mut found).expect("sound pairs");
            if step > 0 {
                best = best.min(start.elapsed().as_secs_f64());
                all.extend_from_slice(&found);
            }
        }
        (best / pairs.len() as f64, all)
    }
}

fn heap(side: usize, steps: usize) {
    let heap = Heap::new(side);
    println!(
        "A moving heap of {} bodies of the paper's four shapes, {} pairs:\n",
        side.pow(3),
        heap.near().len()
    );
    println!("| method | ns per pair | R | iterations | within two | in contact |");
    println!("|---|---:|---:|---:|---:|---:|");
    let reference = heap.run(LinkMethod::CommonPlane, 1, steps).0;
    for (method, name, _) in LinkMethod::ALL {
        let (seconds, links) = heap.run(*method, 1, steps);
        let share = |count: usize| count as f64 / links.len() as f64;
        let iterations: f64 = links.iter().map(|link| f64::from(link.iterations)).sum();
        println!(
            "| `{name}` | {:.0} | {:.1} | {:.2} | {:.2} % | {:.0} % |",
            1e9 * seconds,
            reference / seconds,
            iterations / links.len() as f64,
            100.0 * share(links.iter().filter(|link| link.iterations <= 2).count()),
            100.0 * share(links.iter().filter(|link| link.in_contact()).count()),
        );
    }
}

/// Situations like those of figure 13: no last link, one pair at a time.
fn nine_situations(repeat: usize) {
    let [triangle, square, pentagon, hexagon, octagon] = [3, 4, 5, 6, 8].map(shapes::regular_polygon);
    let brick = Polygon::from_points(&[[0.0, 0.0], [2.0, 0.0], [2.0, 0.5], [0.0, 0.5]]).expect("a brick");
    let situations: [(&str, &Polygon, &Polygon, f64, [f64; 2]); 9] = [
        ("triangle, square", &triangle, &square, 0.0, [1.1, 0.05]),
        ("two squares, edges", &square, &square, 0.0, [0.9, 0.9]),
        ("two squares, vertices", &square, &square, 0.0, [1.2, 0.0]),
        ("pentagon, triangle", &pentagon, &triangle, 1.0, [0.2, 1.4]),
        ("hexagon, octagon", &hexagon, &octagon, 0.1, [0.9, 0.5]),
        ("two octagons, far", &octagon, &octagon, 0.4, [3.0, -2.0]),
        ("two bricks", &brick, &brick, 0.0, [1.5, 0.7]),
        ("brick, pentagon", &brick, &pentagon, 0.0, [0.4, 0.9]),
        ("triangle, octagon, far", &triangle, &octagon, 0.0, [-8.0, 5.0]),
    ];
    println!("\nNine situations in the plane, without and with a last link:\n");
    println!(
        "| bodies | shortest-link, ns | R | fast-common-plane R | warm, ns | warm R | warm fast-common-plane R |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|");
    let mut sums = [0.0; 4];
    for (name, a, b, angle, place) in situations {
        let poses = [Pose::at([0.0; 2]), Pose::from_angle(place, angle).expect("a pose")];
        let time = |method: LinkMethod, warm: bool| {
            let mut solver = Solver::new(method);
            let mut memory = LinkMemory::default();
            let mut best = f64::INFINITY;
            for _ in 0..7 {
                let start = Instant::now();
                for _ in 0..repeat {
                    if !warm {
                        memory = LinkMemory::default();
                    }
                    std::hint::black_box(solver.link(
                        [a, b],
                        std::hint::black_box(poses.each_ref()),
                        &mut memory,
                    ));
                }
                best = best.min(start.elapsed().as_secs_f64() / repeat as f64);
            }
            best
        };
        let [cold, warm] = [false, true].map(|warm| {
            [LinkMethod::ShortestLink, LinkMethod::FastCommonPlane, LinkMethod::CommonPlane]
                .map(|method| time(method, warm))
        });
        let ratios = [cold[2] / cold[0], cold[2] / cold[1], warm[2] / warm[0], warm[2] / warm[1]];
        (0..4).for_each(|k| sums[k] += ratios[k] / 9.0);
        println!(
            "| {name} | {:.0} | {:.1} | {:.1} | {:.0} | {:.1} | {:.1} |",
            1e9 * cold[0],
            ratios[0],
            ratios[1],
            1e9 * warm[0],
            ratios[2],
            ratios[3]
        );
    }
    println!("| mean | | {:.1} | {:.1} | | {:.1} | {:.1} |", sums[0], sums[1], sums[2], sums[3]);
}

/// Two stones of so many vertices at a distance, in many poses: the time with a last link should hardly depend on their number.
fn vertices(pairs: usize) {
    println!("\nTime by the number of vertices, `shortest-link`, ns:\n");
    println!("| vertices | apart, cold | apart, warm | overlapping, cold | overlapping, warm |");
    println!("|---:|---:|---:|---:|---:|");
    for count in [4, 8, 14, 30, 60, 120, 250, 500, 1000] {
        let mut random = Random::new(2);
        let stones: Vec<_> = (0..8).map(|_| shapes::stone(count, [1.0, 0.9, 0.8], &mut random)).collect();
        let cells: Vec<String> = [1.1, 0.9]
            .iter()
            .flat_map(|&factor| {
                let cases = approach(&stones, factor, pairs, &mut random);
                [false, true].map(|warm| format!("{:.0}", 1e9 * time_per_query(&cases, warm)))
            })
            .collect();
        println!("| {count} | {} |", cells.join(" | "));
    }
}

/// Two bodies and their poses in some steps.
type Approach<'a> = ([&'a Body<3>; 2], Vec<[Pose<3>; 2]>);

/// Bodies whose centres are so many times as far apart as where they touch along a random direction, in ten steps of motion.
fn approach<'a>(bodies: &'a [Body<3>], factor: f64, count: usize, random: &mut Random) -> Vec<Approach<'a>> {
    (0..count)
        .map(|_| {
            let pair = [&bodies[random.below(bodies.len())], &bodies[random.below(bodies.len())]];
            let (a, b): ([f64; 4], [f64; 4]) = (direction(random), direction(random));
            let (spin, way): ([f64; 3], [f64; 3]) = (direction(random), direction(random));
            let between: [f64; 3] = direction(random);
            let reach = |body: &Body<3>, pose: Pose<3>, sign: f64| {
                let along = |v: &[f64; 3]| {
                    let placed = pose.place(*v);
                    (0..3).map(|k| sign * between[k] * placed[k]).sum::<f64>()
                };
                body.vertices().iter().map(along).fold(f64::NEG_INFINITY, f64::max)
            };
            let pose = |position, quaternion| Pose::from_quaternion(position, quaternion).expect("a pose");
            let touching = reach(pair[0], pose([0.0; 3], a), 1.0) + reach(pair[1], pose([0.0; 3], b), -1.0);
            let poses = (0..10)
                .map(|step| {
                    let time = 1e-3 * f64::from(step);
                    let position = std::array::from_fn(|k| factor * touching * between[k] + time * way[k]);
                    [pose([0.0; 3], a), pose(position, turned(b, spin.map(|x| time * x)))]
                })
                .collect();
            (pair, poses)
        })
        .collect()
}

fn time_per_query(cases: &[Approach<'_>], warm: bool) -> f64 {
    let mut solver = Solver::new(LinkMethod::ShortestLink);
    let mut best = f64::INFINITY;
    for _ in 0..5 {
        let mut memories = vec![LinkMemory::default(); cases.len()];
        let mut seconds = 0.0;
        for step in 0..10 {
            let start = Instant::now();
            for ((bodies, poses), memory) in cases.iter().zip(&mut memories) {
                if !warm {
                    *memory = LinkMemory::default();
                }
                std::hint::black_box(solver.link(*bodies, poses[step].each_ref(), memory));
            }
            // The first step has no last links.
            if step > 0 || !warm {
                seconds += start.elapsed().as_secs_f64();
            }
        }
        best = f64::min(best, seconds / ((if warm { 9 } else { 10 }) * cases.len()) as f64);
    }
    best
}

/// How much more bodies overlap along a plane that was followed than along that of the least overlap: they approach each
/// other at random and go on until they overlap by a depth.
fn overlaps(count: usize) {
    println!("\nOverlap along the plane that was followed, against the least overlap:\n");
    println!(
        "| overlaps up to, of the radius | the least one | within 1 % of the radius | largest excess, of the radius |"
    );
    println!("|---:|---:|---:|---:|");
    let bodies = [shapes::tetrahedron(), shapes::pyramid(), shapes::cube(), shapes::fourteen()];
    for depth in [0.01, 0.1, 0.5] {
        let mut random = Random::new(3);
        let mut solver = Solver::new(LinkMethod::ShortestLink);
        let mut excesses = Vec::new();
        for (pair, poses) in approach(&bodies, 1.05, count, &mut random) {
            let radius = pair[0].radius().min(pair[1].radius());
            let mut memory = LinkMemory::default();
            let [fixed, mut moving] = poses[0];
            for _ in 0..2000 {
                let link = solver.link(pair, [&fixed, &moving], &mut memory);
                if link.gap < -depth * radius {
                    break;
                }
                if link.gap < 0.0 {
                    let least = solver.link(pair, [&fixed, &moving], &mut LinkMemory::default());
                    excesses.push((least.gap - link.gap) / radius);
                }
                let distance = moving.position.iter().map(|x| x * x).sum::<f64>().sqrt();
                moving.position = moving.position.map(|x| x - 1e-3 * x / distance);
            }
        }
        let share = |limit: f64| {
            100.0 * excesses.iter().filter(|&&excess| excess < limit).count() as f64
                / excesses.len().max(1) as f64
        };
        let worst = excesses.iter().copied().fold(0.0, f64::max);
        println!("| {depth} | {:.2} % | {:.2} % | {worst:.3} |", share(1e-9), share(1e-2));
    }
}

fn threads(side: usize, steps: usize) {
    let heap = Heap::new(side);
    let [one, two] = [1, 2].map(|threads| heap.run(LinkMethod::ShortestLink, threads, steps).0);
    println!("\nTwo threads: {:.2} times faster than one ({:.0} ns per pair).", one / two, 1e9 * two);
}
