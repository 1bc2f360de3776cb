"""Values under the keys of files of arrays: HDF5, NetCDF and NumPy's, as simulators write them."""

from __future__ import annotations

import math
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from commands_run import of_python, run_program
from scipy.io import netcdf_file, savemat
from scipy.sparse import csr_matrix

from evaluators.errors import EvaluationError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "0003").mkdir()
    return tmp_path


def written(folder: Path, name: str) -> Path:
    """Where what a program of these tests has "written" is taken from: it begins with an empty folder."""
    return folder / f"kept-{name}"


def found(folder: Path, name: str, output: dict[str, Any]) -> Any:
    copied = f"import shutil; shutil.copy({str(written(folder, name))!r}, {str(folder / '0003' / name)!r})"
    return run_program(folder, *of_python(copied), objective="drag", output=output)


def values(folder: Path, name: str, **forms: dict[str, Any]) -> Any:
    return found(folder, name, {"patterns": {key: {"file": name} | form for key, form in forms.items()}})


FIELD = np.arange(12.0).reshape(4, 3)


def write_numpy(path: Path) -> None:
    with path.open("wb") as file:
        np.savez(file, drag=np.float64(1.5), lift=np.array([2]), field=FIELD, state=np.array("well"))


def write_netcdf(path: Path) -> None:
    with netcdf_file(path, "w") as file:
        file.createDimension("time", None)
        file.createDimension("place", 3)
        file.createDimension("one", 1)
        file.createVariable("drag", "d", ("one",))[:] = [1.5]
        file.createVariable("lift", "i", ("one",))[:] = [2]
        file.createVariable("field", "f", ("time", "place"))[:] = FIELD
        file.createVariable("state", "c", ("place",))[:] = np.array([b"o", b"k", b" "])


def write_hdf5(path: Path) -> None:
    h5py = pytest.importorskip("h5py")
    with h5py.File(path, "w") as file:
        file["drag"], file["lift"], file["field"], file["state"] = 1.5, [2], FIELD, "well"
        file.create_group("cases/a b")["drag"] = np.float32(0.25)
        file["cases"].attrs["count"] = 7


@pytest.mark.parametrize(
    ("name", "write"), [("w.npz", write_numpy), ("w.nc", write_netcdf), ("w.h5", write_hdf5)]
)
def test_values_of_arrays_are_found_by_their_names_and_places(folder: Path, name: str, write: Any) -> None:
    write(written(folder, name))

    assert values(
        folder,
        name,
        drag={"key": "drag"},
        lift={"key": "lift"},
        curve={"key": "field.-1"},
        one={"key": "field.0.2"},
        side={"key": "field.*.1"},
        most={"key": "field", "take": "largest"},
        last={"key": "field.*.0", "take": "last"},
    ) == {
        "drag": 1.5,
        "lift": 2,
        "curve": [9, 10, 11],
        "one": 2,
        "side": [1, 4, 7, 10],
        "most": 11,
        "last": 9,
    }
    assert found(folder, name, {"file": name, "key": "drag"}) == 1.5


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("darg", "`darg`, got `drag`, `lift`, `field`, `state` (did you mean `drag`?)"),
        ("field.4", "`field.4`, got an array of 4 x 3 under `field`"),
        ("field.0.0.0", "`field.0.0.0`, got a single value under `field.0.0`"),
        ("field.x", "`field.x`, got an array of 4 x 3 under `field`"),
    ],
)
def test_a_key_that_an_array_file_does_not_have_is_told_of_with_those_that_it_has(
    folder: Path, key: str, words: str
) -> None:
    write_numpy(written(folder, "w.npz"))
    with pytest.raises(EvaluationError) as refused:
        found(folder, "w.npz", {"file": "w.npz", "key": key})
    assert str(refused.value).endswith(f"to write to w.npz {words}")


def test_what_is_missing_in_netcdf_is_no_number_and_what_is_packed_is_unpacked(folder: Path) -> None:
    with netcdf_file(written(folder, "w.nc"), "w", maskandscale=False) as file:
        file.createDimension("place", 3)
        packed = file.createVariable("field", "h", ("place",))
        packed.scale_factor, packed.add_offset, packed._FillValue = 0.5, 10.0, np.int16(-99)
        packed[:] = [2, 4, -99]

    assert values(folder, "w.nc", drag={"key": "field.1"}) == {"drag": 12}
    assert str(values(folder, "w.nc", curve={"key": "field"})["curve"]) == "[11.0, 12.0, nan]"


