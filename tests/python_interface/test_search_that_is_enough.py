"""A search in one call may end by a time, a target or a patience, as a run does by its budget."""

from __future__ import annotations

import pickle
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from orchestrator import Enough, Optimiser, maximise, minimise
from orchestrator.errors import UsageError
from orchestrator.python_interface import enough

BOX = {"x": (0.0, 1.0)}
OF_SOBOL = {"algorithm": "sobol"}


def bowl(parameters):
    return (parameters["x"] - 0.3) ** 2


def told_of(*values: float | None, **settings) -> Optimiser:
    """An Optimiser that was told these values, one after the other."""
    optimiser = Optimiser(BOX, **({"goal": "minimise"} | OF_SOBOL | settings))
    for value in values:
        (asked,) = optimiser.ask()
        optimiser.tell(asked.trial, value)
    return optimiser


def test_it_ends_where_a_value_is_good_enough():
    found = minimise(bowl, BOX, 100, until=Enough(target=0.0001), **OF_SOBOL)
    *before, last = [row["value"] for row in found.results()]
    assert last <= 0.0001 < min(before)
    assert maximise(bowl, BOX, 100, until=Enough(target=0.4), **OF_SOBOL).best().value >= 0.4


def test_it_ends_after_so_many_trials_without_improvement():
    found = minimise(bowl, BOX, 100, until=Enough(patience=5), **OF_SOBOL)
    values = [row["value"] for row in found.results()]
    assert len(values) - 1 - values.index(min(values)) == 5
    assert found.since_best == 5


class Hours:
    """A clock of the test's own, in seconds."""

    def __init__(self) -> None:
        self.now = 5000.0

    def __call__(self) -> float:
        return self.now

    def slow(self, parameters) -> float:
        self.now += 900
        return bowl(parameters)


@pytest.fixture
def hours(monkeypatch):
    clock = Hours()
    monkeypatch.setattr(enough, "monotonic", clock)
    return clock


def test_it_ends_with_the_evaluation_in_which_its_time_is_up(hours):
    assert minimise(hours.slow, BOX, until=Enough(time="1 h", patience=50), **OF_SOBOL).told == 4


def test_its_time_counts_from_where_the_search_begins_of_each_that_it_is_used_in(hours, tmp_path):
    hour = Enough(time="1 h")
    hours.now += 7200
    assert minimise(hours.slow, BOX, until=hour, **OF_SOBOL).told == 4
    kept = {"store": tmp_path / "kept.jsonl"} | OF_SOBOL
    assert minimise(hours.slow, BOX, 100, until=hour, **kept).told == 4
    assert minimise(hours.slow, BOX, 100, until=hour, **kept).told == 8
    optimiser = told_of()
    assert minimise(hours.slow, optimiser, until=hour).told == 4
    assert minimise(hours.slow, optimiser, until=hour).told == 8


def test_in_a_loop_of_ones_own_it_counts_from_the_first_call_with_each_optimiser(hours):
    hour = Enough(time="1 h")
    one, other = told_of(), told_of()
    hours.now += 7200
    assert not hour(one)
    hours.now += 1800
    assert not hour(one)
    assert not hour(other)
    hours.now += 1800
    assert (hour(one), hour(other)) == (True, False)
    assert not pickle.loads(pickle.dumps(hour))(one)


def test_what_runs_by_then_ends_and_counts():
    def the_first_is_good(parameters):
        with turn:
            seen.append(parameters)
            first = len(seen) == 1
        if first:
            good.set()
            return 0.0
        assert good.wait(60)
        return 1.0

    turn, good, seen = threading.Lock(), threading.Event(), []
    with ThreadPoolExecutor(3) as threads:
        found = minimise(the_first_is_good, BOX, 30, executor=threads, until=Enough(target=0.5), **OF_SOBOL)
    assert sorted(row["value"] for row in found.results()) == [0.0, 1.0, 1.0]
    assert found.pending == ()


