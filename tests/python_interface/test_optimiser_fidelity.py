"""From Python, too, evaluations may look less closely for less."""

import pickle

import pytest

from orchestrator import Optimiser, Plan, maximise, minimise
from orchestrator.errors import SpecError, UsageError

BOX = {"x": (0.0, 1.0), "cells": {"type": "int", "bounds": [10, 100], "scale": "log"}}
CHEAPER = {"parameter": "cells", "cost": "cells ** 2"}


def coarse_is_too_low(parameters):
    """Least at 0.3; with fewer cells lower, and somewhere else."""
    share = parameters["cells"] / 100
    return (parameters["x"] - 0.3 - 0.1 * (1 - share)) ** 2 - (1 - share)


@pytest.fixture(scope="module")
def found():
    return minimise(coarse_is_too_low, BOX, cost=6, fidelity=CHEAPER, noise=0, options={"refit_every": 2})


def test_a_search_spends_what_it_may_and_its_best_is_at_full_fidelity(found):
    rows = found.results()
    spent = sum((row["cells"] / 100) ** 2 for row in rows)
    assert 6.0 <= spent < 7.0
    assert min(row["value"] for row in rows) < found.best().value
    assert found.best().parameters["cells"] == 100
    assert found.best().value < 1e-3
    assert found.plan == Plan(None, 1, 6.0)


def test_trials_may_end_it_before():
    found = maximise(lambda p: -coarse_is_too_low(p), BOX, 12, cost=50, fidelity=CHEAPER)
    assert len(found.results()) == 12


def test_a_trial_says_what_it_costs():
    optimiser = Optimiser(BOX, fidelity=CHEAPER)
    for asked in optimiser.ask(5):
        assert asked.cost == pytest.approx((asked.parameters["cells"] / 100) ** 2)
    own = optimiser.attach({"x": 0.2, "cells": 50})
    assert own.cost == 0.25
    assert Optimiser({"x": (0.0, 1.0)}).ask()[0].cost == 1.0


def timed(optimiser, asked):
    """Told what an evaluation gave, and that it took as long as the square of its cells."""
    optimiser.tell(asked.trial, coarse_is_too_low(asked.parameters), seconds=asked.parameters["cells"] ** 2)


def test_what_a_trial_costs_is_learned_from_the_seconds_of_those_before_where_it_is_not_told():
    optimiser = Optimiser(BOX, fidelity={"parameter": "cells"})
    first = optimiser.attach({"x": 0.2, "cells": 20})
    assert first.cost == pytest.approx(0.2, abs=0.02), "in proportion, as far as anybody knows"
    timed(optimiser, first)
    for asked in optimiser.ask(8):
        timed(optimiser, asked)
    assert optimiser.attach({"x": 0.3, "cells": 20}).cost == pytest.approx(0.04, rel=0.3)
    assert optimiser.attach({"x": 0.3, "cells": 100}).cost == 1.0
    assert any("what a look costs is learned: of 9 results" in note for note in optimiser.insight().notes)
    other = pickle.loads(pickle.dumps(optimiser))
    before = optimiser.attach({"x": 0.5, "cells": 20}).cost
    timed(optimiser, optimiser.attach({"x": 0.4, "cells": 10}))
    assert other.attach({"x": 0.5, "cells": 20}).cost == before, "it learns apart"


def test_it_is_learned_of_results_from_elsewhere_as_well(tmp_path):
    def told(**more):
        return Optimiser(BOX, fidelity={"parameter": "cells", **more}, store=tmp_path / f"{len(more)}.jsonl")

    learned, rows = told(), [{"x": 0.2, "cells": cells, "value": 1.0} for cells in (20, 40, 60, 80, 100)]
    learned.learn_all([{**row, "seconds": row["cells"] ** 2} for row in rows[1:]])
    learned.learn({"x": 0.2, "cells": 20}, 1.0, seconds=400)
    believed = learned.attach({"x": 0.3, "cells": 20}).cost
    assert believed == pytest.approx(0.04, rel=0.3)
    assert [row["seconds"] for row in learned.results()] == [1600.0, 3600.0, 6400.0, 10000.0, 400.0]
    learned.close()
    assert told().attach({"x": 0.31, "cells": 20}).cost == pytest.approx(believed, rel=0.1), "by its file"
    costs = told(cost="cells")
    costs.learn_all([{**row, "seconds": "a minute"} for row in rows])
    assert "seconds" not in costs.results()[0], "what it costs is said, and the column is of something else"


