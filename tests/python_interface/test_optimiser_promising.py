"""Where good settings are believed to lie, from Python: told as a spec has it, kept, refused in sentences."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from orchestrator import Optimiser, Preferences, minimise
from orchestrator.errors import OrchestratorError, StoreError, UsageError

RATE: dict[str, Any] = {
    "type": "float",
    "bounds": [1e-5, 0.1],
    "scale": "log",
    "promising": {"mean": np.float64(1e-3), "factor": 3},
}
SOLVER: dict[str, Any] = {"type": "choice", "values": ["adam", "sgd"], "promising": {"chances": [0.2, 0.8]}}


def off(parameters: Any) -> float:
    return abs(float(np.log10(parameters["rate"])) + 3.2) + (parameters["solver"] != "sgd")


def test_a_search_begins_in_the_middle_of_what_is_said() -> None:
    found = minimise(off, {"rate": RATE, "solver": SOLVER}, 6, seed=2)
    first = found.results()[0]
    assert first["rate"] == pytest.approx(1e-3)
    assert first["solver"] == "sgd"


def test_who_goes_on_with_a_file_says_the_same(tmp_path: Path) -> None:
    told = {"rate": RATE, "solver": SOLVER}
    one = Optimiser(told, goal="minimise", store=tmp_path / "kept.jsonl")
    (first,) = one.ask(1)
    one.tell(first.trial, 0.3)
    again = Optimiser(told, goal="minimise", store=tmp_path / "kept.jsonl")
    alone = Optimiser(told, goal="minimise")
    (asked,) = alone.ask(1)
    alone.tell(asked.trial, 0.3)
    assert again.ask(1)[0].parameters == alone.ask(1)[0].parameters
    other = {**told, "rate": {**RATE, "promising": {"mean": 1e-2, "factor": 3}}}
    with pytest.raises((StoreError, UsageError), match="promising"):
        Optimiser(other, goal="minimise", store=tmp_path / "kept.jsonl")


@pytest.mark.parametrize(
    ("parameters", "more", "said"),
    [
        ({"a": {**RATE, "promising": {"mean": 1e-3}}}, {}, "as `promising` where it is promising"),
        (
            {"a": {**RATE, "promising": {"mean": 9.0, "factor": 2}}},
            {},
            "expected as `promising` bounds that hold what is said to be promising",
        ),
        ({"a": RATE}, {"algorithm": "random"}, "begins where settings are said to be promising"),
        ({"a": RATE, "b": (0.0, 1.0)}, {"clock": "b"}, "expected no `promising` beside `clock`"),
        ({"a": RATE, "b": (0.0, 1.0)}, {"threshold": 0.5}, "expected no `promising` beside `threshold`"),
        (
            {"a": RATE, "b": (0.0, 1.0)},
            {"fidelity": {"parameter": "a"}},
            "expected no `promising` of `a`: how closely an evaluation looks",
        ),
    ],
)
def test_what_makes_no_sense_is_refused_in_a_sentence(
    parameters: dict[str, Any], more: dict[str, Any], said: str
) -> None:
    with pytest.raises(OrchestratorError, match=said):
        Optimiser(parameters, **more)


def test_who_compares_is_told_that_it_is_not_heeded() -> None:
    with pytest.raises(UsageError, match="without `promising`, which the search by comparisons"):
        Preferences({"a": RATE, "b": (0.0, 1.0)})
