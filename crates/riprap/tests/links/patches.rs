//! Faces on faces: where they are in contact, and how much of them.

use riprap::Random;
use riprap::convex::{LinkMemory, LinkMethod, Polygon, Polyhedron, Pose, Solver, shapes};

use super::oracle::{Case, length, quaternion, sub};

fn at(x: f64, y: f64, z: f64) -> Pose<3> {
    Pose::at([x, y, z])
}

#[test]
fn a_box_rests_on_the_middle_of_the_common_face() {
    let (slab, cube) = (shapes::cuboid([4.0, 4.0, 1.0]), shapes::cube());
    let mut solver = Solver::new(LinkMethod::ShortestLink);
    for overlap in [0.0, 1e-9, 1e-3] {
        for (x, expected_x, area) in [(0.0, 0.0, 1.0), (1.75, 1.625, 0.75), (-2.25, -1.875, 0.25)] {
            let mut memory = LinkMemory::default();
            for _ in 0..2 {
                let pose = at(x, 0.5, 1.0 - overlap);
                let link = solver.link([&slab, &cube], [&at(0.0, 0.0, 0.0), &pose], &mut memory);
                assert!(
                    (link.gap + overlap).abs() < 1e-15 && length(sub(link.normal, [0.0, 0.0, 1.0])) < 1e-15
                );
                let patch = link.patch.expect("a face on a face");
                assert!((patch.area - area).abs() < 1e-12, "{patch:?}");
                let middle = [expected_x, 0.5, 0.5 - 0.5 * overlap];
                assert!(length(sub(patch.center, middle)) < 1e-12, "{patch:?}");
                assert_eq!(link.contact_point(), patch.center);
            }
        }
    }
    // Turned about the vertical, a quarter of the cube's width beyond the edge.
    let turned = Pose::from_quaternion([0.0, 0.0, 1.0], [1.0, 0.0, 0.0, 0.3]).unwrap();
    let link = solver.link([&slab, &cube], [&at(0.0, 0.0, 0.0), &turned], &mut LinkMemory::default());
    let patch = link.patch.unwrap();
    assert!((patch.area - 1.0).abs() < 1e-12 && length(sub(patch.center, [0.0, 0.0, 0.5])) < 1e-12);
    // The plane is the same where nobody asks for the region.
    solver.regions = false;
    let plane = solver.link([&slab, &cube], [&at(0.0, 0.0, 0.0), &turned], &mut LinkMemory::default());
    assert!(plane.patch.is_none() && plane.gap == link.gap && plane.normal == link.normal);
}

#[test]
fn a_tilted_box_presses_where_it_overlaps() {
    let (slab, cube) = (shapes::cuboid([4.0, 4.0, 1.0]), shapes::cube());
    let (angle, overlap) = (1e-3f64, 1e-4);
    // Tilted about y, so that the lower edge is at x = -0.5 and the base leaves the slab at a tenth of its width.
    let pose = |angle: f64| {
        let height = 0.5 * (angle.sin() + angle.cos());
        Pose::from_quaternion(
            [0.0, 0.0, 0.5 + height - overlap],
            [(0.5 * angle).cos(), 0.0, -(0.5 * angle).sin(), 0.0],
        )
        .unwrap()
    };
    let case = Case { bodies: [&slab, &cube], poses: [at(0.0, 0.0, 0.0), pose(angle)] };
    let link = case.cold(LinkMethod::ShortestLink);
    let patch = link.patch.unwrap();
    assert!((patch.area - overlap / angle).abs() < 1e-3, "{patch:?}");
    assert!((patch.center[0] + 0.45).abs() < 2e-3, "{patch:?}");
    // The more it tilts, the closer to the edge; as it comes to rest, the middle.
    let centers = [0.0, 5e-5, 2e-4, 1e-3, 5e-3].map(|angle| {
        let case = Case { poses: [at(0.0, 0.0, 0.0), pose(angle)], ..case };
        case.cold(LinkMethod::ShortestLink).patch.unwrap().center[0]
    });
    assert!(centers[0].abs() < 1e-12 && centers[1].abs() < 1e-4, "{centers:?}");
    assert!(centers.windows(2).all(|pair| pair[1] <= pair[0] + 1e-4), "{centers:?}");
    // A face at an angle is not on a face; its edge is.
    let steep = Case { poses: [at(0.0, 0.0, 0.0), pose(0.08)], ..case }.cold(LinkMethod::ShortestLink);
    assert!(steep.patch.is_some_and(|patch| patch.area == 0.0 && patch.center[1].abs() < 1e-12), "{steep:?}");
}