def test_what_netcdf_never_wrote_is_missing_as_well(folder: Path) -> None:
    with netcdf_file(written(folder, "w.nc"), "w") as file:
        file.createDimension("place", 2)
        file.createVariable("field", "f", ("place",))[:] = np.float32([1, 9.969209968386869e36])
    assert str(values(folder, "w.nc", curve={"key": "field"})["curve"]) == "[1.0, nan]"


def test_so_it_is_in_netcdf_that_is_hdf5(folder: Path) -> None:
    h5py = pytest.importorskip("h5py")
    with h5py.File(written(folder, "w.nc"), "w") as file:
        packed = file.create_dataset("field", data=np.array([2, 4, -99], dtype="i2"))
        packed.attrs["scale_factor"], packed.attrs["add_offset"] = [0.5], 10.0
        packed.attrs["_FillValue"] = np.array([-99], dtype="i2")

    assert values(folder, "w.nc", drag={"key": "field.1"}) == {"drag": 12}
    assert str(values(folder, "w.nc", curve={"key": "field"})["curve"]) == "[11.0, 12.0, nan]"


def test_groups_and_attributes_of_hdf5_are_keys_too(folder: Path) -> None:
    write_hdf5(written(folder, "w.h5"))

    assert values(
        folder,
        "w.h5",
        drag={"key": "cases.a b.drag"},
        again={"key": "cases/a b/drag"},
        count={"key": "cases.count"},
        state={"key": "state"},
    ) == {"drag": 0.25, "again": 0.25, "count": 7, "state": "well"}
    with pytest.raises(EvaluationError, match=r"`cases`, got a group of `a b`, `count`$"):
        found(folder, "w.h5", {"file": "w.h5", "key": "cases"})


def test_a_star_stands_for_each_group_and_for_none_of_what_is_said_of_all(folder: Path) -> None:
    h5py = pytest.importorskip("h5py")
    with h5py.File(written(folder, "w.h5"), "w") as file:
        for name, drag in (("climb", 1.0), ("cruise", 3.0)):
            file[f"cases/{name}/drag"] = drag
        file["cases"].attrs["drag"] = 9.0

    assert values(folder, "w.h5", drag={"key": "cases.*.drag", "take": "mean"}) == {"drag": 2}
    with pytest.raises(EvaluationError, match=r"an array under `cases\.\*`, got a group of `drag`$"):
        found(folder, "w.h5", {"file": "w.h5", "key": "cases.*"})


def test_of_hdf5_what_is_no_array_of_numbers_or_texts_is_told_and_never_made_a_text(folder: Path) -> None:
    h5py = pytest.importorskip("h5py")
    with h5py.File(written(folder, "w.h5"), "w") as file:
        file["drag"] = np.array([1.0, 2.0])
        file["drag"].attrs["scale_factor"], file["drag"].attrs["add_offset"] = "of no size", h5py.Empty("f8")
        file["nothing"], file["kind"], file["cell"] = h5py.Empty("f8"), np.dtype("f8"), file["drag"].ref
        rows = file.create_dataset("rows", (2,), dtype=h5py.vlen_dtype("f8"))
        rows[0], rows[1] = [1.0, 2.0], [3.0]

    assert values(folder, "w.h5", drag={"key": "drag"}, rows={"key": "rows"}, nothing={"key": "nothing"}) == {
        "drag": [1, 2],
        "rows": [[1, 2], 3],
        "nothing": [],
    }
    with pytest.raises(EvaluationError, match=r"`cell`, numbers or texts, got Reference$"):
        found(folder, "w.h5", {"file": "w.h5", "key": "cell"})
    with pytest.raises(EvaluationError, match=r"an array under `kind`, got a group of nothing$"):
        found(folder, "w.h5", {"file": "w.h5", "key": "kind"})


def test_where_the_library_of_hdf5_is_missing_that_is_told_and_what_supplies_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(folder, "w.h5").write_bytes(b"\x89HDF\r\n\x1a\n")
    monkeypatch.setitem(sys.modules, "h5py", None)
    with pytest.raises(
        EvaluationError, match=r"w\.h5 is HDF5, .* needs the library h5py .* pip install h5py$"
    ):
        found(folder, "w.h5", {"file": "w.h5", "key": "drag"})


