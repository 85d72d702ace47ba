//! Blocks that bounce, rock, stand and topple.

use riprap::dem::{Material, NewBody, Settings, Simulation, StiffnessPer};
use riprap::shape;

use crate::{DENSITY, EDGE, G, MASS, STIFFNESS, UPRIGHT, about, floor, near, rock, simulation, with_cube};

/// The time between the first and the last of the moments at which a number becomes positive, over their count less one.
fn period(mut next: impl FnMut() -> (f64, f64), count: usize) -> f64 {
    let (mut last, mut first, mut crossings) = (next(), None, 0);
    loop {
        let here = next();
        if last.1 <= 0.0 && here.1 > 0.0 {
            let time = last.0 + (here.0 - last.0) * last.1 / (last.1 - here.1);
            match first {
                None => first = Some(time),
                Some(first) => {
                    crossings += 1;
                    if crossings == count {
                        return (time - first) / count as f64;
                    }
                }
            }
        }
        last = here;
    }
}

/// A cube on its face with a stiffness at each of its four corners bounces and rocks as springs there make it.
#[test]
fn a_cube_on_springs_bounces_and_rocks() {
    let settings = Settings {
        gravity: [0.0, 0.0, -G],
        time_step: 1e-6,
        force_step: true,
        stiffness_per: StiffnessPer::Point,
        ..Settings::default()
    };
    let depth = MASS * G / (4.0 * STIFFNESS);
    let start = |speed: f64, spin: f64| {
        with_cube(settings.clone(), rock(1.0, 0.0), vec![floor([0.0, 0.0, 1.0])], |cube| NewBody {
            position: [0.0, 0.0, 0.5 * EDGE - depth],
            velocity: [0.0, 0.0, speed],
            spin: [spin, 0.0, 0.0],
            ..cube
        })
    };
    // Half of what would lift a corner.
    let fastest = 0.5 * depth * (4.0 * STIFFNESS / MASS).sqrt();
    let mut bouncing = start(fastest, 0.0);
    let found = period(
        || {
            bouncing.advance().unwrap();
            (bouncing.time(), bouncing.velocities().next().unwrap()[2])
        },
        10,
    );
    near(std::f64::consts::TAU / found, (4.0 * STIFFNESS / MASS).sqrt(), 1e-3, "bouncing");
    let mut rocking = start(0.0, fastest / (0.5 * EDGE));
    let found = period(
        || {
            rocking.advance().unwrap();
            (rocking.time(), rocking.spins().next().unwrap()[0])
        },
        10,
    );
    near(std::f64::consts::TAU / found, (6.0 * STIFFNESS / MASS).sqrt(), 1e-3, "rocking");
}

/// Hard enough for a block to stand and turn as a rigid one.
const HARD: f64 = 1e8;
const STEP: f64 = 2e-6;

/// A block of this width and height that leans about its depth, with its centre so far up.
fn leaning_block(
    settings: Settings<3>,
    material: Material,
    [width, height]: [f64; 2],
    lean: f64,
    up: f64,
) -> Simulation<3> {
    let mut simulation = simulation(settings, material, vec![floor([0.0, 0.0, 1.0])]);
    let corner = |k: usize| [[0.0, width][k & 1], [0.0, DEPTH][k >> 1 & 1], [0.0, height][k >> 2]];
    let built = shape::from_vertices("block", &(0..8).map(corner).collect::<Vec<_>>()).unwrap();
    let shape = simulation.add_shape(built.shape).unwrap();
    // Principal axes may be in another order than those of the block.
    let orientation = product(about([0.0, 1.0, 0.0], lean), quaternion(&built.pose.rotation));
    simulation.insert(&[NewBody::shaped(shape, [0.0, 0.0, up], built.size, orientation)]).unwrap();
    simulation
}

/// Of the blocks, along the edges on which they turn.
const DEPTH: f64 = 0.1;

/// Gravity as seen from a plane that slopes by an angle.
fn sloping(angle: f64) -> [f64; 3] {
    [G * angle.sin(), 0.0, -G * angle.cos()]
}

/// A hard block of this width and height that stands on a plane, which slopes by an angle, upright or
/// leaning on an edge; rough enough not to slide.
fn block([width, height]: [f64; 2], angle: f64, lean: f64, restitution: f64) -> Simulation<3> {
    let settings = Settings {
        gravity: sloping(angle),
        time_step: STEP,
        stiffness_per: StiffnessPer::Point,
        ..Settings::default()
    };
    let hard = Material { k_n: Some(HARD), k_t: Some(HARD), ..rock(restitution, 2.0) };
    let mass = DENSITY * width * height * DEPTH;
    let depth = mass * G * angle.cos() / (4.0 * HARD);
    let (radius, diagonal) = (0.5 * width.hypot(height), (width / height).atan());
    let up = if lean == 0.0 { 0.5 * height - depth } else { radius * (diagonal - lean).cos() };
    leaning_block(settings, hard, [width, height], lean, up)
}

