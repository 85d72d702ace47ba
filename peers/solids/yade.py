"""Times YADE's polyhedra on a bed of stones: yade -j1 -n -x yade.py FILE SKIN TIME_STEP

FILE is what `peers-solids` writes. After a line about itself, YADE answers every line of the input, a number of steps, by
the seconds that they took.
"""

import json
import os
import sys
import time
import traceback
from math import atan

from yade import *
from yade import log
from yade.polyhedra_utils import polyhedra
from yade.utils import wall

# Newtons per cubic metre of overlap: about the stiffness of the others for faces of a few square centimetres.
STIFFNESS = 3e8
# Tangential stiffness over normal, as for ours.
RATIO = 102 / 130


def main():
    file, skin, step = sys.argv[1], float(sys.argv[2]), float(sys.argv[3])
    with open(file) as text:
        bed = json.load(text)
    stuff = PolyhedraMat(young=STIFFNESS, poisson=RATIO, density=bed["density"], frictionAngle=atan(bed["friction"]))
    for vertices in bed["stones"]:
        O.bodies.append(polyhedra(stuff, v=vertices))
    for axis, place, side in [(0, 0, 1), (0, bed["edge"], -1), (1, 0, 1), (1, bed["edge"], -1), (2, 0, 1)]:
        O.bodies.append(wall(place, axis, side, material=stuff))
    O.engines = [
        ForceResetter(),
        InsertionSortCollider([Bo1_Polyhedra_Aabb(), Bo1_Wall_Aabb()], verletDist=skin),
        InteractionLoop(
            [Ig2_Wall_Polyhedra_PolyhedraGeom(), Ig2_Polyhedra_Polyhedra_PolyhedraGeom()],
            [Ip2_PolyhedraMat_PolyhedraMat_PolyhedraPhys()],
            [Law2_PolyhedraGeom_PolyhedraPhys_Volumetric()],
        ),
        NewtonIntegrator(damping=0.3, gravity=(0, 0, -bed["gravity"])),
    ]
    O.dt = step
    # It warns of pairs that hardly overlap, again in every step, and that takes time.
    log.setLevel("Default", log.ERROR)
    # The first step finds the neighbours.
    O.run(2, True)
    stones = len(bed["stones"])
    touching = sum(pair.isReal and max(pair.id1, pair.id2) < stones for pair in O.interactions)
    states = [O.bodies[place].state for place in range(stones)]
    kinetic = sum(state.mass * state.vel.squaredNorm() for state in states) / 2
    print(json.dumps({"side": "yade", "time_step": step, "kinetic": kinetic, "touching": touching}))
    print("ready", flush=True)
    for line in sys.stdin:
        start = time.perf_counter()
        O.run(int(line), True)
        print(time.perf_counter() - start, flush=True)


try:
    main()
except Exception:
    # Else YADE waits for someone to look into it.
    traceback.print_exc()
    sys.stderr.flush()
    os._exit(1)
