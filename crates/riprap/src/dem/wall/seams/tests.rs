//! Edges and corners of small surfaces, seen from both sides.

use super::super::facet_grid::Grid;
use super::super::facets::Facets;
use super::Seams;

fn seams<const D: usize>(facets: &[[[f64; D]; D]]) -> Seams<D> {
    let checked = Facets::new(facets.to_vec(), false).unwrap();
    let normals: Vec<_> = (0..facets.len()).map(|facet| checked.normal(facet)).collect();
    Seams::new(facets, &normals, &Grid::new(facets))
}

/// Two triangles in the plane z = 0, one above and one below the diagonal of the unit square.
const SQUARE: [[[f64; 3]; 3]; 2] = [
    [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0]],
    [[0.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]],
];

/// Two more that rise from its side at x = 1.
const SIDE: [[[f64; 3]; 3]; 2] = [
    [[1.0, 0.0, 0.0], [1.0, 0.0, 1.0], [1.0, 1.0, 0.0]],
    [[1.0, 1.0, 0.0], [1.0, 0.0, 1.0], [1.0, 1.0, 1.0]],
];

#[test]
fn a_sheet_ends_at_its_outline_and_not_at_its_cut() {
    let seams = seams(&SQUARE);
    for front in [false, true] {
        let open = |facet: usize| [0, 1, 2].map(|edge| seams.is_open(facet, edge, front));
        assert_eq!([open(0), open(1)], [[true, true, false], [false, true, true]]);
        assert!((0..3).all(|k| seams.is_corner(0, k, front) && seams.is_corner(1, k, front)));
        assert!((0..3).all(|k| !seams.is_hollow(0, k, front) && !seams.is_hollow_corner(1, k, front)));
    }
    assert!(seams.is_flat(0, 2) && seams.is_flat(1, 0) && !seams.is_flat(0, 0));
    assert_eq!(seams.sharing(seams.place(0, 0), seams.place(0, 2)).collect::<Vec<_>>(), [0, 1]);
}

#[test]
fn a_fold_is_a_hollow_from_one_side_and_a_ridge_from_the_other() {
    let seams = seams(&[SQUARE, SIDE].concat());
    // The edge at x = 1 of the first triangle.
    assert!(seams.is_hollow(0, 1, true) && !seams.is_open(0, 1, true));
    assert!(!seams.is_hollow(0, 1, false) && seams.is_open(0, 1, false));
    // Its ends are corners of the free outline as well.
    for corner in [1, 2] {
        assert!(seams.is_hollow_corner(0, corner, true) && seams.is_corner(0, corner, true));
        assert!(!seams.is_hollow_corner(0, corner, false) && seams.is_corner(0, corner, false));
    }
    assert!(!seams.is_hollow_corner(1, 2, true), "far from the fold");
}

/// The corner of a room: no edge there is free.
#[test]
fn a_corner_of_a_room_is_all_hollow() {
    let floor = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let left = [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let back = [[0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]];
    let seams = seams(&[floor, left, back]);
    for facet in 0..3 {
        assert!(seams.is_hollow_corner(facet, 0, true) && !seams.is_corner(facet, 0, true), "{facet}");
        // From outside it is the corner of a block.
        assert!(!seams.is_hollow_corner(facet, 0, false) && seams.is_corner(facet, 0, false), "{facet}");
    }
}

#[test]
fn corners_on_the_edges_of_others_belong_to_them() {
    // The lower triangle's long side is the upper two's, one after the other.
    let low = [[0.0, 0.0, 0.0], [1.0, -1.0, 0.0], [2.0, 0.0, 0.0]];
    let first = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.5, 1.0, 0.0]];
    let second = [[1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [1.5, 1.0, 0.0]];
    let seams = seams(&[low, first, second]);
    assert!(seams.is_flat(0, 2) && seams.is_flat(1, 0) && seams.is_flat(2, 0));
    let middle = seams.place(1, 1);
    assert_eq!(seams.place(2, 0), middle);
    assert_eq!(seams.around(middle), [0, 1, 2]);
    // A notch between the two: their outlines have corners there.
    assert!(seams.is_corner(1, 1, true) && seams.is_corner(2, 0, true));
}

#[test]
fn what_is_folded_back_onto_a_facet_does_not_continue_it() {
    let seams = seams(&[SQUARE[0], [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.7, 0.5, 0.0]]]);
    assert!(seams.is_open(0, 0, true) && seams.is_open(0, 0, false) && !seams.is_flat(0, 0));
}

#[test]
fn ends_of_segments() {
    let seams = seams(&[[[0.0, 0.0], [1.0, 0.0]], [[1.0, 0.0], [2.0, 0.0]], [[2.0, 0.0], [2.0, 1.0]]]);
    for front in [false, true] {
        assert!(seams.is_corner(0, 0, front) && !seams.is_corner(0, 1, front), "an end and a cut");
    }
    assert!(seams.is_hollow_corner(1, 1, true) && seams.rises(1, 1, true) && !seams.is_corner(1, 1, true));
    assert!(!seams.is_hollow_corner(1, 1, false) && seams.is_corner(1, 1, false));
}
