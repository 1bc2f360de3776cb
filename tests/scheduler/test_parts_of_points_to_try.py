"""Points of which the spec says a part: when the rest of each is asked for, and what becomes of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from lab import Lab, leased, only
from policies import policy_with

from orchestrator.scheduler.amendment_events import HeldAmended, ResultsAdded
from orchestrator.scheduler.commands import Ask, Tell
from orchestrator.scheduler.event_parts import KnownResult, PartLeftOut, Suggested
from orchestrator.scheduler.mending_events import JournalMended, SavedTrial
from orchestrator.scheduler.transitions import Phase, TrialState
from orchestrator.scheduler.words.story import story

HOT, COLD = {"x": 80.0}, {"x": 20.0}


def begun(points: int = 0, **rules: object) -> Lab:
    lab = Lab(policy_with(**{"trials": 10, **rules}))  # type: ignore[arg-type]
    lab.start(points=tuple({"x": float(n), "y": 0.0} for n in range(points)), parts=(HOT, COLD), in_turn=True)
    return lab


def answer(lab: Lab, *parts: Mapping[str, Any], left_out: tuple[PartLeftOut, ...] = ()) -> list[object]:
    """A point for each of the parts, some of which may be empty."""
    made = tuple(
        Suggested(parameters={"x": 0.0, **lab.state.places, **part, "y": 1.0}, part=part) for part in parts
    )
    return list(lab.answer(*made, left_out=left_out))


def wanted(lab: Lab) -> tuple[int, tuple[object, ...]]:
    """How many points the last ask is for, and which parts they have."""
    ask = only(Ask, lab.commands)[-1]
    return ask.count, ask.parts


def test_one_at_a_time_each_has_its_turn_after_the_whole_points() -> None:
    lab = begun(1, mode="sequential")
    assert only(Ask, lab.commands) == []
    (lease,) = leased(lab.join("w1"))
    lab.succeed(lease)
    assert wanted(lab) == (1, (HOT, COLD))
    (lease,) = leased(answer(lab, HOT))
    assert (lab.trial(2).suggested.part, lab.trial(2).ask, lab.trial(2).held) == (HOT, 1, {})
    (tell,) = only(Tell, lab.succeed(lease))
    assert (tell.completed, tell.attached, tell.held) == (True, False, False)
    assert wanted(lab) == (1, (COLD,))
    (lease,) = leased(answer(lab, COLD))
    lab.succeed(lease)
    assert wanted(lab) == (1, ())


def test_several_at_a_time_share_an_ask_and_are_its_first_points() -> None:
    lab = begun()
    lab.join("w1", slots=3)
    answer(lab, *[HOT, COLD][: wanted(lab)[0]])
    assert wanted(lab) == (2, (COLD,))
    answer(lab, COLD, {})
    assert lab.state.waiting.parts == ()
    assert [trial.suggested.part for trial in lab.state.trials.values()] == [HOT, COLD, {}]


def test_a_round_begins_with_them_once_that_of_the_whole_points_is_over() -> None:
    lab = begun(1, mode="synchronous", batch=3)
    (lease,) = leased(lab.join("w1", slots=3))
    assert only(Ask, lab.commands) == []
    lab.succeed(lease)
    assert wanted(lab) == (3, (HOT, COLD))


def test_a_later_life_asks_for_what_was_not_answered_and_keeps_what_was() -> None:
    lab = begun(mode="sequential")
    answer(lab, HOT)
    parameters = dict(lab.trial(1).parameters)
    lab.stop()
    lab.resume()
    (lease,) = leased(lab.join("w1"))
    assert lab.trial(1).parameters == parameters
    lab.succeed(lease)
    assert wanted(lab) == (1, (COLD,))
    again = Lab(lab.policy)
    for event in lab.events:
        again.happen(event)
    assert again.state == lab.state


def test_what_is_held_comes_beside_what_is_said() -> None:
    lab = begun(mode="sequential", held={"z": 1})
    answer(lab, HOT)
    assert (lab.trial(1).held, only(Ask, lab.commands)[-1].held) == ({"z": 1}, {"z": 1})


def test_one_beside_which_nothing_can_be_chosen_any_more_is_left_out_and_that_is_said() -> None:
    lab = begun(mode="sequential")
    lab.happen(HeldAmended(at=lab.tick(), held={"y": 1.0}))
    answer(lab, {}, left_out=(PartLeftOut(part=HOT, why="no point was found"),))
    assert lab.state.waiting.parts == (COLD,)
    (said,) = [line for line in story(lab.policy, lab.events) if "not tried" in line]
    assert said.endswith("x = 80 is not tried, as the rest cannot be chosen beside it: no point was found")


def test_what_is_saved_of_a_damaged_journal_is_not_asked_for_again() -> None:
    lab = begun(mode="sequential")
    saved = SavedTrial(number=1, suggested=Suggested(parameters={**COLD, "y": 1.0}, part=COLD), ask=1)
    lab.happen(JournalMended(at=lab.tick(), wall="", lost=1, asks=1, trials=(saved,)))
    assert (lab.trial(1).suggested.part, lab.state.waiting.parts) == (COLD, (HOT,))


def test_one_that_may_not_be_safe_any_more_has_the_rest_chosen_anew() -> None:
    lab = begun(mode="sequential", kept=("heat <= 3",), outcomes=("heat",))
    answer(lab, HOT)
    assert lab.state.waiting.parts == (COLD,)
    hot = KnownResult(parameters={"x": 1.0, "y": 1.0}, value=1.0, broken=("heat <= 3",), outcomes={"heat": 4})
    lab.happen(ResultsAdded(at=lab.tick(), results=(hot,)))
    assert lab.trial(1).state is TrialState.ABANDONED
    assert wanted(lab) == (1, (HOT, COLD))


def test_one_whose_rest_is_elsewhere_than_what_is_held_by_now_has_that_chosen_anew() -> None:
    lab = begun(mode="sequential")
    answer(lab, HOT)
    lab.happen(HeldAmended(at=lab.tick(), held={"y": 2.0}))
    assert lab.trial(1).state is TrialState.ABANDONED
    assert wanted(lab) == (1, (HOT, COLD))


def test_several_that_are_left_out_at_once_are_asked_for_again_in_their_order() -> None:
    lab = begun(mode="synchronous", batch=2)
    answer(lab, HOT, COLD)
    lab.happen(HeldAmended(at=lab.tick(), held={"y": 2.0}))
    assert [lab.trial(number).state for number in (1, 2)] == [TrialState.ABANDONED] * 2
    assert lab.state.waiting.parts == (HOT, COLD)


def test_one_that_is_not_sure_enough_yet_lets_others_pass_and_is_asked_for_again() -> None:
    lab = begun(1, mode="sequential", kept=("heat <= 3",), outcomes=("heat",))
    (lease,) = leased(lab.join("w1"))
    lab.succeed(lease)
    (lease,) = leased(answer(lab, COLD))
    lab.succeed(lease)
    assert wanted(lab) == (1, (HOT,))


@pytest.mark.parametrize("trials", [1, 2])
def test_the_budget_pays_for_them_as_for_others(trials: int) -> None:
    lab = begun(mode="sequential", trials=trials)
    lab.join("w1")
    for part in [HOT, COLD][:trials]:
        (lease,) = leased(answer(lab, part))
        lab.succeed(lease)
    assert lab.state.phase is Phase.FINISHED
