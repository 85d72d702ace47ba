//! Compounds of convex bodies, and of these and balls.

use riprap::Random;
use riprap::convex::Pose;
use riprap::shape::{Built, Part, by_name, from_pieces, from_vertices};

use super::long::cases;
use super::oracle::{check, check_moved, planar_rotation, rotation, same, unit_volume};

const UPRIGHT: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

fn volume<const D: usize>(built: &Built<D>) -> f64 {
    unit_volume(D) * built.size.powi(D as i32)
}

/// The corners of a box.
fn cuboid<const D: usize>(low: [f64; D], high: [f64; D]) -> Vec<[f64; D]> {
    (0..1usize << D)
        .map(|k| std::array::from_fn(|i| if k >> i & 1 == 0 { low[i] } else { high[i] }))
        .collect()
}

fn of_boxes<const D: usize>(boxes: &[[[f64; D]; 2]]) -> Built<D> {
    let corners: Vec<Vec<[f64; D]>> = boxes.iter().map(|[low, high]| cuboid(*low, *high)).collect();
    let parts: Vec<Part<'_, D>> = corners.iter().map(|corners| Part::Hull(corners)).collect();
    from_pieces("boxes", &parts).unwrap()
}

/// The origin and random points about a place: stones that overlap.
fn points<const D: usize>(count: usize, center: [f64; D], random: &mut Random) -> Vec<[f64; D]> {
    let around = (0..count).map(|_| std::array::from_fn(|k| center[k] + random.uniform(-1.0, 1.0)));
    around.chain([[0.0; D]]).collect()
}

/// A ball about one of these points.
fn ball_at<const D: usize>(points: &[[f64; D]], random: &mut Random) -> Part<'static, D> {
    Part::Ball { center: points[random.below(points.len())], radius: random.uniform(0.3, 0.9) }
}

#[test]
fn a_box_has_its_moments_and_keeps_its_axes() {
    let built = of_boxes(&[[[1.0, 2.0, 3.0], [2.0, 4.0, 6.0]]]);
    assert_eq!(built.pose.rotation, UPRIGHT);
    assert!((volume(&built) - 6.0).abs() < 1e-14);
    for (k, squares) in [(0, 13.0), (1, 10.0), (2, 5.0)] {
        assert!((built.shape.inertia[k] * built.size * built.size - squares / 12.0).abs() < 1e-14);
    }
    assert!((built.shape.reach * built.size - 0.5 * 14f64.sqrt()).abs() < 1e-14);
    let flat = of_boxes(&[[[1.0, 2.0], [2.0, 4.0]]]);
    assert!((flat.shape.inertia[2] * flat.size * flat.size - 5.0 / 12.0).abs() < 1e-15);
}

/// A turned box is turned back, and its corners are where they were.
#[test]
fn a_turned_box_finds_its_axes() {
    let mut random = Random::new(3);
    for _ in 0..cases(100) {
        let pose = Pose { position: [3.0, 1.0, -2.0], rotation: rotation(&mut random) };
        let corners: Vec<[f64; 3]> = cuboid([-0.5, -1.0, -1.5], [0.5, 1.0, 1.5])
            .into_iter()
            .map(|corner| pose.place(corner))
            .collect();
        let built = from_vertices("box", &corners).unwrap();
        let mut inertia = built.shape.inertia.map(|x| x * built.size * built.size * 12.0);
        inertia.sort_by(f64::total_cmp);
        assert!((0..3).all(|k| (inertia[k] - [5.0, 10.0, 13.0][k]).abs() < 1e-12), "{inertia:?}");
        let r = built.pose.rotation;
        let determinant: f64 = (0..3)
            .map(|k| {
                r[0][k] * (r[1][(k + 1) % 3] * r[2][(k + 2) % 3] - r[1][(k + 2) % 3] * r[2][(k + 1) % 3])
            })
            .sum();
        assert!((determinant - 1.0).abs() < 1e-13);
        for vertex in built.shape.vertices() {
            let place = built.pose.place(vertex.map(|x| x * built.size));
            assert!(corners.iter().any(|corner| (0..3).all(|k| (corner[k] - place[k]).abs() < 1e-13)));
            let mut extents = vertex.map(|x| (x * built.size).abs());
            extents.sort_by(f64::total_cmp);
            assert!((0..3).all(|k| (extents[k] - [0.5, 1.0, 1.5][k]).abs() < 1e-13));
        }
    }
}

