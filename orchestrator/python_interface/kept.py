"""An Optimiser that is kept: pickled, and gone on with elsewhere, or later."""

from __future__ import annotations

import pickle

from orchestrator.algorithms.base import Algorithm
from orchestrator.errors import UsageError


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
