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
from scipy.io import loadmat, netcdf_file

from evaluators.errors import EvaluationError
from evaluators.programs.stored_array import Named, StoredArray


def opened_arrays(path: Path, form: str) -> AbstractContextManager[Mapping[str, object]]:
    """Those of a file, whose ``form`` is `NumPy`, `MATLAB`, `NetCDF` or `HDF5`.

    Raises what the library of that form raises for a file that is cut off, and `EvaluationError` where that
    is not installed.
    """
    return _READERS[form](path)


@contextmanager
def _of_numpy(path: Path) -> Iterator[Mapping[str, object]]:
    loaded: Any = np.load(path, allow_pickle=False)
    if isinstance(loaded, np.ndarray):
        yield {"arr_0": StoredArray(loaded)}
        return
    with loaded:
        yield Named(loaded, lambda member: StoredArray(np.asarray(member)), {})


@contextmanager
def _of_netcdf(path: Path) -> Iterator[Mapping[str, object]]:
    # Mapped, not read: such files have gigabytes. That something of one is still known when it is closed, as
    # where it is told what there is, scipy warns of, and is fine: what was read of it is a copy.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        with netcdf_file(path, "r", mmap=True, maskandscale=True) as file:
            yield Named(file.variables, StoredArray, {})


@contextmanager
def _of_matlab(path: Path) -> Iterator[Mapping[str, object]]:
    def opened(stored: Any) -> object:
        if isinstance(stored, dict):
            return Named(stored, opened, {})
        return (
            [opened(one) for one in stored] if isinstance(stored, list) else StoredArray(np.asarray(stored))
        )

    loaded = loadmat(path, simplify_cells=True)
    yield Named({name: one for name, one in loaded.items() if not name.startswith("__")}, opened, {})


@contextmanager
def _of_hdf5(path: Path) -> Iterator[Mapping[str, object]]:
    try:
        h5py: Any = importlib.import_module("h5py")
    except ImportError as error:
        needs = f"{path.name} is HDF5, and to read it this worker's environment needs the library h5py"
        supply = shlex.join([sys.executable, "-m", "pip", "install", "h5py"])
        raise EvaluationError("error", f"{needs} ({error}); to supply it: {supply}") from None

    def opened(stored: Any) -> object:
        if isinstance(stored, h5py.Group):
            return Named(stored, opened, stored.attrs)
        return StoredArray(stored, stored.attrs)

    with h5py.File(path, "r") as file:
        yield Named(file, opened, file.attrs)


_READERS: Final[Mapping[str, Callable[[Path], AbstractContextManager[Mapping[str, object]]]]] = {
    "MATLAB": _of_matlab,
    "NumPy": _of_numpy,
    "NetCDF": _of_netcdf,
    "HDF5": _of_hdf5,
}
