//! Windings along the lines through rows of boxes.
//!
//! A line along x passes a face if its place (y, z) is in the face's shadow. Where it meets the rim of a shadow, it is taken to be moved
//! aside by next to nothing in y, and by next to nothing of that in z (simulation of simplicity, Edelsbrunner, Mücke 1990): so it passes
//! one of two faces that share an edge, never both or none, and never an edge or a vertex.

use robust::{Coord, orient2d};

use super::super::faces::Face;
use super::lattice::{LARGE, Lattice, Member, NO_REFERENCE, SURFACE};

// What is noted of a face in a row of boxes. The line passes it outwards, inwards or not at all; and this is its first box in the row.
const FIRST: u32 = 1;
const OUTWARDS: u32 = 2;
const INWARDS: u32 = 4;

/// Points of reference that are tried in a box.
const ATTEMPTS: u8 = 16;

/// The note of a face in a row with this line.
pub(super) fn crossing(face: &Face, [y, z]: [f64; 2]) -> u32 {
    FIRST
        | match passes(face, [y, z]) {
            1 => OUTWARDS,
            -1 => INWARDS,
            _ => 0,
        }
}

/// Whether a line along x passes a face: 1 outwards, -1 inwards, 0 if it does not.
fn passes(face: &Face, line: [f64; 2]) -> i32 {
    let [a, b, c] = face.corners.map(|[_, y, z]| [y, z]);
    for k in 0..2 {
        let (low, high) = (a[k].min(b[k]).min(c[k]), a[k].max(b[k]).max(c[k]));
        if line[k] < low || line[k] > high {
            return 0;
        }
    }
    let [first, second, third] = [turn(a, b, line), turn(b, c, line), turn(c, a, line)];
    if first == second && second == third { first } else { 0 }
}

/// On which side of the edge from `a` to `b` a point is: 1 for the left, -1 for the right; 0 only if the two are one.
fn turn(a: [f64; 2], b: [f64; 2], point: [f64; 2]) -> i32 {
    let coord = |[x, y]: [f64; 2]| Coord { x, y };
    let sign = |x: f64| i32::from(x > 0.0) - i32::from(x < 0.0);
    let turn = sign(orient2d(coord(a), coord(b), coord(point)));
    if turn != 0 {
        turn
    } else if a[1] != b[1] {
        // Moved in the first direction.
        sign(a[1] - b[1])
    } else {
        sign(b[0] - a[0])
    }
}

/// A point in the first box of a row, and the winding there.
#[derive(Debug, Clone, Copy)]
pub(super) struct Begin {
    pub(super) cell: [usize; 3],
    pub(super) point: [f64; 3],
    pub(super) winding: i32,
}

/// Sets the winding of all boxes without faces, and of a point of reference in the others, whose members get a note: 1 if it is above the
/// face, else 0. `start` tells the winding at a point in the first box of a row from that in the row beside it, of which the very first row
/// has none; or that it cannot. Whether all could be told.
pub(super) fn wind(
    lattice: &mut Lattice,
    faces: &[Face],
    start: impl Fn(&Lattice, Option<Begin>, [usize; 3], [f64; 3]) -> Option<i32>,
) -> bool {
    let mut number = 0;
    let mut above = Vec::new();
    let state_of =
        |winding: i32| i8::try_from(winding).ok().filter(|&winding| winding != SURFACE).unwrap_or(LARGE);
    let mut below = None;
    for z in 0..lattice.count[2] {
        let mut beside = below;
        for y in 0..lattice.count[1] {
            let Some((begin, mut winding)) = at_begin(lattice, faces, beside, [0, y, z], &start) else {
                return false;
            };
            beside = Some(begin);
            below = if y == 0 { beside } else { below };
            let mut state = state_of(winding);
            for x in 0..lattice.count[0] {
                if lattice.state[number] == SURFACE {
                    let slot = lattice.slot(number);
                    winding = wind_box(lattice, faces, [x, y, z], slot, winding, &mut above);
                    state = state_of(winding);
                } else {
                    lattice.state[number] = state;
                }
                number += 1;
            }
        }
    }
    true
}

