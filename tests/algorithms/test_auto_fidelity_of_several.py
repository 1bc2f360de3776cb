"""Of several objectives, and beside constraints on outcomes, an evaluation may look less closely, too."""

import functools
from dataclasses import replace

import numpy as np
import pytest
from fidelity_stories import LEVELS, POSITIONS, alike, problem, refitted, unlike

from orchestrator.algorithms import registry
from orchestrator.algorithms.base import AskKey, Observation

ALIKE, UNLIKE = "alike", "unlike"
NOWHERE = np.empty((0, 3))


def other(x, z):
    """As `alike`, and not best where that is."""
    return float(np.cos(5 * x[0]) + np.sin(8 * x[1]))


@functools.cache
def trading(further):
    """`auto` after fourteen results of two objectives, the last two at full fidelity."""
    algorithm = registry.build("auto", replace(problem(), further_objectives=1))
    points = problem().domain.sample(14, np.random.default_rng(3))
    points[12:, 2] = 1.0
    of = {ALIKE: other, UNLIKE: unlike}[further]
    told = [(p, alike(p[:2], p[2]), np.array([of(p[:2], p[2])])) for p in points]
    algorithm.tell([Observation(i, p, v, further=w) for i, (p, v, w) in enumerate(told, start=1)])
    return refitted(algorithm)


def told_at(further):
    """What values at each level tell of a point, and of its value alone."""
    algorithm, candidates = trading(further), np.tile([0.5, 0.5, 1.0], (len(POSITIONS), 1))
    candidates[:, 2] = POSITIONS
    learned, chooser = algorithm._learned, algorithm._fidelity
    both = chooser.told(candidates, learned.belief, NOWHERE, learned.further)
    return both, chooser.told(candidates, learned.belief, NOWHERE)


def test_what_a_look_tells_of_all_objectives_counts_alike():
    alike, alone = told_at(ALIKE)
    assert alike[0] > 0.5
    unlike, _ = told_at(UNLIKE)
    assert unlike[0] < alike[0] - 0.2
    assert unlike[-1] == pytest.approx(1.0, abs=1e-3)
    assert alone[0] > 0.5


def test_where_the_front_may_grow_it_looks_less_closely_and_predicts_all_objectives_there():
    algorithm = trading(ALIKE)
    found = algorithm.ask(2, [], AskKey(1, 15))
    assert {float(s.point[2]) for s in found} <= set(POSITIONS.tolist())
    assert found[0].point[2] < 1.0
    assert found[0].why["search"] in ("front", "nearby")
    assert found[0].why["fidelity"]["cost"] == LEVELS.costs_of(found[0].point[None, :])[0]
    assert len(found[0].further) == 1
    again = algorithm.ask(2, [], AskKey(1, 15))
    assert [s.point.tolist() for s in again] == [s.point.tolist() for s in found]


def test_beside_parameters_that_are_held_it_trades_off_as_well():
    algorithm = trading(ALIKE)
    held = algorithm.ask(1, [], AskKey(1, 15, algorithm._problem.domain.holding({0: 0.25})))
    assert held[0].point[0] == 0.25
    assert float(held[0].point[2]) in POSITIONS.tolist()


def constrained():
    """`auto` after twenty results, of which those at full fidelity break a constraint."""
    algorithm = registry.build("auto", replace(problem(), outcome_constraints=1))
    points = problem().domain.sample(20, np.random.default_rng(3))
    points[:, 0] *= np.where(points[:, 2] == 1.0, 0.4, 1.0)
    told = [(p, alike(p[:2], p[2]), np.array([p[0] - 0.5])) for p in points]
    algorithm.tell([Observation(i, p, v, slacks=s) for i, (p, v, s) in enumerate(told, start=1)])
    return refitted(algorithm)


def test_constraints_on_outcomes_are_learned_at_all_fidelities_and_satisfied_at_full_fidelity_alone():
    algorithm = constrained()
    assert (algorithm._history.slacks[:, 0] >= 0.0).any()
    assert not algorithm._history.satisfied
    found = algorithm.ask(3, [], AskKey(1, 21))
    assert all(s.point[0] > 0.45 for s in found)
    recommended = algorithm.recommend(None)
    assert recommended.point[2] == 1.0
    assert recommended.point[0] > 0.45
    algorithm.tell([Observation(21, np.array([0.55, 0.4, 1.0]), 0.0, slacks=np.array([0.05]))])
    assert algorithm._history.satisfied
