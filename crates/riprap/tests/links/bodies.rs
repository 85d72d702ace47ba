//! Bodies: their parts, their mass, and what is refused.

use riprap::Random;
use riprap::convex::{
    Body, Compound, CompoundLinks, LinkMethod, Polygon, Polyhedron, Pose, ShapeError, Solver, shapes,
};

use super::long::cases;
use super::oracle::{CLASSES, body, dot, sub};

fn counts<const D: usize>(body: &Body<D>) -> [usize; 3] {
    [body.vertices().len(), body.edges().len(), body.facets().len()]
}

#[test]
fn ready_made_bodies_have_their_parts_and_volumes() {
    let root = 2f64.sqrt();
    for (body, parts, volume) in [
        (shapes::tetrahedron(), [4, 6, 4], root / 12.0),
        (shapes::pyramid(), [5, 8, 5], root / 6.0),
        (shapes::cube(), [8, 12, 6], 1.0),
        (shapes::fourteen(), [14, 24, 12], 0.25),
        (shapes::cuboid([2.0, 3.0, 5.0]), [8, 12, 6], 30.0),
    ] {
        assert_eq!(counts(&body), parts);
        assert!((body.volume() - volume).abs() < 1e-14 * volume.max(1.0), "{} {volume}", body.volume());
    }
    for count in 3..40 {
        let polygon = shapes::regular_polygon(count);
        let area = 0.125 * count as f64 * (std::f64::consts::TAU / count as f64).sin();
        assert_eq!(counts(&polygon), [count; 3]);
        assert!((polygon.volume() - area).abs() < 1e-14 && (polygon.radius() - 0.5).abs() < 1e-15);
    }
}

#[test]
fn adjacency_is_consistent() {
    let mut random = Random::new(1);
    for class in CLASSES {
        for _ in 0..20 {
            let body = body(class, &mut random);
            let [vertices, edges, faces] = counts(&body);
            assert_eq!(vertices + faces, edges + 2, "Euler");
            let mut named = vec![0; edges];
            for face in 0..faces as u32 {
                let corners = body.corners(face);
                for (k, corner) in corners.iter().enumerate() {
                    let next = corners[(k + 1) % corners.len()].vertex;
                    let edge = &body.edges()[corner.edge as usize];
                    named[corner.edge as usize] += 1;
                    assert!(
                        edge.ends == [corner.vertex, next] && edge.facets[0] == face
                            || edge.ends == [next, corner.vertex] && edge.facets[1] == face
                    );
                    let facet = &body.facets()[face as usize];
                    let height = dot(facet.normal, body.vertices()[corner.vertex as usize]) - facet.offset;
                    assert!(height.abs() < 1e-13);
                }
            }
            assert!(named.iter().all(|&count| count == 2));
            for vertex in 0..vertices as u32 {
                for spoke in body.spokes(vertex) {
                    let ends = body.edges()[spoke.edge as usize].ends;
                    assert!(ends == [vertex, spoke.vertex] || ends == [spoke.vertex, vertex]);
                }
                let point = body.vertices()[vertex as usize];
                assert!(body.facets().iter().all(|facet| dot(facet.normal, point) <= facet.offset + 1e-13));
            }
        }
    }
}

