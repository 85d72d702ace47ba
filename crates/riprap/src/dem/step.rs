//! A step, in phases:
//!
//! ```text
//! drift ──▶ exchange ──▶ depart ──▶ lists ──▶ forces ──▶ account
//! ```
//!
//! 1. drift: bodies and walls move;
//! 2. exchange: other processes, if there are any, learn what they need of the bodies here (see [`Exchange`]);
//! 3. depart: bodies that have left are removed;
//! 4. lists: who is near whom, rebuilt when something has moved far enough;
//! 5. forces: contacts between bodies, then with walls;
//! 6. account: what was lost and what walls have done.

use super::body::order::along_curve;
use super::body::{Bodies, Load};
use super::clock::Moment;
use super::conditions::Conditions;
use super::contact::Span;
use super::exchange::{Alone, Exchange};
use super::failure::Failure;
use super::motion;
use super::pairs::PairSums;
use super::passes::stone_laws_of;
use super::simulation::Simulation;
use super::stones::StoneSums;
use super::wall::WallSums;
use crate::dimension::of_dimension;
use crate::vector::{add, add_scaled};

/// Steps between two looks at bodies that have left. Fixed, so that a restart looks at the same times.
const LOOK_OUTSIDE: u64 = 16;
/// Steps between two sorts of the bodies along the curve; fixed for the same reason.
const SORT: u64 = 1000;
/// Width of a cell of the curve, in smallest radii.
const CELL: f64 = 4.0;
/// Smallest radii that a body or wall may move in a step.
pub(super) const LONGEST_MOVE: f64 = 0.5;

type Steps<const D: usize> = fn(&mut Simulation<D>, u64, &mut dyn Exchange<D>) -> Result<(), Failure>;

static IN_PLANE: Steps<2> = Simulation::do_steps;
static IN_SPACE: Steps<3> = Simulation::do_steps;

impl<const D: usize> Simulation<D> {
    /// Does one step.
    pub fn advance(&mut self) -> Result<(), Failure> {
        self.advance_by(1)
    }

    /// Does this number of steps, the last of which is recorded (see [`Simulation::contacts`]).
    pub fn advance_by(&mut self, steps: u64) -> Result<(), Failure> {
        self.advance_with(steps, &mut Alone)
    }

    /// The same as one of several processes.
    pub fn advance_with(&mut self, steps: u64, exchange: &mut dyn Exchange<D>) -> Result<(), Failure> {
        of_dimension::<Steps<D>>(&IN_PLANE, &IN_SPACE)(self, steps, exchange)
    }

    fn do_steps(&mut self, steps: u64, exchange: &mut dyn Exchange<D>) -> Result<(), Failure> {
        if !self.elapsed.started {
            self.start(exchange)?;
        }
        (1..=steps).try_for_each(|step| self.step(exchange, step == steps))
    }

    /// Works out the forces on the first bodies, if that has not been done.
    pub fn prepare(&mut self) -> Result<(), Failure> {
        self.advance_by(0)
    }

    fn step(&mut self, exchange: &mut dyn Exchange<D>, record: bool) -> Result<(), Failure> {
        let mut sorted = Ok(());
        if self.elapsed.steps.is_multiple_of(SORT) {
            let smallest = self.smallest_of_all(Ok(()), exchange)?;
            sorted = self.sort(smallest);
        }
        let drifted = sorted.and_then(|()| self.drift());
        let moved = self.agree(drifted, exchange)?;
        exchange.refresh(&mut self.bodies);
        let done = self.meet(moved, record);
        self.agree(done.map(|()| 0.0), exchange)?;
        Ok(())
    }

    /// Departures, lists, forces and account of a step in which no body has moved further than this.
    fn meet(&mut self, moved: f64, record: bool) -> Result<(), Failure> {
        if self.elapsed.steps.is_multiple_of(LOOK_OUTSIDE) {
            self.depart()?;
        }
        self.update_lists(moved)?;
        let span = Span::of_step(self.settings.time_step);
        let sums = self.add_forces(span, record);
        self.account_for(&sums, span)
    }

    /// The largest of a number over all processes. If one has failed, all learn of it, and none goes on.
    fn agree(&self, here: Result<f64, Failure>, exchange: &mut dyn Exchange<D>) -> Result<f64, Failure> {
        let largest = exchange.largest(here.as_ref().map_or(f64::INFINITY, |number| *number));
        match here {
            Ok(_) if largest == f64::INFINITY => Err(Failure::Elsewhere { step: self.elapsed.steps }),
            Ok(_) => Ok(largest),
            Err(failure) => Err(failure),
        }
    }

    /// Works out the forces on the first bodies, from which their velocities half a step ago follow.
    fn start(&mut self, exchange: &mut dyn Exchange<D>) -> Result<(), Failure> {
        let smallest = self.smallest_of_all(self.check_step(), exchange)?;
        let begun = self.sort(smallest).and_then(|()| self.begin());
        self.agree(begun.map(|()| 0.0), exchange)?;
        // Surfaces that stick from the start have not leapt together.
        self.account.losses.adhesion = 0.0;
        self.account.inserted += self.stored().total() - self.account.later.stored;
        self.account.integration =
            self.bodies.integration(self.settings.gravity, self.settings.time_step, &self.shapes);
        self.elapsed.started = true;
        Ok(())
    }

