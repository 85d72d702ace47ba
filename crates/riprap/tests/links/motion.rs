//! Links along trajectories, many at once.

use riprap::Random;
use riprap::broad::Pair;
use riprap::convex::{Link, LinkMemory, LinkMethod, Links, PlacedBodies, Polyhedron, Pose, Solver};

use super::long::cases;
use super::oracle::{CLASSES, Case, along, body, direction, length, poses, quaternion, sub};

/// Moves a pose by a step and turns it about an axis.
struct Motion {
    position: [f64; 3],
    quaternion: [f64; 4],
    velocity: [f64; 3],
    axis: [f64; 3],
}

impl Motion {
    fn new(position: [f64; 3], random: &mut Random) -> Self {
        Self {
            position,
            quaternion: quaternion(random),
            velocity: direction(random),
            axis: direction(random),
        }
    }

    fn pose(&self) -> Pose<3> {
        Pose::from_quaternion(self.position, self.quaternion).unwrap()
    }

    fn advance(&mut self, step: f64) {
        self.position = along(self.position, step, self.velocity);
        let ([w, x, y, z], [i, j, k]) = (self.quaternion, self.axis.map(|a| 0.5 * step * a));
        self.quaternion = [
            w - i * x - j * y - k * z,
            x + i * w + j * z - k * y,
            y + j * w + k * x - i * z,
            z + k * w + i * y - j * x,
        ];
    }
}

/// Bodies that only just touch, and do not move: their link stays as it is.
#[test]
fn links_of_touching_bodies_do_not_jump() {
    let mut random = Random::new(7);
    let mut solver = Solver::new(LinkMethod::ShortestLink);
    let (mut touching, mut jumps) = (0, Vec::new());
    for class in CLASSES {
        let shapes: Vec<Polyhedron> = (0..4).map(|_| body(class, &mut random)).collect();
        for _ in 0..cases(300) {
            let bodies = [&shapes[random.below(4)], &shapes[random.below(4)]];
            let mut poses = poses(bodies, &mut random);
            let case = Case { bodies, poses };
            let apart = case.cold(LinkMethod::ShortestLink);
            if apart.gap <= 0.0 {
                continue;
            }
            // From a tenth of a billionth of the size to a hundred of them.
            let overlap = case.size() * 10f64.powf(random.uniform(-11.0, -7.0));
            poses[1].position = along(poses[1].position, -apart.gap - overlap, apart.normal);
            let mut memory = LinkMemory::default();
            let first = solver.link(bodies, poses.each_ref(), &mut memory);
            let second = solver.link(bodies, poses.each_ref(), &mut memory);
            let third = solver.link(bodies, poses.each_ref(), &mut memory);
            touching += 1;
            for (before, after) in [(&first, &second), (&second, &third)] {
                let jump = length(sub(before.normal, after.normal));
                if jump > 1e-6 {
                    jumps.push((class, overlap / case.size(), jump));
                }
            }
        }
    }
    assert!(touching > 500, "{touching}");
    assert!(jumps.is_empty(), "{} of {touching}: {jumps:?}", jumps.len());
}

#[test]
fn warm_equals_cold_along_trajectories() {
    let mut random = Random::new(1);
    for class in CLASSES {
        let shapes: Vec<Polyhedron> = (0..4).map(|_| body(class, &mut random)).collect();
        let mut solver = Solver::new(LinkMethod::ShortestLink);
        let (mut overlaps, mut equal, mut worst) = (0usize, 0usize, 0.0f64);
        for _ in 0..60 {
            let bodies = [&shapes[random.below(4)], &shapes[random.below(4)]];
            let mut motions = poses(bodies, &mut random).map(|pose| Motion::new(pose.position, &mut random));
            let step = [1e-3, 1e-2, 0.1][random.below(3)];
            let mut memory = LinkMemory::default();
            for _ in 0..60 {
                let poses = motions.each_ref().map(Motion::pose);
                let case = Case { bodies, poses };
                let warm = solver.link(bodies, poses.each_ref(), &mut memory);
                let cold = case.cold(LinkMethod::ShortestLink);
                case.check(&warm, 1e-12);
                if cold.gap > 0.0 {
                    assert!((warm.gap - cold.gap).abs() < 1e-12 * case.size(), "{class} {warm:?} {cold:?}");
                    if cold.gap > 1e-6 {
                        assert!(length(sub(warm.normal, cold.normal)) < 1e-8, "{class} {warm:?} {cold:?}");
                    }
                } else {
                    // History may keep another plane than that of the least overlap, never one that overlaps less.
                    overlaps += 1;
                    let more = cold.gap - warm.gap;
                    assert!(
                        warm.gap <= 1e-12 * case.size() && more > -1e-12 * case.size(),
                        "{class} {warm:?} {cold:?}"
                    );
                    equal += usize::from(more < 1e-9);
                    worst = worst.max(more / case.size());
                }
                motions.iter_mut().for_each(|motion| motion.advance(step));
            }
        }
        // Deep overlaps from fast motion: still mostly the least one, and never far from it.
        assert!(equal * 10 >= overlaps * 7 && worst < 0.75, "{class}: {equal} of {overlaps}, worst {worst}");
    }
}

