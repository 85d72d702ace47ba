//! The forces between bodies and walls.

use super::contacts::{FoundElement, NearBall, find_contacts, hand_over, nearest};
use super::near::Candidate;
use super::{Placement, Wall};
use crate::dem::body::{Load, View};
use crate::dem::conditions::Conditions;
use crate::dem::contact::store::Slots;
use crate::dem::contact::{ContactRecord, Partner, Response, StepEnergies, Touch};
use crate::dem::law::{By, Law, Memory};
use crate::dem::parts::Split;
use crate::dem::spin::{moment, turn};
use crate::vector::{add, add_scaled, dot, scale, sub};

/// Walls, where they are, and what else their forces depend on.
#[derive(Clone, Copy)]
pub(crate) struct Around<'a, const D: usize> {
    pub(crate) walls: &'a [Wall<D>],
    pub(crate) placements: &'a [Placement<D>],
    pub(crate) conditions: Conditions<'a, D>,
}

/// A part's share of the bodies near walls and what came of them.
#[derive(Debug, Clone)]
pub(crate) struct WallPart<const D: usize> {
    pub(super) candidates: usize,
    pub(super) found: Vec<FoundElement<D>>,
    pub(super) records: Vec<ContactRecord<D>>,
    pub(super) energies: StepEnergies,
    pub(super) work: f64,
    pub(super) crushed: Option<(u32, u16, f64)>,
}

impl<const D: usize> WallPart<D> {
    pub(super) fn new(candidates: usize) -> Self {
        Self {
            candidates,
            found: Vec::new(),
            records: Vec::new(),
            energies: StepEnergies::default(),
            work: 0.0,
            crushed: None,
        }
    }
}

/// What the parts write, and their bodies near walls.
pub(crate) struct WallWork<'a, const D: usize> {
    pub(super) size: usize,
    pub(super) first: usize,
    pub(super) candidates: &'a [Candidate],
    pub(super) slots: Slots<'a>,
    pub(super) load: &'a mut [Load<D>],
    pub(super) parts: &'a mut [WallPart<D>],
}

impl<const D: usize> Split for WallWork<'_, D> {
    fn parts(&self) -> usize {
        self.parts.len()
    }

    fn split(self, parts: usize) -> (Self, Self) {
        let rows = parts * self.size;
        let candidates = self.parts[..parts].iter().map(|part| part.candidates).sum();
        let (candidates, candidates_) = self.candidates.split_at(candidates);
        let (slots, slots_) = self.slots.split_at(candidates.len());
        let (load, load_) = self.load.split_at_mut(rows);
        let (parts, parts_) = self.parts.split_at_mut(parts);
        let (size, first) = (self.size, self.first);
        (
            Self { size, first, candidates, slots, load, parts },
            Self {
                size,
                first: first + rows,
                candidates: candidates_,
                slots: slots_,
                load: load_,
                parts: parts_,
            },
        )
    }
}

