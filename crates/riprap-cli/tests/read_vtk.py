"""Reads the files of runs with VTK's own readers, as ParaView does; see `test`."""

import sys
import tomllib
import xml.etree.ElementTree as tree
from pathlib import Path

import numpy
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkLogger
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader

vtkLogger.SetStderrVerbosity(vtkLogger.VERBOSITY_ERROR)


def read(file):
    reader = vtkXMLPolyDataReader()
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


def names_in_scene(file, table):
    """What the scene beside a frame calls its materials or walls, in the order in which they are numbered."""
    scene = tomllib.loads((file.parent.parent / "scene.toml").read_text())
    if table == "materials":
        return sorted(scene["materials"])
    return [wall.get("name", f"wall{k}") for k, wall in enumerate(scene.get("walls", []))]


def check_particles(file):
    poly = read(file)
    count = poly.GetNumberOfPoints()
    assert count > 0 and poly.GetNumberOfVerts() == count, f"{file}: {count} points"
    found = arrays(poly.GetPointData())
    for name, width in {"radius": 1, "mass": 1, "velocity": 3, "spin": 3, "force": 3, "id": 1, "material": 1}.items():
        shape = (count,) if width == 1 else (count, width)
        assert found[name].shape == shape, f"{file}: {name} has the shape {found[name].shape}"
        assert numpy.isfinite(found[name]).all(), f"{file}: {name} has a value that is not finite"
    assert (found["mass"] > 0).all(), file
    names = strings(poly, "materials")
    assert names == names_in_scene(file, "materials"), f"{file}: materials {names}"
    assert found["material"].max() < len(names), file
    assert (found["radius"] > 0).all() and len(set(found["id"])) == count, file
    assert numpy.isfinite(vtk_to_numpy(poly.GetPoints().GetData())).all(), file
    return count


def check_contacts(file):
    poly = read(file)
    assert poly.GetNumberOfPoints() == 2 * poly.GetNumberOfLines(), file
    found = arrays(poly.GetCellData())
    assert {"force", "normal_force", "overlap", "id", "partner"} <= set(found), f"{file}: {set(found)}"
    assert all(numpy.isfinite(values).all() for values in found.values()), file
    names = strings(poly, "walls")
    assert names == names_in_scene(file, "walls"), f"{file}: walls {names}"
    assert not len(found["partner"]) or found["partner"].min() >= -len(names), file


def check_walls(file):
    poly = read(file)
    names = strings(poly, "walls")
    assert names == names_in_scene(file, "walls"), f"{file}: walls {names}"
    assert arrays(poly.GetCellData())["wall"].max() < len(names), file
    assert poly.GetNumberOfPolys() + poly.GetNumberOfLines() > 0, file


CHECKS = {"particles": check_particles, "contacts": check_contacts, "walls": check_walls}

runs = sorted(path for path in Path(sys.argv[1]).iterdir() if path.is_dir())
assert runs, f"no runs in {sys.argv[1]}"
total = 0
for run in runs:
    for name, check in CHECKS.items():
        collection = run / f"{name}.pvd"
        if not collection.exists():
            assert name != "particles", f"{run}: no particles.pvd"
            continue
        listed = tree.parse(collection).findall("Collection/DataSet")
        times = [float(entry.get("timestep")) for entry in listed]
        assert len(times) > 1 and times == sorted(set(times)), f"{collection}: times {times}"
        for entry in listed:
            check(run / entry.get("file"))
            total += 1
print(f"VTK read {total} files of {len(runs)} runs")
