"""Rungs, who stands how at them, and who goes on, whatever comes in whichever order."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from orchestrator.algorithms import registry
from orchestrator.algorithms.base import AskKey, Observation, Problem
from orchestrator.algorithms.halving.promotion import promotable, ranks
from orchestrator.algorithms.halving.rungs import is_at, reached, rungs_of
from orchestrator.parameters.fidelity import Fidelity
from orchestrator.parameters.space import Space

NONE = np.empty((4, 0))


@pytest.mark.parametrize(
    ("told", "cost", "reduction", "rungs", "values"),
    [
        ({"type": "int", "bounds": [1, 81]}, "n", 3, None, [1, 3, 9, 27, 81]),
        ({"type": "int", "bounds": [1, 81]}, "n", 3, 3, [9, 27, 81]),
        ({"type": "int", "bounds": [5, 40]}, "n", 3, None, [5, 14, 40]),
        ({"type": "int", "bounds": [1, 10**7]}, "n", 10, None, [10**k for k in range(8)]),
        ({"type": "ordered", "values": [1, 2, 4, 8, 16, 32, 64]}, "n", 4, None, [1, 4, 16, 64]),
        ({"type": "ordered", "values": [1, 8, 64]}, "n", 3, None, [1, 8, 64]),
        ({"type": "ordered", "values": ["a", "b"]}, {"a": 1, "b": 1}, 3, None, ["b"]),
        ({"type": "ordered", "values": ["a", "b", "c"]}, {"a": 3, "b": 1, "c": 9}, 3, None, ["b", "c"]),
        ({"type": "int", "bounds": [1, 27]}, None, 3, None, [1, 3, 9, 27]),
    ],
)
def test_rungs_lie_a_factor_of_cost_apart_where_there_are_values_for_it(
    told: dict[str, object], cost: str | None, reduction: int, rungs: int | None, values: list[object]
) -> None:
    space = Space.from_description({"x": (0.0, 1.0), "n": told})
    fidelity = Fidelity.of(space, "n", cost)
    found = rungs_of(space.domain, fidelity.levels, reduction, rungs)
    assert [fidelity.parameter.decode(float(position)) for position in found] == values
    for rung, position in enumerate(found):
        assert reached(found, float(position)) == rung
        assert is_at(found, rung, float(position))


def test_full_fidelity_may_be_the_lower_end() -> None:
    space = Space.from_description({"x": (0.0, 1.0), "step": {"type": "float", "bounds": [0.1, 2.7]}})
    fidelity = Fidelity.of(space, "step", "1 / step", full=0.1)
    found = rungs_of(space.domain, fidelity.levels, 3)
    assert (found[0], found[-1]) == (1.0, 0.0)
    assert (np.diff(found) < 0).all()
    assert [reached(found, position) for position in (1.0, 0.999, 0.0)] == [0, 0, len(found) - 1]


def test_what_looks_less_closely_than_the_lowest_rung_came_to_none() -> None:
    assert reached(np.array([0.2, 0.5, 1.0]), 0.1) == -1
    assert not is_at(np.array([0.2, 0.5, 1.0]), -1, 1.0)


def test_failures_stand_after_what_breaks_constraints_and_that_after_the_rest() -> None:
    values = np.array([5.0, np.nan, 1.0, 2.0])
    slacks = np.array([[-1.0], [1.0], [-0.5], [0.0]])
    assert list(ranks(values, slacks)) == [2, 3, 1, 0]
    assert list(ranks(values, NONE)) == [0, 3, 2, 1]


def test_among_equals_the_first_told_leads() -> None:
    assert list(ranks(np.array([1.0, 2.0, 2.0, 1.0]), NONE)) == [2, 0, 1, 3]


@given(waiting=st.lists(st.booleans(), max_size=30), reduction=st.integers(2, 5))
def test_only_who_waits_among_the_first_may_go_on(waiting: list[bool], reduction: int) -> None:
    found = list(promotable(range(len(waiting)), reduction, waiting.__getitem__))
    assert found == [place for place in range(len(waiting) // reduction) if waiting[place]]


Step = tuple[bool, int, float | None]
steps = st.lists(
    st.tuples(st.booleans(), st.integers(0, 5), st.one_of(st.none(), st.floats(-1.0, 1.0))),
    min_size=10,
    max_size=60,
)


@pytest.mark.parametrize("name", registry.BY_RUNGS)
@given(told=steps)
def test_whatever_is_told_in_whichever_order_none_goes_on_twice_or_from_below_its_share(
    name: str, told: list[Step]
) -> None:
    space = Space.from_description({"x": (0.0, 1.0), "n": {"type": "ordered", "values": [1, 2, 4]}})
    problem = Problem(space.domain, fidelity=Fidelity.of(space, "n", "n", continues=True).levels)
    algorithm = registry.build(name, problem, {"reduction": 2})
    running: dict[int, np.ndarray] = {}
    came = Counter[tuple[float, float]]()
    known: dict[int, tuple[float, float, float | None]] = {}
    for ask, (asks, which, value) in enumerate(told, 1):
        if asks or not running:
            first = sum(came.values()) + 1
            (one,) = algorithm.ask(1, list(running.values()), AskKey(ask, first))
            x, n = (float(position) for position in one.point)
            came[x, n] += 1
            assert came[x, n] == 1
            if one.continues:
                before_x, before_n, own = known[one.continues]
                assert before_x == x
                assert before_n < n
                assert own is not None
                rung = [v for _, other_n, v in known.values() if other_n == before_n]
                better = sum(v is not None and v > own for v in rung)
                assert name != "asha" or better < len(rung) // 2
            running[first] = one.point
        else:
            trial = list(running)[which % len(running)]
            point = running.pop(trial)
            known[trial] = (float(point[0]), float(point[1]), value)
            algorithm.tell([Observation(trial, point, value)])
