"""Times LIGGGHTS on one case: liggghts.py CASE.json STATE.npy SKIN WARM BLOCK BLOCKS

After WARM steps, BLOCKS times BLOCK steps are timed, one by one.Its neighbour style `multi` finds no
contacts of granular pairs, so `bin` it is for all sizes.
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

# One damping constant belongs to a pair of types, so each type is a class of nearly equal sizes.
CLASSES = 16


def table(values):
    """A symmetric table as `property/global` takes it."""
    return f"peratomtypepair {len(values)} " + " ".join(repr(float(value)) for value in np.ravel(values))


def write(folder, case, centers, radii, skin, warm, block, blocks):
    """The input script and the particles."""
    count, dimension = centers.shape
    planar, friction = dimension == 2, case["friction"]
    masses = case["density"] * (np.pi * radii**2 if planar else 4 / 3 * np.pi * radii**3)
    speed = case["random_velocity"]
    velocities = np.random.default_rng(1).uniform(-speed, speed, centers.shape)
    centers, velocities = (np.pad(column, ((0, 0), (0, 3 - dimension))) for column in (centers, velocities))

    position = np.log(radii / radii.min()) / max(np.log(radii.max() / radii.min()), 1e-9)
    types = np.minimum((CLASSES * position).astype(int), CLASSES - 1)
    present, types = np.unique(types, return_inverse=True)
    # The last type is the wall's, whose mass is infinite.
    inverse = np.append([1 / masses[types == kind].mean() for kind in range(len(present))], 0)
    reduced = 1 / np.maximum(np.add.outer(inverse, inverse), 1e-12)
    damping = 2 * case["damping_ratio"] * np.sqrt(case["k_n"] / reduced)
    same = np.ones_like(damping)

    bounds = list(zip(case["min"], case["max"])) + [(-0.5, 0.5)] * planar
    # In two dimensions, it takes the density for one per area, as we do.
    rows = np.column_stack([2 * radii, np.full(count, case["density"]), centers])
    with open(folder / "particles", "w") as file:
        print(f"Particles\n\n{count} atoms\n{len(inverse)} atom types\n", file=file)
        for axis, (low, high) in zip("xyz", bounds):
            print(f"{low!r} {high!r} {axis}lo {axis}hi", file=file)
        print("\nAtoms\n", file=file)
        for place, (kind, row) in enumerate(zip(types, rows.tolist())):
            print(place + 1, kind + 1, *map(repr, row), file=file)
        print("\nVelocities\n", file=file)
        for place, row in enumerate(velocities.tolist()):
            print(place + 1, *map(repr, row), 0, 0, 0, file=file)

    model = f"model hooke/stiffness tangential {'history' if friction else 'no_history'}"
    options = f"limitForce on tangential_damping {'on' if friction else 'off'}"
    wall = f"wall/gran {model} primitive type {len(inverse)}"
    walls = []
    if case["walls"] == "floor":
        walls = [f"fix floor all {wall} zplane 0 {options}"]
    if case["walls"] == "box":
        walls = [f"fix {axis}_{place} all {wall} {axis}plane {bounds[k][place]!r} {options}"
                 for k, axis in enumerate("xy") for place in range(2)]
    (folder / "script").write_text("\n".join([
        "units si",
        "atom_style granular",
        "atom_modify map array",
        f"dimension {dimension}",
        "boundary " + " ".join("p" if axis in case["periodic"] or (planar and axis == "z") else "f" for axis in "xyz"),
        "newton off",
        "communicate single vel yes",
        f"read_data {folder / 'particles'}",
        f"neighbor {skin} bin",
        "neigh_modify every 1 delay 0 check yes one 20000 page 1000000",
        f"fix k_n all property/global kn {table(case['k_n'] * same)}",
        f"fix k_t all property/global kt {table(case['k_t'] * same)}",
        f"fix c_n all property/global gamman {table(damping)}",
        f"fix c_t all property/global gammat {table(case['tangential_share'] * damping)}",
        f"fix friction all property/global coefficientFriction {table(friction * same)}",
        f"pair_style gran {model} {options}",
        "pair_coeff * *",
        f"timestep {case['step']!r}",
        *walls,
        *([f"fix weight all gravity {case['gravity']} vector 0 0 -1"] if case["gravity"] else []),
        "fix move all nve/sphere",
        *(["fix plane all enforce2d"] if planar else []),
        "compute touching all contact/atom",
        "compute touched all reduce sum c_touching",
        "thermo_style custom step ke c_touched",
        "thermo_modify lost error norm no",
        "thermo 1000000",
        f"run {warm}",
        *[f"run {block} pre no post no"] * blocks,
        "run 0",
    ]) + "\n")


def main():
    file, state, skin = sys.argv[1:4]
    warm, block, blocks = map(int, sys.argv[4:])
    case, rows = json.loads(Path(file).read_text()), np.load(state)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder, case, rows[:, :-1], rows[:, -1], skin, warm, block, blocks)
        done = subprocess.run(["liggghts", "-in", folder / "script", "-log", folder / "log", "-screen", "none"],
                              capture_output=True, text=True, cwd=folder)
        report = (folder / "log").read_text()
    if done.returncode or "ERROR" in report:
        sys.exit((re.findall(r"ERROR.*", report + done.stderr + done.stdout) or ["error: no reason given"])[0])
    loops = re.findall(r"^Loop time of (\S+) on 1 procs for (\d+) steps", report, re.M)
    _, kinetic, touched = re.findall(r"^ *(\d+) +(\S+) +(\S+) *$", report, re.M)[-1]
    print(json.dumps({
        "seconds_per_step": [float(seconds) / int(steps) for seconds, steps in loops[1:1 + blocks]],
        # Each contact counts for both.
        "contacts": round(float(touched) / 2),
        "kinetic": float(kinetic),
    }))


main()
