//! One simulation: what is in it, and a step of it.

use std::time::{Duration, Instant};

use super::bodies::{Bodies, Load, NewBody};
use super::contact::Losses;
use super::energy::{Account, Ledger};
use super::failure::Failure;
use super::forces::Conditions;
use super::law::{Hertz, Law, Linear};
use super::material::{LawKind, Table};
use super::motion::{self, Watch};
use super::order::along_curve;
use super::pairs::{PairList, Spring};
use super::settings::Settings;
use super::state::Outflown;
use super::time_step::{Smallest, Stiffest, stiffest};
use super::wall::{self, Pose, Wall, WallList, WallSpring};
use crate::broad::{self, ListCosts, Neighbors};
use crate::vector::{add, add_scaled, dot, sub};
use crate::{Criterion, Error};

/// Time spent, by what it was spent on.
#[derive(Debug, Clone, Copy, Default)]
pub struct TimeSpent {
    /// Neighbour lists.
    pub broad: Duration,
    /// Which bodies touch, and walls.
    pub narrow: Duration,
    /// Contact forces.
    pub force: Duration,
    /// Integration.
    pub motion: Duration,
}

/// A simulation.
pub struct Simulation<const D: usize, const S: usize> {
    pub(super) settings: Settings<D>,
    pub(super) table: Table,
    pub(super) walls: Vec<Wall<D, S>>,
    pub(super) poses: Vec<Pose<D, S>>,
    pub(super) loads: Vec<Load<D, S>>,
    pub(super) bodies: Bodies<D, S>,
    pub(super) pairs: PairList<D, S>,
    pub(super) near_walls: WallList<D, S>,
    /// How far walls may have come since bodies near them were listed.
    pub(super) walls_moved: f64,
    /// A point, and the distance within which all bodies were when they were listed.
    pub(super) extent: ([f64; D], f64),
    /// Whether rows have changed since the lists were made.
    pub(super) rows_changed: bool,
    pub(super) account: Account<D>,
    pub(super) outflown: Vec<Outflown>,
    pub(super) strayed: Outflown,
    pub(super) steps: u64,
    pub(super) inserted: u32,
    pub(super) started: bool,
    pub(super) smallest: Vec<Option<Smallest>>,
    pub(super) watch: Vec<Watch<D>>,
    pub(super) pool: Option<rayon::ThreadPool>,
    pub(super) time_spent: TimeSpent,
}

/// Steps between two looks at bodies that have left. Fixed, so that a restart looks at the same times.
const LOOK_OUTSIDE: u64 = 16;
/// Steps between two sorts of the bodies along the curve; fixed for the same reason.
const SORT: u64 = 1000;
/// Relative error of the sums over all bodies in the ledger.
const ROUNDING: f64 = 1e-12;
/// Smallest radii that a body or wall may move in a step.
pub(super) const LONGEST_MOVE: f64 = 0.5;
/// What the neighbour list's margin is chosen by: a rebuild sorts the list and moves the contacts' memory along.
const LIST_COSTS: ListCosts = ListCosts { detection: 300.0, pair: 4.0 };

impl<const D: usize, const S: usize> Simulation<D, S> {
    /// A simulation without bodies.
    pub fn new(settings: Settings<D>, table: Table, walls: Vec<Wall<D, S>>) -> Result<Self, Error> {
        const {
            assert!(
                (D == 2 && S == 1) || (D == 3 && S == 3),
                "a spin has one component in the plane, three in space"
            );
        };
        let name = if settings.method == broad::AUTO { "levels" } else { &settings.method };
        let mut neighbors = Neighbors::new(broad::create::<D>(name)?);
        neighbors.skin = settings.skin;
        neighbors.costs = LIST_COSTS;
        neighbors.set_threads(settings.threads);
        let pool = (settings.threads > 1)
            .then(|| rayon::ThreadPoolBuilder::new().num_threads(settings.threads).build().ok())
            .flatten();
        let poses = walls.iter().map(|wall| Pose::at(&wall.motion, 0.0)).collect();
        Ok(Self {
            smallest: vec![None; table.materials()],
            loads: vec![Load::NONE; walls.len()],
            outflown: vec![Outflown::default(); settings.outflows.len()],
            strayed: Outflown::default(),
            settings,
            table,
            walls,
            poses,
            bodies: Bodies::default(),
            pairs: PairList::new(neighbors),
            near_walls: WallList::new(),
            walls_moved: 0.0,
            extent: ([0.0; D], 0.0),
            rows_changed: true,
            account: Account::default(),
            steps: 0,
            inserted: 0,
            started: false,
            watch: Vec::new(),
            pool,
            time_spent: TimeSpent::default(),
        })
    }

