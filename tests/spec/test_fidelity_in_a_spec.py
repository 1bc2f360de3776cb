"""How closely evaluations look: what a spec says of it, what of that is refused, and what follows."""

from __future__ import annotations

from pathlib import Path

import pytest
from spec_texts import refusal_with, sentences, spec_with, text_with, under_caret

from orchestrator.errors import SpecError
from orchestrator.runtime.results.counted_parameters import first_costs
from orchestrator.spec.begun.amended import with_bounds
from orchestrator.spec.build import build_fidelity, build_problem
from orchestrator.spec.load import load_spec_text
from orchestrator.spec.policy_of_spec import policy_of

PARAMETERS = """\
parameters:
  span: {type: float, bounds: [1, 9]}
  cells: {type: int, bounds: [20, 400], scale: log}
  mesh: {type: ordered, values: [coarse, medium, fine]}
  order: {type: int, bounds: [2, 8], step: 2}
  solver: {type: choice, values: [lu, cg]}
  inner: {type: int, bounds: [1, 9], when: {solver: cg}}
  mach: 0.8"""
MESHED = {
    "parameters": PARAMETERS,
    "algorithm": "algorithm: auto",
    "fidelity": 'fidelity: {parameter: cells, cost: "cells ** 2"}',
    "budget": "budget: {cost: 40}",
}

POINT = "{span: 2, cells: 400, mesh: fine, order: 2, solver: lu}"


def refused(**lines: str) -> tuple[list[str], list[str]]:
    """The sentences, and what stands from each caret on."""
    refusal = refusal_with(**(MESHED | lines))
    return sentences(refusal), under_caret(refusal)


def remarks_on(**lines: str) -> list[str]:
    return list(load_spec_text(text_with(**(MESHED | lines)), "wing.yaml", Path()).remarks)


def test_algorithms_are_told_the_levels_and_the_budget_and_the_scheduler_what_is_full() -> None:
    spec = spec_with(**MESHED)
    levels = build_problem(spec).fidelity
    assert levels is not None
    assert (levels.coordinate, levels.budget, levels.costs[-1]) == (1, 40.0, 1.0)
    assert levels.full == pytest.approx(1.0, abs=1e-3)
    assert levels.costs[0] == pytest.approx(1 / 400)
    assert (policy_of(spec).budget.cost, policy_of(spec).sought.full) == (40.0, {"cells": 400})


@pytest.mark.parametrize(
    ("line", "parameter", "value", "cost"),
    [
        ("{parameter: mesh, cost: {coarse: 1, medium: 8, fine: 64}}", "mesh", "medium", 0.125),
        ("{parameter: order, cost: {2: 1, 4: 2, 6: 3, 8: 10}}", "order", 4, 0.2),
        ("{parameter: order, cost: 1 / order, full: 2}", "order", 8, 0.25),
        ("{parameter: cells, cost: cells ** 2}", "cells", 200, 0.25),
    ],
)
def test_costs_are_arithmetic_or_told_of_each_value(
    line: str, parameter: str, value: object, cost: float
) -> None:
    fidelity = build_fidelity(spec_with(**(MESHED | {"fidelity": f"fidelity: {line}"})))
    assert fidelity is not None
    assert fidelity.cost({parameter: value}) == pytest.approx(cost)
    assert fidelity.cost({parameter: fidelity.full}) == 1.0


def test_costs_that_nobody_told_are_learned_and_until_then_in_proportion_to_the_value() -> None:
    spec = spec_with(**(MESHED | {"fidelity": "fidelity: {parameter: cells}"}))
    levels = build_problem(spec).fidelity
    assert levels is not None
    assert levels.learned
    assert levels.costs[0] == pytest.approx(20 / 400)
    told = build_problem(spec_with(**MESHED)).fidelity
    assert told is not None
    assert not told.learned


@pytest.mark.parametrize(
    ("line", "said", "at"),
    [
        ("{parameter: cell, cost: 1}", "expected what an evaluation costs as arithmetic", "1}"),
        ("{parameter: cell, cost: cell}", "expected the parameter that says how closely to look", "cell,"),
        ("{parameter: mach, cost: mach}", "expected a parameter that varies", "mach,"),
        ("{parameter: solver, cost: 2}", "expected what an evaluation costs as arithmetic", "2}"),
        ("{parameter: solver, cost: solver}", "expected a parameter with an order", "solver,"),
        ("{parameter: inner, cost: inner}", "expected a parameter that always counts", "inner,"),
        ("{parameter: cells, cost: cells ** 2, full: 30}", "expected full fidelity at one end", "30}"),
        ("{parameter: cells, cost: cells ** 2, full: 7}", "parameter `cells`", "7}"),
        ("{parameter: cells, cost: 3 * span}", "expected a cost that depends on `cells` alone", "span}"),
        ("{parameter: cells, cost: 3 * }", "expected the cost of an evaluation as arithmetic", " }"),
        ("{parameter: cells, cost: cells - 30}", "expected a cost above 0 wherever `cells`", "cells - 30}"),
        ("{parameter: cells, cost: 1 / cells}", "expected an evaluation to cost most", "1 / cells}"),
        ("{parameter: mesh, cost: mesh}", "expected the cost of an evaluation for each value", "mesh}"),
        (
            "{parameter: mesh, cost: {coarse: 1, medium: 2, fien: 3}}",
            "expected a value of `mesh`",
            "fien: 3}}",
        ),
        ("{parameter: order, cost: {2: 1, 3: 2}}", "expected a value of `order`", "3: 2}}"),
        (
            "{parameter: mesh, cost: {coarse: 1, fine: 3}}",
            "expected the cost of every value",
            "cost: {coarse",
        ),
        ("{parameter: mesh, cost: {coarse: 0}}", "expected a number above 0 as the cost of `coarse`", "cost"),
        ("{parameter: cells, costs: 3}", "expected one of the keys `parameter`", "costs: 3}"),
        ("{cost: cells}", "expected the key `parameter` in `fidelity`, but it is missing", "fidelity"),
    ],
)
def test_each_mistake_is_shown_where_it_is(line: str, said: str, at: str) -> None:
    found, where = refused(fidelity=f"fidelity: {line}")
    assert [sentence[: len(said)] for sentence in found] == [said]
    assert [place[: len(at)] for place in where] == [at]