/// Boxes that touch in faces, overlap, or are inside each other, against the boxes of the same body that only touch.
#[test]
fn an_l_is_an_l_however_it_is_cut() {
    let expected = of_boxes(&[[[0.0; 3], [2.0, 1.0, 1.0]], [[0.0, 1.0, 0.0], [1.0, 2.0, 1.0]]]);
    assert!((volume(&expected) - 3.0).abs() < 1e-13);
    assert!((expected.pose.position[0] - 5.0 / 6.0).abs() < 1e-14);
    let long = [[0.0; 3], [1.0, 2.0, 1.0]];
    for boxes in [
        vec![[[0.0; 3], [2.0, 1.0, 1.0]], long],
        vec![long, [[1.0, 0.0, 0.0], [2.0, 1.0, 1.0]]],
        vec![long, [[1.0 - 1e-9, 0.0, 0.0], [2.0, 1.0, 1.0]]],
        vec![long, [[1.0 + 1e-16, 0.0, 0.0], [2.0, 1.0, 1.0]]],
        vec![[[0.0; 3], [2.0, 1.0, 1.0]], long, long, [[0.0; 3], [1.0; 3]], [[0.1; 3], [0.5; 3]]],
    ] {
        let built = of_boxes(&boxes);
        assert!((built.size / expected.size - 1.0).abs() < 1e-14, "{boxes:?}: {}", volume(&built));
        assert!((0..3).all(|k| (built.pose.position[k] - expected.pose.position[k]).abs() < 1e-14));
        assert!((0..3).all(|k| (built.shape.inertia[k] / expected.shape.inertia[k] - 1.0).abs() < 1e-13));
    }
    let flat = of_boxes(&[[[0.0; 2], [2.0, 1.0]], [[0.0; 2], [1.0, 2.0]]]);
    assert!((volume(&flat) - 3.0).abs() < 1e-14 && (flat.pose.position[0] - 5.0 / 6.0).abs() < 1e-15);
}

/// A ring of boxes has a hole.
#[test]
fn a_ring_of_boxes_has_a_hole() {
    let ring = |z: f64| {
        [
            [[-2.0, -2.0, 0.0], [2.0, -1.0, z]],
            [[-2.0, 1.0, 0.0], [2.0, 2.0, z]],
            [[-2.0, -2.0, 0.0], [-1.0, 2.0, z]],
            [[1.0, -2.0, 0.0], [2.0, 2.0, z]],
        ]
    };
    let built = of_boxes(&ring(0.5));
    assert!((volume(&built) - 6.0).abs() < 1e-13);
    // The large square less the small one.
    let along = (16.0 * 16.0 / 6.0 - 4.0 * 4.0 / 6.0) / 12.0;
    assert!((built.shape.inertia[2] * built.size * built.size - along).abs() < 1e-13);
    let flat = of_boxes(&ring(0.5).map(|corners| corners.map(|[x, y, _]| [x, y])));
    assert!((volume(&flat) - 12.0).abs() < 1e-13);
    assert!((flat.shape.inertia[2] * flat.size * flat.size - along).abs() < 1e-13);
    assert!((0..2).all(|k| flat.pose.position[k].abs() < 1e-14));
}

/// Two pyramids on one base, an octahedron; and a cube with eight corners cut off, put back.
#[test]
fn pieces_of_a_body_make_the_body() {
    let base = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]];
    let [up, down] = [1.0, -1.0].map(|z| [base.to_vec(), vec![[0.0, 0.0, z]]].concat());
    let built = from_pieces("octahedron", &[Part::Hull(&up), Part::Hull(&down)]).unwrap();
    assert!((volume(&built) - 4.0 / 3.0).abs() < 1e-14);
    assert!(built.shape.inertia.iter().all(|x| (x * built.size * built.size - 0.2).abs() < 1e-14));

    // Around a point inside: cones over the faces of a stone, turned anyhow.
    let mut random = Random::new(4);
    for _ in 0..cases(10) {
        let stone = riprap::convex::Polyhedron::from_points(&points(20, [0.5; 3], &mut random)).unwrap();
        let whole = from_vertices("whole", stone.vertices()).unwrap();
        let cones: Vec<Vec<[f64; 3]>> = (0..stone.facets().len() as u32)
            .map(|facet| {
                let corners =
                    stone.corners(facet).iter().map(|corner| stone.vertices()[corner.vertex as usize]);
                corners.chain([[0.01, 0.02, -0.01]]).collect()
            })
            .collect();
        let parts: Vec<Part<'_, 3>> = cones.iter().map(|cone| Part::Hull(cone)).collect();
        let glued = from_pieces("glued", &parts).unwrap();
        assert!((glued.size / whole.size - 1.0).abs() < 1e-13, "{} {}", glued.size, whole.size);
        let sorted = |mut inertia: [f64; 3]| {
            inertia.sort_by(f64::total_cmp);
            inertia
        };
        let (x, y) = (sorted(glued.shape.inertia), sorted(whole.shape.inertia));
        assert!((0..3).all(|k| (x[k] / y[k] - 1.0).abs() < 1e-12), "{x:?} {y:?}");
    }
}