    /// Adds bodies; returns the number of the first, the others follow.
    ///
    /// Bodies that are added after the first step should not overlap others: they would feel each other only from the next
    /// step on.
    pub fn insert(&mut self, bodies: &[NewBody<D, S>]) -> u32 {
        let first = self.inserted;
        let step = self.settings.time_step;
        self.bodies.reserve(bodies.len());
        for body in bodies {
            self.bodies.push(self.inserted, body, self.settings.orientation);
            self.inserted += 1;
            let last = self.bodies.len() - 1;
            self.bodies.position[last] = self.criterion_wrap(body.position);
            self.bodies.midstep_velocity[last] =
                add_scaled(body.velocity, -0.5 * step, self.settings.gravity);
            self.account.inserted += 0.5 * body.mass * dot(body.velocity, body.velocity)
                + 0.5 * dot(body.spin, body.spin) / self.bodies.inverse_inertia(last);
            self.account.moment = add_scaled(self.account.moment, body.mass, self.bodies.position[last]);
            let smallest = &mut self.smallest[usize::from(body.material)];
            if smallest.is_none_or(|smallest| body.radius < smallest.radius) {
                *smallest = Some(Smallest { radius: body.radius, mass: body.mass });
            }
        }
        self.rows_changed |= !bodies.is_empty();
        first
    }

    /// Does one step.
    pub fn advance(&mut self) -> Result<(), Failure> {
        self.advance_by(1)
    }

    /// Does so many steps.
    pub fn advance_by(&mut self, steps: u64) -> Result<(), Failure> {
        self.in_pool(|simulation| match simulation.settings.law {
            LawKind::Linear => (0..steps).try_for_each(|_| simulation.step::<Linear>()),
            LawKind::Hertz => (0..steps).try_for_each(|_| simulation.step::<Hertz>()),
        })
    }

    /// Works out the forces on the first bodies, if that has not been done.
    pub fn prepare(&mut self) -> Result<(), Failure> {
        self.in_pool(|simulation| match simulation.settings.law {
            _ if simulation.started => Ok(()),
            LawKind::Linear => simulation.start::<Linear>(),
            LawKind::Hertz => simulation.start::<Hertz>(),
        })
    }

    fn in_pool(&mut self, run: impl FnOnce(&mut Self) -> Result<(), Failure> + Send) -> Result<(), Failure> {
        let pool = self.pool.take();
        let result = match &pool {
            Some(pool) => pool.install(|| run(self)),
            None => run(self),
        };
        self.pool = pool;
        result
    }

    fn step<L: Law>(&mut self) -> Result<(), Failure> {
        if !self.started {
            self.start::<L>()?;
        }
        if self.steps.is_multiple_of(SORT) {
            self.sort()?;
        }
        let start = Instant::now();
        let parallel = self.pool_is_used();
        let surroundings = motion::Surroundings {
            gravity: self.settings.gravity,
            step: self.settings.time_step,
            origin: self.settings.min,
            lengths: self.lengths(),
        };
        let watch = motion::advance(&mut self.bodies, &surroundings, parallel, &mut self.watch);
        self.account.moment = add(self.account.moment, watch.wrapped);
        if let Some(row) = watch.lost {
            return Err(self.not_a_number(row));
        }
        let moved = watch.fastest.sqrt() * self.settings.time_step;
        if moved > LONGEST_MOVE * self.smallest_radius() {
            return Err(self.too_fast());
        }
        self.steps += 1;
        for (pose, wall) in self.poses.iter_mut().zip(&self.walls) {
            if !wall.motion.is_empty() {
                *pose = Pose::at(&wall.motion, self.steps as f64 * self.settings.time_step);
            }
        }
        self.check_speed_of_walls()?;
        self.time_spent.motion += start.elapsed();
        if self.steps.is_multiple_of(LOOK_OUTSIDE) {
            self.remove_departed::<L>()?;
        }
        self.update_lists(moved)?;
        self.add_forces::<L>(self.settings.time_step)
    }

