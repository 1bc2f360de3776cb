"""What every search by successive halving keeps: who is looked at more closely, and what is new."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest
from trained_population import MIXED, Population, never, seldom

from orchestrator.algorithms import registry
from orchestrator.algorithms.base import AskKey, Noise, Observation, Problem
from orchestrator.errors import SpecError
from orchestrator.parameters.fidelity import Fidelity
from orchestrator.parameters.space import Space

BY_TWO = {"reduction": 2}
RUNGS = (5, 10, 20)
FEW = {
    "kind": {"type": "choice", "values": ["a", "b", "c", "d", "e"]},
    "rate": {"type": "ordered", "values": [0.1, 0.2]},
    "epochs": {"type": "int", "bounds": [5, 20]},
}

both = pytest.mark.parametrize("continues", [True, False])
pytestmark = pytest.mark.parametrize("name", registry.BY_RUNGS)


def searched(
    name: str,
    trials: int,
    at_once: int = 1,
    fails: Callable[[int], bool] = never,
    *,
    continues: bool = True,
    description: Mapping[str, Any] = MIXED,
) -> Population:
    found = Population(name, BY_TWO, dict(description), fails=fails, continues=continues)
    found.train(trials, at_once)
    return found


def settings(parameters: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(value for key, value in sorted(parameters.items()) if key != "epochs")


def promotions(found: Population) -> dict[int, int]:
    """The trial that each looks at more closely, by their numbers."""
    return {
        trial: one.why["halving"]["trial"]
        for trial, one in found.asked.items()
        if one.why["source"] == "halving"
    }


@both
def test_who_is_looked_at_more_closely_has_the_same_settings_a_rung_further(
    name: str, continues: bool
) -> None:
    found = searched(name, 60, at_once=4, fails=seldom, continues=continues)
    promoted = promotions(found)
    assert len(promoted) >= 15
    for trial, before in promoted.items():
        own, other = found.parameters[trial], found.parameters[before]
        assert settings(own) == settings(other)
        assert RUNGS.index(own["epochs"]) == RUNGS.index(other["epochs"]) + 1
        assert found.losses[before] is not None
        assert found.asked[trial].continues == (before if continues else 0)
        assert not found.asked[trial].changed


@both
def test_none_is_promoted_twice_though_others_run(name: str, continues: bool) -> None:
    found = searched(name, 80, at_once=6, fails=seldom, continues=continues)
    looks = Counter((settings(own), own["epochs"]) for own in found.parameters.values())
    assert set(looks.values()) == {1}
    assert set(Counter(promotions(found).values()).values()) == {1}


def test_a_whole_batch_promotes_none_twice_either(name: str) -> None:
    found = Population(name, BY_TWO)
    for _ in range(6):
        for trial in found.ask(8):
            found.tell(trial)
    assert len(set(promotions(found).values())) == len(promotions(found)) > 8
    assert {own["epochs"] for own in found.parameters.values()} == set(RUNGS)


def test_only_what_is_among_the_best_half_of_its_rung_is_promoted(name: str) -> None:
    found = Population(name, BY_TWO, fails=seldom)
    for _ in range(60):
        (trial,) = found.ask()
        told = found.asked[trial].why["halving"]
        if "trial" in told:
            assert 1 <= told["rank"] <= told["of"] // 2
            epochs = found.parameters[told["trial"]]["epochs"]
            same = [one for one, own in found.parameters.items() if own["epochs"] == epochs and one != trial]
            losses = sorted(loss for one in same if (loss := found.losses[one]) is not None)
            loss = found.losses[told["trial"]]
            assert loss is not None
            # In its bracket it stands no worse than among all of the rung.
            assert losses.index(loss) >= told["rank"] - 1
            if name == "asha":
                assert losses.index(loss) == told["rank"] - 1
                assert told["of"] == len(same)
        found.tell(trial)


def test_a_rung_whose_evaluations_fail_sends_nobody_on(name: str) -> None:
    found = searched(name, 12, fails=bool)
    assert promotions(found) == {}
    assert len({settings(own) for own in found.parameters.values()}) == 12


@both
def test_another_that_is_told_the_same_asks_the_same_to_the_bit(name: str, continues: bool) -> None:
    found = searched(name, 40, at_once=3, fails=seldom, continues=continues)
    running = found.ask(4)
    again = found.built()
    again.tell(found.told)
    answer = again.ask(4, [], AskKey(found.asks, running[0]))
    for trial, one in zip(running, answer, strict=True):
        assert (one.point == found.asked[trial].point).all()
        assert (one.continues, one.why) == (found.asked[trial].continues, found.asked[trial].why)


def test_what_is_known_beforehand_stands_at_its_rung_and_begins_from_nothing(name: str) -> None:
    found = Population(name, BY_TWO)
    known = [{**own, "epochs": 5} for own in searched(name, 4, at_once=4).parameters.values()]
    for number, own in enumerate(known):
        found.algorithm.tell([Observation(-number, found.space.encode(own), float(number))])
    (trial,) = found.ask()
    assert settings(found.parameters[trial]) == settings(known[-1])
    assert found.parameters[trial]["epochs"] == 10
    assert found.asked[trial].continues == 0
    assert found.asked[trial].why["halving"]["of"] == 4


def test_of_what_was_stopped_the_forecast_counts_and_nothing_goes_on(name: str) -> None:
    found = Population(name, BY_TWO)
    for trial in found.ask(2):
        point = found.asked[trial].point
        found.algorithm.tell([Observation(trial, point, float(-trial), foreseen=trial == 1)])
        found.losses[trial] = float(trial)
    (third,) = found.ask()
    assert found.asked[third].why["source"] == "start design"


def test_settings_that_run_out_leave_what_waits_to_go_on_before_its_turn(name: str) -> None:
    found = searched(name, 30, description=FEW)
    looks = Counter((settings(own), own["epochs"]) for own in found.parameters.values())
    assert set(looks.values()) == {1}
    assert {one for one, epochs in looks if epochs == 20} == {
        (kind, rate) for kind in "abcde" for rate in (0.1, 0.2)
    }


def test_where_parameters_are_held_only_what_has_them_there_goes_on(name: str) -> None:
    found = searched(name, 30)
    held = found.space.encode({**found.parameters[1], "optimiser": "adam"})
    coordinate = found.space.names.index("optimiser")
    within = found.problem.domain.holding({coordinate: float(held[coordinate])})
    for one in found.algorithm.ask(12, [], AskKey(99, 31, within)):
        own = found.space.suggested(one.point)
        assert own["optimiser"] == "adam"
        if "trial" in one.why["halving"]:
            assert found.parameters[one.why["halving"]["trial"]]["optimiser"] == "adam"


def test_where_it_is_held_how_closely_to_look_all_is_new(name: str) -> None:
    found = searched(name, 30)
    coordinate = found.fidelity.levels.coordinate
    within = found.problem.domain.holding({coordinate: found.fidelity.levels.full})
    asked = found.algorithm.ask(8, [], AskKey(99, 31, within))
    told = {settings(own) for own in found.parameters.values() if own["epochs"] == 20}
    own = [found.space.suggested(one.point) for one in asked]
    assert all(one["epochs"] == 20 for one in own)
    assert len({settings(one) for one in own} - told) == 8


def test_points_are_feasible_and_what_would_not_be_a_rung_further_is_in_nobodys_way(name: str) -> None:
    description = {"x": (0.0, 1.0), "y": (0.0, 1.0), "epochs": {"type": "int", "bounds": [5, 20]}}
    space = Space.from_description(description, ["x + y <= 0.9", "epochs <= 10 or x <= 0.3"])
    fidelity = Fidelity.of(space, "epochs", "epochs")
    algorithm = registry.build(name, Problem(space.domain, fidelity=fidelity.levels), BY_TWO)
    came = Counter[int]()
    for trial in range(1, 61):
        (one,) = algorithm.ask(1, [], AskKey(trial, trial))
        assert space.domain.feasible(one.point[None, :])[0]
        own = space.suggested(one.point)
        came[int(str(own["epochs"]))] += 1
        algorithm.tell([Observation(trial, one.point, float(one.point[0]))])
    assert came[10] > 10
    assert came[20] > 0


def test_where_what_is_held_leaves_no_points_at_the_lowest_rung_new_settings_begin_above_it(
    name: str,
) -> None:
    description = {"x": (0.0, 1.0), "y": (0.0, 1.0), "epochs": {"type": "int", "bounds": [5, 20]}}
    space = Space.from_description(description, ["epochs >= 8 or x <= 0.5"])
    fidelity = Fidelity.of(space, "epochs", "epochs")
    algorithm = registry.build(name, Problem(space.domain, fidelity=fidelity.levels), BY_TWO)
    within = space.domain.holding({0: 0.75})
    asked = [space.suggested(one.point) for one in algorithm.ask(5, [], AskKey(1, 1, within))]
    assert all(own["x"] == 0.75 for own in asked)
    assert asked[0]["epochs"] == 10
    dear = Space.from_description(description, ["epochs >= 8"])
    with pytest.raises(SpecError, match="found none at one of the rungs; narrow the bounds"):
        registry.build(name, Problem(dear.domain, fidelity=fidelity.levels), BY_TWO)


def test_what_breaks_a_constraint_on_outcomes_stands_after_all_that_does_not(name: str) -> None:
    space = Space.from_description(MIXED)
    fidelity = Fidelity.of(space, "epochs", "epochs")
    problem = Problem(space.domain, fidelity=fidelity.levels, outcome_constraints=1)
    algorithm = registry.build(name, problem, BY_TWO)
    lacking = {1: -3.0, 2: 0.5, 3: -0.1, 4: -1.0}
    asked = algorithm.ask(4, [], AskKey(1, 1))
    for trial, one in enumerate(asked, 1):
        slacks = np.array([lacking[trial]])
        algorithm.tell([Observation(trial, one.point, -10.0 * (trial == 2), slacks=slacks)])
    went_on = [one.why["halving"].get("trial") for one in algorithm.ask(3, [], AskKey(2, 5))]
    assert went_on == [2, 3, None]


def test_without_a_choice_of_how_closely_to_look_it_says_what_it_wants(name: str) -> None:
    with pytest.raises(SpecError, match=r"may look less closely for less, as `fidelity: \{parameter"):
        registry.build(name, Problem(Space.from_description(MIXED).domain))


def test_more_rungs_than_costs_allow_are_refused_with_how_many_there_may_be(name: str) -> None:
    with pytest.raises(SpecError, match="no more `rungs` than costs are apart by a factor of 2, 3, got 4"):
        Population(name, {**BY_TWO, "rungs": 4})


def test_a_clock_and_several_objectives_are_refused(name: str) -> None:
    space = Space.from_description(MIXED)
    levels = Fidelity.of(space, "epochs", "epochs").levels
    with pytest.raises(SpecError, match="expected no `clock`"):
        registry.build(name, Problem(space.domain, fidelity=levels, clock=0))
    with pytest.raises(SpecError, match="that trades objectives off"):
        registry.build(name, Problem(space.domain, fidelity=levels, further_objectives=1))


def test_exact_values_are_looked_at_again_nowhere(name: str) -> None:
    found = Population(name, BY_TWO, noise=Noise("known", 0.0))
    found.train(60, at_once=3)
    assert len({tuple(one.point) for one in found.asked.values()}) == 60