def test_how_many_trials_there_may_be_need_not_be_said_beside_it():
    assert minimise(bowl, BOX, until=Enough(target=0.01), **OF_SOBOL).plan.trials is None
    with pytest.raises(UsageError, match=r"got neither; what else ends one is said by until=Enough\(time="):
        minimise(bowl, BOX, until=print)


def test_what_is_enough_by_what_a_file_has_evaluates_nothing_more(tmp_path: Path):
    def called(parameters):
        seen.append(parameters)
        return bowl(parameters)

    seen: list[object] = []
    for _ in range(2):
        minimise(called, BOX, 100, until=Enough(patience=5), store=tmp_path / "kept.jsonl", **OF_SOBOL)
    with_file = len(seen)
    assert minimise(bowl, BOX, 100, until=Enough(patience=5), **OF_SOBOL).told == with_file


def test_trials_count_that_failed_or_broke_a_limit_and_known_results_do_not():
    optimiser = told_of(0.5, 0.2, None, 0.4)
    assert optimiser.since_best == 2
    optimiser.learn({"x": 0.9}, 0.1)
    optimiser.learn({"x": 0.8}, 0.7)
    assert optimiser.since_best == 2
    assert optimiser.reached(0.1)
    assert not optimiser.reached(0.05)
    for no_number in ("low", float("nan"), None):
        with pytest.raises(UsageError, match="expected as `target` a finite number, got"):
            optimiser.reached(no_number)
    hot = Optimiser(BOX, goal="minimise", outcomes=["heat"], constraints=["heat <= 80"], **OF_SOBOL)
    for _ in range(3):
        (asked,) = hot.ask()
        hot.tell(asked.trial, 0.1, outcomes={"heat": 90.0})
    assert (hot.reached(1.0), hot.since_best) == (False, 3)


def test_beside_a_fidelity_trials_use_up_what_they_cost_and_none_before_there_is_a_best():
    cells = {"type": "int", "bounds": [1, 4]}
    mesh = Optimiser(
        BOX | {"cells": cells}, goal="minimise", fidelity={"parameter": "cells", "cost": "cells"}
    )
    for x in (0.1, 0.2, 0.3, 0.4):
        mesh.tell(mesh.attach({"x": x, "cells": 1}).trial, x)
    assert mesh.since_best == pytest.approx(1.0)
    assert not Enough(patience=1)(mesh)
    mesh.tell(mesh.attach({"x": 0.5, "cells": 4}).trial, 0.3)
    assert mesh.since_best == 0
    mesh.tell(mesh.attach({"x": 0.6, "cells": 2}).trial, 0.1)
    assert (mesh.since_best, Enough(patience=1)(mesh)) == (0.5, False)
    mesh.tell(mesh.attach({"x": 0.7, "cells": 2}).trial, 0.1)
    assert Enough(patience=1)(mesh)


def test_of_what_is_to_satisfy_constraints_it_waits_for_the_first_success_and_the_closer_look():
    hot = {"outcomes": ["heat"], "constraints": ["heat <= 80"]}
    cool = told_of(None, None, None, **hot)
    assert (cool.since_best, Enough(patience=3)(cool)) == (3, False)
    (asked,) = cool.ask()
    cool.tell(asked.trial, 0.1, outcomes={"heat": 90.0})
    assert Enough(patience=4)(cool), "what came breaks them, and nothing else may"
    closer = {"fidelity": {"parameter": "cells", "cost": "cells"}, "algorithm": "auto"}
    mesh = Optimiser(BOX | {"cells": {"type": "int", "bounds": [1, 4]}}, goal="minimise", **closer, **hot)
    for x, heat in ((0.1, 90.0), (0.2, 90.0), (0.3, 90.0), (0.4, 90.0), (0.5, 70.0)):
        mesh.tell(mesh.attach({"x": x, "cells": 1}).trial, x, outcomes={"heat": heat})
        assert Enough(patience=1)(mesh) == (x == 0.4)