#[test]
fn lines_through_random_compounds() {
    let mut random = Random::new(5);
    for case in 0..cases(10) {
        let count = 2 + case % 5;
        let stones: Vec<Vec<[f64; 3]>> = (0..count)
            .map(|_| {
                let center = std::array::from_fn(|_| random.uniform(-0.5, 0.5));
                points(10, center, &mut random)
            })
            .collect();
        let mut parts: Vec<Part<'_, 3>> = stones.iter().map(|stone| Part::Hull(stone)).collect();
        check(&from_pieces("stones", &parts).unwrap().shape, 400, 2e-4);
        for _ in 0..1 + case % 2 {
            parts.push(ball_at(&stones[0], &mut random));
        }
        check(&from_pieces("mixed", &parts).unwrap().shape, 400, 2e-4);

        let flat: Vec<Vec<[f64; 2]>> = (0..count)
            .map(|_| {
                let center = std::array::from_fn(|_| random.uniform(-0.5, 0.5));
                points(8, center, &mut random)
            })
            .collect();
        let mut parts: Vec<Part<'_, 2>> = flat.iter().map(|stone| Part::Hull(stone)).collect();
        check(&from_pieces("pebbles", &parts).unwrap().shape, 20_000, 2e-5);
        parts.push(ball_at(&flat[0], &mut random));
        check(&from_pieces("mixed", &parts).unwrap().shape, 20_000, 2e-5);
    }
}

/// Turned, sections are others.
#[test]
fn moved_compounds_are_the_same() {
    let mut random = Random::new(6);
    for case in 0..cases(10) {
        let stones: Vec<Vec<[f64; 3]>> =
            (0..2 + case % 4).map(|_| points(10, [0.0; 3], &mut random)).collect();
        let mut parts: Vec<Part<'_, 3>> = stones.iter().map(|stone| Part::Hull(stone)).collect();
        check_moved(&parts, rotation(&mut random), 1e-5, [0.1, 0.0, -0.2], 1e-12);
        parts.push(ball_at(&stones[0], &mut random));
        check_moved(&parts, rotation(&mut random), 0.3, [0.1, 0.0, -0.2], 1e-10);

        let pebbles: Vec<Vec<[f64; 2]>> =
            (0..2 + case % 6).map(|_| points(8, [0.0; 2], &mut random)).collect();
        let mut parts: Vec<Part<'_, 2>> = pebbles.iter().map(|stone| Part::Hull(stone)).collect();
        parts.push(ball_at(&pebbles[0], &mut random));
        check_moved(&parts, planar_rotation(&mut random), 1e3, [0.1, 0.7], 1e-13);
    }
}

/// Cubes turned about one axis or stacked with faces on faces, turned as a whole: touching faces are rounded anyhow.
#[test]
fn faces_on_faces_turned_as_a_whole() {
    let cube = by_name::<3>("cube").unwrap();
    let mut random = Random::new(8);
    for case in 0..cases(20) {
        let pose = Pose { position: [random.uniform(-9.0, 9.0), 0.3, 0.1], rotation: rotation(&mut random) };
        let count = 2 + case % 5;
        let parts: Vec<Part<'_, 3>> = (0..count)
            .map(|k| {
                let position = pose.place([k as f64, 0.5 * (k % 2) as f64, 0.0]);
                Part::Shape { shape: &cube.shape, size: cube.size, pose: Pose { position, ..pose } }
            })
            .collect();
        let built = from_pieces("row", &parts).unwrap();
        assert!((volume(&built) / count as f64 - 1.0).abs() < 1e-12, "{}", volume(&built));
        // Twice over, they are the same.
        let twice = from_pieces("twice", &[parts.clone(), parts].concat()).unwrap();
        same(&built, &twice, 1e-12);
    }
}

/// A ball and a cube around its centre: the cube less its eighth, with a plane through the centre of the ball.
#[test]
fn a_ball_half_in_a_box() {
    let slab = cuboid([-3.0, -3.0, -1.0], [3.0, 3.0, 0.0]);
    for part in [0.0, 0.3, -0.7] {
        let ball = Part::Ball { center: [0.1, -0.2, part], radius: 1.0 };
        let built = from_pieces("half", &[Part::Hull(&slab), ball]).unwrap();
        // Of the ball, the cap above the slab and, if it reaches that far, the one below.
        let cap = |h: f64| if h > 0.0 { std::f64::consts::PI * h * h * (1.0 - h / 3.0) } else { 0.0 };
        let expected = 36.0 + cap(1.0 + part) + cap(-part);
        assert!((volume(&built) / expected - 1.0).abs() < 1e-12, "{part}: {} {expected}", volume(&built));
    }
    // The same with the disk.
    let slab = cuboid([-3.0, -1.0], [3.0, 0.0]);
    let built =
        from_pieces("half", &[Part::Hull(&slab), Part::Ball { center: [0.1, 0.0], radius: 1.0 }]).unwrap();
    assert!((volume(&built) / (6.0 + 0.5 * std::f64::consts::PI) - 1.0).abs() < 1e-14);
}