    /// Works out the forces of now, from which velocities half a step ago follow; gravity is in them already.
    pub(super) fn begin(&mut self) -> Result<(), Failure> {
        // A start that failed, by an overlap, may be tried again.
        self.bodies.load.fill(Load::NONE);
        self.update_lists(0.0)?;
        let span = Span::of_start(self.settings.time_step);
        let sums = self.add_forces(span, true);
        self.account_for(&sums, span)?;
        let half = 0.5 * self.settings.time_step;
        for row in 0..self.bodies.len() {
            let (mass, inertia) =
                (self.bodies.inverse_mass(row), self.bodies.inverse_inertia(row, &self.shapes));
            let Load { force, torque } = self.bodies.load[row];
            let velocity = &mut self.bodies.midstep_velocity[row];
            *velocity = add_scaled(*velocity, -half * mass, force);
            let spin = self.bodies.midstep_spin.get(row);
            self.bodies.midstep_spin.set(row, add_scaled(spin, -half * inertia, torque));
        }
        Ok(())
    }

    /// Refuses a step beyond the stable limit.
    pub fn check_step(&self) -> Result<(), Failure> {
        let time_step = self.settings.time_step;
        match self.stiffest() {
            Some(stiffest) if time_step > stiffest.limit && !self.settings.force_step => {
                Err(Failure::TimeStep { time_step, limit: stiffest.limit, suggested: stiffest.step() })
            }
            _ => Ok(()),
        }
    }

    /// Moves bodies and walls; returns how far the fastest body has come.
    fn drift(&mut self) -> Result<f64, Failure> {
        let clock = Moment::now();
        let settings = &self.settings;
        let surroundings = motion::Surroundings {
            gravity: settings.gravity,
            step: settings.time_step,
            periods: settings.domain.periods(),
            shapes: &self.shapes,
        };
        let watch = motion::advance(&mut self.bodies, &surroundings, parallel(), &mut self.watch);
        self.account.moment = add(self.account.moment, watch.wrapped);
        if let Some(row) = watch.lost {
            return Err(self.not_a_number(row));
        }
        let step = self.settings.time_step;
        // What is near a body is so in other images of the walls after it has jumped.
        if !(watch.jumps.is_empty() || self.walls.follow(&watch.jumps) && self.stones.follow(&watch.jumps)) {
            self.rows_changed = true;
        }
        if !self.shapes.only_balls() {
            self.stones.note_motion(&self.bodies, &self.shapes, step);
        }
        let moved = watch.fastest.sqrt() * step;
        if moved > LONGEST_MOVE * self.inserted.smallest_radius() {
            return Err(self.too_fast());
        }
        self.elapsed.steps += 1;
        self.walls.move_to(self.elapsed.steps as f64 * self.settings.time_step);
        self.check_speed_of_walls()?;
        clock.add_to(&mut self.time_spent.motion);
        Ok(moved)
    }

    /// Radius of the smallest body that is there, so that a run that resumes sorts as one that never stopped, in any process.
    fn smallest_of_all(
        &self,
        so_far: Result<(), Failure>,
        exchange: &mut dyn Exchange<D>,
    ) -> Result<f64, Failure> {
        let smallest = self.bodies.radius.iter().copied().fold(f64::INFINITY, f64::min);
        self.agree(so_far.map(|()| -smallest), exchange).map(|largest| -largest)
    }

    /// Stores the bodies in an order in which neighbours are near each other in memory, by the radius of the smallest one.
    fn sort(&mut self, smallest: f64) -> Result<(), Failure> {
        let clock = Moment::now();
        let Bodies { position, id, .. } = &self.bodies;
        if self.bodies.len() < 2 {
            return Ok(());
        }
        let order = along_curve(position, id, CELL * smallest);
        if order.iter().enumerate().any(|(row, &from)| row as u32 != from) {
            self.arrange(&order)?;
        }
        clock.add_to(&mut self.time_spent.broad);
        Ok(())
    }

    /// Brings the bodies into an order of their rows, removing those that are left out, and the contacts' memory with them.
    pub(super) fn arrange(&mut self, order: &[u32]) -> Result<(), Failure> {
        let criterion = self.settings.domain.criterion(self.inserted.reach);
        self.pairs.note_motion(&self.bodies, &criterion).map_err(self.refused())?;
        self.check_places_of_walls()?;
        const GONE: u32 = u32::MAX;
        let mut rows = vec![GONE; self.bodies.len()];
        for (row, &from) in order.iter().enumerate() {
            rows[from as usize] = row as u32;
        }
        let new_row = |row: u32| Some(rows[row as usize]).filter(|row| *row != GONE);
        self.bodies.arrange(order);
        let passes = self.passes();
        let rebuilt = self.pairs.rearrange(&self.bodies, &criterion, new_row, passes, parallel());
        // Walls first: their memory must know the new rows also if the search refuses.
        self.list_walls(Some(&new_row));
        rebuilt.map_err(self.refused())?;
        Ok(())
    }

