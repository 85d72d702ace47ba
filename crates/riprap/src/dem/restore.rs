//! How a simulation gives its state, checks one and resumes from it.

use rustc_hash::FxHashMap;

use super::body::{Bodies, Seen};
use super::conditions::Conditions;
use super::contact::Span;
use super::departed::{Departed, Outflown};
use super::failure::Failure;
use super::inserted::{Inserted, Smallest};
use super::law::MemoryParts;
use super::pairs::PairKey;
use super::passes::remembered_by;
use super::settings::Settings;
use super::simulation::Simulation;
use super::state::{Basis, MOST, SmallestEver, State, StateError};
use super::step::parallel;
use super::stones::StonePartner;
use super::wall::{WallElement, WallKey};
use crate::shape::Shape;
use crate::spheres::check_radius;
use crate::vector::dot;

impl<const D: usize> Simulation<D> {
    /// What a restart needs.
    pub fn state(&self) -> State<D> {
        State {
            elapsed: self.elapsed,
            bodies: self.bodies.clone(),
            contacts: self.pairs.remembered(&self.bodies, self.passes()),
            wall_contacts: self.walls.near.remembered(&self.bodies, self.passes()),
            stone_contacts: self.stones.remembered(&self.bodies),
            account: self.account.clone(),
            outflown: Some(self.outflown.clone()),
            smallest: Some(SmallestEver(self.inserted.smallest.clone())),
            basis: Some(self.basis()),
        }
    }

    /// Says why a state cannot be one of this simulation.
    pub fn check(&self, state: &State<D>) -> Result<(), StateError> {
        let bodies = &state.bodies;
        if let Some(&count) =
            [state.elapsed.steps, state.elapsed.inserted].iter().find(|count| **count > MOST)
        {
            return Err(StateError::Count { count });
        }
        self.check_bodies(bodies)?;
        let rows = rows_by_id(bodies);
        if rows.len() != bodies.len() || bodies.id.iter().any(|id| *id >= state.elapsed.inserted) {
            let wrong = |row: &usize| {
                rows[&bodies.id[*row]] != *row as u32 || bodies.id[*row] >= state.elapsed.inserted
            };
            let row = (0..bodies.len()).find(wrong).unwrap_or(0);
            return Err(StateError::Id { id: bodies.id[row] });
        }
        if !state.contacts.is_sound() {
            return Err(StateError::Contact);
        }
        if !state.wall_contacts.is_sound() {
            return Err(StateError::Wall);
        }
        let expected = self.remembered_in(state).words();
        for (contacts, found, expected) in [
            (state.contacts.len(), state.contacts.words, expected),
            (state.wall_contacts.len(), state.wall_contacts.words, D + expected),
        ] {
            if contacts > 0 && found != expected {
                return Err(StateError::Memory { found, expected });
            }
        }
        let here = |id: u64| rows.contains_key(&id);
        let between = |key: &PairKey| key.a < key.b && here(key.a) && here(key.b);
        if !state.contacts.keys.iter().all(between) {
            return Err(StateError::Contact);
        }
        let images = self.settings.domain.periods().images();
        let fits = |key: &WallKey| {
            let wall = self.walls.list.get(usize::from(key.wall));
            here(key.id)
                && images.contains(&key.image)
                && wall.is_some_and(|wall| (key.element as usize) < wall.surface.elements())
        };
        if !state.wall_contacts.keys.iter().all(fits) {
            return Err(StateError::Wall);
        }
        let has_piece = |id: u64, piece: u16| {
            let shape = rows.get(&id).and_then(|row| self.shapes.find(bodies.shape[*row as usize]));
            shape.is_some_and(|shape| usize::from(piece) < shape.pieces.len())
        };
        for (key, _) in &state.stone_contacts.0 {
            let known = match key.b {
                StonePartner::Body { id, piece } => key.a < id && has_piece(id, piece),
                StonePartner::Wall(WallElement { wall, image, element }) => {
                    fits(&WallKey { id: key.a, wall, image, element })
                }
            };
            if !known || !has_piece(key.a, key.piece) {
                return Err(StateError::Contact);
            }
        }
        if !state.account.sums().iter().chain(&state.account.moment).all(|sum| sum.is_finite()) {
            return Err(StateError::Account);
        }
        if let Some(outflown) = &state.outflown {
            self.check_departed(outflown, state.elapsed.inserted)?;
        }
        if state.smallest.as_ref().is_some_and(|ever| ever.0.len() != self.materials.len()) {
            return Err(StateError::Smallest);
        }
        let inserted = self.inserted_in(bodies, state.smallest.as_ref());
        self.materials.check_meetings(&inserted.surfaces, &self.walls.materials())?;
        Ok(())
    }

