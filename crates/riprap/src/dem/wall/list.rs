//! Which bodies are near which walls, the memory of their contacts, and the forces between them.
//!
//! A body may touch several elements of a wall at once, of which not all are contacts of their own: a ball that rests on a
//! flat surface of triangles overlaps the edges of the triangles around. Elements are therefore looked at in order, faces
//! before edges before corners and the deepest first, and one whose nearest point is not in front of the plane of a contact
//! already found adds nothing. When a contact passes on to another element of the same wall, its memory goes with it, so that
//! a ball feels nothing where it rolls from one triangle to the next.

use super::{Nearest, Pose, Wall};
use crate::dem::bodies::{Bodies, Load, View, inertia_share};
use crate::dem::contact::{Losses, Touch, respond, stored};
use crate::dem::law::Law;
use crate::dem::material::Table;
use crate::dem::parts::{Split, for_each_part, part_rows, part_size};
use crate::dem::spin::moment;
use crate::vector::{add, dot, length, scale, sub};

/// An element of a wall near a body. `image` says how the box is repeated (see [`shift`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    row: u32,
    wall: u16,
    image: u16,
    element: u32,
}

/// What a candidate remembers of the last step, if it was a contact.
#[derive(Debug, Clone, Copy)]
struct Memory<const D: usize> {
    touching: bool,
    normal: [f64; D],
    spring: [f64; D],
}

impl<const D: usize> Default for Memory<D> {
    fn default() -> Self {
        Self { touching: false, normal: [0.0; D], spring: [0.0; D] }
    }
}

/// A contact of a body with a wall and what it remembers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WallSpring<const D: usize> {
    /// Row of the body.
    pub row: u32,
    /// Index of the wall.
    pub wall: u16,
    /// Image of the wall in a periodic box.
    pub image: u16,
    /// Element of the wall.
    pub element: u32,
    /// Unit vector from the wall to the body.
    pub normal: [f64; D],
    /// The tangential spring.
    pub spring: [f64; D],
}

/// Bodies near walls.
#[derive(Debug, Clone)]
pub(crate) struct WallList<const D: usize, const S: usize> {
    candidates: Vec<Candidate>,
    memory: Vec<Memory<D>>,
    parts: Vec<Part<D, S>>,
}

/// A part's share of the work and what came of it.
#[derive(Debug, Clone)]
struct Part<const D: usize, const S: usize> {
    candidates: usize,
    found: Vec<Found<D>>,
    loads: Vec<Load<D, S>>,
    losses: Losses,
    work: f64,
    crushed: Option<(u32, u16, f64)>,
}

/// An element that a body overlaps.
#[derive(Debug, Clone, Copy)]
struct Found<const D: usize> {
    candidate: usize,
    near: Nearest<D>,
    /// Nearest point of the wall, seen from the centre of the body.
    arm: [f64; D],
}

/// What the walls' forces depend on beside the bodies.
#[derive(Clone, Copy)]
pub(crate) struct Surroundings<'a, const D: usize, const S: usize> {
    pub(crate) walls: &'a [Wall<D, S>],
    pub(crate) poses: &'a [Pose<D, S>],
    pub(crate) table: &'a Table,
    pub(crate) lengths: [f64; D],
    pub(crate) step: f64,
    pub(crate) overlap_limit: f64,
}

/// What a force pass reports.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Outcome {
    pub(crate) losses: Losses,
    /// Work of the walls on the bodies.
    pub(crate) work: f64,
    /// Row and wall of a body that overlaps a wall by more than allowed, and by how much.
    pub(crate) crushed: Option<(u32, u16, f64)>,
}

/// How far in front of the plane of another contact a point must be to be a contact of its own, over the radius and over that
/// contact's overlap: the corners of flat surfaces in files are not flat to the last bit.
const IN_FRONT: (f64, f64) = (1e-6, 0.1);

/// Contacts with normals less alike than this (cosine) share no memory.
const ALIKE: f64 = 0.7;

/// Code of the wall itself, among its images.
fn itself(dimension: usize) -> u16 {
    (3u16.pow(dimension as u32) - 1) / 2
}

/// By how much an image of a wall is moved: each digit of the code to the base 3 is one axis, 1 for none.
fn shift<const D: usize>(image: u16, lengths: &[f64; D]) -> [f64; D] {
    std::array::from_fn(|k| {
        let digit = image / 3u16.pow(k as u32) % 3;
        if digit == 1 { 0.0 } else { (f64::from(digit) - 1.0) * lengths[k] }
    })
}

