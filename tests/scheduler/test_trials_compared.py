"""Where no trial has a value, people say which of two is better, and the next waits for that."""

from __future__ import annotations

import pytest
from lab import Lab, leased
from policies import policy_with

from orchestrator.report.words.amendment import trial_note
from orchestrator.scheduler.amendment_events import BudgetAmended, ObservationsForgotten
from orchestrator.scheduler.commands import Ask, FinishRun, Rebuild, TakeStock, TellComparison
from orchestrator.scheduler.comparison_events import ComparisonTakenBack, ComparisonTold, TrialCarriedOut
from orchestrator.scheduler.comparisons import uncompared
from orchestrator.scheduler.event_parts import Suggested
from orchestrator.scheduler.events import RunResumed, StockTaken, SuggestionsMade
from orchestrator.scheduler.handling.comparing import to_compare_with
from orchestrator.scheduler.state import State
from orchestrator.scheduler.time_events import TimeRanOut
from orchestrator.scheduler.transitions import Phase, TrialState
from orchestrator.scheduler.words.story import story


class Kitchen(Lab):
    """One person, at one thing at a time."""

    def carry_out(self, trial: int):
        return self.happen(TrialCarriedOut(at=self.tick(), trial=trial))

    def prefer(self, trial: int, over: int, alike: bool = False, request: str = ""):
        event = ComparisonTold(at=self.tick(), trial=trial, other=over, alike=alike, request=request)
        return self.happen(event)

    def take_back(self, trial: int, other: int):
        return self.happen(ComparisonTakenBack(at=self.tick(), trial=trial, other=other))


@pytest.fixture
def kitchen() -> Kitchen:
    """Trial 1 is carried out, and trial 2 is the person's."""
    lab = Kitchen(policy_with(trials=3, mode="sequential", compared=True))
    lab.start(in_turn=True)
    lab.join("person", local=True)
    lab.suggest()
    lab.carry_out(1)
    assert leased(lab.suggest()) == ["2.1"]
    return lab


def told(commands) -> list[tuple[int, int, bool]]:
    return [(one.better, one.worse, one.alike) for one in commands if isinstance(one, TellComparison)]


def test_who_compares_a_trial_has_carried_it_out(kitchen: Kitchen) -> None:
    assert told(kitchen.prefer(2, over=1)) == [(2, 1, False)]
    assert kitchen.trial(2).state is TrialState.COMPLETED
    assert kitchen.state.optimiser.asking == 1


def test_what_is_carried_out_is_so_once_whoever_says_it_again(kitchen: Kitchen) -> None:
    kitchen.carry_out(2)
    kitchen.carry_out(2)
    assert kitchen.state.crew.workers["person"].completed == kitchen.state.tally.completed == 2


def test_nothing_follows_a_trial_that_is_not_compared(kitchen: Kitchen) -> None:
    kitchen.carry_out(2)
    assert kitchen.state.optimiser.asking is None
    assert uncompared(kitchen.state) == [kitchen.trial(2)]
    kitchen.prefer(1, over=2)
    assert uncompared(kitchen.state) == []
    assert kitchen.state.optimiser.asking == 1


def test_the_run_ends_once_the_last_is_compared_and_the_optimiser_is_heard_again(kitchen: Kitchen) -> None:
    kitchen.prefer(2, over=1)
    kitchen.suggest()
    assert not any(isinstance(one, FinishRun) for one in kitchen.carry_out(3))
    last = kitchen.prefer(3, over=2, alike=True)
    assert [type(one) for one in last][-2:] == [TakeStock, FinishRun]


def test_what_is_taken_back_is_compared_again_and_the_optimiser_begins_anew(kitchen: Kitchen) -> None:
    kitchen.prefer(2, over=1)
    commands = kitchen.take_back(1, 2)
    assert any(isinstance(one, Rebuild) for one in commands)
    assert told(commands) == []
    assert uncompared(kitchen.state) == [kitchen.trial(2)]