    /// Works out the forces on the first bodies, from which their velocities half a step ago follow.
    fn start<L: Law>(&mut self) -> Result<(), Failure> {
        self.check_step()?;
        self.sort()?;
        self.update_lists(0.0)?;
        self.add_forces::<L>(0.0)?;
        let half = 0.5 * self.settings.time_step;
        for row in 0..self.bodies.len() {
            let (mass, inertia) = (self.bodies.inverse_mass(row), self.bodies.inverse_inertia(row));
            let (velocity, spin) =
                (&mut self.bodies.midstep_velocity[row], &mut self.bodies.midstep_spin[row]);
            *velocity = add_scaled(*velocity, -half * mass, self.bodies.load[row].force);
            *spin = add_scaled(*spin, -half * inertia, self.bodies.load[row].torque);
        }
        self.account.inserted += self.stored::<L>();
        self.started = true;
        Ok(())
    }

    /// Refuses a step beyond the stable limit.
    pub fn check_step(&self) -> Result<(), Failure> {
        match self.stiffest() {
            Some(stiffest) if self.settings.time_step > stiffest.limit && !self.settings.force_step => {
                Err(Failure::TimeStep {
                    time_step: self.settings.time_step,
                    limit: stiffest.limit,
                    suggested: stiffest.step(),
                })
            }
            _ => Ok(()),
        }
    }

    /// The stiffest contact that bodies inserted so far can have.
    pub fn stiffest(&self) -> Option<Stiffest> {
        let walls: Vec<u8> = self.walls.iter().map(|wall| wall.material).collect();
        stiffest(self.settings.law, &self.table, &self.smallest, &walls, self.settings.overlap_limit, D)
    }

    /// Stores the bodies in an order in which neighbours are near each other in memory.
    fn sort(&mut self) -> Result<(), Failure> {
        let start = Instant::now();
        let count = self.bodies.len();
        if count < 2 {
            return Ok(());
        }
        let width = 4.0 * self.bodies.radius.iter().sum::<f64>() / count as f64;
        let order = along_curve(&self.bodies.position, width);
        if order.iter().enumerate().any(|(row, &from)| row as u32 != from) {
            self.arrange(&order)?;
        }
        self.time_spent.broad += start.elapsed();
        Ok(())
    }

    /// Brings the bodies into an order of their rows, removing those that are left out, and the contacts' memory with them.
    pub(super) fn arrange(&mut self, order: &[u32]) -> Result<(), Failure> {
        let criterion = self.criterion();
        self.pairs
            .note_motion(&self.bodies, &criterion)
            .map_err(|source| Failure::Search { step: self.steps, source })?;
        let springs: Vec<_> = self.pairs.springs().collect();
        let wall_springs: Vec<_> = self.near_walls.springs().collect();
        const GONE: u32 = u32::MAX;
        let mut new_row = vec![GONE; self.bodies.len()];
        for (row, &from) in order.iter().enumerate() {
            new_row[from as usize] = row as u32;
        }
        self.bodies.arrange(order);
        let springs = springs.into_iter().filter_map(|Spring { pair, spring }| {
            let (a, b) = (new_row[pair.a as usize], new_row[pair.b as usize]);
            (a != GONE && b != GONE)
                .then(|| Spring { pair: broad::Pair::new(a, b), spring: towards(spring, a, b) })
        });
        let mut wall_springs: Vec<_> = wall_springs
            .into_iter()
            .map(|spring| WallSpring { row: new_row[spring.row as usize], ..spring })
            .filter(|spring| spring.row != GONE)
            .collect();
        wall_springs.sort_by_key(|spring| spring.row);
        self.remember(springs.collect(), &wall_springs)
    }

    /// Makes lists for the rows as they are, with this memory.
    pub(super) fn remember(
        &mut self,
        springs: Vec<Spring<D>>,
        wall_springs: &[WallSpring<D>],
    ) -> Result<(), Failure> {
        self.check_places_of_walls()?;
        let parallel = self.pool_is_used();
        let criterion = self.criterion();
        self.pairs
            .remember(&self.bodies, &criterion, springs, parallel)
            .map_err(|source| Failure::Search { step: self.steps, source })?;
        let margin = self.pairs.neighbors.current_skin();
        let mut near_walls = std::mem::replace(&mut self.near_walls, WallList::new());
        near_walls.remember(&self.bodies, &self.around(0.0), margin, wall_springs);
        self.near_walls = near_walls;
        self.lists_are_new();
        Ok(())
    }

    /// Begins to watch how far walls move.
    fn lists_are_new(&mut self) {
        (self.walls_moved, self.rows_changed) = (0.0, false);
        let first = self.bodies.position.first().copied().unwrap_or([0.0; D]);
        let squares = self.bodies.position.iter().map(|x| dot(sub(*x, first), sub(*x, first)));
        let reach = squares.fold(0.0, f64::max).sqrt();
        self.extent = (first, reach + 2.0 * self.largest_radius() + self.pairs.neighbors.current_skin());
    }