/// The winding at a point in the first box of a row, and before all faces that the row's line passes.
fn at_begin(
    lattice: &Lattice,
    faces: &[Face],
    beside: Option<Begin>,
    cell: [usize; 3],
    start: impl Fn(&Lattice, Option<Begin>, [usize; 3], [f64; 3]) -> Option<i32>,
) -> Option<(Begin, i32)> {
    (0..ATTEMPTS).find_map(|attempt| {
        let point = lattice.reference(cell, attempt);
        let winding = start(lattice, beside, cell, point)?;
        // Less what the faces of the first box have changed before that point.
        let mut before = 0;
        for member in lattice.members_of(cell) {
            let side = faces[member.face()].side(point);
            if side == 0 {
                return None;
            }
            before += changed(*member, side);
        }
        Some((Begin { cell, point, winding }, winding - before))
    })
}

/// By how much the winding changes at a face from the beginning of the row to a point on this side of it.
fn changed(member: Member, side: i32) -> i32 {
    match member.note() & (OUTWARDS | INWARDS) {
        OUTWARDS if side > 0 => -1,
        INWARDS if side < 0 => 1,
        _ => 0,
    }
}

/// Sets the winding at the point of reference of a box with faces. `winding` is that before all faces of which this is the first box,
/// and after those of which the last box is before; what comes out is the same for the next box.
fn wind_box(
    lattice: &mut Lattice,
    faces: &[Face],
    cell: [usize; 3],
    slot: usize,
    winding: i32,
    above: &mut Vec<bool>,
) -> i32 {
    let range = lattice.member_range(slot);
    let mut after = winding;
    // Those that the line passes in an earlier box, or may yet pass, have been counted with their first box.
    let mut pending = 0;
    for member in &lattice.members[range.clone()] {
        let change = match member.note() & (OUTWARDS | INWARDS) {
            OUTWARDS => -1,
            INWARDS => 1,
            _ => 0,
        };
        pending += change;
        if member.note() & FIRST != 0 {
            after += change;
        }
    }
    let found = (0..ATTEMPTS).find_map(|attempt| {
        let point = lattice.reference(cell, attempt);
        let mut changes = 0;
        above.clear();
        for member in &lattice.members[range.clone()] {
            let side = faces[member.face()].side(point);
            if side == 0 {
                return None;
            }
            changes += changed(*member, side);
            above.push(side > 0);
        }
        Some((attempt, after - pending + changes))
    });
    let surface = &mut lattice.boxes[slot];
    match found {
        Some((attempt, winding)) => {
            (surface.attempt, surface.winding) = (attempt, winding);
            for (member, &above) in lattice.members[range].iter_mut().zip(above.iter()) {
                *member = Member::new(member.face() as u32, u32::from(above));
            }
        }
        None => surface.attempt = NO_REFERENCE,
    }
    after
}

#[cfg(test)]
mod tests {
    use super::super::super::faces::faces_of;
    use super::*;
    use crate::mesh::Mesh;

    /// Sheets over the same square, cut into triangles in several ways: a line through any vertex or edge passes each of them once, like
    /// any other line.
    #[test]
    fn lines_through_edges_and_vertices_pass_one_face() {
        let mut vertices: Vec<[f64; 3]> = [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]]
            .map(|[y, z]| [0.5 * y - 0.25 * z, y, z])
            .to_vec();
        let middles = [[2.0, 2.0], [1.0, 2.0], [3.0, 3.0], [2.0, 1.0], [1.0, 1.0]];
        vertices.extend(middles.map(|[y, z]| [7.0, y, z]));
        let around = |middle: u32| vec![[0, 1, middle], [1, 2, middle], [2, 3, middle], [3, 0, middle]];
        let sheets = (4..9).map(around).chain([vec![[0, 1, 2], [0, 2, 3]], vec![[0, 1, 3], [1, 2, 3]]]);
        for sheet in sheets {
            let mesh = Mesh::new(vertices.clone(), sheet.clone()).unwrap();
            let faces = faces_of(&mesh);
            for number in 0..81 {
                let line = [number % 9, number / 9].map(|k| 0.5 * f64::from(k));
                let passed: Vec<i32> =
                    faces.iter().map(|face| passes(face, line)).filter(|&sign| sign != 0).collect();
                // Moved to larger y and z, a line on the lower rim is over the square and one on the upper rim is not.
                let expected: &[i32] = if line[0] < 4.0 && line[1] < 4.0 { &[1] } else { &[] };
                assert_eq!(passed, expected, "{sheet:?} {line:?}");
            }
        }
    }
}