/// What is left of a number that was written with so many decimals.
fn written(x: f64, decimals: i32) -> f64 {
    let unit = 10f64.powi(decimals);
    (x * unit).round() / unit
}

#[test]
fn faces_of_few_digits_are_whole() {
    // A cube in some orientation, written with a few decimals, has twelve triangles; it rests on all of its base.
    let slab = shapes::cuboid([4.0, 4.0, 1.0]);
    let mut random = Random::new(8);
    for decimals in [6, 7, 9, 12] {
        for _ in 0..50 {
            let turned = Pose::from_quaternion([100.0, -200.0, 300.0], quaternion(&mut random)).unwrap();
            let corners: Vec<[f64; 3]> = shapes::cube()
                .vertices()
                .iter()
                .map(|&corner| turned.place(corner).map(|x| written(x, decimals)))
                .collect();
            let cube = Polyhedron::from_points(&corners).unwrap();
            let rough = 10f64.powi(-decimals);
            for overlap in [10.0 * rough, 1e-3] {
                // Turned back, but for rounding, and set on the slab.
                let rotation = std::array::from_fn(|i| std::array::from_fn(|j| turned.rotation[j][i]));
                let mut pose = Pose { position: [0.0; 3], rotation };
                let lowest = cube.vertices().iter().map(|&v| pose.place(v)[2]).fold(f64::INFINITY, f64::min);
                pose.position = [1.0, 0.5, 0.5 - lowest - overlap];
                let link = Case { bodies: [&slab, &cube], poses: [at(0.0, 0.0, 0.0), pose] }
                    .cold(LinkMethod::ShortestLink);
                let patch = link.patch.expect("a face on a face");
                assert!((patch.area - 1.0).abs() < 20.0 * rough, "{decimals} decimals: {patch:?}");
                let aside = [patch.center[0] - 1.0, patch.center[1] - 0.5];
                assert!(length(aside) < 20.0 * rough, "{decimals} decimals: {patch:?}");
            }
        }
    }
}

#[test]
fn edges_of_few_digits_are_whole() {
    let plank = Polygon::from_points(&[[-2.0, -1.0], [2.0, -1.0], [2.0, 0.0], [-2.0, 0.0]]).unwrap();
    // Its base has a vertex that is a hair lower than the others.
    let brick =
        Polygon::from_points(&[[-0.5, 0.0], [0.1, -1e-6], [0.5, 0.0], [0.5, 1.0], [-0.5, 1.0]]).unwrap();
    for overlap in [1e-7, 1e-4] {
        let [x, y] = brick.centroid();
        let poses = [Pose::at(plank.centroid()), Pose::at([x, y + 1e-6 - overlap])];
        let mut solver = Solver::new(LinkMethod::ShortestLink);
        let link = solver.link([&plank, &brick], poses.each_ref(), &mut LinkMemory::default());
        let patch = link.patch.expect("an edge on an edge");
        assert!((patch.area - 1.0).abs() < 1e-5 && patch.center[0].abs() < 1e-5, "{link:?}");
    }
}

/// A slab, and a box that stands on one of its edges, tilted about y and turned a little about x, with the lowest point this deep.
fn on_edge(y: f64, roll: f64, overlap: f64) -> (Polyhedron, Polyhedron, [Pose<3>; 2]) {
    let (slab, long) = (shapes::cuboid([10.0, 10.0, 1.0]), shapes::cuboid([1.0, 4.0, 1.0]));
    let tilt = 0.5f64;
    let (a, b) = (0.5 * tilt, 0.5 * roll);
    // First about y, then about x.
    let turn = [a.cos() * b.cos(), a.cos() * b.sin(), a.sin() * b.cos(), a.sin() * b.sin()];
    let mut pose = Pose::from_quaternion([0.0; 3], turn).unwrap();
    let lowest = long.vertices().iter().map(|&v| pose.place(v)[2]).fold(f64::INFINITY, f64::min);
    pose.position = [0.0, y, 0.5 - lowest - overlap];
    (slab, long, [at(0.0, 0.0, 0.0), pose])
}

