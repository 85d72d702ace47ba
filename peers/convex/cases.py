"""The pairs of convex bodies that every side asks about.

usage: cases.py CLASS KIND PAIRS STEPS FILE

FILE is one array of float64, little-endian: the numbers of shapes, pairs and steps; the number of vertices of each
shape; all vertices, x y z; two shapes per pair; two poses per pair and step, x y z and the quaternion w x y z. The
frame of a shape has its origin at the centroid, and its largest distance between vertices is 1.
"""

import itertools
import sys
import zlib

import numpy as np
from scipy.spatial import ConvexHull
from scipy.spatial.distance import pdist
from scipy.spatial.transform import Rotation

# Different stones of a class.
STONES = 8
# A body moves by this part of its size in each step, and turns by as many radians.
STEP = 1e-3

SIGNS = np.array(list(itertools.product([-1, 1], repeat=3)))
SHAPES = {
    "tetrahedron": lambda rng: [SIGNS[SIGNS.prod(axis=1) > 0]],
    "cube": lambda rng: [SIGNS],
    # The rhombic dodecahedron.
    "14": lambda rng: [np.concatenate([SIGNS, 2 * np.eye(3), -2 * np.eye(3)])],
    "60": lambda rng: [stone(rng, 60) for _ in range(STONES)],
    "500": lambda rng: [stone(rng, 500) for _ in range(STONES)],
}
KINDS = ["separated", "overlapping"]


def units(rng, *shape):
    """Random directions."""
    vectors = rng.normal(size=(*shape, 3))
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


def stone(rng, count):
    return units(rng, count) * rng.uniform(0.7, 1, 3)


def centered(points):
    """Points with their centroid at the origin and the size 1, and the planes of their hull."""
    points = np.asarray(points, float)
    hull = ConvexHull(points)
    triangles = points[hull.simplices] - points.mean(axis=0)
    # Tetrahedra from the mean of the vertices, which is inside, to the facets.
    volumes = np.abs(np.linalg.det(triangles))
    centroid = points.mean(axis=0) + np.average(triangles.sum(axis=1) / 4, axis=0, weights=volumes)
    points = (points - centroid) / pdist(points).max()
    return points, ConvexHull(points).equations


def support(points, direction):
    return (points @ direction).max()


def reach(planes, direction):
    """Distance of the surface from the origin, which is inside, in this direction."""
    slopes = planes[:, :3] @ direction
    ahead = slopes > 1e-12
    return (-planes[ahead, 3] / slopes[ahead]).min()


def distance(rng, kind, a, b, orientations, direction):
    """Between the centers of two bodies that lie in this direction from each other."""
    along = orientations[0].inv().apply(direction), orientations[1].inv().apply(-direction)
    if kind == "separated":
        # The plane across the direction lies between them.
        return (support(a[0], along[0]) + support(b[0], along[1])) * (1 + rng.uniform(0.01, 0.3))
    # A point inside of either, near its surface, at the same place.
    return reach(a[1], along[0]) * rng.uniform(0.9, 0.98) + reach(b[1], along[1]) * rng.uniform(0.9, 0.98)


def poses(rng, kind, shapes, chosen, steps):
    """Of all pairs at all steps."""
    pairs = len(chosen)
    orientations = Rotation.random(2 * pairs, random_state=rng)
    direction = units(rng, pairs)
    place = rng.uniform(-1, 1, (pairs, 3))
    centers = np.stack([place, place], axis=1)
    for k, (a, b) in enumerate(chosen):
        apart = distance(rng, kind, shapes[a], shapes[b], orientations[2 * k:2 * k + 2], direction[k])
        centers[k, 1] += apart * direction[k]

    # Both advance equally along the line between their centers, so that they move past each other, not together or
    # apart. The middle of the motion is where they were put.
    motion = units(rng, pairs, 2)
    along = np.sum(motion[:, 0] * direction, axis=1, keepdims=True)
    across = np.cross(motion[:, 1], direction)
    across /= np.linalg.norm(across, axis=1, keepdims=True)
    motion[:, 1] = along * direction + np.sqrt(1 - along**2) * across
    axes = units(rng, 2 * pairs)

    values = np.empty((steps, pairs, 2, 7))
    for step in range(steps):
        way = STEP * (step - steps // 2)
        turned = Rotation.from_rotvec(way * axes) * orientations
        values[step, :, :, :3] = centers + way * motion
        # SciPy has w last.
        values[step, :, :, 3:] = np.roll(turned.as_quat(), 1, axis=1).reshape(pairs, 2, 4)
    return values


def make(name, kind, pairs, steps):
    """The content of a file."""
    rng = np.random.default_rng([zlib.crc32(f"{name} {kind}".encode()), pairs])
    shapes = [centered(points) for points in SHAPES[name](rng)]
    chosen = rng.integers(len(shapes), size=(pairs, 2))
    vertices = [points for points, _ in shapes]
    head = [len(shapes), pairs, steps, *map(len, vertices)]
    parts = [head, *vertices, chosen, poses(rng, kind, shapes, chosen, steps)]
    return np.concatenate([np.ravel(part) for part in parts]).astype("<f8")


if __name__ == "__main__":
    name, kind, pairs, steps, file = sys.argv[1:]
    make(name, kind, int(pairs), int(steps)).tofile(file)