    /// Makes the lists good for the bodies after none has moved further than this.
    fn update_lists(&mut self, moved: f64) -> Result<(), Failure> {
        let start = Instant::now();
        let parallel = self.pool_is_used();
        let criterion = self.criterion();
        if self.walls.iter().any(|wall| !wall.motion.is_empty()) {
            self.walls_moved +=
                self.settings.time_step * wall::fastest(&self.poses, self.extent.0, self.extent.1);
        }
        let too_far = self.walls_moved > 0.5 * self.pairs.neighbors.current_skin();
        let unlimited = if self.rows_changed { f64::INFINITY } else { moved };
        let rebuilt = self
            .pairs
            .update(&self.bodies, &criterion, unlimited, parallel)
            .map_err(|source| Failure::Search { step: self.steps, source })?;
        if rebuilt || too_far || self.rows_changed {
            self.check_places_of_walls()?;
            let margin = self.pairs.neighbors.current_skin();
            let mut near_walls = std::mem::replace(&mut self.near_walls, WallList::new());
            near_walls.rebuild(&self.bodies, &self.around(0.0), margin);
            self.near_walls = near_walls;
            self.lists_are_new();
        }
        self.time_spent.broad += start.elapsed();
        Ok(())
    }

    fn add_forces<L: Law>(&mut self, step: f64) -> Result<(), Failure> {
        let parallel = self.pool_is_used();
        let conditions = Conditions {
            table: &self.table,
            lengths: self.lengths(),
            step,
            overlap_limit: self.settings.overlap_limit,
            vectors: self.settings.vectors,
        };
        let start = Instant::now();
        let outcome = self.pairs.apply::<L>(&mut self.bodies, &conditions, parallel);
        let end = Instant::now();
        let share = outcome.narrow.as_secs_f64() / (outcome.narrow + outcome.force).as_secs_f64().max(1e-12);
        let narrow = (end - start).mul_f64(share.min(1.0));
        self.time_spent.narrow += narrow;
        self.time_spent.force += (end - start).saturating_sub(narrow);

        let around = wall::Surroundings {
            walls: &self.walls,
            poses: &self.poses,
            table: &self.table,
            lengths: self.lengths(),
            step,
            overlap_limit: self.settings.overlap_limit,
        };
        let walls = self.near_walls.apply::<L>(&mut self.bodies, &around, parallel, &mut self.loads);
        self.time_spent.narrow += end.elapsed();
        self.account.losses += outcome.losses;
        self.account.losses += walls.losses;
        self.account.walls += walls.work;
        if let Some(pair) = outcome.crushed {
            return Err(self.crushed(pair));
        }
        match walls.crushed {
            Some((row, wall, overlap)) => Err(self.crushed_by_wall(row as usize, usize::from(wall), overlap)),
            None => Ok(()),
        }
    }

    /// Energy stored in all contacts.
    pub(super) fn stored<L: Law>(&self) -> f64 {
        let conditions = Conditions {
            table: &self.table,
            lengths: self.lengths(),
            step: 0.0,
            overlap_limit: self.settings.overlap_limit,
            vectors: self.settings.vectors,
        };
        self.pairs.stored::<L>(&self.bodies, &conditions)
            + self.near_walls.stored::<L>(&self.bodies, &self.around(0.0))
    }

    /// The energies now.
    pub fn ledger(&self) -> Ledger {
        let Settings { gravity, time_step, .. } = self.settings;
        // Before the first step forces are unknown, and velocities are those given.
        let (translation, rotation) =
            if self.started { self.bodies.kinetic(gravity, time_step) } else { (self.account.inserted, 0.0) };
        let fallen = sub(self.bodies.first_moment(), self.account.moment);
        let Losses { damping, friction, rolling } = self.account.losses;
        Ledger {
            translation,
            rotation,
            elastic: if self.started { self.elastic() } else { 0.0 },
            gravity: -dot(gravity, fallen),
            damping,
            friction,
            rolling,
            removed: self.account.removed,
            inserted: self.account.inserted,
            walls: self.account.walls,
            rounding: ROUNDING * self.bodies.lever_of(gravity),
        }
    }

