"""Times YADE on one case: yade -j1 -n -x yade.py CASE.json STATE.npy SKIN WARM BLOCK BLOCKS

After WARM steps, BLOCKS times BLOCK steps are timed, one by one. In the plane, particles are spheres with the masses of
disks that only move in x and y.
"""

import json
import sys
import time
from math import atan, pi, sqrt

import numpy as np
from yade import *
from yade.utils import sphere, wall


def materials(case, radii, masses):
    """One for each particle, and the walls'. Its contacts put the springs and dashpots of the two bodies in series."""
    k_n, k_t, ratio, restitution = case["k_n"], case["k_t"], case["damping_ratio"], case["restitution"]
    angle = atan(case["friction"])
    if radii.min() < radii.max():
        # The spring of a body is its diameter times `young`. There is no tangential damping with a given restitution.
        made = [ViscElMat(young=k_n / radius, poisson=k_t / k_n, en=restitution, et=1, frictionAngle=angle)
                for radius in [*radii.tolist(), float(np.median(radii))]]
        return made[:-1], made[-1]
    # Against a wall, the reduced mass is twice that of two particles.
    damping = 2 * ratio * sqrt(k_n * masses[0] / 2)
    wall_damping = damping * sqrt(2) / (2 - sqrt(2))
    grain, wall = (ViscElMat(kn=2 * k_n, ks=2 * k_t, cn=2 * c, cs=2 * case["tangential_share"] * c, frictionAngle=angle)
                   for c in (damping, wall_damping))
    return [grain] * len(radii), wall


def main():
    file, state, skin = sys.argv[1:4]
    warm, block, blocks = map(int, sys.argv[4:])
    with open(file) as text:
        case = json.load(text)
    rows = np.load(state)
    centers, radii = rows[:, :-1], rows[:, -1]
    dimension = centers.shape[1]
    planar = dimension == 2
    masses = case["density"] * (pi * radii**2 if planar else 4 / 3 * pi * radii**3)
    speed = case["random_velocity"]
    velocities = np.random.default_rng(1).uniform(-speed, speed, centers.shape)
    centers, velocities = (np.pad(column, ((0, 0), (0, 3 - dimension))) for column in (centers, velocities))

    if case["periodic"]:
        O.periodic = True
        O.cell.setBox(*np.subtract(case["max"], case["min"]))
    stuffs, wall_stuff = materials(case, radii, masses)
    columns = (centers.tolist(), velocities.tolist(), radii.tolist(), masses.tolist(), stuffs)
    for center, velocity, radius, mass, stuff in zip(*columns):
        body = sphere(center, radius, material=stuff)
        body.state.vel = velocity
        body.state.mass = mass
        body.state.inertia = [0.4 * mass * radius**2] * 3
        if planar:
            body.state.blockedDOFs = "zXY"
        O.bodies.append(body)
    walls = []
    if case["walls"] == "floor":
        walls = [wall(0, 2, 1, material=wall_stuff)]
    if case["walls"] == "box":
        walls = [wall(case[side][axis], axis, sense, material=wall_stuff)
                 for axis in range(2) for side, sense in [("min", 1), ("max", -1)]]
    for body in walls:
        # Else it would be as heavy as what it touches.
        body.state.mass = 1e12
        O.bodies.append(body)
    O.engines = [
        ForceResetter(),
        InsertionSortCollider([Bo1_Sphere_Aabb(), Bo1_Wall_Aabb()], verletDist=float(skin) / 2,
                              allowBiggerThanPeriod=True),
        InteractionLoop(
            [Ig2_Sphere_Sphere_ScGeom(), Ig2_Wall_Sphere_ScGeom()],
            [Ip2_ViscElMat_ViscElMat_ViscElPhys()],
            [Law2_ScGeom_ViscElPhys_Basic()],
        ),
        NewtonIntegrator(damping=0, gravity=(0, 0, -case["gravity"])),
    ]
    O.dt = case["step"]
    if warm:  # Zero would mean for ever.
        O.run(warm, True)
    seconds = []
    for _ in range(blocks):
        start = time.perf_counter()
        O.run(block, True)
        seconds.append((time.perf_counter() - start) / block)
    # Walls come after the particles.
    pairs = [pair for pair in O.interactions if pair.isReal and max(pair.id1, pair.id2) < len(rows)]
    states = [O.bodies[place].state for place in range(len(rows))]
    print(json.dumps({
        "seconds_per_step": seconds,
        "contacts": sum(pair.geom.penetrationDepth > 0 for pair in pairs),
        "kinetic": sum(state.mass * state.vel.squaredNorm() for state in states) / 2,
    }))


main()
