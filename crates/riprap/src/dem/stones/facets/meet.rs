//! How a piece meets the facets near it.

use std::ops::Range;

use super::super::context::Context;
use super::super::memory::StoneMemory;
use super::super::pieces::PlacedPiece;
use super::super::walls::PlacedWall;
use super::gather::Gatherer;
use super::hand_over::match_up;
use super::near::NearFacets;
use crate::convex::{Body, ContactPoint, Share};
use crate::dem::wall::{Candidate, Facets, FoundElement, NearBall, Surface, WallElement, find_contacts};
use crate::shape::Form;
use crate::vector::{add, add_scaled, scale, sub};

/// A path is trusted to this share of it.
const CAUTION: f64 = 1.0 - 1e-9;

/// A piece and facets that touch, as seen from the centre of the body.
#[derive(Debug, Clone)]
pub(super) struct MetFacets<const D: usize> {
    pub(super) element: WallElement,
    /// From the piece to the wall.
    pub(super) normal: [f64; D],
    pub(super) reduced_radius: Option<f64>,
    points: Range<usize>,
    /// What it remembered, by its index, if it goes on from the last step.
    before: Option<usize>,
}

/// The contacts of one piece after the other; its memory is used again for every one.
pub(super) struct FacetMeeter<const D: usize> {
    gatherer: Gatherer<D>,
    candidates: Vec<Candidate>,
    found: Vec<FoundElement<D>>,
    met: Vec<MetFacets<D>>,
    points: Vec<ContactPoint<D>>,
    /// What the contacts of the last step remember.
    remembered: Vec<StoneMemory<D>>,
    directions: Vec<[f64; D]>,
    matched: Vec<Option<usize>>,
}

impl<const D: usize> Default for FacetMeeter<D> {
    fn default() -> Self {
        Self {
            gatherer: Gatherer::default(),
            candidates: Vec::new(),
            found: Vec::new(),
            met: Vec::new(),
            points: Vec::new(),
            remembered: Vec::new(),
            directions: Vec::new(),
            matched: Vec::new(),
        }
    }
}

impl<const D: usize> FacetMeeter<D> {
    /// The contacts found, each with its points and what it remembered.
    pub(super) fn contacts(
        &self,
    ) -> impl Iterator<Item = (&MetFacets<D>, &[ContactPoint<D>], Option<StoneMemory<D>>)> {
        self.met.iter().map(|met| {
            let before = met.before.map(|index| self.remembered[index].clone());
            (met, &self.points[met.points.clone()], before)
        })
    }

    /// What contacts remembered that have come to an end.
    pub(super) fn ended(&self) -> impl Iterator<Item = &StoneMemory<D>> {
        let goes_on = |index: usize| self.met.iter().any(|met| met.before == Some(index));
        self.remembered
            .iter()
            .enumerate()
            .filter(move |(index, _)| !goes_on(*index))
            .map(|(_, memory)| memory)
    }

    /// Finds the contacts of a piece, some of which go on from the last step; returns the path until which it certainly has none.
    pub(super) fn meet(
        &mut self,
        context: &Context<'_, D>,
        near: &NearFacets,
        (elements, wakes): (&[u32], &mut [f64]),
        path: f64,
        last: impl Iterator<Item = StoneMemory<D>>,
    ) -> f64 {
        self.remembered.clear();
        self.remembered.extend(last);
        self.met.clear();
        self.points.clear();
        let wake = self.find(context, near, (elements, wakes), path);
        self.directions.clear();
        self.directions.extend(self.met.iter().map(|met| met.normal));
        match_up(&self.directions, &self.remembered, &mut self.matched);
        for (met, &before) in self.met.iter_mut().zip(&self.matched) {
            met.before = before;
        }
        wake
    }

    fn find(
        &mut self,
        context: &Context<'_, D>,
        near: &NearFacets,
        (elements, wakes): (&[u32], &mut [f64]),
        path: f64,
    ) -> f64 {
        let row = near.row as usize;
        let rotation = &context.places.rotations[row];
        let piece = PlacedPiece::new(&context.columns, row, near.piece, rotation, [0.0; D]);
        let element = WallElement { wall: near.wall, image: near.image, element: 0 };
        let wall = context.wall(element, context.columns.position[row]);
        let Surface::Facets(facets) = &wall.wall.surface else { return f64::INFINITY };
        match piece.form {
            Form::Ball { radius } => {
                self.meet_ball(context, near, elements, (&piece, radius * piece.size));
            }
            Form::Convex(body) => {
                let normals = self.remembered.iter().map(|memory| memory.link.normal);
                self.gatherer.stone.look_at(body, &piece, &wall, normals);
                self.gatherer.clear();
                for (&facet, wake) in elements.iter().zip(&mut *wakes) {
                    if path < *wake {
                        continue;
                    }
                    *wake = match self.gatherer.look_at(facets, facet) {
                        Some(gap) => path + CAUTION * gap,
                        None => f64::NEG_INFINITY,
                    };
                }
                self.meet_stone(element, (body, facets), &wall);
                return wakes.iter().copied().fold(f64::INFINITY, f64::min);
            }
        }
        f64::NEG_INFINITY
    }

    /// The contacts of a stone with the facets that were looked at.
    fn meet_stone(
        &mut self,
        element: WallElement,
        (body, facets): (&Body<D>, &Facets<D>),
        wall: &PlacedWall<'_, D>,
    ) {
        self.gatherer.gather(body, facets);
        for contact in &self.gatherer.contacts {
            let start = self.points.len();
            self.points.extend(self.gatherer.points[contact.points.clone()].iter().map(|point| {
                ContactPoint {
                    position: sub(wall.placement.to_now(point.position), wall.center),
                    depth: point.depth,
                    direction: wall.placement.direction_now(point.direction),
                    share: Share { turn: wall.placement.turn_now(point.share.turn), ..point.share },
                    ..*point
                }
            }));
            self.met.push(MetFacets {
                element: WallElement { element: contact.facet, ..element },
                normal: scale(wall.placement.direction_now(contact.axis), -1.0),
                reduced_radius: None,
                points: start..self.points.len(),
                before: None,
            });
        }
    }

    /// The contacts of a ball, as of one that is a body of its own.
    fn meet_ball(
        &mut self,
        context: &Context<'_, D>,
        near: &NearFacets,
        elements: &[u32],
        (piece, radius): (&PlacedPiece<'_, D>, f64),
    ) {
        let NearFacets { row, wall, image, .. } = *near;
        self.candidates.clear();
        self.candidates.extend(elements.iter().map(|&element| Candidate { row, wall, image, element }));
        let around = context.around;
        let (surface, placement) = (&around.walls[usize::from(wall)], &around.placements[usize::from(wall)]);
        let center = add(context.columns.position[row as usize], piece.pose.position);
        let ball = NearBall { center, radius, reach: context.conditions.reach };
        let periods = &context.conditions.periods;
        find_contacts(&self.candidates, surface, placement, &ball, periods, &mut self.found);
        for found in &self.found {
            let normal = scale(found.near.normal, -1.0);
            let overlap = radius - found.near.distance;
            let position = add_scaled(piece.pose.position, radius - 0.5 * overlap, normal);
            let start = self.points.len();
            self.points.push(ContactPoint::whole(position, overlap, normal));
            self.met.push(MetFacets {
                element: WallElement { wall, image, element: elements[found.candidate] },
                normal,
                reduced_radius: Some(radius),
                points: start..start + 1,
                before: None,
            });
        }
    }
}
