//! Coordinates with which exact signs are exact: products of a few of them neither overflow nor vanish.

use crate::mesh::Mesh;

/// The largest coordinates of a body that is left as it is.
const USUAL: std::ops::Range<f64> = 1e-20..1e20;
/// Coordinates smaller than this count as zero.
const TINY: f64 = 1e-90;
/// Points farther away than this count as so far away.
const FAR: f64 = 1e150;

/// A power of two, by which all coordinates are multiplied without rounding.
#[derive(Debug, Clone, Copy)]
pub(super) struct ScaledFrame {
    factor: f64,
}

impl ScaledFrame {
    pub(super) fn of(mesh: &Mesh) -> Self {
        let largest = mesh.bounds().as_flattened().iter().fold(0.0f64, |far, x| far.max(x.abs()));
        if largest == 0.0 || USUAL.contains(&largest) {
            return Self { factor: 1.0 };
        }
        // One that is as small as a number can be is taken for a little larger.
        let exponent = libm::ilogb(largest.max(f64::MIN_POSITIVE));
        Self { factor: libm::scalbn(1.0, -exponent) }
    }

    /// The mesh in these coordinates; `None` if it is the same.
    pub(super) fn mesh(&self, mesh: &Mesh) -> Option<Mesh> {
        self.changes(mesh.vertices()).then(|| {
            let vertices = mesh.vertices().iter().map(|&vertex| self.point(vertex)).collect();
            Mesh::new(vertices, mesh.triangles().to_vec()).expect("smaller coordinates are sound")
        })
    }

    /// Whether any of these points has other coordinates here.
    pub(super) fn changes(&self, points: &[[f64; 3]]) -> bool {
        let is_odd = |x: f64| (x.abs() < TINY) & (x != 0.0) | (x.abs() > FAR);
        self.factor != 1.0 || points.as_flattened().iter().fold(false, |odd, &x| odd | is_odd(x))
    }

    /// A point in these coordinates.
    pub(super) fn point(&self, point: [f64; 3]) -> [f64; 3] {
        point.map(|x| {
            let x = (self.factor * x).clamp(-FAR, FAR);
            if x.abs() < TINY { 0.0 } else { x }
        })
    }
}