    /// Lists the bodies near walls anew.
    fn list_walls(&mut self, new_row: Option<&dyn Fn(u32) -> Option<u32>>) {
        let margin = self.pairs.neighbors().current_skin();
        let conditions = Conditions::new(&self.settings, &self.materials, &self.inserted);
        let (near, around) = self.walls.split(conditions);
        near.rebuild(&self.bodies, &around, margin, new_row);
        if !self.shapes.only_balls() {
            let pairs = self.pairs.shaped();
            self.stones.rebuild(pairs, &self.bodies, &self.shapes, (&around, margin), new_row);
        }
        self.lists_are_new(margin);
    }

    /// Begins to watch how far walls move.
    pub(super) fn lists_are_new(&mut self, margin: f64) {
        self.rows_changed = false;
        self.walls.watch(&self.bodies, margin);
    }

    /// Makes the lists good for the bodies after none has moved further than this.
    fn update_lists(&mut self, moved: f64) -> Result<(), Failure> {
        let clock = Moment::now();
        let criterion = self.settings.domain.criterion(self.inserted.reach);
        self.walls.note_motion(self.settings.time_step);
        let walls_left = self.walls.have_left(self.pairs.neighbors().current_skin());
        let moved = if self.rows_changed { f64::INFINITY } else { moved };
        let rebuilt = self.pairs.update(&self.bodies, &criterion, moved, parallel());
        let vanished = self.walls.have_vanished();
        if rebuilt.map_err(self.refused())? || walls_left || vanished || self.rows_changed {
            self.check_places_of_walls()?;
            let stored = if vanished { self.stored_in_walls() } else { 0.0 };
            self.list_walls(None);
            if vanished {
                // What was stored in contacts with walls has gone with them.
                self.account.removed += stored - self.stored_in_walls();
            }
        }
        clock.add_to(&mut self.time_spent.broad);
        Ok(())
    }

    /// Adds the forces of all contacts to the bodies.
    pub(super) fn add_forces(&mut self, span: Span<f64>, record: bool) -> (PairSums, StoneSums, WallSums) {
        let clock = Moment::now();
        let (passes, watched) = (self.passes(), self.watched_overlap());
        self.records.clear();
        let (bodies, shapes) = (&mut self.bodies, &self.shapes);
        let conditions = Conditions::new(&self.settings, &self.materials, &self.inserted);
        let conditions = conditions.over(span, record).watching(watched);
        let pairs = self.pairs.apply(bodies, shapes, passes, &conditions, parallel(), &mut self.records);
        let end = Moment::now();
        let all = end.since(clock);
        let share = pairs.narrow.as_secs_f64() / (pairs.narrow + pairs.force).as_secs_f64().max(1e-12);
        let narrow = all.mul_f64(share.min(1.0));
        self.time_spent.narrow += narrow;
        self.time_spent.force += all.saturating_sub(narrow);
        let (mut stones, mut last) = (StoneSums::default(), end);
        if !shapes.only_balls() {
            let (around, moved) = (self.walls.around(conditions), self.walls.moved());
            let laws = stone_laws_of(&self.materials);
            let (list, records) = (&mut self.stones, &mut self.records);
            stones = list.apply(bodies, shapes, laws, (&around, moved), parallel(), records);
            last = Moment::now();
            let all = last.since(end);
            let share = stones.narrow.as_secs_f64() / (stones.narrow + stones.force).as_secs_f64().max(1e-12);
            let narrow = all.mul_f64(share.min(1.0));
            self.time_spent.narrow += narrow;
            self.time_spent.force += all.saturating_sub(narrow);
            self.time_spent.links += stones.narrow;
        }
        let (near, around) = self.walls.split(conditions);
        let walls = near.apply(bodies, shapes, passes, &around, parallel(), &mut self.records);
        last.add_to(&mut self.time_spent.narrow);
        (pairs, stones, walls)
    }

    /// Adds up what was lost; notices large overlaps and refuses those beyond the limit.
    fn account_for(
        &mut self,
        (pairs, stones, walls): &(PairSums, StoneSums, WallSums),
        span: Span<f64>,
    ) -> Result<(), Failure> {
        let mut energies = pairs.energies;
        energies += stones.energies;
        energies += walls.energies;
        self.account.add(energies, stones.work + walls.work, span.later);
        if pairs.crushed.is_some() || stones.crushed.is_some() || walls.crushed.is_some() {
            self.examine_overlaps(stones.crushed)?;
        }
        self.settled = self.elapsed.inserted;
        Ok(())
    }

    /// A refusal of the neighbour search, at this step.
    pub(super) fn refused(&self) -> impl Fn(crate::Error) -> Failure + use<D> {
        let step = self.elapsed.steps;
        move |source| Failure::Search { step, source }
    }
}

/// Whether the caller's pool has threads to share the work.
pub(super) fn parallel() -> bool {
    rayon::current_num_threads() > 1
}
