//! What two faces that look at each other have in common, seen along a normal: its corners, and how deep the faces overlap there.
//!
//! The depth is linear over both faces. So where all of one face that is in depth lies on the other face, as with a vertex on a
//! face, its own corners are all, and nothing has to be clipped (Sutherland and Hodgman 1974, "Reentrant polygon clipping").

use smallvec::SmallVec;

use super::pose::PosedBody;
use crate::vector::{add_scaled, axes_across, components, cross, dot, scale, sub};

/// Axes across a normal, and the normal.
#[derive(Clone, Copy)]
pub(super) struct Frame([[f64; 3]; 3]);

impl Frame {
    #[inline(always)]
    pub(super) fn across(normal: [f64; 3]) -> Self {
        let [x, y] = axes_across(normal);
        Self([x, y, normal])
    }

    /// A vector along these axes, in those of the world.
    #[inline(always)]
    pub(super) fn in_world(&self, [u, v, w]: [f64; 3]) -> [f64; 3] {
        let [x, y, normal] = self.0;
        add_scaled(add_scaled(scale(x, u), v, y), w, normal)
    }
}

/// The outline of a face in a frame, counter-clockwise as seen against the normal.
pub(super) struct Outline {
    corners: SmallVec<[[f64; 3]; 8]>,
    /// Slopes of its plane over the axes across the normal.
    slope: [f64; 2],
}

impl Outline {
    /// That of a facet of a body; `against` if the body is the one the normal points to.
    #[inline(always)]
    pub(super) fn new<const D: usize>(
        frame: &Frame,
        body: &PosedBody<'_, D>,
        facet: u32,
        against: bool,
    ) -> Self {
        let in_body: [[f64; D]; 3] = components(|k| body.back(components(|i| frame.0[k][i % 3])));
        let from: [f64; 3] = components(|k| (0..D).map(|i| frame.0[k][i % 3] * body.offset[i]).sum());
        let place = |vertex: u32| {
            let vertex = body.body.vertex(vertex);
            components(|k| from[k] + body.scale * dot(in_body[k], vertex))
        };
        let mut corners = SmallVec::new();
        let outline = body.body.outline(facet);
        // Seen along the normal, faces of the body that it points to are clockwise.
        if against {
            corners.extend(outline.iter().rev().map(|&vertex| place(vertex)));
        } else {
            corners.extend(outline.iter().map(|&vertex| place(vertex)));
        }
        let facing = body.body.facets[facet as usize].normal;
        let upward = dot(in_body[2], facing);
        Self { corners, slope: [0, 1].map(|k| -dot(in_body[k], facing) / upward) }
    }

    /// Height of its plane over a place.
    #[inline(always)]
    fn height(&self, [u, v, _]: [f64; 3]) -> f64 {
        let on = self.corners[0];
        on[2] + self.slope[0] * (u - on[0]) + self.slope[1] * (v - on[1])
    }

    /// What is perpendicular to its plane, one along the normal.
    #[inline(always)]
    fn upright(&self) -> [f64; 3] {
        [-self.slope[0], -self.slope[1], 1.0]
    }

    /// A corner and the next one.
    #[inline(always)]
    fn edge(&self, k: usize) -> [[f64; 3]; 2] {
        [self.corners[k], self.corners[if k + 1 == self.corners.len() { 0 } else { k + 1 }]]
    }

    /// Whether a place is on the face.
    #[inline(always)]
    fn holds(&self, place: [f64; 3]) -> bool {
        (0..self.corners.len()).all(|k| beside(self.edge(k), place) >= 0.0)
    }

    /// How much of the face is in depth, and where.
    #[inline(always)]
    fn extent(&self, other: &Self, depth: impl Fn([f64; 3]) -> f64) -> Extent {
        let mut extent = Extent::Nothing;
        for k in 0..self.corners.len() {
            let [here, next] = self.edge(k);
            let (value, next_value) = (depth(here), depth(next));
            if value > 0.0 {
                if !other.holds(here) {
                    return Extent::Beyond;
                }
                extent = Extent::Within;
            }
            if (value > 0.0) != (next_value > 0.0) {
                let crossing = add_scaled(here, value / (value - next_value), sub(next, here));
                if !other.holds(crossing) {
                    return Extent::Beyond;
                }
            }
        }
        extent
    }
}

/// Where the part of a face is that is in depth.
enum Extent {
    /// Nowhere.
    Nothing,
    /// All of it on the other face.
    Within,
    /// Not all of it on the other face.
    Beyond,
}

/// How far a place is on the inner side of an edge, in units of the edge.
#[inline(always)]
fn beside([from, to]: [[f64; 3]; 2], place: [f64; 3]) -> f64 {
    (to[0] - from[0]) * (place[1] - from[1]) - (to[1] - from[1]) * (place[0] - from[0])
}

