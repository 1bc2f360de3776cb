"""An evaluation's context for tests, which can hear what is reported."""

import os
from pathlib import Path

import pytest

from evaluators.context import Context

Heard = list[tuple[int, dict[str, float]]]


def context(seed: int = 0, heard: Heard | None = None) -> Context:
    return Context(
        trial=0,
        attempt=1,
        seed=seed,
        options={},
        directory=Path("nowhere"),
        report=None if heard is None else lambda step, values: heard.append((step, values)),
    )


def real_data(name: str) -> str:
    """The path of a data file that the project does not carry; the test is skipped where it is not given."""
    folder = os.environ.get("ORCHESTRATOR_DATA")
    if not folder:
        pytest.skip(f"needs {name}: set ORCHESTRATOR_DATA to the folder that holds it")
    path = Path(folder) / name
    if not path.exists():
        pytest.skip(f"needs {name}, which the folder in ORCHESTRATOR_DATA does not hold")
    return str(path)
