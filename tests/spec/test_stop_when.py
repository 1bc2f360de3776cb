"""When an evaluation is given up early: from the step that the spec names, beyond its limit and not at it."""

from __future__ import annotations

import pytest

from orchestrator.spec.stop_when import StopWhen


def test_the_first_step_at_which_a_limit_counts_is_the_one_that_is_named() -> None:
    rule = StopWhen(quantity="loss", above=2.0, after=5)
    assert rule.reason(4, {"loss": 9.0}) == ""
    assert rule.reason(5, {"loss": 9.0}) == "stopped: loss was 9 at step 5, above 2"


@pytest.mark.parametrize(
    ("limit", "at_it", "beyond"),
    [({"above": 2.0}, 2.0, 2.5), ({"below": 2.0}, 2.0, 1.5), ({"above": 0.0}, 0.0, 0.5)],
)
def test_a_quantity_at_its_limit_may_go_on(limit: dict[str, float], at_it: float, beyond: float) -> None:
    rule = StopWhen.model_validate({"quantity": "loss", **limit})
    assert rule.reason(1, {"loss": at_it}) == ""
    assert rule.reason(1, {"loss": beyond}).startswith(f"stopped: loss was {beyond:g} at step 1, ")


def test_progress_that_does_not_say_the_quantity_stops_nothing() -> None:
    assert StopWhen(quantity="loss", below=2.0).reason(9, {"accuracy": 0.0}) == ""