def test_near_misses_are_named() -> None:
    assert "(did you mean `cells`?)" in refused(fidelity="fidelity: {parameter: cell, cost: cell}")[0][0]
    cost = "{coarse: 1, medium: 2, fien: 3}"
    assert "(did you mean `fine`?)" in refused(fidelity=f"fidelity: {{parameter: mesh, cost: {cost}}}")[0][0]


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ({"fidelity": ""}, "expected `fidelity` as well, which says what an evaluation costs"),
        (
            {"algorithm": "algorithm: random"},
            "expected an algorithm that chooses how closely to look (`asha`, `auto` or `hyperband`)",
        ),
        (
            {
                "evaluation": "evaluation: {evaluator: 'json:dumps', "
                "stop_when: {quantity: loss, chance_below: 0.1}}"
            },
            "expected no `chance_below` beside `fidelity`",
        ),
        (
            {
                "budget": "budget: {cost: 1.5}",
                "initial": f"initial: {{points: [{POINT}, {POINT}]}}",
            },
            "expected points that cost no more than the budget of 1.5, got 2",
        ),
    ],
)
def test_what_there_can_be_no_fidelity_beside(lines: dict[str, str], said: str) -> None:
    found, _ = refused(**lines)
    assert [sentence[: len(said)] for sentence in found] == [said]


def test_a_limit_beyond_which_evaluations_are_stopped_is_taken_beside_it() -> None:
    rule = "evaluation: {evaluator: 'json:dumps', stop_when: {quantity: loss, above: 2}}"
    stop_when = spec_with(**MESHED, evaluation=rule).evaluation.stop_when
    assert stop_when is not None
    assert stop_when.above == 2


def test_several_objectives_are_taken_beside_it() -> None:
    several = build_problem(spec_with(**MESHED, objective="objectives: {drag: minimise, lift: maximise}"))
    assert several.further_objectives == 1
    assert several.fidelity is not None


def test_constraints_on_outcomes_are_taken_beside_it() -> None:
    spec = spec_with(**MESHED, outcomes="outcomes: [lift]", constraints='constraints: ["lift >= 0.4"]')
    assert build_problem(spec).outcome_constraints == 1


def test_constraints_have_to_leave_points_at_full_fidelity() -> None:
    found, where = refused(constraints="constraints: [cells + span <= 300]")
    assert found == [
        "no point at full fidelity, `cells = 400`, was found that satisfies `cells + span <= 300`; loosen"
        " that, or say `full` if it is the other end"
    ]
    assert where == ["constraints: [cells + span <= 300]"]
    assert spec_with(**MESHED, constraints="constraints: [cells + span <= 402]").constraints


def test_first_points_cost_what_they_cost() -> None:
    point = POINT.replace("400", "200")
    assert first_costs(spec_with(**MESHED, initial=f"initial: {{points: [{point}]}}")) == (0.25,)
    assert first_costs(spec_with()) == ()


def test_what_is_not_taken_as_one_may_think_is_said() -> None:
    assert remarks_on() == []
    (of_trials,) = remarks_on(budget="budget: {trials: 40}")
    assert "a trial counts as one of `trials`, however little it costs" in of_trials
    (of_costs,) = remarks_on(fidelity="fidelity: {parameter: cells, cost: 3 + 0 * cells}")
    assert "`fidelity` has no effect" in of_costs
    known = "{span: 2, cells: 200, mesh: fine, order: 2, solver: lu, value: 3}"
    (of_results,) = remarks_on(initial=f"initial: {{results: [{known}]}}")
    assert "the known result is not at full fidelity, `cells = 400`: still learned from" in of_results


