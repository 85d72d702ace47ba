//! Ready-made shapes and stones.

use riprap::shape::{Form, Shape, by_name, pebble, stone};

use super::oracle::check;

#[test]
fn ready_made_shapes_are_what_they_are_called() {
    for (name, vertices, moments) in [
        ("tetrahedron", 4, Some([0.05; 3])),
        ("pyramid", 5, Some([0.068_75, 0.068_75, 0.1])),
        ("cube", 8, Some([1.0 / 6.0; 3])),
        ("fourteen", 14, None),
    ] {
        let built = by_name::<3>(name).unwrap();
        assert_eq!((built.shape.name.as_str(), built.shape.vertices().count()), (name, vertices));
        let found = built.shape.inertia.map(|x| x * built.size * built.size);
        if let Some(moments) = moments {
            assert!((0..3).all(|k| (found[k] - moments[k]).abs() < 1e-14), "{name}: {found:?}");
        }
        assert_eq!(built.pose.rotation, riprap::convex::Pose::<3>::at([0.0; 3]).rotation);
        check(&built.shape, 300, 1e-3);
        let triangles = built.shape.triangles();
        assert_eq!(triangles.len(), 2 * vertices - 4);
    }
    for (name, vertices) in [("triangle", 3), ("square", 4), ("pentagon", 5), ("hexagon", 6), ("octagon", 8)]
    {
        let built = by_name::<2>(name).unwrap();
        assert_eq!(built.shape.vertices().count(), vertices);
        assert_eq!(built.shape.faces().count(), vertices);
        check(&built.shape, 20_000, 1e-4);
    }
    assert_eq!(by_name::<3>("sphere").unwrap().shape, Shape::ball());
    assert_eq!(by_name::<2>("sphere").unwrap().shape, Shape::ball());
    assert!(Shape::<3>::ball().triangles().is_empty());
}

#[test]
fn stones_are_the_same_for_the_same_seed() {
    let one = stone("stone", 30, [3.0, 2.0, 1.0], 7).unwrap();
    assert_eq!(one, stone("stone", 30, [3e9, 2e9, 1e9], 7).unwrap());
    assert_ne!(one, stone("stone", 30, [3.0, 2.0, 1.0], 8).unwrap());
    assert_eq!(one.shape.vertices().count(), 30);
    check(&one.shape, 300, 1e-3);
    let flat = pebble("pebble", 12, [2.0, 1.0], 7).unwrap();
    assert_eq!(flat.shape.vertices().count(), 12);
    assert!(matches!(flat.shape.pieces[0].form, Form::Convex(_)));
    check(&flat.shape, 20_000, 1e-4);
    for aspect in [[1.0, 1.0, 1e-6], [1e-6, 1.0, 1e-6]] {
        stone("needle", 100, aspect, 1).unwrap();
    }
}