#[test]
fn small_overlaps_keep_the_plane_of_the_approach() {
    // Bodies approach, touch and overlap by up to a hundredth of their size: the overlap stays close to the least one.
    let mut random = Random::new(2);
    for class in ["tetrahedron", "pyramid", "cube", "fourteen", "stone"] {
        let shapes: Vec<Polyhedron> = (0..4).map(|_| body(class, &mut random)).collect();
        let mut solver = Solver::new(LinkMethod::ShortestLink);
        let (mut overlaps, mut equal) = (0usize, 0usize);
        for _ in 0..200 {
            let bodies = [&shapes[random.below(4)], &shapes[random.below(4)]];
            let mut poses = poses(bodies, &mut random);
            let toward = direction(&mut random);
            let start = Case { bodies, poses: [poses[0], Pose { position: poses[0].position, ..poses[1] }] };
            let distance = 0.02 - start.gap_along(toward);
            poses[1].position = along(poses[0].position, distance, toward);
            let mut memory = LinkMemory::default();
            for _ in 0..200 {
                let link = solver.link(bodies, [&poses[0], &poses[1]], &mut memory);
                if link.gap < -0.01 {
                    break;
                }
                if link.gap < 0.0 {
                    let case = Case { bodies, poses };
                    overlaps += 1;
                    equal += usize::from((link.gap - case.cold(LinkMethod::ShortestLink).gap).abs() < 1e-9);
                }
                poses[1].position = along(poses[1].position, -1e-3, toward);
            }
        }
        assert!(overlaps > 500 && equal * 100 >= overlaps * 95, "{class}: {equal} of {overlaps}");
    }
}

/// A dense heap of bodies of the paper's four shapes that move at random, and all pairs that are near.
struct Heap {
    shapes: Vec<Polyhedron>,
    shape_of: Vec<u32>,
    motions: Vec<Motion>,
}

impl Heap {
    fn new(side: usize, random: &mut Random) -> Self {
        let shapes = ["tetrahedron", "pyramid", "cube", "fourteen"].map(|class| body(class, random)).to_vec();
        let count = side * side * side;
        let shape_of = (0..count).map(|_| random.below(4) as u32).collect();
        let place = |i: usize| [i % side, i / side % side, i / side / side].map(|x| 0.95 * x as f64);
        let motions = (0..count).map(|i| Motion::new(place(i), random)).collect();
        Self { shapes, shape_of, motions }
    }

    fn poses(&self) -> Vec<Pose<3>> {
        self.motions.iter().map(Motion::pose).collect()
    }

    fn near(&self, reach: f64) -> Vec<Pair> {
        let mut pairs = Vec::new();
        for (b, second) in self.motions.iter().enumerate() {
            for (a, first) in self.motions[..b].iter().enumerate() {
                if length(sub(first.position, second.position)) < reach {
                    pairs.push(Pair { a: a as u32, b: b as u32 });
                }
            }
        }
        pairs
    }
}

#[test]
fn two_rounds_suffice_in_a_moving_heap() {
    let mut random = Random::new(3);
    let mut heap = Heap::new(6, &mut random);
    let pairs = heap.near(1.5);
    let mut links = Links::new(LinkMethod::ShortestLink, 1);
    let mut found = Vec::new();
    // All pairs, and those in contact.
    let (mut total, mut few) = ([0usize; 2], [0usize; 2]);
    for step in 0..40 {
        let poses = heap.poses();
        let placed = PlacedBodies { shapes: &heap.shapes, shape_of: &heap.shape_of, poses: &poses };
        links.find(placed, &pairs, &mut found).unwrap();
        if step > 0 {
            for link in &found {
                for kind in 0..1 + usize::from(link.in_contact()) {
                    total[kind] += 1;
                    few[kind] += usize::from(link.iterations <= 2);
                }
            }
        }
        heap.motions.iter_mut().for_each(|motion| motion.advance(1e-3));
    }
    assert!((0..2).all(|kind| few[kind] * 100 >= total[kind] * 98), "{few:?} of {total:?}");
}

