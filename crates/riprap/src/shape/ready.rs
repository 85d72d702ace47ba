//! Ready-made shapes by their names, and random stones.

use super::build::from_body;
use super::{BuildError, Built, Shape, from_vertices};
use crate::Random;
use crate::convex::{Pose, shapes};

/// Most vertices of a random stone.
const MOST: usize = 10_000;
/// Largest quotient of two diameters.
const SLENDEREST: f64 = 1e6;

/// The ready-made shapes in the plane and in space.
const IN_PLANE: &[&str] = &["sphere", "triangle", "square", "pentagon", "hexagon", "octagon"];
const IN_SPACE: &[&str] = &["sphere", "tetrahedron", "pyramid", "cube", "fourteen"];

/// A ready-made shape: `sphere`, `tetrahedron`, `pyramid`, `cube` or `fourteen` (the rhombic dodecahedron); in the plane `sphere` (the
/// disk), `triangle`, `square`, `pentagon`, `hexagon` or `octagon`.
///
/// ```
/// let cube = riprap::shape::by_name::<3>("cube")?;
/// assert!((cube.shape.inertia[0] * cube.size * cube.size - 1.0 / 6.0).abs() < 1e-15);
/// # Ok::<(), riprap::shape::BuildError>(())
/// ```
pub fn by_name<const D: usize>(name: &str) -> Result<Built<D>, BuildError> {
    let known = if D == 2 { IN_PLANE } else { IN_SPACE };
    if !known.contains(&name) {
        return Err(BuildError::Unknown { name: name.to_string(), known: known.join(", ") });
    }
    if name == "sphere" {
        return Ok(Built { shape: Shape::ball(), size: 1.0, pose: Pose::at([0.0; D]), growth: 1.0 });
    }
    let vertices: Vec<[f64; D]> = if D == 2 {
        of_body(&match name {
            "triangle" => shapes::regular_polygon(3),
            // With its sides along the axes.
            "square" => return from_vertices(name, &square()),
            "pentagon" => shapes::regular_polygon(5),
            "hexagon" => shapes::regular_polygon(6),
            _ => shapes::regular_polygon(8),
        })
    } else {
        of_body(&match name {
            "tetrahedron" => shapes::tetrahedron(),
            "pyramid" => shapes::pyramid(),
            "cube" => shapes::cube(),
            _ => shapes::fourteen(),
        })
    };
    from_vertices(name, &vertices)
}

/// The square with sides of length one.
fn square<const D: usize>() -> Vec<[f64; D]> {
    let corner = |k: usize| std::array::from_fn(|i| [-0.5, 0.5][k >> i & 1]);
    (0..1 << D).map(corner).collect()
}

/// The vertices of a body, in a dimension that is known to be its own.
fn of_body<const D: usize, const N: usize>(body: &crate::convex::Body<N>) -> Vec<[f64; D]> {
    body.vertices().iter().map(|vertex| std::array::from_fn(|k| vertex[k])).collect()
}

/// A random stone: the hull of so many points on an ellipsoid whose diameters have these ratios.
pub fn stone(name: &str, vertices: usize, aspect: [f64; 3], seed: u64) -> Result<Built<3>, BuildError> {
    let diameters = checked(vertices, aspect)?;
    from_body(name, shapes::stone(vertices, diameters, &mut Random::new(seed)))
}

/// A random pebble in the plane: the hull of so many points on an ellipse whose diameters have this ratio.
pub fn pebble(name: &str, vertices: usize, aspect: [f64; 2], seed: u64) -> Result<Built<2>, BuildError> {
    let diameters = checked(vertices, aspect)?;
    from_body(name, shapes::pebble(vertices, diameters, &mut Random::new(seed)))
}

/// Diameters of which the largest is one.
fn checked<const D: usize>(vertices: usize, aspect: [f64; D]) -> Result<[f64; D], BuildError> {
    if !(D + 1..=MOST).contains(&vertices) {
        return Err(BuildError::Count { value: vertices, least: D + 1, most: MOST });
    }
    let largest = aspect.iter().copied().fold(0.0, f64::max);
    let fits = |x: &f64| x.is_finite() && *x > 0.0 && largest / x <= SLENDEREST;
    if !aspect.iter().all(fits) {
        return Err(BuildError::Aspect { value: aspect.to_vec() });
    }
    Ok(aspect.map(|x| x / largest))
}