/// The turn of a matrix whose rows are given.
pub(crate) fn quaternion(m: &[[f64; 3]; 3]) -> [f64; 4] {
    let parts = [
        1.0 + m[0][0] + m[1][1] + m[2][2],
        1.0 + m[0][0] - m[1][1] - m[2][2],
        1.0 - m[0][0] + m[1][1] - m[2][2],
        1.0 - m[0][0] - m[1][1] + m[2][2],
    ];
    let largest = (0..4).max_by(|&i, &j| parts[i].total_cmp(&parts[j])).unwrap();
    let mixed = [
        [parts[0], m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]],
        [m[2][1] - m[1][2], parts[1], m[1][0] + m[0][1], m[0][2] + m[2][0]],
        [m[0][2] - m[2][0], m[1][0] + m[0][1], parts[2], m[2][1] + m[1][2]],
        [m[1][0] - m[0][1], m[0][2] + m[2][0], m[2][1] + m[1][2], parts[3]],
    ];
    let scale = 0.5 / parts[largest].sqrt();
    mixed[largest].map(|x| scale * x)
}

/// A block twice as tall as wide falls over where its centre is no longer above its face: from 26.57 degrees on.
#[test]
fn a_tall_block_topples_at_its_slope() {
    for (degrees, topples) in [(26.0f64, false), (27.0, true)] {
        let mut simulation = block([0.05, 0.1], degrees.to_radians(), 0.0, 0.3);
        simulation.advance_by(500_000).unwrap();
        let height = simulation.bodies().position[0][2];
        assert_eq!(height < 0.045, topples, "{degrees}: {height}");
        assert!(simulation.ledger().error() < 1e-3, "{:?}", simulation.ledger());
    }
}

/// The same with the stiffness of the contact shared among its points, soft enough to sink in by a thousandth of its height: it starts in
/// balance, the lower edge deeper than the upper one.
#[test]
fn a_block_on_a_shared_spring_topples_at_its_slope() {
    for (degrees, topples) in [(26.0f64, false), (27.0, true)] {
        let angle = degrees.to_radians();
        let settings = Settings { gravity: sloping(angle), time_step: 2e-5, ..Settings::default() };
        let [width, height] = [0.05, 0.1];
        // Half of the stiffness is at each edge; the lower one carries this share of the weight.
        let weight = DENSITY * width * height * DEPTH * G * angle.cos();
        let share = (0.5 + 0.5 * height / width * angle.tan()).min(1.0);
        let [low, high] = [share, 1.0 - share].map(|share| 2.0 * share * weight / STIFFNESS);
        let lean = (low - high) / width;
        let up = 0.5 * height * lean.cos() + 0.5 * width * lean.sin() - low;
        let mut simulation = leaning_block(settings, rock(0.3, 2.0), [width, height], lean, up);
        simulation.advance_by(100_000).unwrap();
        let height = simulation.bodies().position[0][2];
        assert_eq!(height < 0.045, topples, "{degrees}: {height}");
        assert!(simulation.ledger().error() < 1e-3, "{:?}", simulation.ledger());
    }
}

/// A slender block that rocks loses speed when it changes from one edge to the other, by its angular momentum about the new one
/// (Housner 1963), and so with plastic, rough edges whatever they are made of.
#[test]
fn a_rocking_block_loses_what_angular_momentum_says() {
    let (width, height) = (0.1f64, 0.4f64);
    let angle = (width / height).atan();
    // On its right edge, leaning by a third of what makes it fall.
    let mut simulation = block([width, height], 0.0, 0.3 * angle, 0.05);
    let (mut before, mut after, mut fell) = (0.0f64, 0.0f64, false);
    for _ in 0..3000 {
        simulation.advance_by(100).unwrap();
        let spin = simulation.spins().next().unwrap()[1].abs();
        let low = simulation.bodies().position[0][2] < 0.5 * height + 2e-4;
        if !fell {
            before = before.max(spin);
            fell = low;
        } else if !low {
            after = after.max(spin);
        }
    }
    let expected = 1.0 - 1.5 * angle.sin() * angle.sin();
    near(after / before, expected, 0.03, "share of the speed");
    assert!(simulation.ledger().error() < 1e-3, "{:?}", simulation.ledger());
}

/// One turn after another.
pub(crate) fn product([a, b, c, d]: [f64; 4], [w, x, y, z]: [f64; 4]) -> [f64; 4] {
    [
        a * w - b * x - c * y - d * z,
        a * x + b * w + c * z - d * y,
        a * y - b * z + c * w + d * x,
        a * z + b * y - c * x + d * w,
    ]
}

#[test]
fn turns_are_what_their_matrices_say() {
    assert_eq!(quaternion(&[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]), UPRIGHT);
    let turned = quaternion(&[[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]);
    let expected = about([0.0, 0.0, 1.0], std::f64::consts::FRAC_PI_2);
    assert!((0..4).all(|k| (turned[k] - expected[k]).abs() < 1e-15), "{turned:?}");
}