#[test]
fn leaps_are_noticed() {
    let mut random = Random::new(4);
    for class in ["tetrahedron", "cube", "fourteen", "stone", "needle"] {
        let shapes: Vec<Polyhedron> = (0..4).map(|_| body(class, &mut random)).collect();
        for _ in 0..2000 {
            let bodies = [&shapes[random.below(4)], &shapes[random.below(4)]];
            let mut memory = LinkMemory::default();
            let mut deep = Case { bodies, poses: poses(bodies, &mut random) };
            deep.poses[1].position = along(deep.poses[0].position, 0.1, direction(&mut random));
            deep.link(LinkMethod::ShortestLink, &mut memory);
            // Somewhere else, and just touching or with a small overlap there.
            let mut case = Case { bodies, poses: poses(bodies, &mut random) };
            let link = case.cold(LinkMethod::ShortestLink);
            let overlap = [0.0, 1e-12, 1e-6, 0.01][random.below(4)];
            case.poses[1].position = along(case.poses[1].position, -link.gap - overlap, link.normal);
            let (cold, warm) =
                (case.cold(LinkMethod::ShortestLink), case.link(LinkMethod::ShortestLink, &mut memory));
            let extent = case.gap_along(warm.normal);
            assert!((extent - warm.gap).abs() < 1e-12 * case.size(), "{class} {extent} {warm:?}");
            let size = bodies[0].radius().max(bodies[1].radius());
            let allowed = if overlap < 1e-9 { 1e-9 * size } else { (-2.0 * cold.gap).max(1e-3 * size) };
            assert!(-warm.gap <= allowed, "{class} {cold:?} {warm:?}");
        }
    }
}

#[test]
fn sliding_bodies_overlap_at_most_twice_the_least() {
    // Off each other's side, down to touching and beyond.
    let cube = riprap::convex::shapes::cuboid([1.0; 3]);
    let mut memory = LinkMemory::default();
    for x in [0.0, 0.5, 0.9, 0.95, 0.99, 0.999, 1.0, 1.0, 1.0 + 1e-14, 1.001] {
        let case = Case { bodies: [&cube; 2], poses: [Pose::at([0.0; 3]), Pose::at([x, 0.0, 0.9])] };
        let (cold, warm) =
            (case.cold(LinkMethod::ShortestLink), case.link(LinkMethod::ShortestLink, &mut memory));
        assert!(
            warm.gap >= 2.0 * cold.gap - 1e-3 && (cold.gap < 0.0 || warm.gap == cold.gap),
            "{x} {warm:?}"
        );
    }
    let mut random = Random::new(5);
    for class in ["tetrahedron", "cube", "fourteen", "stone", "plate"] {
        let shapes: Vec<Polyhedron> = (0..4).map(|_| body(class, &mut random)).collect();
        let (mut overlaps, mut larger) = (0usize, 0usize);
        for _ in 0..300 {
            let bodies = [&shapes[random.below(4)], &shapes[random.below(4)]];
            let mut motions = poses(bodies, &mut random).map(|pose| Motion::new(pose.position, &mut random));
            motions[1].position = along(motions[0].position, 0.4, direction(&mut random));
            let mut memory = LinkMemory::default();
            for _ in 0..150 {
                let case = Case { bodies, poses: motions.each_ref().map(Motion::pose) };
                let (cold, warm) =
                    (case.cold(LinkMethod::ShortestLink), case.link(LinkMethod::ShortestLink, &mut memory));
                let size = bodies[0].radius().max(bodies[1].radius());
                if cold.gap <= 0.0 {
                    overlaps += 1;
                    larger += usize::from(-warm.gap > (-2.0 * cold.gap).max(1e-3 * size));
                }
                motions.iter_mut().for_each(|motion| motion.advance(3e-3));
            }
        }
        // What the bodies have turned by is known from the plane only, so a few slip through.
        assert!(overlaps > 5000 && larger * 1000 <= overlaps, "{class}: {larger} of {overlaps}");
    }
}

#[test]
fn tips_do_not_stay_on_tips() {
    // The plane between two tips overlaps less when it turns either way.
    let (mut solver, mut memory) = (Solver::new(LinkMethod::ShortestLink), LinkMemory::default());
    let diamond =
        riprap::convex::Polygon::from_points(&[[-1.0, 0.0], [0.0, -1.0], [1.0, 0.0], [0.0, 1.0]]).unwrap();
    for x in [2.1, 2.01, 1.99, 1.9, 1.5] {
        let poses = [Pose::at([0.0, 0.0]), Pose::at([x, 0.0])];
        let link = solver.link([&diamond; 2], poses.each_ref(), &mut memory);
        let expected = if x > 2.0 { x - 2.0 } else { (x - 2.0) / 2f64.sqrt() };
        assert!((link.gap - expected).abs() < 1e-12, "{x} {link:?}");
    }
    let (mut solver, mut memory) = (Solver::new(LinkMethod::ShortestLink), LinkMemory::default());
    let body = riprap::convex::shapes::fourteen();
    let top = body.vertices().iter().map(|v| v[2]).fold(0.0, f64::max);
    for gap in [0.01, 1e-3, -1e-3, -0.01, -0.05] {
        let case =
            Case { bodies: [&body; 2], poses: [Pose::at([0.0; 3]), Pose::at([0.0, 0.0, 2.0 * top + gap])] };
        let link = solver.link(case.bodies, case.poses.each_ref(), &mut memory);
        assert!((link.gap - case.cold(LinkMethod::ShortestLink).gap).abs() < 1e-12, "{gap} {link:?}");
    }
}