#[test]
fn mass_of_boxes_and_of_random_stones() {
    let brick = shapes::cuboid([2.0, 3.0, 5.0]);
    let inertia = brick.inertia();
    for (k, expected) in [(0, 30.0 / 12.0 * 34.0), (1, 30.0 / 12.0 * 29.0), (2, 30.0 / 12.0 * 13.0)] {
        assert!((inertia[k][k] - expected).abs() < 1e-12);
        assert!(inertia[k][(k + 1) % 3].abs() < 1e-12);
    }
    // A corner of a cube: second moments of the tetrahedron x + y + z < 1 about its centroid, 1/60 - 1/96 and 1/120 - 1/96.
    let corner =
        Polyhedron::from_points(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]).unwrap();
    let (square, product) = (1.0 / 60.0 - 1.0 / 96.0, 1.0 / 120.0 - 1.0 / 96.0);
    assert!((corner.second_moments()[0][0] - square).abs() < 1e-15);
    assert!((corner.second_moments()[0][1] - product).abs() < 1e-15);
    assert!(
        (corner.inertia()[1][2] + product).abs() < 1e-15
            && (corner.inertia()[0][0] - 2.0 * square).abs() < 1e-15
    );
    assert!(corner.vertices().iter().all(|&vertex| corner.contains(vertex)));
    let plate = Polygon::from_points(&[[1.0, 1.0], [3.0, 1.0], [3.0, 4.0], [1.0, 4.0]]).unwrap();
    assert!((plate.volume() - 6.0).abs() < 1e-14 && (plate.inertia() - 6.5).abs() < 1e-13);
    assert!(sub(plate.centroid(), [2.0, 2.5]).iter().all(|x| x.abs() < 1e-15));
    // A stone against random points in its box.
    let mut random = Random::new(2);
    for _ in 0..5 {
        let stone = shapes::stone(30, [1.0, 0.8, 0.6], &mut random);
        let (mut inside, mut first, mut second) = (0.0, [0.0; 3], 0.0);
        let samples = 200_000;
        for _ in 0..samples {
            let point: [f64; 3] = std::array::from_fn(|_| random.uniform(-0.7, 0.7));
            if stone.contains(point) {
                inside += 1.0;
                (0..3).for_each(|k| first[k] += point[k]);
                second += point[0] * point[0];
            }
        }
        let cell = 1.4f64.powi(3) / f64::from(samples);
        assert!((inside * cell / stone.volume() - 1.0).abs() < 0.02);
        assert!(first.iter().all(|sum| (sum / inside).abs() < 5e-3));
        assert!((second * cell / stone.second_moments()[0][0] - 1.0).abs() < 0.05);
    }
}

#[test]
fn coplanar_points_make_one_face_and_inner_ones_none() {
    let mut points = Vec::new();
    for x in 0..4 {
        for y in 0..4 {
            for z in 0..4 {
                points.push([x, y, z].map(f64::from));
            }
        }
    }
    let cube = Polyhedron::from_points(&points).unwrap();
    assert_eq!(counts(&cube), [8, 12, 6]);
    // Turned, the same points are in one plane up to rounding only.
    let pose = Pose::from_quaternion([1.0, -2.0, 0.3], [0.3, 0.5, -0.2, 0.7]).unwrap();
    let turned: Vec<[f64; 3]> = points.iter().map(|&point| pose.place(point)).collect();
    let turned = Polyhedron::from_points(&turned).unwrap();
    assert_eq!(counts(&turned), [8, 12, 6]);
    assert!((turned.volume() - 27.0).abs() < 1e-12);
}

