//! One simulation: what is in it, and what can be asked of it.

use super::body::{Bodies, BodyError, Load, NewBody, ShapeIndex, Shapes};
use super::clock::TimeSpent;
use super::conditions::Conditions;
use super::contact::{ContactRecord, StoredEnergy};
use super::departed::Outflown;
use super::energy::{Account, Ledger};
use super::inserted::{Inserted, Smallest};
use super::materials::Materials;
use super::motion::Watch;
use super::overlap::DeepOverlap;
use super::pairs::PairList;
use super::passes::{Passes, passes_of, stone_laws_of};
use super::settings::Settings;
use super::setup::SetupError;
use super::spin::Spin;
use super::state::Elapsed;
use super::stones::{Clearance, LinkCounts, PlacedBody, StoneList};
use super::time_step::{Stiffest, stiffest};
use super::wall::{Placement, Wall, Walls};
use crate::broad::{self, ListCosts, Neighbors};
use crate::shape::Shape;
use crate::vector::{add_scaled, dot, scale, sub};

/// A simulation, in the plane (`D` = 2) or in space (`D` = 3).
pub struct Simulation<const D: usize> {
    pub(super) settings: Settings<D>,
    pub(super) materials: Materials<D>,
    pub(super) shapes: Shapes<D>,
    pub(super) bodies: Bodies<D>,
    pub(super) pairs: PairList<D>,
    pub(super) stones: StoneList<D>,
    pub(super) walls: Walls<D>,
    pub(super) account: Account<D>,
    pub(super) outflown: Outflown,
    pub(super) elapsed: Elapsed,
    pub(super) inserted: Inserted,
    /// Bodies with smaller ids have had their overlaps looked at.
    pub(super) settled: u64,
    /// The first large overlap.
    pub(super) deep_overlap: Option<DeepOverlap>,
    /// Whether rows have changed since the lists were made.
    pub(super) rows_changed: bool,
    /// What contacts applied in the last step that was recorded.
    pub(super) records: Vec<ContactRecord<D>>,
    /// What the parts noticed while bodies moved.
    pub(super) watch: Vec<Watch<D>>,
    pub(super) time_spent: TimeSpent,
}

/// Relative error of the sums over all bodies in the ledger.
const ROUNDING: f64 = 1e-12;
/// What the neighbour list's margin is chosen by: a rebuild sorts the list and moves the contacts' memory along.
const LIST_COSTS: ListCosts = ListCosts { detection: 300.0, pair: 4.0 };

impl<const D: usize> Simulation<D> {
    /// A simulation without bodies.
    ///
    /// Its threads are those of the rayon pool in which it is advanced; results do not depend on them.
    pub fn new(
        settings: Settings<D>,
        materials: Materials<D>,
        walls: Vec<Wall<D>>,
    ) -> Result<Self, SetupError> {
        const { assert!(D == 2 || D == 3, "a simulation is in the plane or in space") };
        settings.check()?;
        let name = if settings.method == broad::AUTO { "levels" } else { &settings.method };
        let mut neighbors = Neighbors::new(broad::create::<D>(name)?);
        neighbors.skin = settings.skin;
        neighbors.costs = LIST_COSTS;
        let words = passes_of(&materials).words();
        let walls = Walls::new(walls, &materials, words)?;
        walls.check_periodic(&settings.domain)?;
        Ok(Self {
            inserted: Inserted::nothing(materials.len()),
            outflown: Outflown::new(settings.outflows.len()),
            stones: StoneList::new(settings.link, settings.stiffness_per),
            settings,
            materials,
            shapes: Shapes::default(),
            bodies: Bodies::default(),
            pairs: PairList::new(neighbors, words),
            walls,
            account: Account::default(),
            elapsed: Elapsed::default(),
            settled: 0,
            deep_overlap: None,
            rows_changed: true,
            records: Vec::new(),
            watch: Vec::new(),
            time_spent: TimeSpent::default(),
        })
    }

