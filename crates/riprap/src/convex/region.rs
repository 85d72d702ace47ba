//! What two faces that look at each other have in common, seen along a normal: its corners, and how deep the faces overlap there.
//!
//! The depth is linear over both faces. So where all of one face that is in depth lies on the other face, as with a vertex on a
//! face, its own corners are all, and nothing has to be clipped (Sutherland and Hodgman 1974, "Reentrant polygon clipping").

use smallvec::SmallVec;

use super::body::Body;
use super::feature::BodyFeature;
use super::leaning::{Leaning, Owner, SeenBody, Swing};
use super::pose::PosedBody;
use super::share::Share;
use super::still::PointFeatures;
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

    /// The first axis along a unit vector across the normal.
    #[inline(always)]
    pub(super) fn along(axis: [f64; 3], normal: [f64; 3]) -> Self {
        Self([axis, cross(normal, axis), normal])
    }

    /// The axis a quarter turn ahead of a normal in the plane, and the normal.
    #[inline(always)]
    pub(super) fn in_plane([x, y]: [f64; 2]) -> Self {
        Self([[-y, x, 0.0], [0.0; 3], [x, y, 0.0]])
    }

    /// A vector along these axes, in those of the world.
    #[inline(always)]
    pub(super) fn in_world(&self, [u, v, w]: [f64; 3]) -> [f64; 3] {
        let [x, y, normal] = self.0;
        add_scaled(add_scaled(scale(x, u), v, y), w, normal)
    }

    /// The axes across the normal, and the normal so many times.
    #[inline(always)]
    pub(super) fn axes(&self, sign: f64) -> [[f64; 3]; 3] {
        let [x, y, normal] = self.0;
        [x, y, scale(normal, sign)]
    }
}

/// The outline of a face in a frame, counter-clockwise as seen against the normal.
pub(super) struct Outline<'a, const D: usize> {
    body: &'a Body<D>,
    facet: u32,
    /// Its vertices, the other way round if the normal points to the body.
    vertices: &'a [u32],
    against: bool,
    corners: SmallVec<[[f64; 3]; 8]>,
    /// Slopes of its plane over the axes across the normal.
    slope: [f64; 2],
}

impl<'a, const D: usize> Outline<'a, D> {
    /// That of a facet of a body; `against` if the body is the one the normal points to.
    #[inline(always)]
    fn new(
        frame: &Frame,
        body: &PosedBody<'a, D>,
        seen: &SeenBody<'a, D>,
        facet: u32,
        against: bool,
    ) -> Self {
        let [x, y, toward] = seen.axes;
        let in_body = [x, y, if against { scale(toward, -1.0) } else { toward }];
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
        let slope = [0, 1].map(|k| -dot(in_body[k], facing) / upward);
        Self { body: body.body, facet, vertices: outline, against, corners, slope }
    }

    /// The vertex at a corner.
    #[inline(always)]
    fn vertex(&self, corner: usize) -> u32 {
        self.vertices[if self.against { self.vertices.len() - 1 - corner } else { corner }]
    }

