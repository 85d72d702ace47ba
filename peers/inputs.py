"""The benchmark's inputs: deterministic random spheres and disks, one `.npy` file of rows x y [z] r each.

usage: inputs.py NAME COUNT FILE
"""

import sys
import zlib

import numpy as np


def uniform(rng, radii, fraction):
    """Centers anywhere in a cube that the spheres fill by `fraction`; they overlap as chance has it."""
    volume = np.sum(4 / 3 * np.pi * radii**3)
    return rng.random((len(radii), 3)) * np.cbrt(volume / fraction)


def power_law(rng, count, alpha, omega):
    """Radii between 1 and omega whose number density goes with r^alpha, by inversion."""
    power = alpha + 1
    return (1 + rng.random(count) * (omega**power - 1)) ** (1 / power)


def spatial_order(centers, width):
    """Rows in the order of a Morton curve through cells of the given width, which favours no method's own order."""
    cells = ((centers - centers.min(axis=0)) / width).astype(np.uint64)
    key = np.zeros(len(cells), np.uint64)
    for bit in range(20):
        for axis in range(3):
            key |= ((cells[:, axis] >> np.uint64(bit)) & np.uint64(1)) << np.uint64(3 * bit + axis)
    return np.argsort(key, kind="stable")


def equal(rng, count, fraction):
    radii = np.full(count, 0.5)
    return uniform(rng, radii, fraction), radii


def sorted_equal(rng, count, fraction):
    centers, radii = equal(rng, count, fraction)
    order = spatial_order(centers, 2 * radii[0])
    return centers[order], radii[order]


def clustered(rng, count):
    """90 % of the spheres fill half of a cube of 1 % of the volume; the others lie anywhere."""
    radii = np.full(count, 0.5)
    inside = rng.random(count) < 0.9
    edge = np.cbrt(np.sum(4 / 3 * np.pi * radii[inside] ** 3) / 0.5)
    whole = np.cbrt(100) * edge
    centers = rng.random((count, 3)) * np.where(inside, edge, whole)[:, None]
    centers[inside] += (whole - edge) / 2
    return centers, radii


def graded(rng, count, alpha, omega, fraction):
    radii = power_law(rng, count, alpha, omega)
    return uniform(rng, radii, fraction), radii


def radial_b(rng, count):
    """Disks of diameters 0.02 to 0.05, 100 per unit area (test B of the radial-sort paper)."""
    return rng.random((count, 2)) * np.sqrt(count / 100), rng.uniform(0.01, 0.025, count)


INPUTS = {
    "dense-random": lambda rng, count: equal(rng, count, 0.6),
    "dense-sorted": lambda rng, count: sorted_equal(rng, count, 0.6),
    "loose": lambda rng, count: equal(rng, count, 0.01),
    "clustered": clustered,
    "power-10": lambda rng, count: graded(rng, count, -3, 10, 0.3),
    "power-100": lambda rng, count: graded(rng, count, -3, 100, 0.3),
    "power-1000": lambda rng, count: graded(rng, count, -3, 1000, 0.3),
    "passing-32": lambda rng, count: graded(rng, count, -4, 32, 0.5),
    "radial-2d": radial_b,
}

if __name__ == "__main__":
    name, count, file = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    centers, radii = INPUTS[name](np.random.default_rng([zlib.crc32(name.encode()), count]), count)
    np.save(file, np.column_stack([centers, radii]))