    /// What there was so far, of bodies that are there and of what is known of others: the smallest ones.
    fn inserted_in(&self, bodies: &Bodies<D>, ever: Option<&SmallestEver>) -> Inserted {
        let mut inserted = Inserted::nothing(self.materials.len());
        for row in 0..bodies.len() {
            let body = Smallest { radius: bodies.radius[row], mass: 1.0 / bodies.inverse_mass(row) };
            inserted.add(bodies.material[row], self.shapes.get(bodies.shape[row]), body);
        }
        let ever = ever.map_or(&[][..], |ever| &ever.0);
        for (material, body) in ever.iter().enumerate().filter_map(|(index, body)| Some((index, (*body)?))) {
            let smallest = &mut inserted.smallest[material];
            if smallest.is_none_or(|smallest| body.radius <= smallest.radius) {
                *smallest = Some(body);
            }
            // What shape those had that are gone is known only where all are balls.
            if self.shapes.only_balls() {
                inserted.surfaces[material].add(&Shape::<D>::ball(), body, body.radius, false);
            }
        }
        inserted
    }

    fn check_departed(&self, outflown: &Outflown, inserted: u64) -> Result<(), StateError> {
        if outflown.outflows.len() != self.settings.outflows.len() {
            return Err(StateError::Outflows);
        }
        let mut all: u64 = 0;
        for &Departed { count, mass } in outflown.outflows.iter().chain([&outflown.strayed]) {
            all = all.saturating_add(count);
            if all > inserted || !(mass.is_finite() && mass >= 0.0) {
                return Err(StateError::Departed { count, mass, inserted });
            }
        }
        Ok(())
    }

    fn check_bodies(&self, bodies: &Bodies<D>) -> Result<(), StateError> {
        let count = bodies.len();
        let lengths = [
            bodies.id.len(),
            bodies.shape.len(),
            bodies.material.len(),
            bodies.position.len(),
            bodies.midstep_velocity.len(),
            bodies.midstep_spin.len(),
            bodies.seen.len(),
            bodies.load.len(),
        ];
        let orientations = bodies.turning.orientation.len();
        if lengths != [count; 8] || (orientations != count && orientations != 0) {
            return Err(StateError::Columns);
        }
        if orientations > 0 && !self.follows_turning() {
            return Err(StateError::Orientations);
        }
        let is_turn = |quaternion: &[f64; 4]| (dot(*quaternion, *quaternion) - 1.0).abs() < 1e-6;
        if let Some(row) = bodies.turning.orientation.iter().position(|orientation| !is_turn(orientation)) {
            return Err(StateError::Body { id: bodies.id[row] });
        }
        let positive = |value: f64| value.is_normal() && value > 0.0 && (1.0 / value).is_finite();
        for row in 0..count {
            let (id, seen, load) = (bodies.id[row], &bodies.seen[row], &bodies.load[row]);
            let Seen { radius, inverse_mass, .. } = *seen;
            let vectors = [bodies.position[row], bodies.midstep_velocity[row], seen.velocity, load.force];
            let spins = [bodies.midstep_spin.get(row), seen.spin, load.torque];
            let finite = vectors.as_flattened().iter().chain(spins.as_flattened()).all(|x| x.is_finite());
            let in_plane = D == 3 || spins.iter().all(|spin| spin[..2] == [0.0; 2]);
            let sound =
                check_radius(radius).is_ok() && positive(inverse_mass) && radius == bodies.radius[row];
            if !finite || !in_plane || !sound {
                return Err(StateError::Body { id });
            }
            let known = usize::from(bodies.material[row]) < self.materials.len();
            if !known || self.shapes.find(bodies.shape[row]).is_none() {
                return Err(StateError::Kind { id });
            }
        }
        Ok(())
    }

    /// Continues from a state, if [`Simulation::check`] finds nothing wrong with it; after a refusal all is as before. Orientations that
    /// it does not have begin now.
    ///
    /// It goes on to the last bit, if law, materials and time step are those of the state. Else forces are worked out anew, springs stay
    /// as they are, steps are counted as if they had always been of the present length, and what a new law or new materials have done to
    /// the energy of contacts counts as inserted.
    pub fn restore(&mut self, state: State<D>) -> Result<(), Failure> {
        self.check(&state)?;
        let mut restored = self.emptied();
        restored.take_over(state)?;
        *self = restored;
        Ok(())
    }

    /// What contacts remember in a state, by its law. One that does not say has this law; it may be so old that contacts remember springs
    /// alone.
    fn remembered_in(&self, state: &State<D>) -> MemoryParts {
        if let Some(Basis { law, turns, .. }) = state.basis {
            return remembered_by::<D>(law, turns);
        }
        let found = match state.contacts.is_empty() {
            true => state.wall_contacts.words.saturating_sub(D),
            false => state.contacts.words,
        };
        let [plain, turning] = [false, true].map(|turns| remembered_by::<D>(self.materials.law(), turns));
        let old = [plain, turning].map(|parts| MemoryParts { own: 0, ..parts });
        let known = [plain, turning].into_iter().chain(old).find(|parts| parts.words() == found);
        known.unwrap_or(self.passes().parts())
    }