#[test]
fn bodies_from_faces() {
    let (root, faces) =
        ([[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], |list: &[[usize; 3]]| {
            list.iter().map(|face| face.to_vec()).collect::<Vec<_>>()
        });
    let good = faces(&[[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]);
    assert_eq!(counts(&Polyhedron::from_faces(&root, &good).unwrap()), [4, 6, 4]);
    let refuse =
        |vertices: &[[f64; 3]], list: &[Vec<usize>]| Polyhedron::from_faces(vertices, list).unwrap_err();
    let open = refuse(&root, &faces(&[[0, 2, 1], [0, 1, 3], [1, 2, 3]]));
    assert!(matches!(open, ShapeError::Open { face: 0, from: 0, to: 2, .. }), "{open}");
    let twice = refuse(&root, &faces(&[[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3], [0, 2, 1]]));
    assert!(matches!(twice, ShapeError::Open { face: 4, .. }), "{twice}");
    let inside_out = refuse(&root, &faces(&[[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]]));
    assert_eq!(inside_out, ShapeError::InsideOut);
    let unknown = refuse(&root, &faces(&[[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 7]]));
    assert!(unknown.to_string().contains("face 3: names vertex 7, but there are 4"));
    assert!(refuse(&root, &[vec![0, 1]]).to_string().contains("face 0: has 2 vertices"));
    assert!(refuse(&root, &[vec![0, 1, 1]]).to_string().contains("vertex 1 twice"));
    let mut more = root.to_vec();
    more.push([9.0; 3]);
    assert_eq!(refuse(&more, &good), ShapeError::Unused { vertex: 4 });
    // A tetrahedron with a dent: its fifth vertex is inside.
    let dent = [root[0], root[1], root[2], root[3], [0.2, 0.2, 0.2]];
    let list = faces(&[[0, 2, 1], [0, 1, 3], [2, 0, 3], [1, 2, 4], [2, 3, 4], [3, 1, 4]]);
    let text = refuse(&dent, &list).to_string();
    assert!(text.contains("not convex: vertex") && text.contains("in front of face"), "{text}");
    // In the plane, faces are edges.
    let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
    let edges = |list: &[[usize; 2]]| list.iter().map(|edge| edge.to_vec()).collect::<Vec<_>>();
    assert!(Polygon::from_faces(&square, &edges(&[[0, 1], [1, 2], [2, 3], [3, 0]])).is_ok());
    let reversed = Polygon::from_faces(&square, &edges(&[[1, 0], [2, 1], [3, 2], [0, 3]]));
    assert_eq!(reversed.unwrap_err(), ShapeError::InsideOut);
    let gap = Polygon::from_faces(&square, &edges(&[[0, 1], [1, 2], [2, 3]])).unwrap_err().to_string();
    assert!(gap.contains("not closed"), "{gap}");
    let arrow = [[0.0, 0.0], [2.0, 0.0], [0.5, 0.5], [0.0, 2.0]];
    let dented =
        Polygon::from_faces(&arrow, &edges(&[[0, 1], [1, 2], [2, 3], [3, 0]])).unwrap_err().to_string();
    assert!(dented.contains("not convex"), "{dented}");
}

#[test]
fn senseless_points_are_refused() {
    let text = |points: &[[f64; 3]]| Polyhedron::from_points(points).unwrap_err().to_string();
    assert!(text(&[]).contains("0 vertices are too few"));
    assert!(text(&[[0.0; 3]; 3]).contains("at least 4"));
    assert!(text(&[[0.0; 3]; 9]).contains("no volume"));
    assert!(text(&[[0.0; 3], [1.0, f64::NAN, 0.0], [1.0; 3], [2.0; 3]]).contains("vertex 1: `y` is NaN"));
    assert!(
        text(&[[0.0; 3], [1.0, 0.0, f64::INFINITY], [1.0; 3], [2.0; 3]]).contains("vertex 1: `z` is inf")
    );
    assert!(text(&[[0.0; 3], [1e61, 0.0, 0.0], [1.0; 3], [2.0; 3]]).contains("1e60"));
    let line: Vec<[f64; 3]> = (0..9).map(|i| [f64::from(i); 3]).collect();
    assert!(text(&line).contains("no volume"));
    let plane: Vec<[f64; 3]> = (0..9).map(|i| [f64::from(i % 3), f64::from(i / 3), 1.0]).collect();
    assert!(text(&plane).contains("one plane"));
    let thin: Vec<[f64; 3]> =
        (0..9).map(|i| [f64::from(i % 3), f64::from(i / 3), 1e-11 * f64::from(i % 2)]).collect();
    assert!(text(&thin).contains("less than 1e-9 of its size"), "{}", text(&thin));
    let flat = Polygon::from_points(&[[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]]).unwrap_err();
    assert!(matches!(flat, ShapeError::Flat { .. }));
}

#[test]
fn many_points_take_a_moment() {
    let mut random = Random::new(3);
    let count = cases(10_000);
    let stone = shapes::stone(count, [1.0; 3], &mut random);
    assert_eq!(stone.vertices().len(), count);
    assert!((stone.volume() - std::f64::consts::PI / 6.0).abs() < 10.0 / count as f64);
}

#[test]
fn an_angle_iron_of_two_boxes() {
    let piece = |low: [f64; 3], high: [f64; 3]| {
        let corner = |c: usize| std::array::from_fn(|k| if c >> k & 1 == 0 { low[k] } else { high[k] });
        Polyhedron::from_points(&(0..8).map(corner).collect::<Vec<_>>()).unwrap()
    };
    // An L of unit width: 3 long, 2 high.
    let iron = Compound::new(vec![piece([0.0; 3], [3.0, 1.0, 1.0]), piece([0.0, 1.0, 0.0], [1.0, 2.0, 1.0])])
        .unwrap();
    assert!((iron.volume() - 4.0).abs() < 1e-13);
    assert!(sub(iron.centroid(), [1.25, 0.75, 0.5]).iter().all(|x| x.abs() < 1e-14));
    // About the centroid: of x x over both boxes, with their shifts.
    let expected = 3.0 * (9.0 / 12.0 + 0.25 * 0.25) + (1.0 / 12.0 + 0.75 * 0.75);
    assert!((iron.second_moments()[0][0] - expected).abs() < 1e-13);
    let product = 3.0 * 0.25 * -0.25 + -0.75 * 0.75;
    assert!((iron.second_moments()[0][1] - product).abs() < 1e-13);
    assert!((iron.radius() - (1.75f64 * 1.75 + 0.75 * 0.75 + 0.25).sqrt()).abs() < 1e-14);
    // A cube in the inner corner touches both arms; the hull of the iron would overlap it.
    let cube = Compound::new(vec![shapes::cube()]).unwrap();
    let mut links = Vec::new();
    let mut memory = CompoundLinks::default();
    let mut solver = Solver::new(LinkMethod::ShortestLink);
    let place = |x: f64, y: f64| Pose::at(sub([x, y, 0.5], [1.25, 0.75, 0.5]));
    for (x, y, expected) in [(1.5, 1.5, vec![0.0, 0.0]), (1.6, 1.51, vec![0.01]), (1.5, 2.6, vec![])] {
        memory.find(&mut solver, [&iron, &cube], [&Pose::at([0.0; 3]), &place(x, y)], 0.05, &mut links);
        assert!(links.iter().all(|(pieces, _)| pieces[1] == 0));
        let gaps: Vec<f64> = links.iter().map(|(_, link)| link.gap).collect();
        assert_eq!(gaps.len(), expected.len(), "{gaps:?}");
        assert!(gaps.iter().zip(&expected).all(|(gap, expected)| (gap - expected).abs() < 1e-13), "{gaps:?}");
    }
    assert!(Compound::<3>::new(vec![]).is_none());
}

#[test]
fn faces_without_area_enclose_nothing() {
    let vertices = [
        [0.0; 3],
        [1.0, 0.0, 0.0],
        [2.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, 2.0, 0.0],
        [0.0, 0.0, 1.0],
        [0.0, 0.0, 2.0],
    ];
    let faces = [[0, 1, 2], [2, 1, 0], [0, 3, 4], [4, 3, 0], [0, 5, 6], [6, 5, 0]].map(|face| face.to_vec());
    let refusal = Polyhedron::from_faces(&vertices, &faces).unwrap_err().to_string();
    assert!(refusal.contains("the faces enclose"), "{refusal}");
    let refusal = Polyhedron::from_points(&vertices.map(|v| v.map(|x| 1e-70 * x))).unwrap_err().to_string();
    assert!(refusal.contains("use other units"), "{refusal}");
}

#[test]
fn many_vertices_are_no_trouble() {
    // On a circle they make tiny edges, in space tiny faces.
    let mut random = Random::new(5);
    let angles: Vec<f64> = (0..100_000).map(|_| random.uniform(0.0, std::f64::consts::TAU)).collect();
    let circle: Vec<[f64; 2]> = angles.iter().map(|angle| [angle.cos(), angle.sin()]).collect();
    let disk = Polygon::from_points(&circle).unwrap();
    assert!((disk.volume() - std::f64::consts::PI).abs() < 1e-6);
    let drum: Vec<[f64; 3]> =
        circle.iter().take(10_000).flat_map(|&[x, y]| [0.0, 1.0].map(|z| [x, y, z])).collect();
    let drum = Polyhedron::from_points(&drum).unwrap();
    assert!((drum.volume() - std::f64::consts::PI).abs() < 1e-4);
}