/// Images worth looking at: those along periodic axes.
fn images<const D: usize>(lengths: &[f64; D]) -> Vec<u16> {
    (0..3u16.pow(D as u32))
        .filter(|image| (0..D).all(|k| image / 3u16.pow(k as u32) % 3 == 1 || lengths[k].is_finite()))
        .collect()
}

impl<const D: usize, const S: usize> WallList<D, S> {
    pub(crate) fn new() -> Self {
        Self { candidates: Vec::new(), memory: Vec::new(), parts: Vec::new() }
    }

    /// Lists the elements of walls that a body may touch before it and the wall have come nearer by `margin`.
    pub(crate) fn rebuild(&mut self, bodies: &Bodies<D, S>, around: &Surroundings<'_, D, S>, margin: f64) {
        let kept: Vec<WallSpring<D>> = self.springs().collect();
        self.remember(bodies, around, margin, &kept);
    }

    /// Lists the elements anew and gives them this memory, which is in the order of the bodies.
    pub(crate) fn remember(
        &mut self,
        bodies: &Bodies<D, S>,
        around: &Surroundings<'_, D, S>,
        margin: f64,
        kept: &[WallSpring<D>],
    ) {
        self.candidates.clear();
        let all_images = images(&around.lengths);
        let only_itself = [itself(D)];
        let mut elements = Vec::new();
        for (row, (center, radius)) in bodies.position.iter().zip(&bodies.radius).enumerate() {
            for (wall, (shape, pose)) in
                around.walls.iter().map(|wall| &wall.shape).zip(around.poses).enumerate()
            {
                for &image in if shape.has_ends() { &all_images[..] } else { &only_itself } {
                    let local = pose.to_start(sub(*center, shift(image, &around.lengths)));
                    elements.clear();
                    shape.near(local, radius + margin, &mut elements);
                    self.candidates.extend(elements.iter().map(|&element| Candidate {
                        row: row as u32,
                        wall: wall as u16,
                        image,
                        element,
                    }));
                }
            }
        }
        self.memory.clear();
        self.memory.resize(self.candidates.len(), Memory::default());
        for spring in kept {
            let WallSpring { row, wall, image, element, .. } = *spring;
            if let Ok(position) = self.candidates.binary_search(&Candidate { row, wall, image, element }) {
                self.memory[position] =
                    Memory { touching: true, normal: spring.normal, spring: spring.spring };
            }
        }
        self.share_out(bodies.len(), around.walls.len());
    }

    fn share_out(&mut self, bodies: usize, walls: usize) {
        let mut start = 0;
        self.parts.clear();
        for rows in part_rows(bodies) {
            let end = start + self.candidates[start..].partition_point(|near| (near.row as usize) < rows.end);
            self.parts.push(Part {
                candidates: end - start,
                found: Vec::new(),
                loads: vec![Load::NONE; walls],
                losses: Losses::default(),
                work: 0.0,
                crushed: None,
            });
            start = end;
        }
    }

    /// All contacts with walls, in the order of the bodies.
    pub(crate) fn springs(&self) -> impl Iterator<Item = WallSpring<D>> {
        self.candidates.iter().zip(&self.memory).filter(|(_, memory)| memory.touching).map(
            |(near, memory)| {
                let Candidate { row, wall, image, element } = *near;
                WallSpring { row, wall, image, element, normal: memory.normal, spring: memory.spring }
            },
        )
    }

    /// Adds the forces of the walls to the bodies, and the forces on the walls to `loads`.
    pub(crate) fn apply<L: Law>(
        &mut self,
        bodies: &mut Bodies<D, S>,
        around: &Surroundings<'_, D, S>,
        parallel: bool,
        loads: &mut [Load<D, S>],
    ) -> Outcome {
        let size = part_size(bodies.len());
        let (columns, bodies_load) = bodies.split();
        let work = Work {
            size,
            first: 0,
            candidates: &self.candidates,
            memory: &mut self.memory,
            load: bodies_load,
            parts: &mut self.parts,
        };
        for_each_part(work, parallel, &|work| forces_of_part::<L, D, S>(work, &columns, around));
        let mut outcome = Outcome::default();
        loads.fill(Load::NONE);
        for part in &self.parts {
            outcome.losses += part.losses;
            outcome.work += part.work;
            outcome.crushed = outcome.crushed.or(part.crushed);
            for (load, more) in loads.iter_mut().zip(&part.loads) {
                *load += *more;
            }
        }
        outcome
    }