def test_variables_and_structures_of_matlab_are_keys(folder: Path) -> None:
    wing = {"drag": 1.5, "cuts": FIELD, "cells": np.array([1.0, "a"], dtype=object), "foil": "naca"}
    with written(folder, "w.mat").open("wb") as file:
        savemat(file, {"wing": wing, "lift": [[1.0], [2.0], [4.0]], "sound": True}, do_compression=True)

    assert values(
        folder,
        "w.mat",
        drag={"key": "wing.drag"},
        curve={"key": "lift"},
        last={"key": "wing.cuts.-1.0"},
        cells={"key": "wing.cells"},
        foil={"key": "wing.foil"},
        sound={"key": "sound"},
    ) == {"drag": 1.5, "curve": [1, 2, 4], "last": 9, "cells": [1, "a"], "foil": "naca", "sound": 1}
    with pytest.raises(
        EvaluationError, match=r"`wing\.darg`, got `drag`, `cuts`, `cells`, `foil` under `wing`"
    ):
        found(folder, "w.mat", {"file": "w.mat", "key": "wing.darg"})


def test_of_matlab_variables_that_no_key_leads_to_are_not_read(folder: Path) -> None:
    with written(folder, "w.mat").open("wb") as file:
        savemat(file, {"drag": 1.5, "field": FIELD})
    written(folder, "w.mat").write_bytes(written(folder, "w.mat").read_bytes()[:-8])
    assert found(folder, "w.mat", {"file": "w.mat", "key": "drag"}) == 1.5
    with pytest.raises(EvaluationError, match="of MATLAB: could not read bytes"):
        found(folder, "w.mat", {"file": "w.mat", "key": "field"})


@pytest.mark.filterwarnings("error")
def test_cells_and_structures_of_matlab_that_are_no_numbers_are_told(folder: Path) -> None:
    cases = np.array([(1.0,), (2.0,)], dtype=[("drag", object)])
    cells = np.array([1.0, FIELD[1], "a"], dtype=object)
    with written(folder, "w.mat").open("wb") as file:
        savemat(file, {"cases": cases, "cells": cells, "sparse": csr_matrix(FIELD)})

    assert values(folder, "w.mat", drag={"key": "cases.*.drag"}, cells={"key": "cells"}) == {
        "drag": [1, 2],
        "cells": [1, [3, 4, 5], "a"],
    }
    with pytest.raises(EvaluationError, match=r"an array under `cases`, got a group of `drag`$"):
        found(folder, "w.mat", {"file": "w.mat", "key": "cases"})
    with pytest.raises(EvaluationError, match=r"`sparse`, numbers or texts, got c(oo|sc|sr)_"):
        found(folder, "w.mat", {"file": "w.mat", "key": "sparse"})


@pytest.mark.parametrize("kind", ["float16", ">f4", "longdouble"])
def test_floats_of_any_size_are_numbers_of_python(folder: Path, kind: str) -> None:
    with written(folder, "w.npz").open("wb") as file:
        np.savez(file, drag=np.array(0.25, dtype=kind), lift=np.array([0.5, np.inf], dtype=kind))
    read = values(folder, "w.npz", drag={"key": "drag"}, lift={"key": "lift"})
    assert read == {"drag": 0.25, "lift": [0.5, math.inf]}
    assert {type(one) for one in (read["drag"], *read["lift"])} == {float}


def test_what_matlab_keeps_of_an_empty_array_in_hdf5_is_no_value(folder: Path) -> None:
    h5py = pytest.importorskip("h5py")
    with h5py.File(written(folder, "w.mat"), "w") as file:
        file["drag"] = np.array([0, 0], dtype="u8")
        file["drag"].attrs["MATLAB_empty"] = np.uint8(1)
    with pytest.raises(EvaluationError, match=r"numbers under `drag`, got '\[\]'$"):
        values(folder, "w.mat", drag={"key": "drag", "take": "last"})


def test_an_array_alone_has_the_name_that_numpy_gives_it(folder: Path) -> None:
    with written(folder, "w.npy").open("wb") as file:
        np.save(file, FIELD)
    assert values(folder, "w.npy", drag={"key": "arr_0", "take": "mean"}) == {"drag": 5.5}


