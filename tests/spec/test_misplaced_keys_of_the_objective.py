"""What is said of the objective beside it: said as what it is, and judged where it belongs."""

from __future__ import annotations

import pytest
from spec_texts import refusal_with


def test_told_by_comparison_beside_the_objective_is_sent_into_it() -> None:
    refused = refusal_with(objective="objective: {name: taste}\ntold: by comparison")
    meant = "`objective: {name: taste, told: by comparison}`"
    assert f"expected `told` in `objective`, as in {meant}, got it beside it" in str(refused)
    # With it there, no goal is missing, and `told` is not among what is not known.
    assert "goal" not in str(refused)
    assert "expected one of the keys" not in str(refused)


@pytest.mark.parametrize("line", ["noise: 0.1", "unit: mm", "goal: minimise"])
def test_so_is_all_else_that_is_said_of_it(line: str) -> None:
    key, _, _ = line.partition(": ")
    goal = "" if key == "goal" else ", goal: minimise"
    refused = str(refusal_with(objective=f"objective: {{name: drag{goal}}}\n{line}"))
    assert f"expected `{key}` in `objective`, as in `objective: {{name: drag, {line}}}`, got it" in refused
    assert "expected one of the keys" not in refused


def test_what_is_wrong_with_it_is_said_as_well() -> None:
    refused = str(refusal_with(objective="objective: {name: drag, goal: minimise}\nnoise: much"))
    assert "expected `noise` in `objective`" in refused
    assert "got much" in refused or "'much'" in refused or "`much`" in refused


def test_beside_several_objectives_nobody_knows_of_which_it_is() -> None:
    several = "objectives: [{name: a, goal: minimise}, {name: b, goal: minimise}]\nnoise: 0.1"
    assert "expected one of the keys" in str(refusal_with(objective=several))


def test_one_that_is_told_as_several_are_is_told_how_one_is() -> None:
    refused = str(refusal_with(objective="objective: {drag: minimize}"))
    assert "got `drag`; is it `objective: {name: drag, goal: minimize}`, or one of `objectives`?" in refused
