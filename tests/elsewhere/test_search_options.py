"""How to search is looked at where it is said, and not when the first point is asked for."""

from __future__ import annotations

import pytest

from orchestrator import Plan
from orchestrator.elsewhere.search_options import refuse_what_is_wrong
from orchestrator.errors import OrchestratorError


@pytest.mark.parametrize(
    ("search", "said"),
    [
        ({"sed": 1}, "expected an option .*, got `sed`.*`seed`"),
        ({"goal": "maximise"}, "got `goal`"),
        ({"fidelity": {"parameter": "x"}}, "got `fidelity`"),
        ({"clock": "hours"}, "got `clock`"),
        ({"algorithm": "gp-e"}, "did you mean `gp-ei`"),
        ({"options": {"start_point": 3}}, "`start_point`"),
        ({"seed": -1}, "a seed"),
        ({"noise": "reported"}, "nobody reports"),
        ({"noise": -1.0}, "noise"),
        ({"plan": 80}, "a Plan"),
    ],
)
def test_what_is_wrong_is_said(search: dict, said: str) -> None:
    with pytest.raises(OrchestratorError, match=said):
        refuse_what_is_wrong(search)


def test_what_is_right_is_taken() -> None:
    refuse_what_is_wrong({})
    refuse_what_is_wrong(
        {"algorithm": "gp-ei", "options": {"start_points": 3}, "seed": 1, "noise": 0.1, "plan": Plan(80)}
    )