    /// The same simulation without bodies.
    pub(super) fn emptied(&self) -> Self {
        let empty = Self::new(self.settings.clone(), self.materials.clone(), self.walls.list.clone());
        let empty = empty.expect("settings that were accepted before");
        Self { shapes: self.shapes.clone(), time_spent: self.time_spent, ..empty }
    }

    /// Adds a shape that bodies can have; `None` if there are more than can be numbered.
    pub fn add_shape(&mut self, shape: Shape<D>) -> Option<ShapeIndex> {
        let index = self.shapes.add(shape)?;
        if self.follows_turning() {
            self.bodies.follow_turning(&self.shapes);
        }
        Some(index)
    }

    /// Whether there is a column of how bodies are turned.
    pub(super) fn follows_turning(&self) -> bool {
        self.settings.orientation || !self.shapes.only_balls()
    }

    /// Adds bodies, or none if one of them makes no sense; returns their ids.
    ///
    /// Bodies that are added after the first step should not overlap others: they would feel each other only from the next
    /// step on.
    pub fn insert(&mut self, bodies: &[NewBody<D>]) -> Result<std::ops::Range<u64>, BodyError> {
        let mut surfaces = self.inserted.surfaces.clone();
        for (index, body) in bodies.iter().enumerate() {
            let Some(material) = self.materials.list().get(usize::from(body.material)) else {
                let (material, known) = (body.material, self.materials.len());
                return Err(BodyError::Material { index, material, known });
            };
            let Some(shape) = self.shapes.find(body.shape) else {
                let (shape, known) = (body.shape.0, self.shapes.len());
                return Err(BodyError::Shape { index, shape, known });
            };
            let mass = body.mass.unwrap_or(material.density * Shapes::<D>::volume(body.radius));
            body.check(index, mass)?;
            let own = &mut surfaces[usize::from(body.material)];
            let before = own.kinds();
            own.add(shape, Smallest { radius: body.radius, mass }, body.radius, false);
            if own.kinds() != before {
                let meeting = |source| BodyError::Meeting { index, source };
                self.materials.check_meetings(&surfaces, &self.walls.materials()).map_err(meeting)?;
            }
        }
        let first = self.elapsed.inserted;
        self.bodies.reserve(bodies.len(), self.follows_turning());
        for body in bodies {
            self.push(body);
        }
        self.rows_changed |= !bodies.is_empty();
        self.note_contents();
        Ok(first..self.elapsed.inserted)
    }

    /// Adds a checked body.
    fn push(&mut self, body: &NewBody<D>) {
        let density = self.materials.list()[usize::from(body.material)].density;
        let mass = body.mass.unwrap_or(density * Shapes::<D>::volume(body.radius));
        let turning = self.follows_turning();
        self.bodies.push(self.elapsed.inserted, body, mass, &self.shapes, turning);
        self.elapsed.inserted += 1;
        let row = self.bodies.len() - 1;
        self.bodies.position[row] = self.settings.domain.wrap(body.position);
        self.bodies.midstep_velocity[row] =
            add_scaled(body.velocity, -0.5 * self.settings.time_step, self.settings.gravity);
        let momentum = self.bodies.midstep_spin.get(row);
        self.account.inserted += self.bodies.energy_of(row, body.velocity, momentum, &self.shapes);
        let fallen = scale(self.settings.gravity, 0.5 * self.settings.time_step);
        self.account.integration += 0.5 * mass * dot(fallen, fallen);
        self.account.moment = add_scaled(self.account.moment, mass, self.bodies.position[row]);
        self.inserted.add(body.material, self.shapes.get(body.shape), Smallest { radius: body.radius, mass });
    }

    /// Works out what contacts can do, after bodies have come.
    pub(super) fn note_contents(&mut self) {
        let walls = self.walls.materials();
        let bodies = self.inserted.materials();
        self.inserted.kinds = self.materials.kinds(&bodies, &walls);
        let largest = self.bodies.largest_radius();
        let pairs = bodies.iter().flat_map(|&a| bodies.iter().chain(&walls).map(move |&b| (a, b)));
        self.inserted.reach =
            pairs.map(|(a, b)| self.passes().reach(self.materials.of(a, b), largest)).fold(0.0, f64::max);
    }

