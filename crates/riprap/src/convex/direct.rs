//! The shortest link between two features, in closed form (Nezami et al. 2006, section 3.5.2).
//!
//! Where the closest points of two edges, or of an edge and a vertex, are ends of the edges, the result names these vertices
//! instead. Normals come from the features, not from the difference of two close points, so they are as good for a gap of
//! a millionth as for a wide one.

use super::body::Facet;
use super::feature::{BodyFeature, SLACK, cross, share_along};
use super::pose::PosedBody;
use super::two::{FoundLink, Two};
use super::{patch, segments};
use crate::vector::{add_scaled, dot, length, reject, scale, sub};

/// Two directions are parallel if the sine of their angle is below this.
pub(super) const PARALLEL: f64 = 1e-13;

/// Most features that faces lead on to. Mostly they have fewer dimensions each time, but not where one face leads to the next.
const STEPS: u32 = 8;

/// An edge of a placed body.
#[derive(Clone, Copy)]
struct Line<const D: usize> {
    number: u32,
    ends: [u32; 2],
    from: [f64; D],
    along: [f64; D],
    /// In the plane, the edge's normal.
    normal: [f64; D],
}

impl<const D: usize> PosedBody<'_, D> {
    #[inline(always)]
    fn line(&self, number: u32) -> Line<D> {
        let ends = self.body.edges[number as usize].ends;
        let normal = if D == 2 { self.normal(number) } else { [0.0; D] };
        Line { number, ends, from: self.vertex(ends[0]), along: self.along(number), normal }
    }

    /// The height of a point over a facet.
    #[inline(always)]
    fn height(&self, facet: u32, normal: [f64; D], point: [f64; D]) -> f64 {
        dot(normal, sub(point, self.offset)) - self.facet_distance(facet)
    }
}

