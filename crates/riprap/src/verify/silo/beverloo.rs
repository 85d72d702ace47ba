//! W. A. Beverloo, H. A. Leniger, J. van de Velde, *The flow of granular solids through orifices*, Chem. Eng. Sci. 15 (1961) 260.
//!
//! Grains of diameter `d` run out of a round orifice of diameter `D` in a flat floor at the rate `W = C ρ √g (D - k d)^(5/2)`, whatever
//! the height above it: `C = 0.58`, and `k = 1.4` for spheres. Published values of `C` are between 0.55 and 0.65.
//!
//! 1. Grains are poured into a cylinder whose orifice is closed, and come to rest.
//! 2. The plug falls away. When the flow is steady, what leaves is weighed.

use std::f64::consts::{PI, TAU};

use rayon::prelude::*;

use super::{lowered, poured};
use crate::Random;
use crate::dem::wall::{Facets, Surface, Wall};
use crate::dem::{LawKind, Material, Outflow, Settings};
use crate::plot::{Curve, Spacing};
use crate::verify::apparatus::{G, between, line_through, power_of, simulation, stepping, stone};
use crate::verify::check::{CaseError, Check, Figure, Findings};

const RADIUS: f64 = 0.005;
const DIAMETER: f64 = 2.0 * RADIUS;
/// Radius of the silo.
const SILO: f64 = 16.0 * RADIUS;
/// Beverloo's empty annulus, in diameters, and coefficient.
const ANNULUS: f64 = 1.4;
const COEFFICIENT: f64 = 0.58;
/// When the orifice opens, and when the flow is steady.
const OPENS: f64 = 0.5;
const STEADY: f64 = 0.8;
const END: f64 = 1.6;
/// A fortieth of a collision.
const STEP: f64 = 2e-5;

/// Triangles of a flat ring, or of a disk if it begins at the centre.
fn ring(inner: f64, outer: f64) -> Vec<[[f64; 3]; 3]> {
    const CORNERS: i32 = 48;
    let corner = |radius: f64, index: i32| {
        let (sine, cosine) = libm::sincos(TAU * f64::from(index) / f64::from(CORNERS));
        [radius * cosine, radius * sine, 0.0]
    };
    let sector = |index: i32| {
        let outward = [corner(inner, index), corner(outer, index), corner(outer, index + 1)];
        let inward = [corner(inner, index), corner(outer, index + 1), corner(inner, index + 1)];
        if inner == 0.0 { vec![outward] } else { vec![outward, inward] }
    };
    (0..CORNERS).flat_map(sector).collect()
}

/// Bulk density at rest, and mass per time through an orifice of so many grain diameters.
fn discharge(orifice: f64) -> Result<[f64; 2], CaseError> {
    let grain = Material { friction: 0.5, restitution: 0.5, k_n: Some(1e4), ..stone() };
    let opening = 0.5 * orifice * DIAMETER;
    let cylinder = Surface::Cylinder { point: [0.0; 3], axis: [0.0, 0.0, 1.0], radius: SILO, inside: true };
    let floor = Surface::Facets(Facets::new(ring(opening, SILO + DIAMETER), false)?);
    let plug = Surface::Facets(Facets::new(ring(0.0, opening), false)?);
    let walls =
        vec![Wall::new("cylinder", cylinder), Wall::new("floor", floor), lowered("plug", plug, OPENS, 5.0)];
    let below = Outflow { name: "below".into(), point: [0.0, 0.0, -0.1], normal: [0.0, 0.0, 1.0] };
    let settings = Settings { gravity: [0.0, 0.0, -G], outflows: vec![below], ..stepping(STEP) };
    let grains = poured(3600, RADIUS, SILO, &mut Random::new(13));
    let mut silo = simulation(LawKind::Linear, settings, &[grain], walls, &grains)?;
    let steps = |time: f64| (time / STEP) as u64;
    silo.advance_by(steps(OPENS))?;
    let (low, high) = (4.0 * DIAMETER, 12.0 * DIAMETER);
    let bodies = silo.bodies();
    let inside = bodies.position.iter().zip(&bodies.seen).filter(|(x, _)| (low..high).contains(&x[2]));
    let density =
        inside.map(|(_, seen)| 1.0 / seen.inverse_mass).sum::<f64>() / (PI * SILO * SILO * (high - low));
    silo.advance_by(steps(STEADY - OPENS))?;
    let mut weighed = Vec::new();
    for _ in 0..40 {
        silo.advance_by(steps((END - STEADY) / 40.0))?;
        weighed.push([silo.time(), silo.outflown().outflows[0].mass]);
    }
    Ok([density, line_through(&weighed).0])
}

/// Orifices of 4 to 7 diameters.
pub(in crate::verify) fn beverloo() -> Result<Findings, CaseError> {
    let orifices = [4.0, 5.0, 6.0, 7.0];
    let measured: Vec<[f64; 2]> =
        orifices.par_iter().with_max_len(1).map(|orifice| discharge(*orifice)).collect::<Result<_, _>>()?;
    let density = measured.iter().map(|[density, _]| density).sum::<f64>() / measured.len() as f64;
    let effective = |orifice: f64| (orifice - ANNULUS) * DIAMETER;
    let by_opening: Vec<[f64; 2]> =
        orifices.iter().zip(&measured).map(|(orifice, [_, rate])| [effective(*orifice), *rate]).collect();
    let scale = |width: f64| density * G.sqrt() * width * width * width.sqrt();
    let coefficients = by_opening.iter().map(|[width, rate]| rate / scale(*width));
    let coefficient = coefficients.sum::<f64>() / orifices.len() as f64;
    // From W^(2/5), a line over D that is zero at k d.
    let roots: Vec<[f64; 2]> = orifices
        .iter()
        .zip(&measured)
        .map(|(orifice, [_, rate])| [*orifice, libm::pow(*rate, 0.4)])
        .collect();
    let (slope, zero) = line_through(&roots);
    let checks = vec![
        Check::absolute("exponent, with k = 1.4", "5/2", [power_of(&by_opening), 2.5], 0.2),
        Check::relative("coefficient C, with k = 1.4", "0.58", [coefficient, COEFFICIENT], 0.15),
        Check::absolute("k, where W^(2/5) vanishes", "1.4", [-zero / slope, ANNULUS], 0.5),
    ];
    let line = between(orifices[0], orifices[3], 41)
        .map(|orifice| [orifice, COEFFICIENT * scale(effective(orifice))])
        .collect();
    let ours = orifices.iter().zip(&measured).map(|(orifice, [_, rate])| [*orifice, *rate]).collect();
    let curves = vec![
        Curve { name: "Beverloo, C = 0.58, k = 1.4".into(), points: line, marks: Vec::new() },
        Curve { name: "ours".into(), points: Vec::new(), marks: ours },
    ];
    let figure = Figure {
        across: ("orifice / grain diameter", Spacing::Linear),
        upward: ("discharge, kg/s", Spacing::Linear),
        curves,
    };
    Ok(Findings { checks, figure })
}
