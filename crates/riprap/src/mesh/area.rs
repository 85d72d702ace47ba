//! Whether triangles have an area: by exact signs, since rounding makes one of what has none.

use robust::{Coord, orient2d};

/// Whether the corners of a triangle are not on a line.
pub(crate) fn has_area(corners: &[[f64; 3]; 3]) -> bool {
    (0..3).any(|axis| turn(axis, *corners) != 0.0)
}

/// Twice the area of a triangle seen along an axis; its sign is exact.
pub(crate) fn turn(axis: usize, corners: [[f64; 3]; 3]) -> f64 {
    let [a, b, c] = corners.map(|corner| Coord { x: corner[(axis + 1) % 3], y: corner[(axis + 2) % 3] });
    orient2d(a, b, c)
}

#[cfg(test)]
mod tests {
    use crate::mesh::Mesh;

    #[test]
    fn triangles_on_a_line_are_told_from_slivers() {
        let vertices = vec![
            [0.0; 3],
            [0.1, 0.2, 0.3],
            [0.2, 0.4, 0.6],
            // The next number after one on the line.
            [0.2, 0.4, 0.6f64.next_up()],
            [0.0, 0.0, 1e-80],
        ];
        let triangles = vec![[0, 1, 2], [0, 1, 3], [0, 0, 1], [0, 4, 1], [2, 1, 0], [4, 4, 4]];
        let mesh = Mesh::new(vertices, triangles).unwrap();
        assert_eq!(mesh.degenerate_triangles().collect::<Vec<_>>(), [0, 2, 4, 5]);
    }
}
