"""Reads the files of runs with VTK's own readers, as ParaView does; see `test`."""

import sys
import tomllib
import xml.etree.ElementTree as tree
from pathlib import Path

import numpy
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkLogger
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader, vtkXMLUnstructuredGridReader

vtkLogger.SetStderrVerbosity(vtkLogger.VERBOSITY_ERROR)


def read(file):
    reader = vtkXMLUnstructuredGridReader() if file.suffix == ".vtu" else vtkXMLPolyDataReader()
    errors = []
    reader.AddObserver("ErrorEvent", lambda *_: errors.append(file))
    reader.SetFileName(str(file))
    reader.Update()
    assert not errors and reader.GetErrorCode() == 0, f"{file}: VTK cannot read it"
    return reader.GetOutput()


def arrays(data):
    return {data.GetArrayName(k): vtk_to_numpy(data.GetArray(k)) for k in range(data.GetNumberOfArrays())}


def strings(poly, name):
    table = poly.GetFieldData().GetAbstractArray(name)
    assert table is not None and table.GetClassName() == "vtkStringArray", f"{poly}: no table {name}"
    return [table.GetValue(k) for k in range(table.GetNumberOfValues())]


def scene_of(file):
    return tomllib.loads((file.parent.parent / "scene.toml").read_text())


def names_in_scene(file, table):
    """What the scene beside a frame calls its materials or walls, in the order in which they are numbered."""
    scene = scene_of(file)
    if table == "materials":
        return sorted(scene["materials"])
    return [wall.get("name", f"wall{k}") for k, wall in enumerate(scene.get("walls", []))]


WIDTHS = {"radius": 1, "mass": 1, "velocity": 3, "spin": 3, "force": 3, "id": 1, "material": 1}


def check_arrays(file, poly, found, count, widths):
    for name, width in widths.items():
        shape = (count,) if width == 1 else (count, width)
        assert found[name].shape == shape, f"{file}: {name} has the shape {found[name].shape}"
        assert numpy.isfinite(found[name]).all(), f"{file}: {name} has a value that is not finite"
    assert (found["mass"] > 0).all(), file
    names = strings(poly, "materials")
    assert names == names_in_scene(file, "materials"), f"{file}: materials {names}"
    assert found["material"].max() < len(names), file
    assert (found["radius"] > 0).all(), file
    assert numpy.isfinite(vtk_to_numpy(poly.GetPoints().GetData())).all(), file


def check_balls(file):
    """Points with a radius."""
    poly = read(file)
    count = poly.GetNumberOfPoints()
    assert count > 0 and poly.GetNumberOfVerts() == count, f"{file}: {count} points"
    found = arrays(poly.GetPointData())
    check_arrays(file, poly, found, count, WIDTHS)
    assert len(set(found["id"])) == count, file
    return count


def volume(cell):
    """What the faces of a cell enclose, as VTK has them; of a flat cell its area. (VTK's own filter for sizes cuts polyhedra up roughly.)"""
    if cell.GetCellDimension() == 2:
        x, y, _ = vtk_to_numpy(cell.GetPoints().GetData()).T
        return 0.5 * (x * numpy.roll(y, -1) - y * numpy.roll(x, -1)).sum()
    total = 0.0
    for face in range(cell.GetNumberOfFaces()):
        corners = vtk_to_numpy(cell.GetFace(face).GetPoints().GetData()) - cell.GetPoints().GetPoint(0)
        for k in range(1, len(corners) - 1):
            total += numpy.dot(corners[0], numpy.cross(corners[k], corners[k + 1])) / 6
    return total


def check_solids(file):
    """Cells with faces, one per piece of a body: their volume is that of the body's mass, unless pieces share some of it."""
    grid = read(file)
    count = grid.GetNumberOfCells()
    assert count > 0, file
    found = arrays(grid.GetCellData())
    check_arrays(file, grid, found, count, WIDTHS | {"center": 3, "orientation": 4, "shape": 1, "piece": 1})
    assert (abs(numpy.linalg.norm(found["orientation"], axis=1) - 1) < 1e-6).all(), file
    shapes = strings(grid, "shapes")
    assert shapes[0] == "sphere" and found["shape"].max() < len(shapes), f"{file}: shapes {shapes}"
    scene = scene_of(file)
    densities = [scene["materials"][name].get("density", 2500) for name in strings(grid, "materials")]
    volumes = numpy.array([volume(grid.GetCell(cell)) for cell in range(count)])
    expected = found["mass"] / numpy.array(densities)[found["material"]]
    for body in numpy.split(numpy.arange(count), numpy.flatnonzero(found["piece"] == 0)[1:]):
        assert len(set(found["id"][body])) == 1 and list(found["piece"][body]) == list(range(len(body))), file
        share = volumes[body].sum() / expected[body[0]]
        assert abs(share - 1) < 1e-9 if len(body) == 1 else 1 - 1e-9 < share < len(body), f"{file}: {body} {share}"
    for cell, center in enumerate(found["center"]):
        # No shape here is ten times as long as the ball of its volume.
        low = numpy.array(grid.GetCell(cell).GetBounds()).reshape(3, 2)
        assert (abs(low - center[:, None]) < 10 * found["radius"][cell]).all(), f"{file}: cell {cell}"
    ids = found["id"][found["piece"] == 0]
    assert len(set(ids)) == len(ids), file
    return len(ids)


