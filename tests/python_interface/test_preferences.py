"""A loop of one's own where nobody can measure: which of two is better is all that is told."""

from __future__ import annotations

import pickle
from collections.abc import Callable

import pytest

from orchestrator import Preferences
from orchestrator.algorithms.base import AskKey, Comparison, Observation, Problem
from orchestrator.algorithms.by_comparison import ByComparison, ByComparisonOptions
from orchestrator.errors import OrchestratorError

SPACE = {"x": (0.0, 1.0), "y": (0.0, 1.0)}


def distaste(parameters) -> float:
    return (parameters["x"] - 0.3) ** 2 + (parameters["y"] - 0.6) ** 2


def searched(rounds: int, at_once: int = 1) -> tuple[Preferences, dict]:
    """Each round is compared with the trial that is believed best, or with its own first one."""
    search, seen = Preferences(SPACE), {}
    best = search.ask()[0]
    seen[best.trial] = best.parameters
    other = best.trial
    for _ in range(rounds):
        for asked in search.ask(at_once):
            seen[asked.trial] = asked.parameters
            pair = (asked.trial, other)
            search.prefer(*(pair if distaste(seen[pair[0]]) < distaste(seen[pair[1]]) else pair[::-1]))
        other = search.best().trial
    return search, seen


def test_it_comes_near_what_is_liked_best() -> None:
    search, seen = searched(6, at_once=2)
    best = search.best()
    assert best.parameters == seen[best.trial]
    assert distaste(best.parameters) < 0.03
    assert (
        search.chance({"x": 0.3, "y": 0.6}, over=1) > 0.5 > search.chance({"x": 1, "y": 0}, over=best.trial)
    )


def test_it_asks_what_a_run_does_of_which_one_trial_is_compared_at_a_time() -> None:
    search, _ = searched(5)
    again = ByComparison(Problem(search._space.domain, compared=True), ByComparisonOptions())
    told: list[Comparison] = list(search.comparisons)
    again.tell([Observation(trial, point, None) for trial, point in search._places.items()])
    again.compare(told)
    suggested = search._space.suggested(again.ask(1, [], AskKey(7, 7))[0].point)
    assert search.ask()[0].parameters == suggested


def test_what_is_taken_back_was_never_said() -> None:
    search, _ = searched(2)
    search.ask()
    search.like(4, 1)
    before = search.comparisons
    search.take_back(1, 4)
    assert search.comparisons == before[:-1]
    assert {4} & {search.best().trial, search.best().next} == set()


def test_a_pickled_one_goes_on_as_this_one_would() -> None:
    search, _ = searched(4)
    assert pickle.loads(pickle.dumps(search)).ask() == search.ask()


def test_what_could_not_be_made_is_not_asked_for_again_and_what_is_abandoned_is_forgotten() -> None:
    search = Preferences({"x": {"type": "choice", "values": ["a", "b", "c"]}})
    first, second = search.ask(2)
    search.fail(first.trial)
    search.abandon(second.trial)
    assert search.pending == ()
    assert first.parameters not in [asked.parameters for asked in search.ask(2)]


def test_what_is_asked_for_is_shown_as_a_table() -> None:
    assert [line.split() for line in repr(Preferences(SPACE).ask(2)).splitlines()][:2] == [
        ["trial", "x", "y"],
        ["1", "0.24318", "0.92546"],
    ]


@pytest.mark.parametrize(
    ("mistake", "said"),
    [
        (lambda search: search.prefer(1, 1), "two trials"),
        (lambda search: search.prefer(1, over=9), "got 9, which was never asked"),
        (lambda search: search.like(3, 1), "got 3, which is abandoned already"),
        (lambda search: search.fail(3), "is abandoned already; `attach"),
        (lambda search: search.abandon(9), "never asked; `attach"),
        (lambda search: search.take_back(1, 2), "that were compared"),
        (lambda search: search.prefer(*search.ask(2)), "its `.trial`"),
        (lambda search: search.take_back(*search.ask(2)), "that were compared.*its `.trial`"),
        (lambda search: search.chance({"x": 0, "y": 0}, over=search.ask()[0]), "that was compared.*`.trial`"),
        (lambda search: search.best(), "no comparison has been told"),
        (lambda search: search.chance({"x": 0, "y": 0}, over=1), "that was compared, got 1"),
        (lambda search: search.ask(0), "1 or more"),
        (lambda _: Preferences({"x": {"type": "float", "bounds": (0, 1), "travel": 0.1}}), "`travel`"),
        (lambda _: Preferences(SPACE, seed=-1), "seed"),
    ],
)
def test_mistakes_are_said(mistake: Callable[[Preferences], object], said: str) -> None:
    search = Preferences(SPACE)
    search.ask(3)
    search.abandon(3)
    with pytest.raises(OrchestratorError, match=said):
        mistake(search)
