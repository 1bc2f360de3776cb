"""Trials that run at a time and are alike in some parameters, as samples that are in one oven are."""

from __future__ import annotations

from collections.abc import Mapping

from lab import Lab, leased, only
from policies import policy_with

from orchestrator.scheduler.amendment_events import PointsAdded
from orchestrator.scheduler.commands import Ask, Evaluate, Tell
from orchestrator.scheduler.event_parts import ROUND, Suggested


def begun(*heats: float, workers: int = 3, **rules: object) -> Lab:
    """Rounds of three in one oven, whose heat they share, after trials at these."""
    told = {"trials": 12, "mode": "synchronous", "batch": 3, "sharing": ("heat",), **rules}
    lab = Lab(policy_with(**told))  # type: ignore[arg-type]
    lab.start(points=tuple(point(heat, x) for x, heat in enumerate(heats)), in_turn=True)
    lab.join("w1", slots=workers)
    return lab


def point(heat: float, x: float = 0.0) -> Mapping[str, float]:
    return {"heat": heat, "x": x}


def answer(lab: Lab, heat: float) -> None:
    """The ask that is under way gets a round of this heat, which its first trial settles."""
    first = len(lab.state.trials) + 1
    chosen = tuple(
        Suggested(
            parameters=point(heat, x),
            why={} if x == 0 else {ROUND: {"of": first, "shares": {"heat": heat}}},
        )
        for x in range(lab.state.optimiser.asking or 0)
    )
    lab.answer(*chosen)


def running(lab: Lab) -> list[float]:
    return [one.parameters["heat"] for one in lab.state.trials.values() if one.lease is not None]


def test_a_round_is_asked_for_by_what_it_shares() -> None:
    lab = begun()
    (ask,) = only(Ask, lab.commands)
    assert (ask.count, ask.sharing) == (3, ("heat",))


def test_first_points_of_another_heat_wait_until_nothing_of_the_one_before_runs() -> None:
    lab = begun(80.0, 80.0, 95.0)
    assert running(lab) == [80.0, 80.0]
    lab.succeed("1.1")
    assert running(lab) == [80.0]
    lab.succeed("2.1")
    assert running(lab) == [95.0]


def test_what_fits_the_oven_as_it_is_goes_before_what_does_not() -> None:
    lab = begun(80.0, 95.0, 80.0)
    assert running(lab) == [80.0, 80.0]


def test_without_it_all_first_points_run_at_a_time() -> None:
    assert running(begun(80.0, 95.0, 80.0, sharing=())) == [80.0, 95.0, 80.0]


def test_a_point_of_a_person_waits_for_the_round_that_is_in_the_oven() -> None:
    lab = begun()
    answer(lab, 60.0)
    lab.succeed("1.1")
    lab.happen(PointsAdded(at=lab.tick(), points=(point(99.0),)))
    assert running(lab) == [60.0, 60.0]
    lab.succeed("2.1")
    lab.succeed("3.1")
    assert running(lab) == [99.0]


def test_what_failed_is_tried_again_before_the_next_round_is_asked_for() -> None:
    lab = begun()
    answer(lab, 60.0)
    for lease in ("1.1", "2.1"):
        lab.succeed(lease)
    lab.fail("3.1")
    assert leased(only(Evaluate, lab.commands)[-1:]) == ["3.2"]
    assert lab.state.optimiser.asking is None
    lab.succeed("3.2")
    assert lab.state.optimiser.asking == 3


def test_the_optimiser_is_told_which_trials_were_chosen_beside_another_one() -> None:
    lab = begun()
    answer(lab, 60.0)
    for lease in ("1.1", "2.1", "3.1"):
        lab.succeed(lease)
    assert [told.held for told in only(Tell, lab.commands)] == [False, True, True]
