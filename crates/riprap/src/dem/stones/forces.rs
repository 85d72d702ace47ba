//! The forces of contacts that were found, block by block.
//!
//! ```text
//! points ─▶ how each contact is pressed ─▶ the law, four contacts side by side ─▶ forces and couples on bodies
//! ```

use super::Crushed;
use super::context::{Context, LAWS, StoneLaw, member};
use super::pairs::{Met, StonePart};
use super::piece_pair::{Opposite, PiecePair};
use super::press::{Meeting, Member, Pressed, PressedRegion, Pressing};
use crate::convex::ContactPoint;
use crate::dem::body::Load;
use crate::dem::contact::{ContactRecord, Partner, Response};
use crate::dem::law::{Asked, MOST_NUMBERS};
use crate::dem::pairs::Reaction;
use crate::dem::spin::moment;
use crate::memory::prefetch;
use crate::vector::{add, dot, length, scale, sub};

/// How the contacts of a block are pressed.
#[derive(Debug)]
pub(super) struct Pressings<const D: usize> {
    regions: Vec<PressedRegion<D>>,
    asked: Vec<Asked<D>>,
    /// What the law remembers of each, and what it says.
    numbers: Vec<f64>,
    responses: Vec<Response<f64, (), D>>,
    /// Contacts by the law that they follow.
    by_law: [Vec<u32>; LAWS],
}

impl<const D: usize> Default for Pressings<D> {
    fn default() -> Self {
        Self {
            regions: Vec::new(),
            asked: Vec::new(),
            numbers: Vec::new(),
            responses: Vec::new(),
            by_law: Default::default(),
        }
    }
}

impl<const D: usize> Pressings<D> {
    /// Bytes reserved.
    pub(super) fn bytes(&self) -> usize {
        self.regions.capacity() * size_of::<PressedRegion<D>>()
            + self.asked.capacity() * size_of::<Asked<D>>()
            + self.numbers.capacity() * size_of::<f64>()
            + self.responses.capacity() * size_of::<Response<f64, (), D>>()
            + self.by_law.iter().map(|of| of.capacity() * size_of::<u32>()).sum::<usize>()
    }

    fn clear(&mut self) {
        self.regions.clear();
        self.asked.clear();
        self.numbers.clear();
        self.by_law.iter_mut().for_each(Vec::clear);
    }
}

impl<const D: usize> Met<D> {
    fn meeting<'a>(&self, region: PressedRegion<D>, points: &'a [ContactPoint<D>]) -> Meeting<'a, D> {
        let Self { reduced_radius, with_ball, .. } = *self;
        Meeting { region, points: &points[self.points.clone()], reduced_radius, with_ball }
    }

    /// What the first body of a pair touches.
    fn opposite<'a>(&self, context: &Context<'a, D>, pair: &PiecePair<D>) -> Member<'a, D> {
        let Context { columns, places, .. } = context;
        match pair.second {
            Opposite::Body { row, .. } => member(columns, places, row as usize, self.branch),
            Opposite::Wall(element) => context.member_wall(element, columns.position[pair.row as usize]),
        }
    }
}

impl<const D: usize> StonePart<D> {
    /// Works out the forces of the contacts that were found.
    pub(super) fn press(&mut self, context: &Context<'_, D>, first: usize, load: &mut [Load<D>]) {
        let laws = context.laws.all();
        self.ask(context, &laws, (first, load));
        let Pressings { asked, numbers, responses, by_law, .. } = &mut self.pressings;
        responses.resize(asked.len().max(responses.len()), Response::NONE);
        let conditions = context.conditions;
        for (law, which) in laws.iter().zip(by_law) {
            let (kinds, span) = (conditions.kinds, conditions.span);
            law.law.respond_to(kinds, which, (asked, numbers, responses), span, conditions.vectors);
        }
        self.answer(context, &laws, first, load);
    }