    /// Energy stored in all contacts.
    pub fn elastic(&self) -> f64 {
        match self.settings.law {
            LawKind::Linear => self.stored::<Linear>(),
            LawKind::Hertz => self.stored::<Hertz>(),
        }
    }

    /// Whether a ball here would overlap a wall, or be behind it.
    pub fn touches_wall(&self, center: [f64; D], radius: f64) -> bool {
        self.near_walls.touches(&self.around(0.0), center, radius)
    }

    /// Distance of a body in contact with a wall from it.
    pub(crate) fn distance_from_wall(&self, contact: &WallSpring<D>) -> Option<f64> {
        self.near_walls.distance(&self.bodies, &self.around(0.0), contact)
    }

    /// The bodies.
    pub fn bodies(&self) -> &Bodies<D, S> {
        &self.bodies
    }

    /// The walls.
    pub fn walls(&self) -> &[Wall<D, S>] {
        &self.walls
    }

    /// Where the walls are.
    pub fn poses(&self) -> &[Pose<D, S>] {
        &self.poses
    }

    /// Forces on the walls.
    pub fn loads(&self) -> &[Load<D, S>] {
        &self.loads
    }

    /// Contacts between bodies.
    pub fn contacts(&self) -> impl Iterator<Item = Spring<D>> {
        self.pairs.springs()
    }

    /// Contacts with walls.
    pub fn wall_contacts(&self) -> impl Iterator<Item = WallSpring<D>> {
        self.near_walls.springs()
    }

    /// Settings.
    pub fn settings(&self) -> &Settings<D> {
        &self.settings
    }

    /// Coefficients by pair of materials.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Steps done.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Time since the start.
    pub fn time(&self) -> f64 {
        self.steps as f64 * self.settings.time_step
    }

    /// What has left through each outflow, and beyond the domain.
    pub fn outflown(&self) -> (&[Outflown], Outflown) {
        (&self.outflown, self.strayed)
    }

    /// Bodies ever inserted.
    pub fn inserted(&self) -> u32 {
        self.inserted
    }

    /// Time spent so far.
    pub fn time_spent(&self) -> TimeSpent {
        self.time_spent
    }

    /// Pairs in the neighbour list.
    pub fn listed(&self) -> usize {
        self.pairs.neighbors.pairs().len()
    }

    /// How often the neighbour list was rebuilt.
    pub fn rebuilds(&self) -> u64 {
        self.pairs.neighbors.rebuilds()
    }

    /// Bytes reserved for bodies, contacts and lists.
    pub fn bytes(&mut self) -> usize {
        self.bodies.bytes() + self.pairs.bytes() + self.near_walls.bytes()
    }

    /// Edges of the periodic box; infinite along open axes.
    pub fn lengths(&self) -> [f64; D] {
        let Settings { min, max, periodic, .. } = &self.settings;
        std::array::from_fn(|k| if periodic[k] { max[k] - min[k] } else { f64::INFINITY })
    }

    fn criterion(&self) -> Criterion<D> {
        Criterion { margin: 0.0, lengths: self.lengths() }
    }

    /// The image of a point in the periodic box.
    fn criterion_wrap(&self, point: [f64; D]) -> [f64; D] {
        let Settings { min, periodic, .. } = &self.settings;
        let lengths = self.lengths();
        std::array::from_fn(|k| {
            if periodic[k] && !(0.0..lengths[k]).contains(&(point[k] - min[k])) {
                min[k] + (point[k] - min[k]).rem_euclid(lengths[k])
            } else {
                point[k]
            }
        })
    }

    fn around(&self, step: f64) -> wall::Surroundings<'_, D, S> {
        wall::Surroundings {
            walls: &self.walls,
            poses: &self.poses,
            table: &self.table,
            lengths: self.lengths(),
            step,
            overlap_limit: self.settings.overlap_limit,
        }
    }

    /// Whether steps run inside the pool; they do whenever there is one.
    fn pool_is_used(&self) -> bool {
        self.settings.threads > 1 && rayon::current_num_threads() == self.settings.threads
    }

    pub(super) fn smallest_radius(&self) -> f64 {
        self.smallest.iter().flatten().map(|smallest| smallest.radius).fold(f64::INFINITY, f64::min)
    }

    fn largest_radius(&self) -> f64 {
        self.bodies.radius.iter().copied().fold(0.0, f64::max)
    }
}

/// A spring between two bodies as seen by the one with the smaller row.
fn towards<const D: usize>(spring: [f64; D], a: u32, b: u32) -> [f64; D] {
    if a < b { spring } else { spring.map(|component| -component) }
}