/// A corner of the region that two faces have in common, in their frame.
pub(super) struct RegionCorner {
    /// Where it is, halfway between the two faces.
    pub(super) place: [f64; 3],
    pub(super) depth: f64,
    /// How the depth grows as the first body moves.
    pub(super) direction: [f64; 3],
}

/// Two faces that look at each other: that of the first body, and that of the one that the normal points to.
pub(super) struct FacingOutlines {
    pub(super) first: Outline,
    pub(super) second: Outline,
}

impl FacingOutlines {
    /// The corners in depth of what the two have in common.
    #[inline(always)]
    pub(super) fn corners(&self, mut each: impl FnMut(RegionCorner)) {
        let Self { first, second } = self;
        let upright = first.slope.iter().chain(&second.slope).all(|slope| slope.is_finite());
        if upright {
            match first.extent(second, |place| place[2] - second.height(place)) {
                Extent::Nothing => return,
                Extent::Within => {
                    first.corners.iter().for_each(|place| self.corner(*place, second.upright(), &mut each));
                    return;
                }
                Extent::Beyond => {}
            }
            match second.extent(first, |place| first.height(place) - place[2]) {
                Extent::Nothing => return,
                Extent::Within => {
                    second.corners.iter().for_each(|place| self.corner(*place, first.upright(), &mut each));
                    return;
                }
                Extent::Beyond => {}
            }
        }
        self.clipped(&mut each);
    }

    /// A corner, if it is in depth.
    #[inline(always)]
    fn corner(&self, place: [f64; 3], direction: [f64; 3], each: &mut impl FnMut(RegionCorner)) {
        let (top, bottom) = (self.first.height(place), self.second.height(place));
        let depth = top - bottom;
        // A face that is seen edge on has no height, and parallel edges do not cross.
        if depth > 0.0 && depth.is_finite() {
            let slanted = direction.iter().all(|part| part.abs() <= STEEPEST);
            each(RegionCorner {
                place: [place[0], place[1], 0.5 * (top + bottom)],
                depth,
                direction: if slanted { direction } else { [0.0, 0.0, 1.0] },
            });
        }
    }

    /// The corners of the second face clipped by the edges of the first.
    #[inline(never)]
    pub(super) fn clipped(&self, each: &mut impl FnMut(RegionCorner)) {
        let Self { first, second } = self;
        let edges = first.corners.len();
        let mut one: Clipped =
            second.corners.iter().enumerate().map(|(k, &place)| Cut { place, edge: edges + k }).collect();
        let mut other = Clipped::new();
        let (mut polygon, mut next) = (&mut one, &mut other);
        for k in 0..edges {
            if clip(polygon, k, first.edge(k), next) {
                std::mem::swap(&mut polygon, &mut next);
            }
        }
        let along = |edge: usize| {
            let [from, to] = if edge < edges { first.edge(edge) } else { second.edge(edge - edges) };
            sub(to, from)
        };
        for (k, &Cut { place, edge }) in polygon.iter().enumerate() {
            let before = polygon[if k == 0 { polygon.len() - 1 } else { k - 1 }].edge;
            let direction = match (before < edges, edge < edges) {
                // A vertex of the second body on the face of the first, and the other way round.
                (false, false) => first.upright(),
                (true, true) => second.upright(),
                _ => {
                    let across = cross(along(before), along(edge));
                    scale(across, 1.0 / across[2])
                }
            };
            self.corner(place, direction, each);
        }
    }
}

/// Points push at most this much more across the normal than along it; edges that are nearly parallel say nothing of where.
pub(super) const STEEPEST: f64 = 2.0;

/// A corner of a polygon that is being clipped, and the edge that begins there: one of the first face's, or one of the second's,
/// which are counted after them.
#[derive(Clone, Copy)]
struct Cut {
    place: [f64; 3],
    edge: usize,
}

/// Corners, of which there are seldom more than a dozen.
type Clipped = SmallVec<[Cut; 16]>;

/// Puts the part of a polygon on the inner side of an edge into `kept`; `false` if that is all of it.
#[inline(always)]
fn clip(polygon: &[Cut], number: usize, edge: [[f64; 3]; 2], kept: &mut Clipped) -> bool {
    let inside = |cut: &Cut| beside(edge, cut.place);
    if polygon.iter().all(|cut| inside(cut) >= 0.0) {
        return false;
    }
    kept.clear();
    for (k, here) in polygon.iter().enumerate() {
        let next = &polygon[if k + 1 == polygon.len() { 0 } else { k + 1 }];
        let (value, next_value) = (inside(here), inside(next));
        if value >= 0.0 {
            kept.push(*here);
        }
        if (value >= 0.0) != (next_value >= 0.0) {
            let place = add_scaled(here.place, value / (value - next_value), sub(next.place, here.place));
            // On the way out the cut begins there, on the way in what was there goes on.
            kept.push(Cut { place, edge: if value >= 0.0 { number } else { here.edge } });
        }
    }
    true
}