    /// Finds out how the contacts are pressed. The loads of their bodies will be needed.
    fn ask(
        &mut self,
        context: &Context<'_, D>,
        all_laws: &[StoneLaw<'_, D>; LAWS],
        (first, load): (usize, &[Load<D>]),
    ) {
        let Context { columns, places, conditions, laws, stiffness, .. } = context;
        self.pressings.clear();
        for (met, index) in self.met.iter().zip(0..) {
            let pair = &self.pairs[met.pair as usize];
            if let Opposite::Body { row, .. } = pair.second {
                prefetch(load, (row as usize).wrapping_sub(first));
            }
            let coefficients = context.coefficients(pair, met.with_ball);
            let points = &self.points[met.points.clone()];
            let mut region = PressedRegion::new(points, met.normal, *stiffness);
            if let Some(round) = &met.rounded {
                region = region.rounded(points, *stiffness, round);
            }
            let meeting = met.meeting(region, &self.points);
            let members =
                [&member(columns, places, pair.row as usize, [0.0; D]), &met.opposite(context, pair)];
            let memory = &mut self.contacts[pair.contact as usize];
            let span = &conditions.span;
            if met.reduced_radius.is_none() {
                let turned =
                    || members.map(|member| length(member.spin)).iter().sum::<f64>() * span.since_last();
                self.energies.lost.damping += memory.lost_in_leap(
                    met.normal_before,
                    &region,
                    turned,
                    span.since_last(),
                    coefficients.normal,
                );
            }
            self.energies.lost.rolling += memory.fit(&meeting, coefficients.tangential, laws.flat.words);
            let law = meeting.law() as usize;
            memory.numbers[all_laws[law].words..].fill(0.0);
            let pressing = Pressing { law: all_laws[law], kinds: conditions.kinds, span: *span };
            let size = match pair.second {
                Opposite::Body { row, .. } => {
                    columns.radius[pair.row as usize].min(columns.radius[row as usize])
                }
                Opposite::Wall(_) => columns.radius[pair.row as usize],
            };
            let asked = pressing.ask(&meeting, members, coefficients);
            memory.still.add_path(asked.touch.speed(size) * span.whole());
            self.pressings.asked.push(asked);
            self.pressings.numbers.extend_from_slice(&memory.numbers);
            self.pressings.regions.push(region);
            self.pressings.by_law[law].push(index);
        }
    }

    /// Adds what the laws say to the bodies.
    fn answer(
        &mut self,
        context: &Context<'_, D>,
        all_laws: &[StoneLaw<'_, D>; LAWS],
        first: usize,
        load: &mut [Load<D>],
    ) {
        let Context { columns, conditions, laws, .. } = context;
        let mut ended = Vec::new();
        let met = std::mem::take(&mut self.met);
        for (k, one) in met.iter().enumerate() {
            let Pressings { regions, asked, responses, .. } = &self.pressings;
            let (region, asked, response) = (regions[k], &asked[k], &responses[k]);
            let pair = self.pairs[one.pair as usize];
            let a = pair.row as usize;
            let meeting = one.meeting(region, &self.points);
            let law = all_laws[meeting.law() as usize];
            let memory = &mut self.contacts[pair.contact as usize];
            // All of them: a slice of a length that is known is copied at once.
            memory.numbers.copy_from_slice(&self.pressings.numbers[k * MOST_NUMBERS..][..MOST_NUMBERS]);
            let pressing = Pressing { law, kinds: conditions.kinds, span: conditions.span };
            let Pressed { push, force, couple, energies, holds, power } =
                pressing.pressed(&meeting, asked, response);
            memory.power = power as f32;
            self.energies += energies;
            let torque_a = add(couple, moment(region.center, force));
            let mut torque_b = sub(scale(couple, -1.0), moment(sub(region.center, one.branch), force));
            if a.wrapping_sub(first) < load.len() {
                load[a - first] += Load { force, torque: torque_a };
            } else {
                self.reactions.push(Reaction { row: pair.row, load: Load { force, torque: torque_a } });
            }
            let (partner, smaller) = match pair.second {
                Opposite::Body { row, .. } => {
                    let reaction = Load { force: scale(force, -1.0), torque: torque_b };
                    match load.get_mut((row as usize).wrapping_sub(first)) {
                        Some(load) => *load += reaction,
                        None => self.reactions.push(Reaction { row, load: reaction }),
                    }
                    let row = row as usize;
                    (Partner::Body(columns.id[row]), columns.radius[a].min(columns.radius[row]))
                }
                Opposite::Wall(element) => {
                    let wall = context.member_wall(element, columns.position[a]);
                    let power = dot(force, wall.velocity_at(region.center)) + dot(couple, wall.spin);
                    self.work += power * conditions.span.whole();
                    let middle = context.middle(element, columns.position[a]);
                    torque_b = sub(scale(couple, -1.0), moment(sub(region.center, middle), force));
                    (Partner::Wall(element.wall), columns.radius[a])
                }
            };
            let depths = meeting.points.iter().map(|point| point.depth);
            let deepest = depths.fold(f64::NEG_INFINITY, f64::max);
            if deepest > conditions.overlap_limit * smaller {
                let (row, opposite) = (pair.row, pair.second);
                let crushed = Crushed { row, opposite, depth: deepest, relative: deepest / smaller };
                self.crushed = Crushed::deeper(self.crushed, Some(crushed));
            }
            if !holds {
                ended.push(one.pair as usize);
            } else if conditions.record {
                let law = laws.of_memory(one.with_ball).law;
                let coefficients = context.coefficients(&pair, one.with_ball);
                let stored = law.stored(coefficients, memory.overlap, memory.radius, &memory.numbers);
                let branch = if let Partner::Wall(_) = partner { region.center } else { one.branch };
                self.records.push(ContactRecord {
                    a: columns.id[a],
                    b: partner,
                    point: add(columns.position[a], region.center),
                    normal: region.normal,
                    branch,
                    overlap: deepest,
                    relative_overlap: deepest / smaller,
                    push,
                    force,
                    torque_a,
                    torque_b,
                    energy: stored - energies.later.stored,
                });
            }
        }
        for pair in ended {
            self.part(pair, context);
        }
        self.met = met;
    }
}
