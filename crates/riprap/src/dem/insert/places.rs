//! How bodies of an insertion find their places, and what they are like before that.

use super::kind::{Homeless, any_rotation};
use super::room::Room;
use super::solids::Solids;
use super::{Amount, Insertion, Kind, ROUNDING, Region, Sizes, TRIES};
use crate::Random;
use crate::dem::body::{NewBody, Shapes};
use crate::dem::simulation::Simulation;

/// How often one body is turned another way, if it finds no place at one time.
const TURNS: usize = 20;
/// Places that are tried for one body in rain, which tries again later.
const TRIES_IN_RAIN: usize = 20;

impl<const D: usize> Insertion<D> {
    /// Radii for an amount, the largest first, so that they find room.
    pub(super) fn radii(
        &mut self,
        simulation: &Simulation<D>,
        region: Region<D>,
        sizes: &Sizes,
        amount: Amount,
    ) -> Vec<f64> {
        let mut radii = Vec::new();
        match amount {
            Amount::Count(count) => radii.extend((0..count).map(|_| sizes.draw(D, &mut self.random))),
            Amount::Fraction(fraction) => {
                let space: f64 = (0..D).map(|k| region.max[k] - region.min[k]).product();
                let solids = Solids::new(simulation, &region, &self.bounds);
                let space = space * solids.free_share(simulation, &region, &self.bounds);
                let mut filled = 0.0;
                while filled < fraction * space {
                    let radius = sizes.draw(D, &mut self.random);
                    filled += Shapes::<D>::volume(radius);
                    radii.push(radius);
                }
            }
        }
        radii.sort_by(|a, b| b.total_cmp(a));
        radii
    }

    /// A ball at this place; its velocity may be random.
    pub(crate) fn body(&mut self, position: [f64; D], radius: f64) -> NewBody<D> {
        let most = self.random_velocity;
        let velocity = std::array::from_fn(|k| {
            self.velocity[k] + if most > 0.0 { self.random.uniform(-most, most) } else { 0.0 }
        });
        let body = NewBody { material: self.material, spin: self.spin, ..NewBody::ball(position, radius) };
        body.moving(velocity)
    }

    /// The same of a shape, that of this number in turn.
    pub(crate) fn shaped(&mut self, position: [f64; D], radius: f64, number: u64) -> NewBody<D> {
        let Homeless { shape, orientation, .. } = self.homeless(radius, number);
        NewBody { shape, orientation, ..self.body(position, radius) }
    }

    /// What the body of this number is like before it has a place. Balls need no random numbers for that.
    fn homeless(&mut self, radius: f64, number: u64) -> Homeless {
        let kind = match self.kinds.len() as u64 {
            0 => Kind::BALL,
            kinds => self.kinds[(number % kinds) as usize],
        };
        self.turned(radius, kind)
    }

    fn turned(&mut self, radius: f64, kind: Kind) -> Homeless {
        let rotation = match self.rotation {
            Some(rotation) => rotation,
            None if kind.shape == Shapes::<D>::BALL => Kind::BALL.axes,
            None => any_rotation::<D>(&mut self.random),
        };
        Homeless { radius, shape: kind.shape, orientation: kind.orientation(rotation) }
    }

    /// Gives a body a home.
    fn settled(&mut self, homeless: Homeless, position: [f64; D]) -> NewBody<D> {
        let Homeless { radius, shape, orientation } = homeless;
        NewBody { shape, orientation, ..self.body(position, radius) }
    }

    /// Whether the orientation of bodies is left to chance, and matters.
    fn turns(&self) -> bool {
        self.rotation.is_none() && self.kinds.iter().any(|kind| kind.shape != Shapes::<D>::BALL)
    }

    /// How far bodies of a radius reach from their centre of mass along each axis at most, down and up.
    pub(crate) fn extent(&self, shapes: &Shapes<D>, radius: f64) -> [[f64; D]; 2] {
        if self.kinds.is_empty() {
            return [[radius; D]; 2];
        }
        let mut most = [[0.0f64; D]; 2];
        for kind in &self.kinds {
            let reach = radius * shapes.get(kind.shape).reach;
            let extent = self.rotation.map_or([[reach; D]; 2], |rotation| {
                let orientation = kind.orientation(rotation);
                Homeless { radius, shape: kind.shape, orientation }.extent(shapes)
            });
            for (most, extent) in most.as_flattened_mut().iter_mut().zip(extent.as_flattened()) {
                *most = most.max(*extent);
            }
        }
        most
    }

