"""Amendments that name very many trials: what they name is not looked through for each trial of the run."""

from __future__ import annotations

from typing import NoReturn

from lab import Lab
from policies import policy_with

from orchestrator.scheduler.amendment_events import (
    CandidatesAdded,
    ConstraintsAmended,
    ObservationsForgotten,
    ResultsAdded,
)
from orchestrator.scheduler.event_parts import KnownResult
from orchestrator.values.candidates import ONE_OF_THEM


class LookedThrough(tuple[int, ...]):
    """Numbers of trials, of which there may be as many as a run has: asked one by one, its square."""

    def __contains__(self, number: object) -> NoReturn:
        raise AssertionError(f"all of them were looked through for trial {number}")


def of_three_values() -> Lab:
    lab = Lab(policy_with(trials=10))
    lab.start()
    lab.join("w1")
    for value in (9.0, 5.0, 2.0):
        lab.suggest()
        lab.succeed(lab.leases("w1")[0], value)
    return lab


def test_what_breaks_a_constraint_is_known_without_looking_through_all_that_do() -> None:
    lab = of_three_values()
    broken = LookedThrough((1, 2))
    lab.happen(ConstraintsAmended(at=lab.tick(), added={"x >= 2": broken}, of_outcomes=("x >= 2",)))
    assert [trial.broken for trial in lab.state.observed] == [("x >= 2",), ("x >= 2",), ()]
    assert lab.state.found.best is lab.trial(3)


def test_what_is_forgotten_is_known_without_looking_through_all_that_is() -> None:
    lab = of_three_values()
    lab.happen(ObservationsForgotten(at=lab.tick(), trials=LookedThrough((1, 3)), reason="unplugged"))
    assert [trial.forgotten for trial in lab.state.observed] == ["unplugged", "", "unplugged"]
    assert lab.state.found.best is lab.trial(2)


def test_results_that_are_of_rows_by_now_are_known_without_looking_through_all_that_are() -> None:
    lab = of_three_values()
    results = tuple(KnownResult(parameters={"x": x}, value=1.0, broken=(ONE_OF_THEM,)) for x in (4.0, 5.0))
    lab.happen(ResultsAdded(at=lab.tick(), results=results))
    numbers = [trial.number for trial in lab.state.observed[3:]]
    rows = CandidatesAdded(at=lab.tick(), columns={"x": (4.0,)}, listed=LookedThrough(numbers[:1]))
    lab.happen(rows)
    assert [trial.broken for trial in lab.state.observed[3:]] == [(), (ONE_OF_THEM,)]
