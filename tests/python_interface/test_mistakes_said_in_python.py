"""What is wrong of an experiment is told in Python's words, not in those of a spec."""

from __future__ import annotations

from typing import Any

import pytest

from orchestrator import Optimiser
from orchestrator.errors import SpecError, UsageError
from orchestrator.python_interface.said_in_python import in_python

UNIT = (0.0, 1.0)
SIDE = {"type": "choice", "values": ["a", "b"]}


@pytest.mark.parametrize(
    ("parameters", "more", "said"),
    [
        ({"x": (1.0, 1.0)}, {}, '`"type": "fixed"`'),
        ({"x": UNIT, "y": UNIT}, {"constraints": ["x == 0.5"]}, '`"x": {"type": "fixed", "value": 0.5}`'),
        ({"x": UNIT, "y": UNIT}, {"constraints": ["x == 1e-5"]}, '`"x": {"type": "fixed", "value": 1e-05}`'),
        ({"on": UNIT, "y": UNIT}, {"constraints": ["on == 0.5"]}, '`"on": {"type": "fixed", "value": 0.5}`'),
        (
            {"x": UNIT, "side": SIDE},
            {"constraints": ["side == 'a'"]},
            'is `{"type": "fixed", "value": "a"}`, or `held={"side": "a"}` for a while',
        ),
        ({"x": UNIT, "y": {"type": "int", "bounds": [0, 9], "when": "x == 1"}}, {}, 'as `{"x": 1}`'),
        (
            {"x": UNIT, "y": {"type": "float", "bounds": [0, 1], "prior": {"mean": 0.5}}},
            {},
            'as `{"mean": 67.4, "deviation": 0.5}`, `{"mean": 0.02, "factor": 1.5}`',
        ),
        (
            {"x": UNIT},
            {"algorithm": "pbt"},
            '`fidelity={"parameter": "epochs", "cost": "epochs", "continues": True}`',
        ),
    ],
)
def test_what_is_to_be_written_is_shown_as_python_has_it(
    parameters: dict[str, Any], more: dict[str, Any], said: str
) -> None:
    with pytest.raises(SpecError) as refused:
        Optimiser(parameters, goal="minimise", **more)
    assert said in str(refused.value)


def test_what_is_no_part_of_a_spec_stays_as_it_was_written() -> None:
    for text in ("a: b < {", "initial: {reference: {x: 0.3}}", "{x"):
        assert in_python(f"got `{text}`, x", []) == f"got `{text}`, x"


def test_a_type_under_another_name_and_a_search_in_place_of_its_results_are_seen() -> None:
    with pytest.raises(SpecError, match=r"but `type` is missing \(is it `parameter_type`\?\)"):
        Optimiser({"x": {"name": "x", "parameter_type": "float", "bounds": (0, 1)}})
    old = Optimiser({"x": (0.0, 1.0)})
    with pytest.raises(
        UsageError, match=r"got <Optimiser: maximise over 1 parameter by auto.*its `results\(\)`"
    ):
        Optimiser({"x": (0.0, 1.0)}, related=old)