#[test]
fn threads_change_no_bit_and_pairs_may_come_and_go() {
    for method in LinkMethod::ALL.iter().map(|(method, ..)| *method) {
        let run = |threads: usize| -> Vec<Link<3>> {
            let mut random = Random::new(4);
            let mut heap = Heap::new(5, &mut random);
            let mut links = Links::new(method, threads);
            let (mut found, mut all) = (Vec::new(), Vec::new());
            for step in 0..6 {
                let poses = heap.poses();
                let placed = PlacedBodies { shapes: &heap.shapes, shape_of: &heap.shape_of, poses: &poses };
                // The list changes from time to time: some leave, some come, the order is another.
                let mut pairs = heap.near(if step < 3 { 1.4 } else { 1.6 });
                if step % 2 == 1 {
                    pairs.reverse();
                }
                links.find(placed, &pairs, &mut found).unwrap();
                all.extend_from_slice(&found);
                heap.motions.iter_mut().for_each(|motion| motion.advance(0.01));
            }
            all
        };
        let one = run(1);
        assert!(one.len() > 2000);
        for threads in [2, 3, 7] {
            let other = run(threads);
            let bits = |link: &Link<3>| {
                let numbers = link.normal.iter().chain(&link.points[0]).chain(&link.points[1]);
                (link.gap.to_bits(), numbers.map(|x| x.to_bits()).collect::<Vec<_>>(), link.iterations)
            };
            assert!(one.len() == other.len() && one.iter().zip(&other).all(|(x, y)| bits(x) == bits(y)));
        }
    }
}

#[test]
fn a_pair_keeps_its_memory_when_the_list_changes() {
    let mut random = Random::new(5);
    let heap = Heap::new(4, &mut random);
    let poses = heap.poses();
    let placed = PlacedBodies { shapes: &heap.shapes, shape_of: &heap.shape_of, poses: &poses };
    let mut pairs = heap.near(1.5);
    let mut links = Links::new(LinkMethod::ShortestLink, 1);
    let mut found = Vec::new();
    links.find(placed, &pairs, &mut found).unwrap();
    assert!(found.iter().any(|link| link.iterations > 1));
    pairs.reverse();
    pairs.truncate(pairs.len() / 2);
    links.find(placed, &pairs, &mut found).unwrap();
    // From its last link each takes one round, or one more to see that the normal of a contact stays.
    assert!(found.iter().all(|link| link.iterations <= 2));
    links.forget();
    links.find(placed, &pairs, &mut found).unwrap();
    assert!(found.iter().any(|link| link.iterations > 2));
}

#[test]
fn numbers_that_do_not_fit_are_refused() {
    let shapes = [riprap::convex::shapes::cube()];
    let poses = [Pose::at([0.0; 3]), Pose::at([2.0, 0.0, 0.0])];
    let mut links = Links::new(LinkMethod::ShortestLink, 1);
    let mut found = Vec::new();
    let mut refuse = |shape_of: &[u32], pair: Pair| {
        let placed = PlacedBodies { shapes: &shapes, shape_of, poses: &poses };
        links.find(placed, &[pair], &mut found).unwrap_err().to_string()
    };
    assert!(refuse(&[0], Pair { a: 0, b: 1 }).contains("as many as poses"));
    assert!(refuse(&[0, 1], Pair { a: 0, b: 1 }).contains("one of the shapes"));
    assert!(refuse(&[0, 0], Pair { a: 0, b: 2 }).contains("body of a pair is 2"));
    let here = Pose::at([0.0; 3]);
    for (pose, expected) in [
        (Pose::at([f64::NAN, 0.0, 0.0]), "coordinate in a pose is NaN"),
        (Pose { rotation: [[0.0; 3]; 3], ..here }, "off by is 3"),
        (Pose { rotation: here.rotation.map(|row| row.map(|x| 2.0 * x)), ..here }, "off by is 9"),
        (Pose { rotation: [[f64::NAN; 3]; 3], ..here }, "off by is NaN"),
    ] {
        let placed = PlacedBodies { shapes: &shapes, shape_of: &[0, 0], poses: &[here, pose] };
        let refusal = links.find(placed, &[Pair { a: 0, b: 1 }], &mut found).unwrap_err().to_string();
        assert!(refusal.contains(expected), "{refusal}");
    }
}
