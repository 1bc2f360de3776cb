"""A journal of very many trials is mended line by line: each line costs as much as the first."""

from __future__ import annotations

from typing import NoReturn

from orchestrator.runtime.recovery.trials_behind import AtTheDamage, Made, TrialsBehind
from orchestrator.scheduler.event_parts import Suggested
from orchestrator.scheduler.events import ResultArrived, SuggestionsMade

AT_THE_DAMAGE = AtTheDamage(answered=1, held={}, at=1.0, block="")


class GoneThrough(dict[int, Made]):
    """Trials by their numbers, of which there may be very many: gone through at each line, their square."""

    def __iter__(self) -> NoReturn:
        raise AssertionError("all trials were gone through for one line")


def suggested(ask: int, first: int, count: int = 1) -> SuggestionsMade:
    made = tuple(Suggested(parameters={"x": first + k}) for k in range(count))
    return SuggestionsMade(at=2.0, ask=ask, suggestions=made, first_trial=first)


def points_of(trials: TrialsBehind) -> dict[int, object]:
    return {number: made.suggested.parameters["x"] for number, made in trials.made.items()}


def test_suggestions_are_taken_in_without_going_through_all_trials_before_them() -> None:
    trials = TrialsBehind(1, AT_THE_DAMAGE)
    trials.made = GoneThrough()
    for ask, first in ((2, 2), (3, 3), (4, 4)):
        trials.take(suggested(ask, first))
    assert points_of(trials) == {2: 2, 3: 3, 4: 4}


def test_what_was_asked_for_and_never_made_is_forgotten_as_far_as_the_next_trials_have_its_numbers() -> None:
    trials = TrialsBehind(1, AT_THE_DAMAGE)
    trials.made = GoneThrough()
    trials.take(suggested(2, 2, count=4))
    trials.take(suggested(3, 3))
    assert points_of(trials) == {2: 2, 3: 3}, "4 and 5 were of the answer that never was"
    trials.take(suggested(4, 6))
    assert points_of(trials) == {2: 2, 3: 3, 6: 6}, "what lies between is lost"
    trials.take(ResultArrived(at=3.0, worker="w", lease="6.1", value=1.0))
    trials.take(suggested(5, 3))
    assert points_of(trials) == {2: 2}, "whose parameters those of 6 are is not certain"
