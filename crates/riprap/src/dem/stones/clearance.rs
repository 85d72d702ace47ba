//! Whether a body that is to come would be clear of others and of walls.

use super::memory::StoneMemory;
use super::pieces::{Encounter, Meeter, PlacedPiece};
use super::walls::PlacedWall;
use crate::convex::{ApartMemory, LinkMethod, Pose};
use crate::dem::body::{NewBody, ShapeIndex, Shapes};
use crate::dem::domain::BoxImage;
use crate::dem::rotation::matrix;
use crate::dem::wall::Around;
use crate::shape::Piece;
use crate::vector::{add, add_scaled, sub};

/// A body in its place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct PlacedBody<const D: usize> {
    pub(crate) shape: ShapeIndex,
    /// Where its centre of mass is, and how it is turned.
    pub(crate) pose: Pose<D>,
    pub(crate) size: f64,
}

impl<const D: usize> PlacedBody<D> {
    /// A body that is to be inserted.
    pub(crate) fn new(body: &NewBody<D>) -> Self {
        Self::turned(body.shape, body.position, body.radius, body.orientation)
    }

    /// A body of this shape at this place.
    pub(crate) fn turned(shape: ShapeIndex, position: [f64; D], size: f64, orientation: [f64; 4]) -> Self {
        Self { shape, pose: Pose { position, rotation: matrix(orientation) }, size }
    }

    /// Its pieces, seen from a point with the axes of the world.
    fn pieces<'a>(
        &self,
        shapes: &'a Shapes<D>,
        seen_from: [f64; D],
    ) -> impl Iterator<Item = PlacedPiece<'a, D>> {
        let Self { pose, size, shape } = *self;
        let center = sub(pose.position, seen_from);
        shapes.get(shape).pieces.iter().map(move |Piece { center: from, form }| {
            let position = add_scaled(center, size, pose.turn(*from));
            PlacedPiece { form, pose: Pose { position, ..pose }, size }
        })
    }
}

/// What is needed to find out; nothing is remembered from one question to the next.
pub(crate) struct Clearance<const D: usize> {
    meeter: Meeter<D>,
    elements: Vec<u32>,
}

impl<const D: usize> Clearance<D> {
    pub(crate) fn new() -> Self {
        Self { meeter: Meeter::new(LinkMethod::default()), elements: Vec::new() }
    }

    /// Whether two bodies overlap, with `apart` from the centre of the first to that of the second (its nearest image).
    pub(crate) fn overlap(
        &mut self,
        shapes: &Shapes<D>,
        first: &PlacedBody<D>,
        second: &PlacedBody<D>,
        apart: [f64; D],
    ) -> bool {
        let from = first.pose.position;
        let there = Pose { position: add(from, apart), ..second.pose };
        let second = PlacedBody { pose: there, ..*second };
        first.pieces(shapes, from).any(|one| {
            second.pieces(shapes, from).any(|other| {
                self.meeter.begun = StoneMemory::default();
                let met = self.meeter.meet(&one, &other, None, &mut ApartMemory::default());
                matches!(met, Encounter::Touching { .. })
            })
        })
    }

    /// Whether a body overlaps a wall, or is behind one.
    pub(crate) fn overlaps_wall(
        &mut self,
        shapes: &Shapes<D>,
        body: &PlacedBody<D>,
        around: &Around<'_, D>,
    ) -> bool {
        let (position, periods) = (body.pose.position, &around.conditions.periods);
        let reach = body.size * shapes.get(body.shape).reach;
        let (images, only_itself) = (periods.images(), [BoxImage::itself(D)]);
        around.walls.iter().zip(around.placements).any(|(wall, placement)| {
            let images = if wall.surface.has_ends() { &images[..] } else { &only_itself };
            !placement.gone
                && images.iter().any(|&image| {
                    let center = sub(position, periods.shift(image));
                    self.elements.clear();
                    wall.surface.near(placement.to_start(center), reach, &mut self.elements);
                    let placed = PlacedWall { wall, placement, center };
                    self.elements.iter().any(|&element| {
                        body.pieces(shapes, position).any(|piece| {
                            let met = self.meeter.meet_wall(&piece, &placed, element as usize);
                            matches!(met, Encounter::Touching { .. })
                        })
                    })
                })
        })
    }
}
