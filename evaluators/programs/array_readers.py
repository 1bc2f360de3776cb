"""What named arrays are in a file: of NumPy's, MATLAB's, NetCDF or HDF5, each read once it is asked for."""

from __future__ import annotations

import importlib
import shlex
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, Final

import numpy as np
from scipy.io import loadmat, netcdf_file, whosmat

from evaluators.errors import EvaluationError, LibraryMissing
from evaluators.programs.stored_array import Named, StoredArray

_MOST_BYTES: Final = 1 << 30
"""Of an array that is read whole: more is too much for the memory."""


def opened_arrays(path: Path, form: str) -> AbstractContextManager[Mapping[str, object]]:
    """Those of a file, whose ``form`` is `NumPy`, `MATLAB`, `NetCDF` or `HDF5`.

    Raises what the library of that form raises for a file that is cut off, and `LibraryMissing` where that
    is not installed.
    """
    return _READERS[form](path)


@contextmanager
def _of_numpy(path: Path) -> Iterator[Mapping[str, object]]:
    loaded: Any = np.load(path, mmap_mode="r", allow_pickle=False)
    if isinstance(loaded, np.ndarray):
        yield {"arr_0": StoredArray(loaded)}
        return

    def opened(name: str) -> StoredArray:
        # An array that is zipped is read whole, and zeros may be a thousand times what they are on the disk.
        size = next(one.file_size for one in loaded.zip.infolist() if one.filename in (name, f"{name}.npy"))
        if size > _MOST_BYTES:
            expected = f"expected the array `{name}` of at most {_MOST_BYTES:,} bytes"
            raise EvaluationError("invalid", f"{expected}, got {size:,}")
        return StoredArray(np.asarray(loaded[name]))

    with loaded:
        yield Named({name: name for name in loaded.files}, opened, {})


@contextmanager
def _of_netcdf(path: Path) -> Iterator[Mapping[str, object]]:
    # Mapped, not read: such files have gigabytes. That something of one is still known when it is closed, as
    # where it is told what there is, scipy warns of, and is fine: what was read of it is a copy.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        with _netcdf(path) as file:
            yield Named(file.variables, StoredArray, {})


def _netcdf(path: Path) -> netcdf_file:
    try:
        return netcdf_file(path, "r", mmap=True, maskandscale=True)
    except (ValueError, TypeError, IndexError) as error:
        said = str(error)
    # Here nothing holds what was read before it failed, of which scipy would warn later on.
    raise EvaluationError("invalid", f"expected arrays in {path}, of NetCDF: it is cut off, or none ({said})")


@contextmanager
def _of_matlab(path: Path) -> Iterator[Mapping[str, object]]:
    def opened(stored: Any) -> object:
        if isinstance(stored, dict):
            return Named(stored, opened, {})
        return (
            [opened(one) for one in stored] if isinstance(stored, list) else StoredArray(np.asarray(stored))
        )

    def variable(name: str) -> object:
        # As what sparse matrices are read changes with scipy, which warns of it; here none of them is read.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            return opened(loadmat(path, variable_names=[name], simplify_cells=True)[name])

    yield Named({name: name for name, _, _ in whosmat(path)}, variable, {})


@contextmanager
def _of_hdf5(path: Path) -> Iterator[Mapping[str, object]]:
    try:
        h5py: Any = importlib.import_module("h5py")
    except ImportError as error:
        needs = f"{path.name} is HDF5, and to read it this environment needs the library h5py"
        supply = shlex.join([sys.executable, "-m", "pip", "install", "h5py"])
        raise LibraryMissing(f"{needs} ({error}); to supply it: {supply}") from None

    def opened(stored: Any) -> object:
        if not isinstance(stored, h5py.Dataset):
            # Beside groups there are types that have names.
            return Named(stored if isinstance(stored, h5py.Group) else {}, opened, stored.attrs)
        # Of what is empty MATLAB keeps its shape instead, as numbers.
        is_empty = stored.shape is None or stored.attrs.get("MATLAB_empty", False)
        return StoredArray(np.zeros(0) if is_empty else stored, stored.attrs)

    with h5py.File(path, "r") as file:
        yield Named(file, opened, file.attrs)


_READERS: Final[Mapping[str, Callable[[Path], AbstractContextManager[Mapping[str, object]]]]] = {
    "MATLAB": _of_matlab,
    "NumPy": _of_numpy,
    "NetCDF": _of_netcdf,
    "HDF5": _of_hdf5,
}
