//! What facets do to the bodies that press on them.

use super::super::context::{Context, coefficients, member};
use super::super::memory::{StoneMemory, leaps};
use super::super::press::{Meeting, Pressed, PressedRegion, Pressing};
use super::super::{Crushed, Opposite};
use super::meet::MetFacets;
use crate::convex::ContactPoint;
use crate::dem::body::Load;
use crate::dem::contact::{ContactRecord, Partner, StepEnergies};
use crate::dem::material::Coefficients;
use crate::dem::spin::moment;
use crate::vector::{add, dot, length, scale, sub};

/// An overlap that is off by this share of it, and by more than it changes in two steps, has leapt.
const UNEXPECTED: f64 = 0.02;

/// The sums over the contacts of a part.
pub(super) struct Pressure<'a, 'b, const D: usize> {
    context: &'a Context<'b, D>,
    records: &'a mut Vec<ContactRecord<D>>,
    pub(super) energies: StepEnergies,
    pub(super) work: f64,
    pub(super) crushed: Option<Crushed>,
}

impl<'a, 'b, const D: usize> Pressure<'a, 'b, D> {
    pub(super) fn new(context: &'a Context<'b, D>, records: &'a mut Vec<ContactRecord<D>>) -> Self {
        Self { context, records, energies: StepEnergies::default(), work: 0.0, crushed: None }
    }

    /// What a contact does to its body, and what it remembers if it goes on. `before` is what it remembered.
    pub(super) fn press(
        &mut self,
        row: usize,
        met: &MetFacets<D>,
        points: &[ContactPoint<D>],
        before: Option<StoneMemory<D>>,
    ) -> (Load<D>, Option<StoneMemory<D>>) {
        let Context { columns, places, conditions, laws, stiffness, .. } = self.context;
        let MetFacets { element, normal, reduced_radius, .. } = *met;
        let position = columns.position[row];
        let with_ball = reduced_radius.is_some();
        let coefficients = self.coefficients(row, element.wall, with_ball);
        let of_memory = laws.of_memory(with_ball);
        let region = PressedRegion::new(points, normal, *stiffness);
        let deepest = points.iter().map(|point| point.depth).fold(f64::NEG_INFINITY, f64::max);
        let radius = columns.radius[row];
        if deepest > conditions.overlap_limit * radius {
            let (row, opposite) = (row as u32, Opposite::Wall(element));
            let crushed = Crushed { row, opposite, depth: deepest, relative: deepest / radius };
            self.crushed = Crushed::deeper(self.crushed, Some(crushed));
        }
        let body = member(columns, places, row, [0.0; D]);
        let wall = self.context.member_wall(element, position);
        let meeting = Meeting { region, points, reduced_radius, with_ball };
        let span = &conditions.span;
        let mut memory = before.clone().unwrap_or_default();
        let expected =
            before.as_ref().map(|memory| expected_overlap(memory, coefficients, span.since_last()));
        let turned = || (length(body.spin) + length(wall.spin)) * span.since_last();
        let turns = leaps([memory.link.normal, normal], turned);
        memory.link.normal = normal;
        self.energies.lost.rolling += memory.fit(&meeting, coefficients.tangential, laws.flat.words);
        // Points come and go with a depth where another facet takes over.
        let has_leapt = |before: &StoneMemory<D>, expected: f64| {
            let off = (memory.overlap - expected).abs();
            let depth = memory.overlap.abs().max(expected.abs());
            off > UNEXPECTED * depth + 2.0 * (expected - before.overlap).abs()
        };
        let leapt = turns
            || before.as_ref().zip(expected).is_some_and(|(before, expected)| has_leapt(before, expected));
        let numbers = memory.numbers;
        let law = laws.all()[meeting.law() as usize];
        memory.numbers[law.words..].fill(0.0);
        let pressing = Pressing { law, kinds: conditions.kinds, span: *span };
        let pressed = pressing.respond(&meeting, [&body, &wall], coefficients, &mut memory.numbers);
        let Pressed { push, force, couple, energies, holds, power } = pressed;
        memory.power = power as f32;
        self.energies += energies;
        // A contact that leaps, or begins in the depth, has not been given all that it stores.
        let time = span.since_last();
        let begins = before.is_none() && time > 0.0 && expected_overlap(&memory, coefficients, -time) > 0.0;
        if leapt || begins {
            let stored = |overlap: f64| of_memory.law.stored(coefficients, overlap, memory.radius, &numbers);
            let half = |memory: &StoneMemory<D>, time: f64| {
                let change = expected_overlap(memory, coefficients, 0.5 * time) - memory.overlap;
                moved_on(stored, memory.overlap, change)
            };
            let given = before.map_or(stored(0.0), |before| half(&before, time));
            self.energies.lost.damping += given - half(&memory, -time);
        }
        let surface = wall.velocity_at(region.center);
        self.work += (dot(force, surface) + dot(couple, wall.spin)) * span.whole();
        let torque_a = add(couple, moment(region.center, force));
        if holds && conditions.record {
            let middle = self.context.middle(element, position);
            let stored = of_memory.law.stored(coefficients, memory.overlap, memory.radius, &memory.numbers);
            self.records.push(ContactRecord {
                a: columns.id[row],
                b: Partner::Wall(element.wall),
                point: add(position, region.center),
                normal: region.normal,
                branch: region.center,
                overlap: deepest,
                relative_overlap: deepest / columns.radius[row],
                push,
                force,
                torque_a,
                torque_b: sub(scale(couple, -1.0), moment(sub(region.center, middle), force)),
                energy: stored - energies.later.stored,
            });
        }
        if !holds {
            self.energies.lost.damping += of_memory.left_at_end(coefficients, &memory);
        }
        (Load { force, torque: torque_a }, holds.then_some(memory))
    }

    /// Ends a contact: what it still stores is lost.
    pub(super) fn end(&mut self, (row, piece): (usize, u16), wall: u16, memory: &StoneMemory<D>) {
        let Context { columns, laws, conditions, .. } = self.context;
        let with_ball = columns.shapes.piece(columns.shape[row], piece).is_ball();
        let (coefficients, law) = (self.coefficients(row, wall, with_ball), laws.of_memory(with_ball).law);
        let end = -law.reach(coefficients, memory.radius);
        let time = conditions.span.since_last();
        let stored = |overlap: f64| law.stored(coefficients, overlap, memory.radius, &memory.numbers);
        let left = if expected_overlap(memory, coefficients, time) > end {
            let change = expected_overlap(memory, coefficients, 0.5 * time) - memory.overlap;
            moved_on(stored, memory.overlap, change)
        } else {
            stored(end)
        };
        self.energies.lost.damping += left;
    }

    fn coefficients(&self, row: usize, wall: u16, with_ball: bool) -> &'b Coefficients {
        let around = self.context.around;
        let materials = [self.context.columns.material[row], around.walls[usize::from(wall)].material];
        coefficients(around.conditions.materials, materials, with_ball)
    }
}

/// The overlap of a contact after a time in which it moved on as it did.
fn expected_overlap<const D: usize>(memory: &StoneMemory<D>, coefficients: &Coefficients, time: f64) -> f64 {
    let force = coefficients.normal * memory.overlap;
    if force != 0.0 { memory.overlap + time * f64::from(memory.power) / force } else { memory.overlap }
}

/// What is stored at an overlap, and what a change of it adds at the force there.
fn moved_on(stored: impl Fn(f64) -> f64, overlap: f64, change: f64) -> f64 {
    stored(overlap) + 0.5 * (stored(overlap + change) - stored(overlap - change))
}