def test_all_that_was_carried_out_is_gone_through_about_once_an_event(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lab = Kitchen(policy_with(trials=100, mode="sequential", compared=True))
    lab.start(in_turn=True)
    lab.join("person", local=True)
    for number in range(1, 31):
        lab.suggest()
        lab.carry_out(number)
        if number > 1:
            lab.prefer(number, over=number - 1)
    gone_through, counts = list[int](), State.counts
    monkeypatch.setattr(State, "counts", lambda *of: gone_through.append(of[1].number) or counts(*of))
    suggestion = SuggestionsMade(
        at=1e3, ask=lab.state.optimiser.asks, suggestions=(Suggested(parameters={"x": 1.0}),)
    )
    lab.scheduler.handle(suggestion)
    lab.scheduler.handle(TrialCarriedOut(at=1e3, trial=31))
    lab.scheduler.handle(ComparisonTold(at=1e3, trial=31, other=30))
    assert lab.state.optimiser.asking == 1
    assert len(gone_through) < 6 * 31


def test_what_was_said_of_a_pair_is_of_the_story_of_both(kitchen: Kitchen) -> None:
    kitchen.prefer(2, over=1, alike=True)
    of_both = [list(story(kitchen.policy, kitchen.events, trial)) for trial in (1, 2)]
    assert all(any("trials 2 and 1 are alike" in line for line in lines) for lines in of_both)


def stocks(commands) -> int:
    return sum(isinstance(one, TakeStock) for one in commands)


def test_the_optimiser_says_what_is_preferred_by_now_where_it_is_asked_for_nothing(kitchen: Kitchen) -> None:
    assert stocks(kitchen.prefer(2, over=1)) == 0
    kitchen.suggest()
    assert stocks(kitchen.prefer(1, over=2)) == 1
    assert stocks(kitchen.take_back(1, 2)) == 1
    later = {"notes": ["no comparisons are told yet"]}
    kitchen.happen(
        StockTaken(at=kitchen.tick(), observations=2, insight=later, model=kitchen.state.optimiser.model)
    )
    assert kitchen.state.optimiser.insight == later


def test_another_life_hears_which_trial_is_preferred_though_nothing_is_asked_for(kitchen: Kitchen) -> None:
    kitchen.prefer(2, over=1)
    kitchen.suggest()
    assert stocks(kitchen.happen(RunResumed(at=kitchen.tick(), wall=""))) == 1


def test_a_trial_that_is_forgotten_was_carried_out_and_did_not_fail(kitchen: Kitchen) -> None:
    kitchen.happen(ObservationsForgotten(at=kitchen.tick(), trials=(1,), reason="spilled"))
    assert trial_note(kitchen.trial(1), kitchen.state, None) == "forgotten (it was carried out): spilled"


def test_what_is_forgotten_takes_its_comparisons_with_it(kitchen: Kitchen) -> None:
    kitchen.prefer(2, over=1)
    kitchen.suggest()
    kitchen.prefer(2, over=3)
    commands = kitchen.happen(ObservationsForgotten(at=kitchen.tick(), trials=(1,), reason="spilled"))
    assert told(commands) == [(2, 3, False)]


def test_the_same_request_counts_once(kitchen: Kitchen) -> None:
    kitchen.prefer(2, over=1, request="a")
    assert told(kitchen.prefer(2, over=1, request="a")) == []


def test_what_failed_is_not_to_be_compared(kitchen: Kitchen) -> None:
    for attempt in (1, 2, 3):
        kitchen.fail(f"2.{attempt}", worker="person")
    assert uncompared(kitchen.state) == []
    assert kitchen.state.optimiser.asking == 1


def test_a_trial_is_compared_with_the_one_believed_best(kitchen: Kitchen) -> None:
    assert to_compare_with(kitchen.state, 1) is None
    assert to_compare_with(kitchen.state, 2) == 1
    kitchen.prefer(2, over=1)
    kitchen.suggest(insight={"preferred": {"trial": 1, "next": 2, "chance": 0.6}})
    assert to_compare_with(kitchen.state, 3) == 1


@pytest.fixture
def robots() -> Kitchen:
    """Two at work, each on its first trial."""
    lab = Kitchen(policy_with(trials=6, compared=True))
    lab.start(in_turn=True)
    lab.join("w1")
    lab.join("w2")
    lab.suggest()
    assert leased(lab.suggest()) == ["2.1"]
    return lab


def waiting(lab: Kitchen) -> list[int]:
    return [trial.number for trial in uncompared(lab.state)]


def test_a_trial_that_a_worker_made_keeps_its_place_until_it_is_compared(robots: Kitchen) -> None:
    robots.succeed("1.1", None)
    # There is nothing to compare the first with.
    assert leased(robots.suggest()) == ["3.1"]
    robots.succeed("2.1", None, worker="w2")
    robots.succeed("3.1", None)
    assert waiting(robots) == [2, 3]
    assert robots.state.optimiser.asking is None
    assert told(robots.prefer(3, over=1)) == [(3, 1, False)]
    assert waiting(robots) == [2]
    assert robots.state.optimiser.asking == 1


def test_two_that_wait_may_be_compared_with_one_another(robots: Kitchen) -> None:
    for lease, worker in (("1.1", "w1"), ("2.1", "w2")):
        robots.succeed(lease, None, worker=worker)
    robots.prefer(2, over=1)
    assert waiting(robots) == []


def test_what_is_asked_for_heeds_what_waits_to_be_compared(robots: Kitchen) -> None:
    robots.succeed("1.1", None)
    robots.suggest()
    robots.succeed("2.1", None, worker="w2")
    robots.succeed("3.1", None)
    (ask,) = [one for one in robots.prefer(2, over=1) if isinstance(one, Ask)]
    assert ask.pending == (robots.trial(3).parameters,)


def test_a_worker_that_fails_is_given_the_trial_again_and_it_is_not_to_be_compared(robots: Kitchen) -> None:
    robots.succeed("1.1", None)
    robots.suggest()
    assert leased(robots.fail("2.1", worker="w2")) == ["2.2"]
    assert waiting(robots) == []


def test_a_run_whose_budget_is_spent_waits_for_the_last_comparisons(robots: Kitchen) -> None:
    robots.happen(BudgetAmended(at=robots.tick(), trials=2))
    for lease, worker in (("1.1", "w1"), ("2.1", "w2")):
        commands = robots.succeed(lease, None, worker=worker)
        assert not any(isinstance(one, FinishRun) for one in commands)
    assert any(isinstance(one, FinishRun) for one in robots.prefer(1, over=2))


def test_a_round_follows_once_all_of_the_last_is_compared() -> None:
    lab = Kitchen(policy_with(trials=6, mode="synchronous", batch=3, compared=True))
    lab.start(in_turn=True)
    lab.join("w1", slots=3)
    lab.suggest()
    for trial in (1, 2, 3):
        lab.succeed(f"{trial}.1", None)
    lab.prefer(3, over=1)
    assert lab.state.optimiser.asking is None
    lab.prefer(2, over=3)
    assert lab.state.optimiser.asking == 3


def test_what_is_preferred_is_said_again_in_the_next_life(kitchen: Kitchen) -> None:
    kitchen.prefer(2, over=1)
    kitchen.suggest()
    assert stocks(kitchen.resume()) == 1


def test_where_an_answer_is_awaited_that_says_it(kitchen: Kitchen) -> None:
    kitchen.prefer(2, over=1)
    assert stocks(kitchen.resume()) == 0


def test_a_run_that_is_over_hears_of_what_is_compared_since_and_stays_so(kitchen: Kitchen) -> None:
    kitchen.prefer(2, over=1)
    kitchen.suggest()
    kitchen.prefer(3, over=2)
    assert kitchen.state.phase is Phase.FINISHED
    commands = kitchen.prefer(2, over=3)
    assert [type(one) for one in commands] == [TellComparison, TakeStock]
    assert [type(one) for one in kitchen.resume()] == [TakeStock, FinishRun]
    assert kitchen.state.phase is Phase.FINISHED


def test_a_run_whose_time_was_over_before_an_answer_hears_of_what_was_compared_since() -> None:
    lab = Kitchen(policy_with(trials=9, time_s=60.0, mode="sequential", compared=True))
    lab.start(in_turn=True)
    lab.join("person", local=True)
    lab.suggest()
    lab.carry_out(1)
    lab.suggest()
    lab.prefer(2, over=1)
    assert lab.state.optimiser.asking == 1
    lab.happen(TimeRanOut(at=61.0))
    assert lab.state.phase is Phase.FINISHED
    lab.now = 62.0
    lab.prefer(1, over=2)
    assert stocks(lab.resume()) == 1


def test_killed_anywhere_a_run_goes_on_or_waits_to_be_told_how_trials_compare(robots: Kitchen) -> None:
    robots.succeed("1.1", None)
    robots.suggest()
    robots.succeed("2.1", None, worker="w2")
    robots.fail("3.1")
    robots.succeed("3.2", None)
    robots.prefer(2, over=1)
    robots.prefer(3, over=2)
    for length in range(1, len(robots.events)):
        again = Kitchen(robots.policy)
        for event in robots.events[: length + 1]:
            again.happen(event)
        again.resume()
        for worker in ("w1", "w2"):
            again.join(worker)
        under_way = again.state.running + len(uncompared(again.state))
        assert again.state.phase is Phase.ACTIVE
        assert 1 <= under_way + (again.state.optimiser.asking or 0) <= 2
