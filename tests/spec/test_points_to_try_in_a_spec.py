"""That there are fewer points to try than trials is said of a spec, where each is tried once."""

from __future__ import annotations

from pathlib import Path

from spec_texts import text_with

from orchestrator.spec.load import load_spec_text


def remarks_on(**lines: str) -> list[str]:
    return list(load_spec_text(text_with(**lines), "wing.yaml", Path()).remarks)


def algorithm(name: str) -> str:
    return f"algorithm: {{name: {name}}}"


def test_more_trials_than_points_are_remarked_on_where_each_is_tried_once() -> None:
    exact = "objective: {name: drag, goal: minimise, noise: 0}"
    whole = "parameters: {x: {type: float, bounds: [0, 1], step: 0.5}, n: {type: int, bounds: [1, 4]}}"

    def said(trials: int, objective: str = exact, parameters: str = whole, **more: str) -> list[str]:
        budget = f"budget: {{trials: {trials}}}"
        return remarks_on(objective=objective, parameters=parameters, budget=budget, **more)

    (remark,) = said(13, constraints="constraints: [n >= 2]", algorithm=algorithm("gp-ei"))
    assert "there are 9 points to try, each of them once, as with `noise: 0` a second value" in remark
    assert "nothing: the run ends before 13 trials" in remark
    assert said(12) == []
    assert said(40, "objective: {name: drag, goal: minimise}") == []
    free = "parameters: {x: {type: float, bounds: [0, 1]}, n: {type: int, bounds: [1, 4]}}"
    assert said(40, parameters=free) == []
    (remark,) = said(40, parameters=free, held="held: {x: 0.5}")
    assert "there are 4 points to try where x = 0.5, each of them once" in remark
    twice = "initial: {points: [{x: 0.5, n: 1}, {x: 0.5, n: 1}]}"
    assert said(13, initial=twice) == []
    assert len(said(14, initial=twice)) == 1


def test_of_points_that_are_all_tried_no_design_takes_anything_from_an_algorithm() -> None:
    exact = "objective: {name: drag, goal: minimise, noise: 0}"
    few = {"parameters": "parameters: {n: {type: int, bounds: [1, 8]}}", "algorithm": algorithm("gp-ei")}
    assert remarks_on(objective=exact, budget="budget: {trials: 8}", **few) == []
    (said,) = remarks_on(objective=exact, budget="budget: {trials: 7}", **few)
    assert "never gets to choose" in said