    pub(super) fn on_lattice(
        &mut self,
        simulation: &Simulation<D>,
        region: Region<D>,
        sizes: &Sizes,
        spacing: [f64; D],
        jitter: f64,
    ) -> Vec<NewBody<D>> {
        let [low, high] =
            self.extent(simulation.shapes(), sizes.largest()).map(|reach| reach.map(|r| r + jitter));
        let counts: [usize; D] = std::array::from_fn(|k| {
            let needed = low[k] + high[k];
            let room = region.max[k] - region.min[k] - needed;
            if room < -0.5 * ROUNDING * needed {
                0
            } else {
                (room / spacing[k] * (1.0 + ROUNDING)) as usize + 1
            }
        });
        let mut room = Room::new(simulation, region, sizes, self);
        let mut bodies = Vec::new();
        // Neighbours on a lattice should not be of one shape in each column: shapes are dealt like cards.
        let mut deck: Vec<Kind> = Vec::new();
        for mut index in 0..counts.iter().product() {
            let radius = sizes.draw(D, &mut self.random);
            let center = std::array::from_fn(|k| {
                let place = index % counts[k];
                index /= counts[k];
                let shift = if jitter > 0.0 { self.random.uniform(-jitter, jitter) } else { 0.0 };
                region.min[k] + low[k] + place as f64 * spacing[k] + shift
            });
            if deck.is_empty() {
                deck.clone_from(&self.kinds);
                self.random.shuffle(&mut deck);
            }
            let homeless = self.turned(radius, deck.last().copied().unwrap_or(Kind::BALL));
            // Neighbours and walls may touch exactly; rounding must not make an overlap of that.
            let shrunk = Homeless { radius: radius * (1.0 - ROUNDING), ..homeless };
            if room.take(simulation, &shrunk.at(center)) {
                deck.pop();
                bodies.push(self.settled(homeless, center));
            }
        }
        bodies
    }

    /// Bodies with these radii, and the first radius for which no place was found.
    pub(super) fn at_random(
        &mut self,
        simulation: &Simulation<D>,
        region: Region<D>,
        radii: &[f64],
    ) -> (Vec<NewBody<D>>, Option<f64>) {
        let mut bodies = Vec::new();
        let smallest = radii.iter().copied().fold(f64::INFINITY, f64::min);
        let largest = radii.iter().copied().fold(0.0, f64::max);
        if radii.is_empty() {
            return (bodies, None);
        }
        let mut room = Room::new(simulation, region, &Sizes::Uniform(smallest, largest), self);
        let turns = if self.turns() { TURNS } else { 1 };
        for &radius in radii {
            let found = (0..turns).find_map(|_| {
                let homeless = self.homeless(radius, bodies.len() as u64);
                let place = room.find(simulation, region, &homeless, TRIES / turns, &mut self.random)?;
                Some((homeless, place))
            });
            match found {
                Some((homeless, center)) => bodies.push(self.settled(homeless, center)),
                None => return (bodies, Some(radius)),
            }
        }
        (bodies, None)
    }

    /// Up to so many bodies; the first without room waits for the next time.
    pub(super) fn fallen(
        &mut self,
        simulation: &Simulation<D>,
        region: Region<D>,
        sizes: &Sizes,
        due: u64,
    ) -> Vec<NewBody<D>> {
        let mut bodies = Vec::new();
        if due == 0 {
            return bodies;
        }
        let mut room = Room::new(simulation, region, sizes, self);
        for _ in 0..due {
            let before = self.random.clone();
            let radius = sizes.draw(D, &mut self.random);
            let homeless = self.homeless(radius, self.done + bodies.len() as u64);
            // Places come from numbers of their own: a body that has to wait keeps its size and how it is turned, but not its places, so
            // that crowding does not change the distribution of either.
            let mut places = Random::new(self.random.bits() ^ simulation.steps());
            let Some(center) = room.find(simulation, region, &homeless, TRIES_IN_RAIN, &mut places) else {
                self.random = before;
                break;
            };
            bodies.push(self.settled(homeless, center));
        }
        bodies
    }
}
