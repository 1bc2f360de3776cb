"""What every algorithm keeps that trains a population: what goes on from what, with which settings."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from trained_population import MIXED, Population, seldom

from orchestrator.algorithms import registry
from orchestrator.algorithms.base import AskKey, Problem
from orchestrator.errors import SpecError
from orchestrator.parameters.space import Space

OPTIONS = {"population": 4, "pieces": 4}
PIECES = (5, 10, 15, 20)
NONE_YET = "0 trainings began; none came to all steps yet"

pytestmark = pytest.mark.parametrize("name", registry.IN_PIECES)


def test_each_piece_goes_on_from_one_that_ended_where_it_begins(name: str) -> None:
    population = Population(name, OPTIONS, fails=seldom)
    population.train(26, at_once=3)
    for trial, one in population.asked.items():
        rung = PIECES.index(population.parameters[trial]["epochs"])
        assert (one.continues > 0) == (rung > 0)
        if rung:
            before = population.parameters[one.continues]
            assert before["epochs"] == PIECES[rung - 1]
            assert population.losses[one.continues] is not None
            own = {**population.parameters[trial], "epochs": before["epochs"]}
            assert one.changed or own == before
    assert any(one.changed for one in population.asked.values())
    assert sum(one.continues == 0 for one in list(population.asked.values())[:8]) >= 4


def test_all_begin_before_any_goes_on_and_all_come_to_all_steps(name: str) -> None:
    population = Population(name, OPTIONS)
    population.train(16)
    ended = Counter(own["epochs"] for own in population.parameters.values())
    assert ended == dict.fromkeys(PIECES, 4)
    assert [own["epochs"] for own in population.parameters.values()][:8] == [5] * 4 + [10] * 4
    notes = [made.insight().notes for made in (population.algorithm, population.built())]
    assert notes == [["4 trainings began; all steps were come to 4 times"], [NONE_YET]]


def test_the_worst_goes_on_from_what_one_of_the_best_left_with_other_settings(name: str) -> None:
    population = Population(name, OPTIONS)
    population.train(8)
    first = {trial: population.losses[trial] for trial in range(1, 5)}
    worst, best = max(first, key=first.__getitem__), min(first, key=first.__getitem__)
    ways = {one.why["population"]["training"]: one for one in list(population.asked.values())[4:]}
    assert sorted(ways) == [1, 2, 3, 4]
    assert (ways[worst].continues, ways[worst].changed) == (best, True)
    assert all(one.continues == trial and not one.changed for trial, one in ways.items() if trial != worst)


def test_what_failed_is_done_again_with_other_settings(name: str) -> None:
    population = Population(name, OPTIONS, fails=lambda trial: trial == 6)
    population.train(17)
    (again,) = (
        trial for trial, one in population.asked.items() if one.why.get("population", {}).get("again")
    )
    assert population.asked[again].changed
    assert population.parameters[again]["epochs"] == population.parameters[6]["epochs"]
    assert population.parameters[again] != population.parameters[6]
    ended = [own for trial, own in population.parameters.items() if trial != 6]
    assert Counter(own["epochs"] for own in ended) == dict.fromkeys(PIECES, 4)


def test_another_that_is_told_the_same_asks_the_same_to_the_bit(name: str) -> None:
    population = Population(name, OPTIONS, fails=seldom)
    population.train(18, at_once=2)
    running = population.ask(2)
    again = population.built()
    number = 0
    for told in population.told:
        again.tell([told])
        while (due := again.refit_due()) is not None:
            number = due
            again.adopt(again.compute_refit(due))
    answer = again.ask(2, [], AskKey(population.asks, running[0]))
    for trial, one in zip(running, answer, strict=True):
        other = population.asked[trial]
        assert (one.point == other.point).all()
        assert (one.continues, one.changed) == (other.continues, other.changed)
    assert number > 0 or name == "pbt"


def test_a_whole_population_is_asked_for_at_once(name: str) -> None:
    population = Population(name, OPTIONS)
    for epochs in PIECES:
        trials = population.ask(4)
        assert {population.parameters[trial]["epochs"] for trial in trials} == {epochs}
        for trial in trials:
            population.tell(trial)
    # Then another begins.
    assert {population.parameters[trial]["epochs"] for trial in population.ask(4)} == {5}


@pytest.mark.parametrize(("said", "last"), [({"trials": 20}, PIECES), ({"budget": 4.5}, PIECES[2:])])
def test_the_last_of_a_budget_goes_on_from_what_it_pays_the_rest_of(
    name: str, said: dict[str, Any], last: tuple[int, ...]
) -> None:
    population = Population(name, OPTIONS, **said)
    population.train(16 + len(last))
    assert tuple(population.parameters[trial]["epochs"] for trial in list(population.asked)[16:]) == last
    first = population.asked[17]
    assert bool(first.continues) == first.changed == (last[0] != 5)


def test_no_training_begins_whose_end_would_be_paid_with_what_those_that_run_need(name: str) -> None:
    population = Population(name, OPTIONS, trials=28)
    population.train(28, at_once=4)
    assert sum(one.continues == 0 for one in population.asked.values()) == 7
    assert sum(own["epochs"] == PIECES[-1] for own in population.parameters.values()) >= 7


def test_a_population_is_as_large_as_the_budget_has_one_of_it_come_to_all_steps(name: str) -> None:
    population = Population(name, {"pieces": 4}, budget=2.5)
    population.train(10)
    assert [own["epochs"] for own in population.parameters.values()][:4] == [5, 5, 5, 10]
    assert population.parameters[10]["epochs"] == 20


def test_without_trainings_in_pieces_it_says_what_it_wants(name: str) -> None:
    with pytest.raises(SpecError, match=r"trainings that go on in pieces, as `fidelity: \{parameter"):
        registry.build(name, Problem(Space.from_description(MIXED).domain))


def test_a_fifth_of_what_runs_may_come_to_nothing(name: str) -> None:
    rng = np.random.default_rng(1)
    failed = set(rng.choice(np.arange(1, 41), 12, replace=False).tolist())
    population = Population(name, OPTIONS, fails=lambda trial: trial in failed)
    population.train(40, at_once=5)
    assert any(own["epochs"] == 20 for own in population.parameters.values())