@pytest.mark.parametrize("took", [0, "a minute"])
def test_seconds_that_are_none_are_refused_of_what_is_known_as_of_a_trial(took):
    learned = Optimiser(BOX, fidelity={"parameter": "cells"})
    with pytest.raises(UsageError, match=r"row 0: .*seconds"):
        learned.learn_all([{"x": 0.2, "cells": 20, "value": 1.0, "seconds": took}])
    with pytest.raises(UsageError, match="seconds"):
        learned.learn({"x": 0.2, "cells": 20}, 1.0, seconds=took)


def test_a_cheap_result_is_no_best_whether_asked_for_or_known():
    optimiser = Optimiser(BOX, goal="minimise", fidelity=CHEAPER)
    optimiser.learn({"x": 0.3, "cells": 20}, -5.0)
    own = optimiser.attach({"x": 0.4, "cells": 99})
    optimiser.tell(own.trial, -4.0)
    with pytest.raises(UsageError, match="there is no best yet: no value at full fidelity has been told"):
        optimiser.best()
    optimiser.learn({"x": 0.3, "cells": 100}, 2.0)
    assert optimiser.best().value == 2.0


def test_of_several_objectives_the_front_is_at_full_fidelity():
    optimiser = Optimiser(BOX, goal="minimise", objectives={"heat": "minimise"}, fidelity=CHEAPER)
    for x, cells, value in ((0.2, 10, -9.0), (0.4, 100, 1.0), (0.6, 100, 3.0)):
        own = optimiser.attach({"x": x, "cells": cells})
        optimiser.tell(own.trial, value, outcomes={"heat": -value})
    assert [best.value for best in optimiser.front()] == [1.0, 3.0]


def test_it_goes_on_after_it_was_pickled():
    def told(optimiser):
        for asked in optimiser.ask(12):
            optimiser.tell(asked.trial, coarse_is_too_low(asked.parameters))
        return optimiser

    optimiser = told(Optimiser(BOX, goal="minimise", fidelity=CHEAPER, plan=Plan(cost=9)))
    other = pickle.loads(pickle.dumps(optimiser))
    assert [a.parameters for a in other.ask(2)] == [a.parameters for a in optimiser.ask(2)]


def test_what_is_recommended_is_at_full_fidelity(found):
    assert found.recommend().parameters["cells"] == 100
    assert found.recommend(held={"cells": 10}).parameters["cells"] == 10


@pytest.mark.parametrize(
    ("told", "kind", "sentence"),
    [
        (
            {"fidelity": "cells"},
            UsageError,
            'expected fidelity as {"parameter": "cells", "cost": "cells ** 2"}',
        ),
        ({"fidelity": {"cost": "cells"}}, UsageError, "expected of fidelity its `parameter`"),
        ({"fidelity": {**CHEAPER, "fulll": 10}}, UsageError, "got `fulll` (did you mean `full`?)"),
        ({"fidelity": {**CHEAPER, "parameter": 3}}, UsageError, "expected the name of a parameter"),
        ({"fidelity": {**CHEAPER, "parameter": "cels"}}, SpecError, "(did you mean `cells`?)"),
        ({"fidelity": {**CHEAPER, "full": 10}}, SpecError, "expected an evaluation to cost most at full"),
        (
            {"fidelity": CHEAPER, "constraints": ["cells + x <= 90"]},
            SpecError,
            "no point at full fidelity, `cells = 100`, was found",
        ),
        (
            {"fidelity": CHEAPER, "algorithm": "gp-ei"},
            SpecError,
            "chooses how closely to look (`asha`, `auto` or `hyperband`)",
        ),
        ({"plan": Plan(cost=3)}, UsageError, "expected `fidelity`, which says what a trial costs"),
    ],
)
def test_what_makes_no_sense_is_refused(told, kind, sentence):
    with pytest.raises(kind) as refused:
        Optimiser(BOX, **told)
    assert sentence in str(refused.value)


@pytest.mark.parametrize("cost", [0, -1, "much", True, float("nan")])
def test_a_plan_costs_something(cost):
    with pytest.raises(UsageError, match="expected a plan whose `cost` is a number above 0"):
        Plan(cost=cost)


def test_a_point_that_is_asked_about_need_not_say_that_it_is_at_full_fidelity():
    optimiser = Optimiser(BOX, fidelity=CHEAPER)
    with pytest.raises(UsageError, match="results with a value or more, got 0"):
        optimiser.predict({"x": 0.5})
    with pytest.raises(UsageError, match="`x`: expected a value"):
        optimiser.predict({"cells": 50})