def test_what_is_zipped_and_no_array_is_told(folder: Path) -> None:
    with zipfile.ZipFile(written(folder, "w.xlsx"), "w") as file:
        file.writestr("sheet1.xml", "<a/>")
    with pytest.raises(EvaluationError, match=r"`drag`, got `sheet1\.xml`$"):
        found(folder, "w.xlsx", {"file": "w.xlsx", "key": "drag"})


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"PK\x03\x04 and no more", "expected arrays in .*, of NumPy: "),
        (b"MATLAB 5.0 MAT-file and no more", "expected arrays in .*, of MATLAB: "),
        (b"MATLAB 7.3 MAT-file and no more", "expected arrays in .*, of HDF5: "),
        (b"CDF\x01", "expected arrays in .*, of NetCDF: "),
        (b"CDF\x05 and so on", "of NetCDF 5, .*`nccopy -k classic` writes what is$"),
        (b"\x89HDF\r\n\x1a\n and no more", "expected arrays in .*, of HDF5: "),
    ],
)
def test_a_file_of_arrays_that_is_cut_off_fails_the_attempt_with_a_sentence(
    folder: Path, content: bytes, words: str
) -> None:
    if "of HDF5" in words:
        pytest.importorskip("h5py")
    written(folder, "w").write_bytes(content)
    with pytest.raises(EvaluationError, match=words):
        found(folder, "w", {"file": "w", "key": "drag"})


def test_what_is_no_real_number_and_what_is_too_much_is_told(folder: Path) -> None:
    with written(folder, "w.npz").open("wb") as file:
        np.savez(file, wave=np.array([1j]), large=np.zeros((3000, 3000), dtype=np.int8))
    with pytest.raises(EvaluationError, match="`wave`, real numbers, got complex128"):
        found(folder, "w.npz", {"file": "w.npz", "key": "wave"})
    with pytest.raises(EvaluationError, match=r"`large`, of at most .* numbers, got 9,000,000"):
        found(folder, "w.npz", {"file": "w.npz", "key": "large"})


def test_of_an_array_that_has_too_much_to_be_read_nothing_is_read(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evaluators.programs.array_readers._MOST_BYTES", 300)
    with written(folder, "w.npz").open("wb") as file:
        np.savez_compressed(file, drag=1.5, field=np.zeros(1000))
    assert found(folder, "w.npz", {"file": "w.npz", "key": "drag"}) == 1.5
    with pytest.raises(EvaluationError, match=r"`field` of at most 300 bytes, got 8,128$"):
        found(folder, "w.npz", {"file": "w.npz", "key": "field.0"})


def test_what_pickle_would_have_to_read_is_refused(folder: Path) -> None:
    for name in ("w.npy", "w.npz"):
        with written(folder, name).open("wb") as file:
            (np.save if name == "w.npy" else np.savez)(file, np.array([{}], dtype=object))
        with pytest.raises(EvaluationError, match=r"of NumPy: .*[Oo]bject"):
            found(folder, name, {"file": name, "key": "arr_0"})


def test_netcdf_that_ends_among_its_numbers_is_said_to_be_cut_off(folder: Path) -> None:
    write_netcdf(written(folder, "w.nc"))
    written(folder, "w.nc").write_bytes(written(folder, "w.nc").read_bytes()[:-8])
    with pytest.raises(EvaluationError, match="of NetCDF: it is cut off, or none"):
        found(folder, "w.nc", {"file": "w.nc", "key": "drag"})


def test_words_of_a_failure_are_not_looked_for_among_arrays(folder: Path) -> None:
    write_numpy(written(folder, "w.npz"))
    form = {"patterns": {"drag": {"file": "w.npz", "key": "drag"}}, "fails": "PK|drag"}
    assert found(folder, "w.npz", form) == {"drag": 1.5}


@pytest.mark.parametrize(
    ("output", "wanted"),
    [
        ({"file": "w.npz"}, "JSON"),
        ({"file": "w.npz", "pattern": "(x)"}, "text"),
        ({"patterns": {"drag": {"file": "w.npz", "column": 1}}}, "text"),
    ],
)
def test_a_file_of_arrays_that_is_looked_through_otherwise_asks_for_a_key(
    folder: Path, output: dict[str, Any], wanted: str
) -> None:
    write_numpy(written(folder, "w.npz"))
    with pytest.raises(EvaluationError, match=rf"expected {wanted} in .*, which is of NumPy: say a `key` of"):
        found(folder, "w.npz", output)


def test_a_file_of_arrays_that_could_be_text_asks_for_a_key_too(folder: Path) -> None:
    written(folder, "w.nc").write_bytes(b"CDF\x01\x00\x00\x00\x00")
    with pytest.raises(EvaluationError, match=r"expected JSON in .*, which is of NetCDF: say a `key` of"):
        found(folder, "w.nc", {"file": "w.nc"})