def check_particles(file):
    return check_solids(file) if file.suffix == ".vtu" else check_balls(file)


def check_contacts(file):
    poly = read(file)
    assert poly.GetNumberOfPoints() == 2 * poly.GetNumberOfLines(), file
    found = arrays(poly.GetCellData())
    assert {"force", "normal_force", "overlap", "point", "id", "partner"} <= set(found), f"{file}: {set(found)}"
    assert all(numpy.isfinite(values).all() for values in found.values()), file
    names = strings(poly, "walls")
    assert names == names_in_scene(file, "walls"), f"{file}: walls {names}"
    assert not len(found["partner"]) or found["partner"].min() >= -len(names), file


def off(wall, points):
    """How far points are from a wall that has no facets and does not move; `None` of others."""
    if "motion" in wall:
        return None
    if wall["shape"] == "plane":
        normal = numpy.array(wall["normal"], float)
        return abs((points - wall["point"]) @ normal / numpy.linalg.norm(normal))
    if wall["shape"] == "cylinder":
        across = points - wall["point"]
        if "axis" in wall:
            axis = numpy.array(wall["axis"], float) / numpy.linalg.norm(wall["axis"])
            across = across - numpy.outer(across @ axis, axis)
        return abs(numpy.linalg.norm(across, axis=1) - wall["radius"])
    if wall["shape"] == "box":
        return numpy.minimum(abs(points - wall["min"]), abs(points - wall["max"])).min(axis=1)
    return None


def check_walls(file, time):
    """All walls that are there, where they are."""
    poly = read(file)
    scene = scene_of(file)
    names = strings(poly, "walls")
    assert names == names_in_scene(file, "walls"), f"{file}: walls {names}"
    wall_of = arrays(poly.GetCellData())["wall"]
    points = vtk_to_numpy(poly.GetPoints().GetData()) if len(wall_of) else numpy.zeros((0, 3))
    assert numpy.isfinite(points).all(), file
    # As they are written, each facet has corners of its own.
    of_facets = points.reshape(len(wall_of), -1, 3)[:, :, : scene.get("dimension", 3)]
    for k, wall in enumerate(scene.get("walls", [])):
        own = of_facets[wall_of == k].reshape(-1, of_facets.shape[2])
        assert (len(own) > 0) == (wall.get("until", numpy.inf) > time), f"{file}: {len(own)} points of {names[k]} at {time}"
        distances = off(wall, own) if len(own) else None
        assert distances is None or distances.max() < 1e-9 * (1 + abs(own).max()), f"{file}: {names[k]} is off by {distances.max()}"


CHECKS = {"particles": check_particles, "contacts": check_contacts, "walls": check_walls}

runs = sorted(path for path in Path(sys.argv[1]).iterdir() if path.is_dir())
assert runs, f"no runs in {sys.argv[1]}"
total = 0
for run in runs:
    for name, check in CHECKS.items():
        collection = run / f"{name}.pvd"
        if not collection.exists():
            there = {"particles"} | ({"walls"} if tomllib.loads((run / "scene.toml").read_text()).get("walls") else set())
            assert name not in there, f"{run}: no {name}.pvd"
            continue
        listed = tree.parse(collection).findall("Collection/DataSet")
        times = [float(entry.get("timestep")) for entry in listed]
        assert len(times) > 1 and times == sorted(set(times)), f"{collection}: times {times}"
        for entry in listed:
            file = run / entry.get("file")
            count = check(file, float(entry.get("timestep"))) if name == "walls" else check(file)
            total += 1
        if name == "particles":
            header, *rows = (run / "series.csv").read_text().splitlines()
            told = int(rows[-1].split(",")[header.split(",").index("particles")])
            assert count == told, f"{collection}: {count} particles in the last frame, {told} in the series"
print(f"VTK read {total} files of {len(runs)} runs")