    /// The edge from a corner to the next one.
    #[inline(always)]
    fn edge_from(&self, corner: usize) -> Option<u32> {
        let next = self.vertex(if corner + 1 == self.vertices.len() { 0 } else { corner + 1 });
        let spokes = self.body.spokes(self.vertex(corner));
        spokes.iter().find(|spoke| spoke.vertex == next).map(|spoke| spoke.edge)
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
        let mut value = depth(self.corners[0]);
        for k in 0..self.corners.len() {
            let [here, next] = self.edge(k);
            let next_value = depth(next);
            let value = std::mem::replace(&mut value, next_value);
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
    pub(super) share: Share,
    /// What meets there.
    pub(super) of: CornerOf,
}

/// What a corner is: the same one is found from several faces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CornerOf {
    /// A vertex of the first body.
    First(u32),
    /// A vertex of the second body.
    Second(u32),
    /// An edge of each.
    Edges(Option<u32>, Option<u32>),
}

impl CornerOf {
    /// The same, where it was found from a pair of facets.
    #[inline(always)]
    pub(super) fn named(self, [first, second]: [u32; 2]) -> PointFeatures {
        match self {
            Self::First(v) => PointFeatures::named(PointFeatures::First, [v, second]),
            Self::Second(w) => PointFeatures::named(PointFeatures::Second, [first, w]),
            Self::Edges(Some(e), Some(g)) => PointFeatures::named(PointFeatures::Edges, [e, g]),
            Self::Edges(..) => PointFeatures::Unknown,
        }
    }
}

/// Two faces that look at each other: that of the first body, and that of the one that the normal points to.
pub(super) struct FacingOutlines<'a, const D: usize> {
    first: Outline<'a, D>,
    second: Outline<'a, D>,
    seen: [SeenBody<'a, D>; 2],
    leaning: Leaning,
}

/// What meets at a corner of the region.
#[derive(Clone, Copy)]
enum Meets {
    /// A vertex of the first or second body, by its corner in the outline.
    Vertex(Owner, usize),
    /// Two edges, by the corners at which they begin.
    Edges([usize; 2]),
}

impl<'a, const D: usize> FacingOutlines<'a, D> {
    /// Of two bodies, in a frame whose normal points from the first to the second.
    #[inline(always)]
    pub(super) fn new(
        frame: Frame,
        bodies: [&PosedBody<'a, D>; 2],
        facing: [u32; 2],
        features: [BodyFeature; 2],
    ) -> Self {
        let seen = [bodies[0].seen(&frame, Owner::First), bodies[1].seen(&frame, Owner::Second)];
        let first = Outline::new(&frame, bodies[0], &seen[0], facing[0], false);
        let second = Outline::new(&frame, bodies[1], &seen[1], facing[1], true);
        let lean = bodies[0].body.lean.min(bodies[1].body.lean);
        let swing = Swing::of(&seen, features);
        let leaning = Leaning::new(frame, [first.slope, second.slope.map(|slope| -slope)], lean, swing);
        Self { first, second, seen, leaning }
    }

    /// Sides of the regions at a corner that share in the load there, each by the two pairs of facets that it is between: from both the
    /// corner at its other end is found.
    pub(super) fn beside(&self, of: CornerOf, mut each: impl FnMut([[u32; 2]; 2])) {
        let (facing, [first, second]) = ([self.first.facet, self.second.facet], &self.seen);
        let leaning = &self.leaning;
        // An edge of the first body over a facet of the second, and the other way round.
        let mut own = |edge: u32, under: u32| {
            if leaning.shares(first, edge, second.slope(under)) {
                each(first.body.edges[edge as usize].facets.map(|facet| [facet, under]));
            }
        };
        match of {
            CornerOf::First(v) => first.body.spokes(v).iter().for_each(|spoke| own(spoke.edge, facing[1])),
            CornerOf::Edges(Some(e), Some(g)) => {
                second.body.edges[g as usize].facets.into_iter().for_each(|under| own(e, under));
            }
            _ => {}
        }
        let mut other = |edge: u32, over: u32| {
            if leaning.shares(second, edge, first.slope(over)) {
                each(second.body.edges[edge as usize].facets.map(|facet| [over, facet]));
            }
        };
        match of {
            CornerOf::Second(v) => {
                second.body.spokes(v).iter().for_each(|spoke| other(spoke.edge, facing[0]));
            }
            CornerOf::Edges(Some(e), Some(g)) => {
                first.body.edges[e as usize].facets.into_iter().for_each(|over| other(g, over));
            }
            _ => {}
        }
    }

    /// How much the facets of a pair look at each other: the less the steeper one is.
    pub(super) fn looks(&self, pair: [u32; 2]) -> f64 {
        self.seen[0].looks(pair[0]).min(self.seen[1].looks(pair[1]))
    }

    /// Whether no face beside those two shares in the load, whatever the corner.
    pub(super) fn is_all(&self) -> bool {
        self.leaning.is_inside() && self.seen.iter().all(|seen| seen.body.is_sharp)
    }

    /// The corners in depth of what the two have in common.
    #[inline(always)]
    pub(super) fn corners(&self, mut each: impl FnMut(RegionCorner)) {
        let Self { first, second, .. } = self;
        let upright = first.slope.iter().chain(&second.slope).all(|slope| slope.is_finite());
        if upright {
            match first.extent(second, |place| place[2] - second.height(place)) {
                Extent::Nothing => return,
                Extent::Within => return self.corners_of(Owner::First, &mut each),
                Extent::Beyond => {}
            }
            match second.extent(first, |place| first.height(place) - place[2]) {
                Extent::Nothing => return,
                Extent::Within => return self.corners_of(Owner::Second, &mut each),
                Extent::Beyond => {}
            }
        }
        self.clipped(&mut each);
    }

    /// The corners of one of the faces that are in depth, all on the other face.
    #[inline(always)]
    fn corners_of(&self, owner: Owner, each: &mut impl FnMut(RegionCorner)) {
        let own = if owner == Owner::First { &self.first } else { &self.second };
        for (k, &place) in own.corners.iter().enumerate() {
            self.corner(place, Meets::Vertex(owner, k), each);
        }
    }

    /// A corner, if it is in depth.
    #[inline(always)]
    fn corner(&self, place: [f64; 3], meets: Meets, each: &mut impl FnMut(RegionCorner)) {
        let Self { first, second, seen, leaning } = self;
        let (top, bottom) = (first.height(place), second.height(place));
        let depth = top - bottom;
        // A face that is seen edge on has no height, and parallel edges do not cross.
        if !(depth > 0.0 && depth.is_finite()) {
            return;
        }
        let (direction, share, of) = match meets {
            Meets::Vertex(Owner::First, k) => {
                let vertex = first.vertex(k);
                (second.upright(), leaning.vertex(&seen[0], vertex), CornerOf::First(vertex))
            }
            Meets::Vertex(Owner::Second, k) => {
                let vertex = second.vertex(k);
                (first.upright(), leaning.vertex(&seen[1], vertex), CornerOf::Second(vertex))
            }
            Meets::Edges([k, l]) => {
                let along = |[from, to]: [[f64; 3]; 2]| sub(to, from);
                let across = cross(along(first.edge(k)), along(second.edge(l)));
                let (e, g) = (first.edge_from(k), second.edge_from(l));
                let share = match (e, g) {
                    (Some(e), Some(g)) => leaning.crossing([&seen[0].edge(e), &seen[1].edge(g)]),
                    _ => Share::NONE,
                };
                (scale(across, 1.0 / across[2]), share, CornerOf::Edges(e, g))
            }
        };
        let across = direction[0] * direction[0] + direction[1] * direction[1];
        let direction = if across <= STEEPEST * STEEPEST { direction } else { [0.0, 0.0, 1.0] };
        let place = [place[0], place[1], 0.5 * (top + bottom)];
        each(RegionCorner { place, depth, direction, share: leaning.slanted(share, direction), of });
    }

    /// The corners of the second face clipped by the edges of the first.
    #[inline(never)]
    pub(super) fn clipped(&self, each: &mut impl FnMut(RegionCorner)) {
        let Self { first, second, .. } = self;
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
        let Some(last) = polygon.last() else { return };
        let mut before = last.edge;
        for &Cut { place, edge } in polygon.iter() {
            let meets = match (before < edges, edge < edges) {
                (true, true) => Meets::Vertex(Owner::First, edge),
                (false, false) => Meets::Vertex(Owner::Second, edge - edges),
                (true, false) => Meets::Edges([before, edge - edges]),
                (false, true) => Meets::Edges([edge, before - edges]),
            };
            self.corner(place, meets, each);
            before = edge;
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