    /// What forces follow from here.
    fn basis(&self) -> Basis {
        Basis {
            law: self.materials.law(),
            turns: self.materials.turn(),
            coefficients: self.materials.checksum(),
            time_step: self.settings.time_step,
        }
    }

    /// Whether contacts follow another law here, or other coefficients, than those of a state.
    pub fn contacts_changed(&self, state: &State<D>) -> bool {
        let here = self.basis();
        state.basis.is_some_and(|there| Basis { time_step: here.time_step, ..there } != here)
    }

    /// Fills an empty simulation with a state that was checked.
    fn take_over(&mut self, state: State<D>) -> Result<(), Failure> {
        let (here, from, to) = (self.basis(), self.remembered_in(&state), self.passes().parts());
        let there = state.basis.unwrap_or(here);
        self.elapsed = state.elapsed;
        if there.time_step != here.time_step {
            let time = state.elapsed.steps as f64 * there.time_step;
            self.elapsed.steps = (time / here.time_step).round() as u64;
        }
        self.settled = if self.elapsed.started { self.elapsed.inserted } else { 0 };
        self.bodies = state.bodies;
        self.account = state.account;
        self.outflown = state.outflown.unwrap_or_else(|| Outflown::new(self.settings.outflows.len()));
        if self.follows_turning() {
            self.bodies.follow_turning(&self.shapes);
        }
        self.inserted = self.inserted_in(&self.bodies, state.smallest.as_ref());
        self.note_contents();
        self.check_step()?;
        self.walls.move_to(self.time());
        self.check_places_of_walls()?;
        let refit = |numbers: &[f64]| from.refit(numbers, &to, there.law == here.law);
        let contacts = state.contacts.refitted(to.words(), refit);
        let wall_contacts = state.wall_contacts.refitted(D + to.words(), |numbers| {
            let (normal, numbers) = numbers.split_at(D);
            [normal, &refit(numbers)].concat()
        });
        let rows = rows_by_id(&self.bodies);
        let row_of = |id: u64| rows[&id];
        let (bodies, passes) = (&self.bodies, self.passes());
        let criterion = self.settings.domain.criterion(self.inserted.reach);
        self.pairs
            .restore(bodies, &criterion, &contacts, row_of, passes, parallel())
            .map_err(|source| Failure::Search { step: state.elapsed.steps, source })?;
        let margin = self.pairs.neighbors().current_skin();
        let conditions = Conditions::new(&self.settings, &self.materials, &self.inserted);
        let (near, around) = self.walls.split(conditions);
        near.restore(bodies, &around, margin, &wall_contacts, row_of);
        if !self.shapes.only_balls() {
            let [from, to] = [there.law, here.law].map(|law| remembered_by::<D>(law, true));
            let (pairs, shapes) = (self.pairs.shaped(), &self.shapes);
            let is_ball =
                |id: u64, piece: u16| shapes.piece(bodies.shape[row_of(id) as usize], piece).is_ball();
            // Faces follow the same law as ever.
            let memories = state.stone_contacts.refitted(|key, numbers| {
                let with_ball = is_ball(key.a, key.piece)
                    || matches!(key.b, StonePartner::Body { id, piece } if is_ball(id, piece));
                let refit = || from.refit(&numbers[..from.words()], &to, there.law == here.law);
                if with_ball { refit() } else { numbers.to_vec() }
            });
            self.stones.restore(pairs, bodies, shapes, (&around, margin), &memories, row_of);
        }
        self.lists_are_new(margin);
        match (there == here, self.elapsed.started) {
            (true, _) => Ok(()),
            (false, true) => self.change_over(&there),
            (false, false) => {
                let Settings { gravity, time_step, .. } = self.settings;
                self.bodies.stop_the_clock(gravity, there.time_step, time_step, &self.shapes);
                Ok(())
            }
        }
    }

    /// Works out forces anew, from the velocities and springs at the time of a state that followed from something else.
    fn change_over(&mut self, there: &Basis) -> Result<(), Failure> {
        let Settings { gravity, time_step, .. } = self.settings;
        let same_contacts = Basis { time_step, ..*there } == self.basis();
        let error = if same_contacts { self.ledger_of(there.time_step).imbalance() } else { 0.0 };
        self.account.integration -= self.bodies.integration(gravity, there.time_step, &self.shapes);
        self.bodies.stop_the_clock(gravity, there.time_step, time_step, &self.shapes);
        // Springs are half a step ahead: back to now. What that does counts nowhere.
        let back = -0.5 * there.time_step;
        self.add_forces(Span { before: back, after: 0.0, later: 0.0 }, false);
        self.account.end_now();
        self.begin()?;
        self.records.clear();
        self.account.integration += self.bodies.integration(gravity, time_step, &self.shapes);
        self.account.inserted += self.ledger().imbalance() - error;
        Ok(())
    }
}

fn rows_by_id<const D: usize>(bodies: &Bodies<D>) -> FxHashMap<u64, u32> {
    // Of two with one id the first is found.
    bodies.id.iter().enumerate().rev().map(|(row, id)| (*id, row as u32)).collect()
}
