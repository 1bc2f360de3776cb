"""How a search went, and what on its way counts as a fault."""

from __future__ import annotations

import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from orchestrator.errors import OrchestratorError

MEANT_FOR_USERS = ("between values", "beyond the bounds", "columns", "are read")
"""What warnings have in them that are no fault."""


@dataclass
class Ended:
    """How a search went: what is wrong with it, which questions were refused and how, and the seconds of its
    slowest ask.
    """

    features: tuple[str, ...]
    trials: int = 0
    faults: list[str] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)
    slowest: float = 0.0


@contextmanager
def noting(ended: Ended, during: str) -> Iterator[None]:
    """Whatever is raised is a fault, refusals as well: what was taken goes on to its end."""
    try:
        yield
    except OrchestratorError as refused:
        ended.faults.append(f"{during}: refused after {ended.trials} trials: {refused}")
    except Exception:
        ended.faults.append(f"{during}: after {ended.trials} trials\n{traceback.format_exc()}")


@contextmanager
def strictly_warned() -> Iterator[None]:
    """A warning of numpy, as of a division by nought, is raised."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        for words in MEANT_FOR_USERS:
            warnings.filterwarnings("ignore", f"(?s).*{words}", RuntimeWarning)
        yield
