"""Times a Python package: `python.py PEER FOLDER SECONDS SET...`.

Sets up the mesh, asks for the points of each set, prints the times and writes the answers beside the set, as
rust/src/main.rs does.
"""

import json
import os
import sys
import time
from pathlib import Path

# Before the packages ask how many threads they may use.
os.environ["IGL_NUM_THREADS"] = "1"

import numpy as np  # noqa: E402

# Most repetitions, each with a set-up of its own.
REPEAT = 30
OUTSIDE, INSIDE = 0, 2


class Libigl:
    """The hierarchical approximation of the winding number by Barill et al. 2018, with its usual order and accuracy."""

    def __init__(self, vertices, triangles):
        import igl

        self.igl, self.vertices, self.triangles = igl, vertices, triangles.astype(np.int64)

    def points(self, points):
        return points

    def set_up(self):
        hierarchy = self.igl.FastWindingNumberBVH()
        hierarchy.init(self.vertices, self.triangles)
        return hierarchy

    def query(self, hierarchy, points):
        return hierarchy.winding_number(points)

    def inside(self, found):
        return np.abs(found) > 0.5

    def windings(self, found):
        return found


class Open3d:
    """Embree: the number of faces that rays pass."""

    def __init__(self, vertices, triangles, rays=1):
        import open3d

        self.open3d, self.rays = open3d, rays
        self.vertices = open3d.core.Tensor(vertices.astype(np.float32))
        self.triangles = open3d.core.Tensor(triangles)

    def points(self, points):
        return self.open3d.core.Tensor(points.astype(np.float32))

    def set_up(self):
        scene = self.open3d.t.geometry.RaycastingScene(nthreads=1)
        scene.add_triangles(self.vertices, self.triangles)
        # The hierarchy is built with the first query, whatever it asks for.
        scene.compute_occupancy(self.open3d.core.Tensor(np.zeros((1, 3), np.float32)), nthreads=1)
        return scene

    def query(self, scene, points):
        return scene.compute_occupancy(points, nthreads=1, nsamples=self.rays)

    def inside(self, found):
        return found.numpy() > 0.5

    def windings(self, found):
        return None


PEERS = {
    "libigl": Libigl,
    "open3d": Open3d,
    "open3d-3": lambda vertices, triangles: Open3d(vertices, triangles, 3),
}


def measure(peer, points, seconds):
    """Times, and what the peer finds."""
    times = {name: float("inf") for name in ["set_up", "query", "total"]}
    points = peer.points(points)
    start = time.perf_counter()
    for _ in range(REPEAT):
        begin = time.perf_counter()
        prepared = peer.set_up()
        ready = time.perf_counter()
        found = peer.query(prepared, points)
        first = time.perf_counter()
        found = peer.query(prepared, points)
        second = time.perf_counter()
        times["set_up"] = min(times["set_up"], ready - begin)
        times["query"] = min(times["query"], (second - first) / len(points))
        times["total"] = min(times["total"], first - begin)
        # Not while the next one is timed.
        del prepared
        if second - start > seconds:
            break
    return times | {"asked": len(points)}, found


def main():
    name, folder, seconds, *sets = sys.argv[1:]
    folder = Path(folder)
    vertices = np.fromfile(folder / "vertices").reshape(-1, 3)
    triangles = np.fromfile(folder / "triangles", np.uint32).reshape(-1, 3)
    peer = PEERS[name](vertices, triangles)
    wall, processor = time.perf_counter(), time.process_time()
    results = {}
    for points in sets:
        results[points], found = measure(peer, np.fromfile(folder / points).reshape(-1, 3), float(seconds))
        np.where(peer.inside(found), INSIDE, OUTSIDE).astype(np.uint8).tofile(folder / f"{points}.{name}")
        windings = peer.windings(found)
        if windings is not None:
            windings.tofile(folder / f"{points}.{name}.windings")
            results[points]["windings"] = results[points]["query"]
    wall, processor = time.perf_counter() - wall, time.process_time() - processor
    # To start a thread that has nothing to do takes time too, but not much.
    if processor > 1.1 * wall + 0.2:
        sys.exit(f"error: {processor / wall:.1f} threads were used")
    print(json.dumps(results))


main()