def test_a_budget_that_the_start_design_may_spend_is_said_to_be_one() -> None:
    dear, poor = 'fidelity: {parameter: cells, cost: "cells"}', "budget: {cost: 4}"
    (of_the_budget,) = remarks_on(fidelity=dear, budget=poor)
    assert "the start design's 10 trials may cost 3.3 of that" in of_the_budget
    assert remarks_on(fidelity=dear, budget=poor, initial="initial: {count: 3}") == []
    at_one_point = ", ".join([f"{POINT[:-1]}, value: 3}}"] * 3)
    (of_the_rest,) = remarks_on(fidelity=dear, budget=poor, initial=f"initial: {{results: [{at_one_point}]}}")
    assert "the start design's 9 trials may cost 3" in of_the_rest
    assert remarks_on(fidelity=dear, budget="budget: {cost: 9}") == []


def test_a_population_of_which_none_comes_to_all_steps_is_said_to_be_too_large() -> None:
    going_on = "fidelity: {parameter: cells, cost: cells, continues: true}"
    said = "algorithm: {name: pb2, options: {population: 8, pieces: 4}}"
    (of_the_size,) = remarks_on(fidelity=going_on, budget="budget: {cost: 3}", algorithm=said)
    assert "before one of 8 trainings side by side comes to all steps" in of_the_size
    assert remarks_on(fidelity=going_on, budget="budget: {cost: 8}", algorithm=said) == []
    alone = "algorithm: {name: pb2, options: {pieces: 4}}"
    assert remarks_on(fidelity=going_on, budget="budget: {cost: 3}", algorithm=alone) == []


def test_how_many_trainings_begin_is_said_once() -> None:
    going_on = "fidelity: {parameter: cells, cost: cells, continues: true}"
    lines = {"fidelity": going_on, "budget": "budget: {cost: 8}", "initial": "initial: {count: 4}"}
    assert remarks_on(**lines, algorithm="algorithm: {name: pb2, options: {pieces: 4}}") == []
    (twice,) = remarks_on(**lines, algorithm="algorithm: {name: pb2, options: {population: 5, pieces: 4}}")
    assert "`count` has no effect: `population` says how many trainings begin" in twice


def test_rungs_of_which_the_budget_has_none_come_to_the_last_are_said_to_be_too_many() -> None:
    by_rungs = {
        "fidelity": "fidelity: {parameter: cells, cost: cells}",
        "algorithm": "algorithm: {name: asha, options: {reduction: 2}}",
    }
    (of_the_rungs,) = remarks_on(**by_rungs, budget="budget: {cost: 3}")
    assert "of 5 rungs, for one at the last, 16, 8, 4, 2, 1 are looked at; raise it, or have" in of_the_rungs
    assert remarks_on(**by_rungs, budget="budget: {cost: 5}") == []
    fewer = by_rungs["algorithm"].replace("2}", "2, rungs: 2}")
    assert remarks_on(**(by_rungs | {"algorithm": fewer}), budget="budget: {cost: 3}") == []
    trials = [remarks_on(**by_rungs, budget=f"budget: {{trials: {count}}}") for count in (30, 31)]
    assert [len(found) for found in trials] == [2, 1]


def test_full_fidelity_stays_where_it_is() -> None:
    spec = spec_with(**MESHED)
    with pytest.raises(SpecError, match="--bounds cells=20,800: expected a parameter other than `cells`"):
        with_bounds(spec, {"cells": (20, 800)})
    assert with_bounds(spec, {"span": (2, 3)}).parameters["span"].bounds == (2, 3)  # type: ignore[union-attr]


def test_evaluations_may_go_on_from_less_close_ones() -> None:
    going_on = 'fidelity: {parameter: cells, cost: "cells ** 2", continues: true}'
    spec = spec_with(**(MESHED | {"fidelity": going_on}))
    levels = build_problem(spec).fidelity
    assert levels is not None
    assert levels.continues
    told = build_problem(spec_with(**MESHED)).fidelity
    assert told is not None
    assert not told.continues


def test_a_program_that_is_told_what_to_go_on_from_where_nothing_does_is_remarked_on() -> None:
    evaluation = 'evaluation: {command: [./wing, "{parameters_file}", "{continued_from}"]}'
    (remark,) = remarks_on(evaluation=evaluation)
    assert "`{continued_from}` is empty in each evaluation" in remark
    going_on = 'fidelity: {parameter: cells, cost: "cells ** 2", continues: true}'
    assert remarks_on(evaluation=evaluation, fidelity=going_on) == []


def test_evaluations_do_not_go_on_where_a_closer_look_costs_no_more() -> None:
    going_on = "fidelity: {parameter: mesh, cost: {coarse: 2, medium: 2, fine: 64}, continues: true}"
    (sentence,), (caret,) = refused(fidelity=going_on)
    assert sentence.startswith("expected an evaluation to cost more the more closely it looks")
    assert sentence.endswith("got 2 where `mesh` is medium and 2 where it is coarse")
    assert caret.startswith("cost:")


def test_evaluations_of_several_objectives_do_not_go_on() -> None:
    going_on = 'fidelity: {parameter: cells, cost: "cells ** 2", continues: true}'
    (sentence,), (caret,) = refused(
        fidelity=going_on, objective="objectives: {drag: minimise, weight: minimise}"
    )
    assert "what an earlier evaluation left is weighed by one objective" in sentence
    assert caret.startswith("continues:")
