//! Links of bodies that may be in contact, from those of bodies that are not.
//!
//! Bodies in contact are separated along a normal, by their overlap along it and a little more; the link of the separated
//! bodies has the next normal (Nezami et al. 2006, section 2). The overlap along the new normal is never larger than along
//! the old one, so this is repeated until the normal stays: no small turn of the plane makes the overlap smaller.
//!
//! Without a last normal the first one is that of the least overlap of all ([`expansion`](super::expansion)), so the
//! result does not depend on luck. The same is done if the plane has come to have both centroids on one side: a body that was
//! pushed through another is not pulled back all the way; if the bodies have leapt; and if the least overlap has become less than
//! half of that along the plane.

use super::expansion::Expansion;
use super::fast_common_plane;
use super::feature::{BodyFeature, cross};
use super::kept;
use super::link::Link;
use super::memory::{LinkMemory, LinkState};
use super::patch::Patch;
use super::shortest_link;
use super::simplex::{Overlap, Simplex, furthest};
use super::two::{FoundLink, Two};
use crate::vector::{add, add_scaled, dot, length, reject, scale, sub};

/// How far bodies are separated beyond their overlap, in units of the smaller one's radius.
const CLEARANCE: f64 = 0.01;
/// Most turns of the normal; each reduces the overlap.
const TURNS: usize = 16;
/// Bodies that have moved by more than this part of the smaller one's radius since their last link, or whose plane has turned by
/// more than this angle, have leapt.
const LEAP: f64 = 0.1;
/// The last simplex still proves the overlap if the origin is inside by this, see [`Simplex::surrounds_origin`]. If it is less,
/// the bodies may just touch.
const WELL_INSIDE: f64 = 1e-9;
/// Bodies that overlap by less than this part of the size just touch.
const JUST: f64 = 1e-9;
/// Overlaps of less than this part of the size are followed without comparing them.
const SHALLOW: f64 = 1e-3;

/// Where the search for a link starts.
#[derive(Debug, Clone, Copy)]
pub(super) struct Start<const D: usize> {
    /// Features it may end on.
    pub(super) features: [BodyFeature; 2],
    /// Unit vector that it may have.
    pub(super) normal: [f64; D],
}

/// A way to find the shortest link of bodies that are apart.
pub(super) trait Separated<const D: usize> {
    /// Whether the link of bodies in contact that keeps its features is taken in closed form.
    const KEEPS: bool = false;