/// The loop over contacts with walls, compiled for a law.
pub(crate) trait WallPass<const D: usize>: Sync {
    /// Adds the forces of walls to the bodies of a part.
    fn wall_forces(&self, work: WallWork<'_, D>, columns: &View<'_, D>, around: &Around<'_, D>);
}

impl<L: Law<D>, const D: usize> WallPass<D> for By<L> {
    fn wall_forces(&self, work: WallWork<'_, D>, columns: &View<'_, D>, around: &Around<'_, D>) {
        add_forces::<L, D>(work, columns, around);
    }
}

fn add_forces<L: Law<D>, const D: usize>(
    work: WallWork<'_, D>,
    columns: &View<'_, D>,
    around: &Around<'_, D>,
) {
    let WallWork { first, candidates, slots, load, parts, .. } = work;
    let part = &mut parts[0];
    (part.energies, part.work, part.crushed) = (StepEnergies::default(), 0.0, None);
    part.records.clear();
    let conditions = &around.conditions;
    let kinds = conditions.kinds;
    let mut start = 0;
    while let Some(&Candidate { row, wall, .. }) = candidates.get(start) {
        let same = |near: &Candidate| near.row == row && near.wall == wall;
        let end = start + candidates[start..].iter().take_while(|near| same(near)).count();
        let group = start..end;
        start = end;

        let body = row as usize;
        let (center, seen) = (columns.position[body], columns.seen[body]);
        let radius = seen.radius;
        let placement = &around.placements[usize::from(wall)];
        let wall_data = &around.walls[usize::from(wall)];
        let ball = NearBall { center, radius, reach: if L::REACHES { conditions.reach } else { 0.0 } };
        let near = &candidates[group.clone()];
        find_contacts(near, wall_data, placement, &ball, &conditions.periods, &mut part.found);
        if part.found.is_empty() {
            // Of the bodies near walls most do not touch them.
            slots.touching[group].fill(false);
            continue;
        }
        let mut slots = Slots {
            words: slots.words,
            touching: &mut slots.touching[group.clone()],
            numbers: &mut slots.numbers[group.start * slots.words..group.end * slots.words],
        };
        let coefficients = conditions.materials.of(columns.material[body], wall_data.material);
        let lost = &mut part.energies.lost;
        // The overlap half a step ago, until when the last force acted, and a whole step ago; none out of reach.
        let overlaps = |candidate: usize| {
            let element = nearest(&near[candidate], wall_data, placement, center, &conditions.periods);
            let element = element.filter(|element| element.distance < radius + ball.reach)?;
            let normal = placement.direction_now(element.normal);
            let on_wall = sub(center, conditions.periods.shift(near[candidate].image));
            let way =
                dot(sub(seen.velocity, placement.velocity_at(on_wall)), normal) * conditions.span.before;
            let middle = radius - element.distance + way;
            Some((middle, middle + way))
        };
        // What a contact stores that is hidden from now on is not given back, or has not to be paid; what one stores that comes to light
        // has not been put into it.
        hand_over(&mut slots, &part.found, |last, next, memory| {
            let memory = L::Memory::read(memory);
            let stored = |overlap: f64| L::stored(coefficients, overlap, radius, &memory);
            let (own, other) = (last.and_then(overlaps), next.and_then(overlaps));
            let gone = match (last, own, other) {
                (Some(_), Some((own, _)), other) => {
                    stored(own) - other.map_or(0.0, |(other, _)| stored(other))
                }
                (Some(_), None, Some((other, _))) if L::REACHES => -stored(other),
                (None, _, Some((other, before))) if before > 0.0 => stored(0.0) - stored(other),
                _ => 0.0,
            };
            *(if L::REACHES { &mut lost.adhesion } else { &mut lost.damping }) += gone;
        });

        let middle = placement.to_now(wall_data.center);
        let near_of = |found: &FoundElement<D>| &near[found.candidate];
        for found in &part.found {
            let near = &found.near;
            let overlap = radius - near.distance;
            if overlap > conditions.overlap_limit * radius {
                part.crushed = part.crushed.or(Some((row, wall, overlap)));
            }
            let point = add(center, found.arm);
            // On the wall itself, of which the body may touch an image.
            let on_wall = sub(point, conditions.periods.shift(near_of(found).image));
            let surface = placement.velocity_at(on_wall);
            let normal = scale(near.normal, -1.0);
            let velocity = sub(seen.velocity, surface);
            let approach = dot(velocity, normal);
            let arm = near.distance;
            let touch = Touch {
                normal,
                overlap,
                approach,
                slip: if kinds.friction {
                    // The wall's own spin is in the velocity of its surface.
                    add(add_scaled(velocity, -approach, normal), turn(scale(seen.spin, arm), normal))
                } else {
                    [0.0; D]
                },
                turning: sub(seen.spin, placement.spin),
                inverse_mass: seen.inverse_mass,
                inverse_inertia: seen.inverse_mass / (columns.inertia * radius * radius),
                reduced_radius: radius,
            };
            let slot = found.candidate * slots.words + D;
            let numbers = &mut slots.numbers[slot..slot + L::Memory::WORDS];
            let memory = L::Memory::read(numbers);
            let response = L::respond::<f64>(kinds, coefficients, &touch, memory, conditions.span);
            let Response { push, pull, couple, memory, energies, holds } = response;
            L::Memory::write(&memory, numbers);
            // One that no longer holds pushes and pulls by nothing, but what it has lost counts.
            let holds = !L::REACHES || holds > 0.5;
            slots.touching[found.candidate] = holds;
            let force = sub(scale(normal, -push), pull);
            let torque_a = sub(scale(moment(normal, pull), -arm), couple);
            part.energies += energies;
            part.work += (dot(force, surface) - dot(couple, placement.spin)) * conditions.span.whole();
            load[body - first] += Load { force, torque: torque_a };
            if conditions.record && holds {
                part.records.push(ContactRecord {
                    a: columns.id[body],
                    b: Partner::Wall(wall),
                    point,
                    normal,
                    branch: found.arm,
                    overlap,
                    relative_overlap: overlap / radius,
                    push,
                    force,
                    torque_a,
                    torque_b: sub(couple, moment(sub(on_wall, middle), force)),
                    energy: L::stored(coefficients, overlap, radius, &memory) - energies.later.stored,
                });
            }
        }
    }
}