impl<const D: usize> Two<'_, D> {
    /// The shortest link between two features. `None` if there is none worth the name: they touch, or are behind each other.
    /// `points` are where the link ended so far, if it is known; they matter for faces that are not parallel.
    #[inline(always)]
    pub(super) fn direct(
        &self,
        features: [BodyFeature; 2],
        points: Option<[[f64; D]; 2]>,
    ) -> Option<FoundLink<D>> {
        self.direct_within(features, points, STEPS)
    }

    /// The same, where faces that do not have the link may lead on to so many other features.
    #[inline(always)]
    fn direct_within(
        &self,
        features: [BodyFeature; 2],
        points: Option<[[f64; D]; 2]>,
        steps: u32,
    ) -> Option<FoundLink<D>> {
        let Self { a, b } = self;
        match features {
            [BodyFeature::Vertex(v), BodyFeature::Vertex(w)] => self.vertices(v, a.vertex(v), w, b.vertex(w)),
            [BodyFeature::Vertex(v), BodyFeature::Edge(e)] => self.vertex_edge(v, a.vertex(v), b.line(e)),
            [BodyFeature::Edge(e), BodyFeature::Vertex(v)] => {
                self.vertex_edge(v, b.vertex(v), a.line(e)).map(FoundLink::exchanged)
            }
            [BodyFeature::Edge(e), BodyFeature::Edge(g)] => self.edges(a.line(e), b.line(g)),
            [BodyFeature::Vertex(v), BodyFeature::Face(f)] => self.vertex_face(v, a.vertex(v), b, f),
            [BodyFeature::Face(f), BodyFeature::Vertex(v)] => {
                self.vertex_face(v, b.vertex(v), a, f).map(FoundLink::exchanged)
            }
            [BodyFeature::Edge(e), BodyFeature::Face(f)] => self.edge_face(e, f, steps),
            [BodyFeature::Face(f), BodyFeature::Edge(e)] => {
                Self { a: *b, b: *a }.edge_face(e, f, steps).map(FoundLink::exchanged)
            }
            [BodyFeature::Face(f), BodyFeature::Face(g)] => {
                self.faces(f, g, points.unwrap_or_else(|| self.some_points(features)), steps)
            }
        }
    }

    /// From a vertex of one body to a face of the other.
    #[inline(always)]
    fn vertex_face(&self, v: u32, p: [f64; D], side: &PosedBody<'_, D>, face: u32) -> Option<FoundLink<D>> {
        let outward = side.normal(face);
        let gap = side.height(face, outward, p);
        let normal = scale(outward, -1.0);
        (gap > self.shortest()).then(|| FoundLink {
            points: [p, add_scaled(p, gap, normal)],
            normal,
            gap,
            features: [BodyFeature::Vertex(v), BodyFeature::Face(face)],
        })
    }

    #[inline(always)]
    fn vertices(&self, v: u32, p: [f64; D], w: u32, q: [f64; D]) -> Option<FoundLink<D>> {
        let link = sub(q, p);
        let gap = length(link);
        (gap > self.shortest()).then(|| FoundLink {
            points: [p, q],
            normal: scale(link, 1.0 / gap),
            gap,
            features: [BodyFeature::Vertex(v), BodyFeature::Vertex(w)],
        })
    }

    /// From a vertex of one body to an edge of the other.
    #[inline(always)]
    fn vertex_edge(&self, v: u32, p: [f64; D], line: Line<D>) -> Option<FoundLink<D>> {
        let arm = sub(p, line.from);
        let square = dot(line.along, line.along);
        let share = dot(arm, line.along) / square;
        if share <= -SLACK {
            return self.vertices(v, p, line.ends[0], line.from);
        }
        if share >= 1.0 + SLACK {
            let end = add_scaled(line.from, 1.0, line.along);
            return self.vertices(v, p, line.ends[1], end);
        }
        let features = [BodyFeature::Vertex(v), BodyFeature::Edge(line.number)];
        if D == 2 {
            let gap = dot(line.normal, arm);
            let normal = scale(line.normal, -1.0);
            return (gap > self.shortest()).then(|| FoundLink {
                points: [p, add_scaled(p, gap, normal)],
                normal,
                gap,
                features,
            });
        }
        let foot = add_scaled(line.from, share, line.along);
        let link = across(sub(foot, p), line.along, square);
        let gap = length(link);
        (gap > self.shortest()).then(|| FoundLink {
            points: [p, foot],
            normal: scale(link, 1.0 / gap),
            gap,
            features,
        })
    }

    /// Case 1 of section 3.5.2. In space the plane parallel to both edges has their vector product as its normal.
    #[inline(always)]
    fn edges(&self, line: Line<D>, other: Line<D>) -> Option<FoundLink<D>> {
        if D == 2 {
            return self.edges_in_plane(line, other);
        }
        let arm = sub(other.from, line.from);
        let normal = cross(line.along, other.along);
        let (aa, bb, cc) = (dot(line.along, line.along), dot(other.along, other.along), dot(normal, normal));
        if cc <= PARALLEL * PARALLEL * aa * bb {
            return self.parallel_edges(line, other, aa);
        }
        let share = (dot(cross(arm, other.along), normal) / cc).clamp(-SLACK, 1.0 + SLACK);
        let reach = add_scaled(line.from, share, line.along);
        let unlimited = share_along(other.from, other.along, reach);
        let other_share = unlimited.clamp(-SLACK, 1.0 + SLACK);
        let share = if other_share == unlimited {
            share
        } else {
            let end = add_scaled(other.from, other_share, other.along);
            share_along(line.from, line.along, end).clamp(-SLACK, 1.0 + SLACK)
        };
        let inside = |share: f64| share > -SLACK && share < 1.0 + SLACK;
        let end = |line: &Line<D>, share: f64| {
            let last = share > 0.5;
            (line.ends[usize::from(last)], add_scaled(line.from, f64::from(u8::from(last)), line.along))
        };
        match (inside(share), inside(other_share)) {
            (true, true) => {
                // The vector product of nearly parallel edges is rounded; perpendicular to them it must be all the same.
                let upright = across(normal, line.along, aa);
                let unit = scale(upright, 1.0 / length(upright));
                let gap = dot(unit, arm);
                let unit = if gap < 0.0 { scale(unit, -1.0) } else { unit };
                let points = [
                    add_scaled(line.from, share, line.along),
                    add_scaled(other.from, other_share, other.along),
                ];
                let features = [BodyFeature::Edge(line.number), BodyFeature::Edge(other.number)];
                let gap = gap.abs();
                (gap > self.shortest()).then_some(FoundLink { points, normal: unit, gap, features })
            }
            (false, true) => {
                let (vertex, point) = end(&line, share);
                self.vertex_edge(vertex, point, other)
            }
            (true, false) => {
                let (vertex, point) = end(&other, other_share);
                self.vertex_edge(vertex, point, line).map(FoundLink::exchanged)
            }
            (false, false) => {
                let ((v, p), (w, q)) = (end(&line, share), end(&other, other_share));
                self.vertices(v, p, w, q)
            }
        }
    }

    /// All links between two parallel edges side by side are equally short; takes the middle one.
    fn parallel_edges(&self, line: Line<D>, other: Line<D>, square: f64) -> Option<FoundLink<D>> {
        let share = |point| dot(sub(point, line.from), line.along) / square;
        let ends = [other.from, add_scaled(other.from, 1.0, other.along)];
        let [first, last] = ends.map(share);
        let (low, high) = (first.min(last).max(0.0), first.max(last).min(1.0));
        if low >= high {
            // Past each other: the ends that face each other.
            let (vertex, point) = if first.min(last) >= 1.0 {
                (line.ends[1], add_scaled(line.from, 1.0, line.along))
            } else {
                (line.ends[0], line.from)
            };
            return self.vertex_edge(vertex, point, other);
        }
        let middle = 0.5 * (low + high);
        let point = add_scaled(line.from, middle, line.along);
        let foot = add_scaled(other.from, (middle - first) / (last - first), other.along);
        let link = across(sub(foot, point), line.along, square);
        let gap = length(link);
        (gap > self.shortest()).then(|| FoundLink {
            points: [point, foot],
            normal: scale(link, 1.0 / gap),
            gap,
            features: [BodyFeature::Edge(line.number), BodyFeature::Edge(other.number)],
        })
    }

    fn edges_in_plane(&self, line: Line<D>, other: Line<D>) -> Option<FoundLink<D>> {
        let square = dot(line.along, line.along);
        let turn = line.along[0] * other.along[1] - line.along[1] * other.along[0];
        if turn * turn <= PARALLEL * PARALLEL * square * dot(other.along, other.along) {
            let found = self.parallel_edges(line, other, square)?;
            // Side by side and back to back is not a link.
            let face_each_other =
                dot(line.normal, found.normal) > 0.0 && dot(other.normal, found.normal) < 0.0;
            return face_each_other.then_some(found);
        }
        let ends =
            |line: &Line<D>| [line.from, add_scaled(line.from, 1.0, line.along)].map(|end| [end[0], end[1]]);
        let [share, other_share] = segments::shortest_link(ends(&line), ends(&other))?;
        // Of two segments that are not parallel, one ends where the link does.
        if share == 0.0 || share == 1.0 {
            let vertex = line.ends[usize::from(share == 1.0)];
            self.vertex_edge(vertex, add_scaled(line.from, share, line.along), other)
        } else {
            let vertex = other.ends[usize::from(other_share == 1.0)];
            let point = add_scaled(other.from, other_share, other.along);
            self.vertex_edge(vertex, point, line).map(FoundLink::exchanged)
        }
    }

    /// Case 3 of section 3.5.2: in the plane through the edge, perpendicular to the face, the edge and the chord of the face
    /// below it are two segments.
    #[inline(never)]
    fn edge_face(&self, edge: u32, face: u32, steps: u32) -> Option<FoundLink<D>> {
        let features = [BodyFeature::Edge(edge), BodyFeature::Face(face)];
        let (line, facet) = (self.a.line(edge), &self.b.body.facets[face as usize]);
        let (from, along) = (self.b.local(line.from), self.b.local_vector(line.along));
        let [start, slope] = [dot(facet.normal, from) - facet.offset, dot(facet.normal, along)];
        let level = reject(along, facet.normal);
        let run = length(level);
        if run <= PARALLEL * length(along) {
            // Upright: the lower end.
            let vertex = line.ends[usize::from(slope < 0.0)];
            return self.direct_next(features, [BodyFeature::Vertex(vertex), features[1]], None, steps);
        }
        let Some(chord) = self.b.body.chord(face, add_scaled(from, -start, facet.normal), level) else {
            // The edge passes the face by: the edge of the face that is closest in the way.
            let middle = add_scaled(from, 0.5, along);
            let (feature, _) = self.b.body.walk(features[1], foot(facet, middle), middle, facet.normal);
            return self.direct_next(features, [features[0], feature], None, steps);
        };
        let (low, high) = (chord.shares[0].max(0.0), chord.shares[1].min(1.0));
        if slope.abs() <= PARALLEL * run && low < high {
            let point = add_scaled(line.from, 0.5 * (low + high), line.along);
            let gap = self.b.scale * (start + 0.5 * (low + high) * slope);
            let normal = scale(self.b.turn(facet.normal), -1.0);
            return (gap > self.shortest()).then(|| FoundLink {
                points: [point, add_scaled(point, gap, normal)],
                normal,
                gap,
                features,
            });
        }
        let ends = chord.shares.map(|share| [share * run, 0.0]);
        let [share, on_chord] = segments::shortest_link([[0.0, start], [run, start + slope]], ends)?;
        let first = if share <= 0.0 {
            BodyFeature::Vertex(line.ends[0])
        } else if share >= 1.0 {
            BodyFeature::Vertex(line.ends[1])
        } else {
            features[0]
        };
        self.direct_next(features, [first, chord.feature_at(on_chord, features[1])], None, steps)
    }

    /// Case 2 of section 3.5.2: in the plane through P, perpendicular to both faces, their chords are two segments. Parallel
    /// faces have no such plane: the link is in the middle of where they overlap.
    #[inline(never)]
    fn faces(&self, f: u32, g: u32, points: [[f64; D]; 2], steps: u32) -> Option<FoundLink<D>> {
        let features = [BodyFeature::Face(f), BodyFeature::Face(g)];
        let Self { a, b } = self;
        let (normal, other) = (a.normal(f), b.normal(g));
        let axis = cross(normal, other);
        let sine = length(axis);
        let on = |side: &PosedBody<'_, D>, face: u32, point: [f64; D]| {
            side.place(foot(&side.body.facets[face as usize], side.local(point)))
        };
        let (p, q) = (on(a, f, points[0]), on(b, g, points[1]));
        if sine <= PARALLEL {
            let gap = a.height(f, normal, q);
            if gap <= self.shortest() || dot(normal, other) > 0.0 {
                return None;
            }
            if let Some(patch) = patch::overlap(self, [f, g], normal, 0.0, f64::INFINITY) {
                let p = on(a, f, patch.center);
                return Some(FoundLink { points: [p, add_scaled(p, gap, normal)], normal, gap, features });
            }
        } else {
            let axis = scale(axis, 1.0 / sine);
            let (level, other_level) = (cross(axis, normal), cross(axis, other));
            let in_plane = add_scaled(q, -dot(axis, sub(q, p)), axis);
            let chord = a.body.chord(f, a.local(p), a.back(level));
            let other_chord = b.body.chord(g, b.local(in_plane), b.back(other_level));
            if let (Some(chord), Some(other_chord)) = (chord, other_chord) {
                let flat = |point: [f64; D]| [dot(sub(point, p), level), dot(sub(point, p), normal)];
                let ends = chord.shares.map(|share| flat(add_scaled(p, a.scale * share, level)));
                let other_ends =
                    other_chord.shares.map(|share| flat(add_scaled(in_plane, b.scale * share, other_level)));
                let [share, other_share] = segments::shortest_link(ends, other_ends)?;
                let next =
                    [chord.feature_at(share, features[0]), other_chord.feature_at(other_share, features[1])];
                return self.direct_next(features, next, Some([p, q]), steps);
            }
        }
        // Beside each other: the next feature towards P or Q takes the place of a face.
        let leave = |side: &PosedBody<'_, D>, face: u32, target: [f64; D]| {
            let (facet, target) = (&side.body.facets[face as usize], side.local(target));
            side.body.walk(BodyFeature::Face(face), foot(facet, target), target, facet.normal).0
        };
        let first = leave(a, f, q);
        if first != features[0] {
            return self.direct_next(features, [first, features[1]], Some([p, q]), steps);
        }
        self.direct_next(features, [features[0], leave(b, g, p)], Some([p, q]), steps)
    }

    /// The link of the features that follow, if they are others.
    fn direct_next(
        &self,
        features: [BodyFeature; 2],
        next: [BodyFeature; 2],
        points: Option<[[f64; D]; 2]>,
        steps: u32,
    ) -> Option<FoundLink<D>> {
        if next == features || steps == 0 { None } else { self.direct_within(next, points, steps - 1) }
    }
}

/// The point of a facet's plane that is closest to a point, both in the body's coordinates.
fn foot<const D: usize>(facet: &Facet<D>, point: [f64; D]) -> [f64; D] {
    add_scaled(point, facet.offset - dot(facet.normal, point), facet.normal)
}

/// What is perpendicular to a vector with this square, also after rounding.
#[inline(always)]
fn across<const D: usize>(vector: [f64; D], along: [f64; D], square: f64) -> [f64; D] {
    add_scaled(vector, -dot(vector, along) / square, along)
}