    /// The link of separated bodies; `None` if they are not separated, or it is not certain.
    fn link(two: &Two<'_, D>, start: Start<D>, iterations: &mut u32) -> Option<FoundLink<D>>;
}

/// The same, not inlined where it would not pay.
#[inline(never)]
fn find<M: Separated<D>, const D: usize>(
    two: &Two<'_, D>,
    start: Start<D>,
    iterations: &mut u32,
) -> Option<FoundLink<D>> {
    M::link(two, start, iterations)
}

/// A link and, where it has been looked for, the region that it rests on.
pub(super) struct RestingLink<const D: usize> {
    pub(super) found: FoundLink<D>,
    pub(super) patch: Option<Patch<D>>,
    pub(super) iterations: u32,
}

impl<const D: usize> RestingLink<D> {
    /// As the link of bodies of which the first one's centroid is at `origin`.
    #[inline(always)]
    pub(super) fn at(self, origin: [f64; D]) -> Link<D> {
        let Self { found, patch, iterations } = self;
        Link {
            gap: found.gap,
            normal: found.normal,
            points: [add(origin, found.points[0]), add(origin, found.points[1])],
            iterations,
            patch: patch.map(|patch| Patch { center: add(origin, patch.center), ..patch }),
        }
    }
}

/// The link of two bodies, apart or not.
#[inline(always)]
pub(super) fn find_link<M: Separated<D>, const D: usize>(
    two: &Two<'_, D>,
    memory: &mut LinkMemory<D>,
    expansion: &mut Expansion<D>,
) -> RestingLink<D> {
    let mut iterations = 0;
    if let Some(link) = find_apart::<M, D>(two, memory, &mut iterations) {
        return link;
    }
    if memory.state == LinkState::New {
        first_link::<M, D>(two, memory, expansion)
    } else {
        next_link::<M, D>(two, memory, expansion, iterations)
    }
}

/// The link of two bodies that were apart, if they still are and it is found at once. A memory of other bodies is forgotten.
#[inline(always)]
pub(super) fn find_apart<M: Separated<D>, const D: usize>(
    two: &Two<'_, D>,
    memory: &mut LinkMemory<D>,
    iterations: &mut u32,
) -> Option<RestingLink<D>> {
    if !memory.fits(two.a.body, two.b.body) {
        *memory = LinkMemory::default();
    }
    if memory.state != LinkState::Apart {
        return None;
    }
    let start = Start { features: memory.features, normal: memory.normal };
    let found = M::link(two, start, iterations)?;
    Some(apart(memory, found, *iterations))
}

/// The link of bodies that were in contact or may be now.
#[inline(never)]
fn next_link<M: Separated<D>, const D: usize>(
    two: &Two<'_, D>,
    memory: &mut LinkMemory<D>,
    expansion: &mut Expansion<D>,
    mut iterations: u32,
) -> RestingLink<D> {
    if M::KEEPS
        && let Some(link) = kept_link(two, memory)
    {
        return link;
    }
    let features = memory.features;
    let known = memory.simplex().map(|vertices| Simplex::of(two, vertices));
    let simplex = match known.filter(|simplex| simplex.surrounds_origin(WELL_INSIDE)) {
        Some(simplex) => simplex,
        None => match shortest_link::decide(two, two.some_vertices(features), &mut iterations) {
            Ok(found) => return apart(memory, found, iterations),
            Err(Overlap { simplex, best, overlap }) if overlap <= JUST * two.size() => {
                let normal =
                    if overlaps_no_more(two, memory, overlap) { last_normal(two, memory) } else { best };
                return touching::<M, D>(two, memory, simplex, normal, iterations);
            }
            // Bodies that may just touch do so along the best plane, not along one that was followed.
            Err(Overlap { simplex, .. }) if simplex.count <= D => {
                return anew::<M, D>(two, memory, expansion, simplex, iterations);
            }
            Err(Overlap { simplex, .. }) => simplex,
        },
    };
    let normal = last_normal(two, memory);
    if memory.state == LinkState::Contact {
        let Some(least) = least_since(two, memory, normal) else {
            return anew::<M, D>(two, memory, expansion, simplex, iterations);
        };
        memory.least = least;
    }
    let outcome = separate::<M, D>(two, memory, simplex, normal, features, iterations);
    if !parts_centroids(two, &outcome.found) {
        return anew::<M, D>(two, memory, expansion, simplex, outcome.iterations);
    }
    // A plane that is followed while the bodies slide may come to overlap far more than needed; so it is compared with the least
    // overlap when that may have become less than half.
    let overlap = -outcome.found.gap;
    if is_doubtful(two, overlap, memory.least) {
        let mut fresh = *memory;
        let least = anew::<M, D>(two, &mut fresh, expansion, simplex, outcome.iterations);
        if -least.found.gap < 0.5 * overlap {
            *memory = fresh;
            return least;
        }
        memory.least = fresh.least;
    }
    outcome
}

/// The link of bodies that keep still on each other, from its features, which are not asked whether they still are what the bodies meet
/// with. They have hardly moved since they were.
#[inline(always)]
pub(super) fn still_link<const D: usize>(two: &Two<'_, D>, memory: &LinkMemory<D>) -> Option<RestingLink<D>> {
    if memory.state != LinkState::Contact || !memory.fits(two.a.body, two.b.body) {
        return None;
    }
    let found = kept::link(two, memory.features, memory.normal, true)?;
    Some(RestingLink { found, patch: None, iterations: 0 })
}

/// The link of bodies that were in contact, if it still ends on the same features and nothing speaks against it.
#[inline(always)]
fn kept_link<const D: usize>(two: &Two<'_, D>, memory: &mut LinkMemory<D>) -> Option<RestingLink<D>> {
    if memory.state != LinkState::Contact {
        return None;
    }
    let found = kept::link(two, memory.features, memory.normal, false)?;
    let least = least_since(two, memory, found.normal)?;
    if !parts_centroids(two, &found) || is_doubtful(two, -found.gap, least) {
        return None;
    }
    (memory.normal, memory.between, memory.least) = (found.normal, two.between(), least);
    Some(RestingLink { found, patch: None, iterations: 1 })
}

/// What the least overlap must be at least about, after the bodies have moved and their plane has turned; `None` if they have leapt.
#[inline(always)]
fn least_since<const D: usize>(two: &Two<'_, D>, memory: &LinkMemory<D>, normal: [f64; D]) -> Option<f64> {
    let (moved, turned) = (sub(two.between(), memory.between), sub(normal, memory.normal));
    let is_within = |vector: [f64; D], most: f64| dot(vector, vector) <= most * most;
    // The sum of the components is no less than the length, and needs no root.
    let most = |vector: [f64; D]| vector.iter().map(|component| component.abs()).sum::<f64>();
    let near = is_within(moved, LEAP * two.smaller_radius()) && is_within(turned, LEAP);
    // What they move along the normal changes both overlaps alike.
    near.then(|| memory.least - most(reject(moved, normal)) - most(turned) * two.size())
}

/// Whether an overlap may be more than twice the least one.
#[inline(always)]
fn is_doubtful<const D: usize>(two: &Two<'_, D>, overlap: f64, least: f64) -> bool {
    overlap > 2.0 * least && overlap > SHALLOW * two.size()
}

/// Whether the plane halfway along a link has the centroids on its two sides, as a common plane must.
fn parts_centroids<const D: usize>(two: &Two<'_, D>, found: &FoundLink<D>) -> bool {
    let level = 0.5 * (dot(found.normal, found.points[0]) + dot(found.normal, found.points[1]));
    level > 0.0 && dot(found.normal, two.between()) > level
}

/// Whether bodies that just touch, by this overlap at least, overlap no more along the plane of their last contact. There are many planes as
/// good as each other then, and it should not leap from one to the next.
fn overlaps_no_more<const D: usize>(two: &Two<'_, D>, memory: &LinkMemory<D>, least: f64) -> bool {
    let normal = last_normal(two, memory);
    let (_, difference) = furthest(two, normal, two.some_vertices(memory.features));
    memory.state == LinkState::Contact && -dot(normal, difference) <= least + JUST * two.size()
}

/// The link of bodies that just touch, along the best plane that was found.
fn touching<M: Separated<D>, const D: usize>(
    two: &Two<'_, D>,
    memory: &mut LinkMemory<D>,
    simplex: Simplex<D>,
    normal: [f64; D],
    iterations: u32,
) -> RestingLink<D> {
    let near = simplex.vertices[0];
    let features = furthest(two, normal, near).0.map(BodyFeature::Vertex);
    separate::<M, D>(two, memory, simplex, normal, features, iterations)
}

/// The link of overlapping bodies along the normal of the least overlap.
fn anew<M: Separated<D>, const D: usize>(
    two: &Two<'_, D>,
    memory: &mut LinkMemory<D>,
    expansion: &mut Expansion<D>,
    simplex: Simplex<D>,
    mut iterations: u32,
) -> RestingLink<D> {
    let (normal, vertices) = expansion.least_overlap(two, &simplex, &mut iterations);
    let outcome = separate::<M, D>(two, memory, simplex, normal, two.features_of(&vertices), iterations);
    memory.least = -outcome.found.gap;
    outcome
}

/// The link of bodies without a last one.
#[inline(never)]
fn first_link<M: Separated<D>, const D: usize>(
    two: &Two<'_, D>,
    memory: &mut LinkMemory<D>,
    expansion: &mut Expansion<D>,
) -> RestingLink<D> {
    let mut iterations = 0;
    let vertices = initial(two);
    let points = [two.a.vertex(vertices[0]), two.b.vertex(vertices[1])];
    let features = vertices.map(BodyFeature::Vertex);
    // A gap along the line of centroids is certain; without one the bodies probably overlap.
    if dot(sub(points[1], points[0]), two.between()) > 0.0 {
        let normal = scale(two.between(), 1.0 / length(two.between()));
        if let Some(found) = find::<M, D>(two, Start { features, normal }, &mut iterations) {
            return apart(memory, found, iterations);
        }
    }
    match shortest_link::decide(two, vertices, &mut iterations) {
        Ok(found) => apart(memory, found, iterations),
        // Touching: the best direction so far is as good as any.
        Err(Overlap { simplex, best, overlap }) if overlap <= 1e-12 * two.size() => {
            touching::<M, D>(two, memory, simplex, best, iterations)
        }
        Err(Overlap { simplex, .. }) => anew::<M, D>(two, memory, expansion, simplex, iterations),
    }
}

#[inline(always)]
fn apart<const D: usize>(memory: &mut LinkMemory<D>, found: FoundLink<D>, iterations: u32) -> RestingLink<D> {
    if memory.state != LinkState::Apart {
        (memory.state, memory.least) = (LinkState::Apart, 0.0);
        memory.set_simplex(None);
    }
    memory.features = found.features;
    memory.normal = found.normal;
    RestingLink { found, patch: None, iterations }
}

/// The vertices closest to the plane halfway between the centroids (section 3.5.1).
#[inline]
fn initial<const D: usize>(two: &Two<'_, D>) -> [u32; 2] {
    let direction = two.between();
    let back = scale(two.b.back(direction), -1.0);
    [two.a.body.support_anew(two.a.back(direction)), two.b.body.support_anew(back)]
}

/// The normal of the last link, turned with the features it belongs to.
#[inline]
fn last_normal<const D: usize>(two: &Two<'_, D>, memory: &LinkMemory<D>) -> [f64; D] {
    let facet_b = |facet: u32| scale(two.b.normal(facet), -1.0);
    match memory.features {
        [BodyFeature::Face(face), _] => two.a.normal(face),
        [_, BodyFeature::Face(face)] => facet_b(face),
        [BodyFeature::Edge(edge), _] if D == 2 => two.a.normal(edge),
        [_, BodyFeature::Edge(edge)] if D == 2 => facet_b(edge),
        [BodyFeature::Edge(edge), BodyFeature::Edge(other)] => {
            let (along, other_along) = (two.a.along(edge), two.b.along(other));
            let upright = cross(along, other_along);
            let size = length(upright);
            if size <= 1e-9 * length(along) * length(other_along) {
                return memory.normal;
            }
            let sign = if dot(upright, memory.normal) < 0.0 { -1.0 } else { 1.0 };
            scale(upright, sign / size)
        }
        _ => memory.normal,
    }
}

/// Whether a plane between these features of overlapping bodies can be one of least overlap. Vertices leave it free to turn, and it
/// overlaps less when it does.
fn is_stable<const D: usize>(features: [BodyFeature; 2]) -> bool {
    use BodyFeature::{Edge, Vertex};
    !matches!(features, [Vertex(_), Vertex(_)])
        && (D == 2 || !matches!(features, [Vertex(_), Edge(_)] | [Edge(_), Vertex(_)]))
}

/// Separates overlapping bodies along a normal and takes the link they then have, until the normal stays.
fn separate<M: Separated<D>, const D: usize>(
    two: &Two<'_, D>,
    memory: &mut LinkMemory<D>,
    simplex: Simplex<D>,
    mut normal: [f64; D],
    mut features: [BodyFeature; 2],
    mut iterations: u32,
) -> RestingLink<D> {
    let clearance = CLEARANCE * two.smaller_radius();
    let mut near = two.some_vertices(features);
    let mut result = None;
    for turn in 0..TURNS {
        // The features of the last link are mostly those that reach furthest along its normal, which the new one will prove.
        let guess = turn == 0;
        let (vertices, difference) = if guess {
            (near, sub(two.b.vertex(near[1]), two.a.vertex(near[0])))
        } else {
            furthest(two, normal, near)
        };
        near = vertices;
        let shift = clearance - dot(normal, difference);
        let mut moved = *two;
        moved.b.offset = add_scaled(two.b.offset, shift, normal);
        let start = Start { features, normal };
        let mut link = find::<M, D>(&moved, start, &mut iterations);
        if link.is_none() {
            if guess {
                continue;
            }
            let anew = Start { features: near.map(BodyFeature::Vertex), ..start };
            link = find::<M, D>(&moved, anew, &mut iterations)
                .or_else(|| shortest_link::decide(&moved, near, &mut iterations).ok());
        }
        let Some(mut found) = link else { break };
        let turned = sub(found.normal, normal);
        found.points[1] = add_scaled(found.points[1], -shift, normal);
        features = found.features;
        if dot(turned, turned) <= 1e-26 {
            found.gap -= shift;
            result = Some(found);
            break;
        }
        normal = found.normal;
    }
    // Where rounding turns the normal to and fro, the best plane that the closest vertices suggest is as good.
    let mut found = result.unwrap_or_else(|| shortest_link::polished(two, features, normal, &mut iterations));
    if !is_stable::<D>(found.features) && found.gap < -two.shortest() {
        let start = Start { features: found.features, normal: found.normal };
        let plane = fast_common_plane::improve(two, start, true, &mut iterations);
        if plane.gap > found.gap + two.shortest() && is_stable::<D>(plane.features) {
            return separate::<M, D>(two, memory, simplex, plane.normal, plane.features, iterations);
        }
    }
    if found.gap.abs() <= two.shortest() {
        found.gap = 0.0;
    }
    memory.state = LinkState::Contact;
    memory.features = found.features;
    memory.normal = found.normal;
    memory.between = two.between();
    memory.set_simplex((simplex.count == D + 1).then_some(simplex.vertices));
    RestingLink { found, patch: None, iterations }
}