#[test]
fn an_edge_presses_in_its_middle() {
    let mut random = Random::new(9);
    for y in [0.0, 1.0, 2.0, 4.0, 4.5, -4.0] {
        let (slab, long, poses) = on_edge(y, 0.0, 1e-3);
        let expected = 0.5 * ((y - 2.0f64).max(-5.0) + (y + 2.0f64).min(5.0));
        let case = Case { bodies: [&slab, &long], poses };
        let mut memory = LinkMemory::default();
        // Also after it has come from elsewhere.
        for step in 0..20 {
            let mut before = case;
            before.poses[1].position[2] += 1e-3 * f64::from(19 - step);
            before.poses[1].position[1] += 1e-4 * random.normal();
            before.link(LinkMethod::ShortestLink, &mut memory);
        }
        for link in [case.cold(LinkMethod::ShortestLink), case.link(LinkMethod::ShortestLink, &mut memory)] {
            let point = link.contact_point();
            assert!((link.gap + 1e-3).abs() < 1e-12, "{link:?}");
            assert!((point[1] - expected).abs() < 1e-9, "{y} {point:?}");
        }
        let other = case.exchanged().cold(LinkMethod::ShortestLink);
        assert!((other.contact_point()[1] - expected).abs() < 1e-9, "{other:?}");
    }
    // Leaning over lengthwise, it presses with less and less of the edge, down to its end.
    let places = [0.0, 1e-5, 1e-4, 2.5e-4, 1e-3, 1e-2, 0.1].map(|roll| {
        let (slab, long, poses) = on_edge(0.0, roll, 1e-3);
        Case { bodies: [&slab, &long], poses }.cold(LinkMethod::ShortestLink).contact_point()[1].abs()
    });
    assert!(places[0] < 1e-9 && places[2] < 1e-3 && (places[4] - 1.5).abs() < 1e-2, "{places:?}");
    assert!(places[..6].windows(2).all(|pair| pair[1] >= pair[0] - 1e-9), "{places:?}");
}

#[test]
fn an_edge_along_an_edge_presses_in_the_middle_of_both() {
    // Two blades: the upper one is turned by a quarter about the edge that they share, so that edges face each other.
    let blade = |sign: f64| {
        let corners = [[-1.0, -sign], [1.0, -sign], [0.0, 0.0]];
        let points: Vec<[f64; 3]> =
            corners.iter().flat_map(|&[x, z]| [-1.0, 1.0].map(|y| [x, y, 20.0 * z])).collect();
        Polyhedron::from_points(&points).unwrap()
    };
    let (lower, upper) = (blade(1.0), blade(-1.0));
    for shift in [0.0, 0.5, -1.5] {
        let [mut first, mut second] = [&lower, &upper].map(|body| Pose::at(body.centroid()));
        first.position[1] = 0.0;
        second.position[1] = shift;
        for overlap in [0.0, 1e-13] {
            second.position[2] = upper.centroid()[2] - overlap;
            let case = Case { bodies: [&lower, &upper], poses: [first, second] };
            let mut memory = LinkMemory::default();
            let mut before = case;
            before.poses[1].position[2] += 0.01;
            before.link(LinkMethod::ShortestLink, &mut memory);
            let link = case.link(LinkMethod::ShortestLink, &mut memory);
            assert!((link.contact_point()[1] - 0.5 * shift).abs() < 1e-9, "{shift} {link:?}");
        }
    }
}

#[test]
fn a_blunt_ridge_presses_on_both_sides() {
    let slab = shapes::cuboid([4.0, 4.0, 1.0]);
    // A box whose base is a ridge, or a tip, so blunt that it counts as a face.
    let rise = 0.5f64.to_radians().tan();
    let ridge = Polyhedron::from_points(&[
        [-1.0, -1.0, rise],
        [-1.0, 1.0, rise],
        [1.0, -1.0, rise],
        [1.0, 1.0, rise],
        [0.0, -1.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, 0.0, 2.0],
    ])
    .unwrap();
    let tip = Polyhedron::from_points(&[
        [-1.0, -1.0, rise],
        [-1.0, 1.0, rise],
        [1.0, -1.0, rise],
        [1.0, 1.0, rise],
        [0.0, 0.0, 0.0],
        [0.0, 0.0, 2.0],
    ])
    .unwrap();
    for (body, areas) in [(&ridge, [2.0, 4.0]), (&tip, [1.0, 4.0])] {
        for (depth, area) in [0.5 * rise, 2.0 * rise].into_iter().zip(areas) {
            let pose = at(0.0, 0.0, 0.5 + body.centroid()[2] - depth);
            let link = Case { bodies: [&slab, body], poses: [at(0.0, 0.0, 0.0), pose] }
                .cold(LinkMethod::ShortestLink);
            let patch = link.patch.expect("nearly a face on a face");
            assert!(
                (patch.area - area).abs() < 1e-3 && length([patch.center[0], patch.center[1]]) < 1e-3,
                "{link:?}"
            );
        }
    }
}
