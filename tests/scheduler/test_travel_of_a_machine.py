"""A machine whose settings may travel only so far: where it stands, and what it is not given."""

from __future__ import annotations

from lab import Lab, leased, only
from policies import policy_with

from orchestrator.scheduler.amendment_events import BoundsAmended, PointsAdded
from orchestrator.scheduler.commands import Ask, Evaluate, Tell
from orchestrator.scheduler.event_parts import ON_THE_WAY, Suggested
from orchestrator.scheduler.events import TrialApproved, TrialRefused
from orchestrator.scheduler.mending_events import JournalMended, SavedTrial
from orchestrator.scheduler.transitions import TrialState
from orchestrator.values.travel import Travel


def begun(*points: float, **rules: object) -> Lab:
    """One worker, and a setting that may travel 5."""
    told = {"trials": 9, "mode": "sequential", "travel": {"x": Travel(5.0)}, **rules}
    lab = Lab(policy_with(**told))  # type: ignore[arg-type]
    lab.start(points=tuple({"x": x} for x in points))
    lab.join("w1")
    return lab


def suggest(lab: Lab, x: float, **why: object) -> list[object]:
    """The answer to the ask that is under way."""
    return list(lab.answer(Suggested(parameters={"x": x}, why=why)))


def try_at(lab: Lab, *places: float) -> None:
    lab.happen(PointsAdded(at=lab.tick(), points=tuple({"x": x} for x in places)))


def approve(lab: Lab, trial: int) -> None:
    lab.happen(TrialApproved(at=lab.tick(), trial=trial))


def last_ask(lab: Lab) -> Ask:
    return only(Ask, lab.commands)[-1]


def test_every_ask_says_where_the_machine_stands_whatever_came_of_the_trial_there() -> None:
    lab = begun(20.0, attempts=1)
    lab.succeed("1.1")
    assert last_ask(lab).stands == {"x": 20.0}
    suggest(lab, 24.0)
    lab.fail("2.1")
    assert (lab.trial(2).state, last_ask(lab).stands) == (TrialState.FAILED, {"x": 24.0})


def test_without_limits_nobody_says_where_anything_stands() -> None:
    lab = begun(20.0, travel={})
    lab.succeed("1.1")
    assert last_ask(lab).stands == {}


def test_a_machine_does_not_stand_where_it_never_was() -> None:
    lab = begun(20.0, approval=True)
    approve(lab, 1)
    lab.succeed("1.1")
    suggest(lab, 24.0)
    lab.happen(TrialRefused(at=lab.tick(), trial=2, reason="too hot"))
    assert last_ask(lab).stands == {"x": 20.0}


def test_the_first_trial_is_where_it_stands_even_if_it_is_left_out() -> None:
    lab = begun(20.0, approval=True)
    lab.happen(BoundsAmended(at=lab.tick(), bounds={"x": (22.0, 90.0)}))
    assert (lab.trial(1).state, last_ask(lab).stands) == (TrialState.ABANDONED, {"x": 20.0})


def test_what_was_chosen_before_a_person_moved_the_machine_away_is_chosen_anew() -> None:
    lab = begun(20.0, approval=True)
    approve(lab, 1)
    lab.succeed("1.1")
    suggest(lab, 17.0)
    try_at(lab, 24.0)
    approve(lab, 3)
    assert leased(lab.commands)[-1] == "3.1"
    lab.succeed("3.1")
    approve(lab, 2)
    assert (lab.trial(2).state, lab.trial(2).attempts.given) == (TrialState.ABANDONED, 0)
    assert lab.state.tally.withdrawn == 1
    assert lab.trial(2).message == ("x = 17 is too far from 24, where it may travel 5: 2 evaluations away")
    assert last_ask(lab).stands == {"x": 24.0}


def test_a_worker_that_joins_beside_the_machine_is_given_nothing_until_that_is_gone() -> None:
    lab = begun(20.0, attempts=9)
    lab.join("w2")
    lab.succeed("1.1")
    suggest(lab, 24.0)
    for attempt in range(1, 5):
        # However sick it is: there is no other machine that stands there.
        assert only(Evaluate, lab.commands)[-1].worker == "w1"
        lab.fail(f"2.{attempt}")
    lab.leave("w1")
    assert only(Evaluate, lab.commands)[-1].worker == "w2"


def test_points_of_a_person_are_reached_from_one_another() -> None:
    lab = begun(20.0)
    try_at(lab, 24.0, 28.0)
    assert lab.state.will_stand == {"x": 28.0}
    lab.succeed("1.1")
    lab.succeed("2.1")
    lab.succeed("3.1")
    assert (lab.state.tally.completed, last_ask(lab).stands) == (3, {"x": 28.0})


def test_the_same_events_again_leave_the_machine_where_it_was() -> None:
    lab = begun(20.0)
    lab.succeed("1.1")
    suggest(lab, 24.0)
    lab.leave("w1")
    again = Lab(lab.policy)
    for event in lab.events:
        again.happen(event)
    assert again.state.stands == lab.state.stands == {"x": 24.0}


def test_a_mended_journal_says_where_the_machine_was_last() -> None:
    lab = begun(20.0)
    saved = [
        SavedTrial(number=number, suggested=Suggested(parameters={"x": x}), value=1.0)
        for number, x in ((1, 20.0), (2, 24.0), (3, 28.0))
    ]
    lab.happen(JournalMended(at=lab.tick(), wall="", asks=2, trials=tuple(saved), lost=1, last_given=2))
    lab.resume()
    lab.join("w2")
    assert last_ask(lab).stands == {"x": 24.0}


def test_the_optimiser_is_told_which_trials_were_only_on_the_way() -> None:
    lab = begun(20.0)
    lab.succeed("1.1")
    suggest(lab, 25.0, source=ON_THE_WAY, towards={"x": 80.0})
    (tell,) = only(Tell, lab.succeed("2.1"))
    assert (tell.on_the_way, tell.held) == (True, False)
    suggest(lab, 26.0, source="model")
    (tell,) = only(Tell, lab.succeed("3.1"))
    assert not tell.on_the_way