    /// Whether a ball here would overlap a wall, or be behind it.
    pub(crate) fn touches(&self, around: &Surroundings<'_, D, S>, center: [f64; D], radius: f64) -> bool {
        let all_images = images(&around.lengths);
        let only_itself = [itself(D)];
        let mut elements = Vec::new();
        around.walls.iter().map(|wall| &wall.shape).zip(around.poses).any(|(shape, pose)| {
            let images = if shape.has_ends() { &all_images[..] } else { &only_itself };
            images.iter().any(|&image| {
                let local = pose.to_start(sub(center, shift(image, &around.lengths)));
                elements.clear();
                shape.near(local, radius, &mut elements);
                let overlaps = |near: Nearest<D>| near.distance < radius;
                elements.iter().any(|&element| shape.nearest(element as usize, local).is_some_and(overlaps))
            })
        })
    }

    /// Distance of a body from the element that it touches.
    pub(crate) fn distance(
        &self,
        bodies: &Bodies<D, S>,
        around: &Surroundings<'_, D, S>,
        contact: &WallSpring<D>,
    ) -> Option<f64> {
        let wall = usize::from(contact.wall);
        let center = sub(bodies.position[contact.row as usize], shift(contact.image, &around.lengths));
        let near = around.walls[wall]
            .shape
            .nearest(contact.element as usize, around.poses[wall].to_start(center))?;
        Some(near.distance)
    }

    /// Energy stored in the contacts with walls.
    pub(crate) fn stored<L: Law>(&self, bodies: &Bodies<D, S>, around: &Surroundings<'_, D, S>) -> f64 {
        self.springs()
            .filter_map(|spring| {
                let (row, wall) = (spring.row as usize, usize::from(spring.wall));
                let coefficients = around.table.of(bodies.material[row], around.walls[wall].material);
                let overlap = bodies.radius[row] - self.distance(bodies, around, &spring)?;
                Some(stored::<L, D>(coefficients, overlap.max(0.0), bodies.radius[row], spring.spring))
            })
            .sum()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.candidates.capacity() * size_of::<Candidate>() + self.memory.capacity() * size_of::<Memory<D>>()
    }
}

struct Work<'a, const D: usize, const S: usize> {
    size: usize,
    first: usize,
    candidates: &'a [Candidate],
    memory: &'a mut [Memory<D>],
    load: &'a mut [Load<D, S>],
    parts: &'a mut [Part<D, S>],
}

impl<const D: usize, const S: usize> Split for Work<'_, D, S> {
    fn parts(&self) -> usize {
        self.parts.len()
    }

    fn split(self, parts: usize) -> (Self, Self) {
        let rows = parts * self.size;
        let candidates = self.parts[..parts].iter().map(|part| part.candidates).sum();
        let (candidates_a, candidates_b) = self.candidates.split_at(candidates);
        let (memory_a, memory_b) = self.memory.split_at_mut(candidates);
        let (load_a, load_b) = self.load.split_at_mut(rows);
        let (parts_a, parts_b) = self.parts.split_at_mut(parts);
        let (size, first) = (self.size, self.first);
        (
            Self { size, first, candidates: candidates_a, memory: memory_a, load: load_a, parts: parts_a },
            Self {
                size,
                first: first + rows,
                candidates: candidates_b,
                memory: memory_b,
                load: load_b,
                parts: parts_b,
            },
        )
    }
}

fn forces_of_part<L: Law, const D: usize, const S: usize>(
    work: Work<'_, D, S>,
    columns: &View<'_, D, S>,
    around: &Surroundings<'_, D, S>,
) {
    let Work { first, candidates, memory, load, parts, .. } = work;
    let part = &mut parts[0];
    part.loads.fill(Load::NONE);
    (part.losses, part.work, part.crushed) = (Losses::default(), 0.0, None);
    let mut start = 0;
    while let Some(&Candidate { row, wall, .. }) = candidates.get(start) {
        let same = |near: &Candidate| near.row == row && near.wall == wall;
        let end = start + candidates[start..].iter().take_while(|near| same(near)).count();
        let group = start..end;
        start = end;

        let body = row as usize;
        let (center, seen) = (columns.position[body], columns.seen[body]);
        let radius = seen.radius;
        let (wall_index, pose) = (usize::from(wall), &around.poses[usize::from(wall)]);
        let wall_data = &around.walls[wall_index];
        find_contacts(
            &candidates[group.clone()],
            wall_data,
            pose,
            center,
            radius,
            &around.lengths,
            &mut part.found,
        );
        hand_over(&mut memory[group.clone()], &part.found);

        let coefficients = around.table.of(columns.material[body], wall_data.material);
        let middle = pose.to_now(wall_data.center);
        for found in &part.found {
            let near = &found.near;
            let overlap = radius - near.distance;
            if overlap > around.overlap_limit * radius {
                part.crushed = part.crushed.or(Some((row, wall, overlap)));
            }
            let contact_point = add(center, found.arm);
            let surface = pose.velocity_at(contact_point);
            let touch = Touch {
                normal: scale(near.normal, -1.0),
                overlap,
                arm_a: near.distance,
                arm_b: 0.0,
                velocity: sub(seen.velocity, surface),
                spin_a: seen.spin,
                spin_b: pose.spin,
                inverse_mass: seen.inverse_mass,
                inverse_inertia: seen.inverse_mass / (inertia_share(D) * radius * radius),
                reduced_radius: radius,
            };
            let slot = &mut memory[group.start + found.candidate];
            let kinds = around.table.kinds();
            let response = respond::<L, f64, D, S>(kinds, coefficients, &touch, slot.spring, around.step);
            slot.spring = response.spring;
            part.losses += response.losses;
            part.work += (dot(response.force, surface) - dot(response.torque_b, pose.spin)) * around.step;
            load[body - first] += Load { force: response.force, torque: response.torque_a };
            let on_wall = &mut part.loads[wall_index];
            on_wall.force = sub(on_wall.force, response.force);
            let lever = sub(contact_point, middle);
            on_wall.torque = add(sub(on_wall.torque, moment(lever, response.force)), response.torque_b);
        }
    }
}

