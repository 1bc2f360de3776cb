"""What a suggestion costs, where that is learned, follows from what results took, as the journal has it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from orchestrator.algorithms.base import Insight, Suggestion
from orchestrator.runtime.optimiser.beginnings import first_beginning, rebuilder
from orchestrator.runtime.optimiser.own_terms import OwnTerms
from orchestrator.runtime.results.counted_parameters import costs_of
from orchestrator.scheduler.commands import Rebuild, Tell
from orchestrator.spec.load import load_spec_text

TEXT = """\
experiment: wing
objective: {name: drag, goal: minimise}
parameters: {span: {type: float, bounds: [1, 9]}, cells: {type: int, bounds: [20, 400], scale: log}}
fidelity: {parameter: cells}
budget: {cost: 20}
evaluation: {evaluator: person}
"""
SPEC = load_spec_text(TEXT, "spec.yaml", Path()).spec
BEGINNING = first_beginning(SPEC)


def told(*cells: int, beginning: Rebuild = BEGINNING) -> OwnTerms:
    """Those of a run whose results took as many seconds as a thousandth of the square of their cells."""
    terms, algorithm = rebuilder(SPEC)(beginning)
    for trial, many in enumerate(cells, start=1):
        parameters = {"span": 2.0, "cells": many}
        command = Tell(trial=trial, parameters=parameters, value=1.0, seconds=many**2 / 1000, cost=0.5)
        observation, _ = terms.observation(command, type(algorithm))
        assert (observation.seconds, observation.cost) == (many**2 / 1000, 0.5)
    return terms


def cheap_cost(terms: OwnTerms) -> float:
    (suggested,) = terms.suggested([Suggestion(np.zeros(len(terms.space.names)))], {})
    assert suggested.parameters["cells"] == 20
    return suggested.cost


def test_it_begins_in_proportion_and_ends_where_results_are() -> None:
    assert cheap_cost(told()) == pytest.approx(1 / 20)
    assert cheap_cost(told(20, 60, 150, 400, 400)) == pytest.approx(1 / 400, rel=0.4)


def test_it_is_learned_of_the_same_parameter_where_others_are_fixed() -> None:
    held = replace(BEGINNING, fixed={"span": 2.0})
    terms = told(20, 60, 150, 400, 400, beginning=held)
    assert terms.space.names == ("cells",)
    assert cheap_cost(terms) == pytest.approx(1 / 400, rel=0.4)


def test_whoever_takes_the_run_over_believes_the_same_to_the_bit() -> None:
    cells = (20, 60, 150, 400, 37)
    assert cheap_cost(told(*cells)) == cheap_cost(told(*cells))


def test_what_is_believed_is_told_for_status_and_for_points_that_people_add() -> None:
    terms = told(20, 60, 150, 400)
    insight = terms.insight(Insight())
    looks = insight["looks"]
    assert isinstance(looks, dict)
    assert (looks["values"][0], looks["values"][-1], looks["evaluations"]) == (20, 400, 4)
    assert looks["seconds"] == pytest.approx(160.0, rel=0.3)
    point = {"span": 3.0, "cells": 20}
    assert costs_of(SPEC, [point], insight) == (cheap_cost(terms),)
    assert costs_of(SPEC, [point]) == (pytest.approx(1 / 20),)


GOING_ON = load_spec_text(
    TEXT.replace("parameter: cells", "parameter: cells, cost: cells, continues: true"), "spec.yaml", Path()
).spec


def test_what_goes_on_has_the_very_settings_of_the_trial_before_and_costs_the_difference() -> None:
    terms, algorithm = rebuilder(GOING_ON)(first_beginning(GOING_ON))
    # As a person may have it tried: the grid of suggestions has no such number.
    begun = {"span": 2.0000000123, "cells": 40}
    command = Tell(trial=3, parameters=begun, value=1.0, seconds=5.0)
    observation, _ = terms.observation(command, type(algorithm))
    point = np.array([observation.point[0], 1.0])
    (suggested,) = terms.suggested([Suggestion(point, continues=3)], {})
    assert suggested.parameters == {"span": 2.0000000123, "cells": 400}
    assert (suggested.continues, suggested.cost) == (3, pytest.approx(0.9))
    (unknown,) = terms.suggested([Suggestion(point, continues=7)], {})
    assert (unknown.continues, unknown.cost) == (0, 1.0)
    (held,) = terms.suggested([Suggestion(point, continues=3)], {"span": 2.0})
    assert (held.continues, held.cost, held.parameters["span"]) == (0, 1.0, 2.0)


def test_what_goes_on_from_none_stays_where_it_is_beside_results_from_elsewhere() -> None:
    terms, algorithm = rebuilder(GOING_ON)(first_beginning(GOING_ON))
    # The first of these is number 0.
    terms.observation(Tell(trial=0, parameters={"span": 2.0, "cells": 40}, value=1.0), type(algorithm))
    (suggested,) = terms.suggested([Suggestion(terms.point({"span": 3.0, "cells": 400}))], {})
    assert (suggested.parameters, suggested.cost) == ({"span": 3.0, "cells": 400}, 1.0)


def test_an_evaluation_that_went_on_says_nothing_of_how_long_a_whole_one_takes() -> None:
    terms, algorithm = rebuilder(GOING_ON)(first_beginning(GOING_ON))
    common = {"parameters": {"span": 2.0, "cells": 400}, "value": 1.0, "seconds": 5.0}
    whole, _ = terms.observation(Tell(trial=1, **common), type(algorithm))
    rest, _ = terms.observation(Tell(trial=2, continues=1, **common), type(algorithm))
    assert (whole.seconds, rest.seconds) == (5.0, None)
    assert (whole.continues, rest.continues) == (0, 1)


LEARNED = load_spec_text(
    TEXT.replace("parameter: cells", "parameter: cells, continues: true"), "spec.yaml", Path()
).spec


def cheap_where_others_went_on(*, continued: bool, seconds: tuple[float, ...]) -> float:
    """What 20 cells cost, where each trial was to go on from the one before it."""
    terms, algorithm = rebuilder(LEARNED)(first_beginning(LEARNED))
    for trial, (cells, took) in enumerate(zip((20, 60, 150, 400), seconds, strict=True), start=1):
        parameters: dict[str, object] = {"span": 2.0, "cells": cells}
        before, went_on = trial - 1, continued and trial > 1
        command = Tell(
            trial=trial, parameters=parameters, value=1.0, seconds=took, continues=before, continued=went_on
        )
        terms.observation(command, type(algorithm))
    return cheap_cost(terms)


def test_costs_are_learned_of_what_a_trial_took_with_those_that_it_went_on_from() -> None:
    whole = [cells**2 / 1000 for cells in (20, 60, 150, 400)]
    rests = (whole[0], *np.diff(whole).tolist())
    went_on = cheap_where_others_went_on(continued=True, seconds=rests)
    assert went_on == pytest.approx(cheap_cost(told(20, 60, 150, 400)))
    assert cheap_where_others_went_on(continued=False, seconds=tuple(whole)) == pytest.approx(went_on)


def test_where_each_start_takes_long_the_first_steps_are_not_taken_to_be_cheap() -> None:
    quick, slow = ((20.0 * start, 40.0, 90.0, 250.0) for start in (1, 6))
    begun_slowly = tuple(took + 100.0 for took in slow)
    assert cheap_where_others_went_on(continued=True, seconds=begun_slowly) > cheap_where_others_went_on(
        continued=True, seconds=quick
    )


def test_what_went_on_from_one_of_unknown_seconds_tells_nothing_of_costs() -> None:
    terms, algorithm = rebuilder(LEARNED)(first_beginning(LEARNED))
    begun = Tell(trial=1, parameters={"span": 2.0, "cells": 60}, value=1.0)
    on = Tell(
        trial=2, parameters={"span": 2.0, "cells": 400}, value=1.0, seconds=9.0, continues=1, continued=True
    )
    for command in (begun, on):
        observation, _ = terms.observation(command, type(algorithm))
        assert observation.seconds is None
    assert cheap_cost(terms) == pytest.approx(1 / 20)
