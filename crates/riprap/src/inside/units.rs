//! Coordinates of the order of one, so that products of many lengths neither overflow nor vanish.

use crate::mesh::Mesh;

/// Sizes of the body's box beyond which a point sees nothing of it: less than a rounding of one.
const FAR: f64 = 1e8;

/// A power of two, by which coordinates are multiplied without rounding.
#[derive(Debug, Clone, Copy)]
pub(super) struct Units {
    factor: f64,
    /// The corners of the body's box.
    bounds: [[f64; 3]; 2],
}

impl Units {
    pub(super) fn of(mesh: &Mesh) -> Self {
        let [low, high] = mesh.bounds();
        let size = (0..3).map(|k| high[k] - low[k]).fold(f64::MIN_POSITIVE, f64::max);
        // 2^-e for a size between 2^e and 2^(e + 1).
        let exponent = (size.to_bits() >> 52) as i32 - 1023;
        Self { factor: libm::scalbn(1.0, -exponent), bounds: [low, high] }
    }

    /// A point in these units.
    #[inline(always)]
    pub(super) fn scaled(&self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        [self.factor * x, self.factor * y, self.factor * z]
    }

    /// A point in these units; `None` if it is so far away that it sees nothing.
    #[inline(always)]
    pub(super) fn place(&self, point: [f64; 3]) -> Option<[f64; 3]> {
        let [low, high] = &self.bounds;
        let mut far = 0.0f64;
        for k in 0..3 {
            far = far.max((low[k] - point[k]).max(point[k] - high[k]));
        }
        (self.factor * far < FAR).then(|| self.scaled(point))
    }
}