    /// The loops over contacts, compiled for the law.
    pub(super) fn passes(&self) -> &'static dyn Passes<D> {
        passes_of(&self.materials)
    }

    /// The stiffest contact that bodies inserted so far can have.
    pub fn stiffest(&self) -> Option<Stiffest> {
        let (surfaces, walls) = (&self.inserted.surfaces, self.walls.materials());
        let found = stiffest(&self.materials, surfaces, &walls, self.settings.overlap_limit)?;
        Some(found.of_shapes(&self.shapes, self.settings.stiffness_per))
    }

    /// Energy stored in all contacts at the end of the last step, half a step from now.
    pub(super) fn stored(&self) -> StoredEnergy {
        let (bodies, passes) = (&self.bodies, self.passes());
        let conditions = Conditions::new(&self.settings, &self.materials, &self.inserted);
        let laws = stone_laws_of(&self.materials);
        let stones = self.stones.stored(bodies, &self.shapes, &laws, &self.walls.around(conditions));
        self.pairs.stored(bodies, passes, &conditions)
            + stones
            + self.walls.stored(bodies, passes, conditions)
    }

    /// The part of it that is stored in contacts with walls.
    pub(super) fn stored_in_walls(&self) -> f64 {
        let (bodies, passes) = (&self.bodies, self.passes());
        let conditions = Conditions::new(&self.settings, &self.materials, &self.inserted);
        let laws = stone_laws_of(&self.materials);
        let around = self.walls.around(conditions);
        let stones = self.stones.stored_in_walls(bodies, &self.shapes, &laws, &around);
        (stones + self.walls.stored(bodies, passes, conditions)).total()
    }

    /// The energies now.
    pub fn ledger(&self) -> Ledger {
        self.ledger_of(self.settings.time_step)
    }

    /// The energies now, if steps were of this length so far.
    pub(super) fn ledger_of(&self, time_step: f64) -> Ledger {
        let gravity = self.settings.gravity;
        let started = self.elapsed.started;
        // Before the first step forces are unknown, and velocities are those given.
        let (translation, rotation) = if started {
            self.bodies.kinetic(gravity, time_step, &self.shapes)
        } else {
            (self.account.inserted, 0.0)
        };
        let fallen = sub(self.bodies.first_moment(), self.account.moment);
        let integration = if started {
            self.account.integration - self.bodies.integration(gravity, time_step, &self.shapes)
        } else {
            0.0
        };
        // The last step lasts until half a step from now.
        let Account { losses, later, walls_later, .. } = &self.account;
        let stored = if started { self.stored() } else { StoredEnergy::default() };
        Ledger {
            translation,
            rotation,
            elastic: if started { stored.elastic - later.stored } else { 0.0 },
            attraction: stored.attraction,
            gravity: -dot(gravity, fallen),
            integration,
            damping: losses.damping - later.damping,
            friction: losses.friction - later.friction,
            rolling: losses.rolling - later.rolling,
            adhesion: losses.adhesion,
            removed: self.account.removed,
            inserted: self.account.inserted,
            walls: self.account.walls - walls_later,
            rounding: ROUNDING * self.bodies.lever_of(gravity),
        }
    }

    /// Momentum of all bodies, and angular momentum about the origin.
    pub fn momentum(&self) -> ([f64; D], Spin) {
        let Settings { gravity, time_step, .. } = self.settings;
        self.bodies.momentum(gravity, time_step, &self.shapes)
    }

    /// Velocities now, in the order of [`Simulation::bodies`].
    pub fn velocities(&self) -> impl ExactSizeIterator<Item = [f64; D]> {
        let Settings { gravity, time_step, .. } = self.settings;
        (0..self.bodies.len()).map(move |row| self.bodies.velocity_now(row, gravity, time_step))
    }

    /// Spins now, in the order of [`Simulation::bodies`].
    pub fn spins(&self) -> impl ExactSizeIterator<Item = Spin> {
        let step = self.settings.time_step;
        (0..self.bodies.len()).map(move |row| self.bodies.spin_now(row, step, &self.shapes))
    }

    /// The bodies, in the order in which they are stored; it changes as they move, so a body is known by its id.
    pub fn bodies(&self) -> &Bodies<D> {
        &self.bodies
    }

    /// The shapes that bodies can have.
    pub fn shapes(&self) -> &Shapes<D> {
        &self.shapes
    }

    /// The walls.
    pub fn walls(&self) -> &[Wall<D>] {
        &self.walls.list
    }

    /// Where the walls are.
    pub fn placements(&self) -> &[Placement<D>] {
        &self.walls.placements
    }

    /// Whether a ball here would overlap a wall, or be behind it.
    pub fn touches_wall(&self, center: [f64; D], radius: f64) -> bool {
        self.walls.touches(&self.settings.domain.periods(), center, radius)
    }

    /// Whether the box around a wall of facets, given by its index, meets the box between two corners.
    pub(super) fn wall_is_near(&self, wall: usize, min: [f64; D], max: [f64; D]) -> bool {
        self.walls.is_near(&self.settings.domain.periods(), wall, min, max)
    }

    /// Whether a closed wall, given by its index, encloses a point; `None` if it is not closed, or gone.
    pub fn wall_encloses(&self, wall: usize, point: [f64; D]) -> Option<bool> {
        self.walls.encloses(&self.settings.domain.periods(), wall, point)
    }

    /// Whether a body here would overlap a wall, or be behind it.
    pub(super) fn overlaps_wall(&self, body: &PlacedBody<D>, clearance: &mut Clearance<D>) -> bool {
        let conditions = Conditions::new(&self.settings, &self.materials, &self.inserted);
        clearance.overlaps_wall(&self.shapes, body, &self.walls.around(conditions))
    }

    /// All contacts and what they applied in the last step: between bodies, then with walls.
    ///
    /// The last step of every call of [`Simulation::advance_by`] is recorded. After a state was restored there are none until the
    /// next step.
    pub fn contacts(&self) -> &[ContactRecord<D>] {
        &self.records
    }

    /// Number of contacts between bodies, and of those with walls.
    pub fn contact_counts(&self) -> (usize, usize) {
        let (pairs, walls) = self.stones.touching();
        (self.pairs.touching() + pairs, self.walls.near.touching() + walls)
    }

    /// Force on each wall and torque about its centre, as recorded in the last step.
    pub fn wall_loads(&self) -> Vec<Load<D>> {
        self.walls.loads(&self.records)
    }

    /// Links of stones sought so far.
    pub fn links(&self) -> LinkCounts {
        self.stones.links()
    }

    /// Settings.
    pub fn settings(&self) -> &Settings<D> {
        &self.settings
    }

    /// The materials.
    pub fn materials(&self) -> &Materials<D> {
        &self.materials
    }

    /// Steps done.
    pub fn steps(&self) -> u64 {
        self.elapsed.steps
    }

    /// Time since the start.
    pub fn time(&self) -> f64 {
        self.elapsed.steps as f64 * self.settings.time_step
    }

    /// What has left.
    pub fn outflown(&self) -> &Outflown {
        &self.outflown
    }

    /// Bodies ever inserted.
    pub fn inserted(&self) -> u64 {
        self.elapsed.inserted
    }

    /// Time spent so far.
    pub fn time_spent(&self) -> TimeSpent {
        self.time_spent
    }

    /// Pairs in the neighbour lists; of bodies that are not balls, pairs of pieces.
    pub fn listed(&self) -> usize {
        self.pairs.neighbors().pairs().len() + self.stones.listed()
    }

    /// How often the neighbour list was rebuilt.
    pub fn rebuilds(&self) -> u64 {
        self.pairs.neighbors().rebuilds()
    }

    /// Bytes reserved for bodies, contacts and lists.
    pub fn bytes(&self) -> usize {
        self.bodies.bytes() + self.pairs.bytes() + self.stones.bytes() + self.walls.near.bytes()
    }
}
