"""An Optimiser, or Preferences, that are kept: pickled, and gone on with elsewhere, or later.

Pickles name `restored`, which therefore stays where it is, and takes what it takes.
"""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from importlib import import_module
from typing import Any

from orchestrator.algorithms.base import Algorithm
from orchestrator.errors import UsageError
from orchestrator.version import __version__

OWN = ("Optimiser", "Preferences")
"""Names of the package that stand for these classes, wherever they lie."""
STATE_FORMAT = 7
"""Another one wherever a state of an earlier one would be read amiss: within a version, code changes too."""
OF_ANOTHER_VERSION = (ImportError, AttributeError, TypeError, pickle.UnpicklingError)


def reduced(kept: object) -> tuple[Any, ...]:
    """What a pickle has of one, for its `__reduce__`: its state is read by the same version and format."""
    kind = type(kept)
    name = kind.__name__
    named = name if name in OWN and _ours(name) is kind else kind
    return restored, (named, __version__, pickle.dumps(kept.__getstate__()), STATE_FORMAT)


def restored(kind: str | type, version: str, state: bytes, state_format: int = 0) -> object:
    """One of a ``kind``, a class or the name of ours, by the version that pickled it, its state, and that
    one's format, 0 from before there were any. Raises UsageError where one of them is another, or the state's
    parts lay elsewhere.
    """
    name = kind if isinstance(kind, str) else kind.__name__
    if version != __version__:
        raise UsageError(
            f"this {name} was pickled by version {version} of the orchestrator, and this is version"
            f" {__version__}: read it with that one. {_instead(name)}"
        )
    if state_format != STATE_FORMAT:
        age = "older" if state_format < STATE_FORMAT else "newer"
        raise UsageError(
            f"expected the state of this {name} in format {STATE_FORMAT}, got format {state_format}: it was "
            f"pickled by {age} code of version {version} of the orchestrator; read it with that. "
            f"{_instead(name)}"
        )
    try:
        read: Mapping[str, Any] = pickle.loads(state)
    except OF_ANOTHER_VERSION as error:
        raise UsageError(
            f"this {name} was pickled by another version of the orchestrator ({error}): read it with that"
            f" one. {_instead(name)}"
        ) from None
    made: Any = object.__new__(_ours(kind) if isinstance(kind, str) else kind)
    made.__setstate__(read)
    return made


def _ours(name: str) -> type:
    """The class that the package offers by a name."""
    kind: type = getattr(import_module("orchestrator"), name)
    return kind


def _instead(name: str) -> str:
    kept = "Later versions go on with a file that keeps one, its `store`"
    told = ", and with what its `results()` say, as another Optimiser takes by `learn_all`"
    return kept if name == "Preferences" else kept + told


def pickled(algorithm: Algorithm, name: str) -> bytes:
    """An algorithm, by its name, and all that it knows. Raises UsageError where that cannot be."""
    try:
        return pickle.dumps(algorithm)
    except (TypeError, AttributeError, pickle.PicklingError) as error:
        raise UsageError(
            f"the algorithm `{name}` cannot be pickled ({error}); keep what it was told, and tell it to a new"
            " Optimiser with `learn`"
        ) from None


def unpickled(kept: bytes, name: str) -> Algorithm:
    """What `pickled` made. Raises UsageError for one of a version in which its parts lay elsewhere."""
    try:
        algorithm: Algorithm = pickle.loads(kept)
    except (ImportError, AttributeError) as error:
        raise UsageError(
            f"the algorithm `{name}` was pickled by another version of the orchestrator ({error}); read it"
            " with that one, and tell its `results()` to a new Optimiser with `learn_all`"
        ) from None
    return algorithm