def test_of_limits_by_the_reference_it_waits_until_that_was_told():
    relative = {"outcomes": ["heat"], "constraints": ["heat <= reference(heat)"], "reference": {"x": 0.5}}
    for value in (None, 0.2):
        optimiser = Optimiser(BOX, goal="minimise", **relative)
        for x in (0.1, 0.2, 0.3):
            optimiser.tell(optimiser.attach({"x": x}).trial, x, outcomes={"heat": 90.0})
        assert (optimiser.since_best, Enough(patience=3)(optimiser)) == (3, False)
        outcomes = None if value is None else {"heat": 80.0}
        optimiser.tell(optimiser.attach({"x": 0.5}).trial, value, outcomes=outcomes)
        assert Enough(patience=3)(optimiser) == (value is None)


def test_once_limits_by_the_reference_move_trials_still_use_up_what_they_cost():
    mesh = Optimiser(
        BOX | {"cells": {"type": "int", "bounds": [1, 4]}},
        goal="minimise",
        fidelity={"parameter": "cells", "cost": "cells"},
        outcomes=["heat"],
        constraints=["heat <= reference(heat)"],
        reference={"x": 0.5, "cells": 4},
    )
    for cells, heat in ((4, 2.0), (1, 1.0), (1, 1.0), (4, 2.2)):
        mesh.tell(mesh.attach({"x": 0.5, "cells": cells}).trial, 0.1, outcomes={"heat": heat})
    assert mesh.since_best == 1.5


def test_of_several_objectives_a_new_trade_off_renews_patience():
    optimiser = Optimiser(BOX, goal="minimise", objectives={"lift": "maximise"}, **OF_SOBOL)
    counts = []
    for value, lift in ((1.0, 1.0), (2.0, 2.0), (3.0, 1.5), (0.5, 0.5)):
        (asked,) = optimiser.ask()
        optimiser.tell(asked.trial, value, outcomes={"lift": lift})
        counts.append(optimiser.since_best)
    assert counts == [0, 0, 1, 0]
    with pytest.raises(UsageError, match="expected no `target` beside further objectives"):
        minimise(bowl, optimiser, 9, until=Enough(target=0.1))


@pytest.mark.parametrize(
    ("told", "sentence"),
    [
        ({"threshold": 0.5, "algorithm": "auto"}, "no point is the best"),
        ({"clock": "x", "algorithm": "gp-ei"}, "its value may be another by now"),
        ({"blocks": True, "algorithm": "auto"}, "expected no `patience` beside `blocks`"),
    ],
)
def test_it_is_refused_at_once_where_no_result_is_the_best(told, sentence):
    optimiser = Optimiser(BOX | {"y": (0.0, 1.0)}, **told)
    with pytest.raises(UsageError, match=sentence):
        Enough(patience=3)(optimiser)
    assert not Enough(time="1 h")(optimiser)


@pytest.mark.parametrize(
    ("told", "sentence"),
    [
        ({}, r"expected a time, a target or a patience, as Enough\(time=.*, got none"),
        ({"time": "soon"}, "expected as `time` a duration above 0, such as .*, got 'soon'"),
        ({"time": 0}, "expected as `time` a duration above 0"),
        ({"target": "low"}, "expected as `target` a finite number, got 'low'"),
        ({"patience": 2.5}, "expected as `patience` a whole number above 0, got 2.5"),
        ({"timeout": 60}, r"got `timeout`; `time` is how long it may take"),
        ({"n_trials": 60}, r"got `n_trials`; the search is told how many there may be"),
    ],
)
def test_what_is_no_time_target_or_patience_is_refused(told, sentence):
    with pytest.raises(UsageError, match=sentence):
        Enough(**told)


def test_it_is_shown_and_sent_to_other_processes():
    told = Enough(time="1 h 30 min", target=1)
    assert repr(told) == "Enough(time=5400.0, target=1.0, patience=None)"
    assert pickle.loads(pickle.dumps(told)) == told