/// Replaces `found` by the contacts of a body with a wall.
fn find_contacts<const D: usize, const S: usize>(
    candidates: &[Candidate],
    wall: &Wall<D, S>,
    pose: &Pose<D, S>,
    center: [f64; D],
    radius: f64,
    lengths: &[f64; D],
    found: &mut Vec<Found<D>>,
) {
    found.clear();
    for (candidate, near) in candidates.iter().enumerate() {
        let local = pose.to_start(sub(center, shift(near.image, lengths)));
        let Some(mut near) = wall.shape.nearest(near.element as usize, local) else { continue };
        if near.distance < radius {
            near.normal = pose.direction_now(near.normal);
            found.push(Found { candidate, near, arm: scale(near.normal, -near.distance) });
        }
    }
    if !wall.shape.has_ends() || found.len() < 2 {
        return;
    }
    found.sort_unstable_by(|a, b| {
        let depth = a.near.distance.total_cmp(&b.near.distance);
        a.near.feature.cmp(&b.near.feature).then(depth).then(a.candidate.cmp(&b.candidate))
    });
    let mut contacts = 0;
    for index in 0..found.len() {
        let arm = found[index].arm;
        let in_front = |other: &Found<D>| {
            let tolerance = IN_FRONT.0 * radius + IN_FRONT.1 * (radius - other.near.distance);
            dot(sub(arm, other.arm), other.near.normal) > tolerance
        };
        if found[..contacts].iter().all(in_front) {
            found[contacts] = found[index];
            contacts += 1;
        }
    }
    found.truncate(contacts);
}

/// Gives each new contact the memory of a contact that has ended at another element, and forgets those that have ended.
fn hand_over<const D: usize>(memory: &mut [Memory<D>], found: &[Found<D>]) {
    let goes_on = |candidate: usize| found.iter().any(|found| found.candidate == candidate);
    for contact in found {
        if memory[contact.candidate].touching {
            memory[contact.candidate].normal = contact.near.normal;
            continue;
        }
        let alike = |ended: &Memory<D>| dot(ended.normal, contact.near.normal);
        let ended = (0..memory.len())
            .filter(|&index| memory[index].touching && !goes_on(index) && alike(&memory[index]) > ALIKE)
            .max_by(|&i, &j| alike(&memory[i]).total_cmp(&alike(&memory[j])));
        let spring = ended.map_or([0.0; D], |index| {
            memory[index].touching = false;
            memory[index].spring
        });
        memory[contact.candidate] = Memory { touching: true, normal: contact.near.normal, spring };
    }
    for index in 0..memory.len() {
        memory[index].touching &= goes_on(index);
    }
}

/// Whether the motion of these walls may bring them nearer to a body within `reach` of a point, and how fast at most.
pub(crate) fn fastest<const D: usize, const S: usize>(
    poses: &[Pose<D, S>],
    middle: [f64; D],
    reach: f64,
) -> f64 {
    let speed = |pose: &Pose<D, S>| {
        let spin = dot(pose.spin, pose.spin).sqrt();
        let from_center = if spin > 0.0 { reach + length(sub(middle, pose.center)) } else { 0.0 };
        length(pose.velocity) + spin * from_center
    };
    poses.iter().map(speed).fold(0.0, f64::max)
}
