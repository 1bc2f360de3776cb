"""The libraries that workloads need beyond the orchestrator's own, and the command that supplies each.

They are imported by the evaluation that needs them and not before, so that a worker without torch can
still push robots. What is listed here agrees with the extras of pyproject.toml; a test compares them.
"""

from __future__ import annotations

import importlib
import importlib.util
import shlex
import sys
from collections.abc import Mapping
from typing import Any

from evaluators.errors import EvaluationError

EXTRAS: Mapping[str, Mapping[str, str]] = {
    "robots": {"Box2D": "Box2D>=2.3.10", "mujoco": "mujoco>=3.1"},
    "vision": {"cv2": "opencv-python-headless>=4.8,<5", "skimage": "scikit-image>=0.22"},
    "learning": {"xgboost": "xgboost-cpu>=2.1"},
    "networks": {"torch": "torch>=2.2"},
    "cosmology": {"cosmosis": "cosmosis>=3.26", "camb": "camb>=2.0"},
}
"""For each extra, the modules it brings and the requirement that brings each."""
_ONE_IS_ENOUGH = frozenset({"robots"})
"""Extras of which an evaluation needs one module and not the others."""


def extra_module(name: str, *, extra: str, needed_by: str) -> Any:
    """The library's module, such as ``cv2``, imported; submodules such as ``skimage.data`` as well.

    Raises:
        EvaluationError: (error) it is missing or cannot be loaded; the message says what supplies it.
    """
    try:
        return importlib.import_module(name)
    except ImportError as error:
        library = name.partition(".")[0]
        wanted = [library]
        why = f"the library {library}, which cannot be loaded ({error})"
        if _is_missing(name):
            why = f"the library {library}, which is not installed"
            if extra not in _ONE_IS_ENOUGH and len(others := missing_modules(extra)) > 1:
                wanted = sorted(others)
                why = f"the libraries {' and '.join(wanted)}, which are not installed"
        supply = f"to supply {'it' if len(wanted) == 1 else 'them'}: {install_command(extra, wanted)}"
        raise EvaluationError(
            "error", f"{needed_by} needs {why} in this worker's environment; {supply}"
        ) from error


def missing_modules(extra: str) -> list[str]:
    """The modules of an extra that this environment lacks, found without importing them."""
    return [name for name in EXTRAS[extra] if _is_missing(name)]


def install_command(extra: str, modules: list[str] | None = None) -> str:
    """The one command that supplies these modules of an extra, or all of it."""
    wanted = [name.partition(".")[0] for name in modules or EXTRAS[extra]]
    requirements = " ".join(shlex.quote(EXTRAS[extra][name]) for name in wanted)
    return f"{shlex.quote(sys.executable)} -m pip install {requirements}"


def _is_missing(name: str) -> bool:
    return importlib.util.find_spec(name.partition(".")[0]) is None
