"""Amendments that name very many trials: what they name is not looked through for each trial of the run."""

from __future__ import annotations

from typing import NoReturn

from lab import Lab

from orchestrator.scheduler.amendment_events import ConstraintsAmended, ObservationsForgotten
from orchestrator.scheduler.rules.policy import Policy


class LookedThrough(tuple[int, ...]):
    """Numbers of trials, of which there may be as many as a run has: asked one by one, its square."""

    def __contains__(self, number: object) -> NoReturn:
        raise AssertionError(f"all of them were looked through for trial {number}")


def of_three_values() -> Lab:
    lab = Lab(Policy(trials=10))
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
    assert lab.state.best is lab.trial(3)


def test_what_is_forgotten_is_known_without_looking_through_all_that_is() -> None:
    lab = of_three_values()
    lab.happen(ObservationsForgotten(at=lab.tick(), trials=LookedThrough((1, 3)), reason="unplugged"))
    assert [trial.forgotten for trial in lab.state.observed] == ["unplugged", "", "unplugged"]
    assert lab.state.best is lab.trial(2)
