"""What a person reads of a run that ends, or may end, because little is left to gain."""

from __future__ import annotations

from pathlib import Path

from recorded_runs import SPEC, RecordedRun, always

from orchestrator.report.closing import closing_words
from orchestrator.report.explained.explain import explain
from orchestrator.runtime.run import RunOutcome
from orchestrator.scheduler import events as ev
from orchestrator.scheduler.words.story import story

WITH_GAIN = SPEC.replace("{trials: 20}", "{trials: 20, expected_gain: 0.01}\nalgorithm: gp-ei")
WORDS = (
    "the model expects less than 0.01 to be left to gain "
    "(expected 0.004, with probability 0.75 less than 0.01 is left)"
)


def estimated(run: RecordedRun, refit: int, *draws: float) -> RecordedRun:
    return run.happen(
        ev.RemainingGainEstimated(at=run.at + 1.0, refit=refit, observations=4, draws=tuple(draws))
    )


def stopped(run: RecordedRun) -> RecordedRun:
    return estimated(estimated(run, 2, 0.0, 0.0, 0.0, 0.016), 3, 0.0, 0.0, 0.0, 0.016)


def begun() -> RecordedRun:
    return RecordedRun(WITH_GAIN).begin(workers=1).settle(4, always(5.0))


def test_while_it_goes_on_the_screen_says_what_is_left() -> None:
    run = estimated(begun(), 1, 0.5, 0.25)
    assert (
        "left to gain: expected 0.375, with probability 0 less than 0.01 is left" in run.view().belief.notes
    )
    assert any("the model expects 0.375 to be left to gain" in one.sentence for one in run.view().happenings)


def test_while_what_runs_may_finish_it_says_why_nothing_new_is_started() -> None:
    run = stopped(begun())
    assert run.view().activity == f"stopping because {WORDS}: 1 trial may finish first"


def test_the_status_and_the_closing_words_say_why_it_ended() -> None:
    run = stopped(begun()).settle(1, always(5.0))
    assert run.view().activity == f"ended: {WORDS}"
    state = run.scheduler.state
    words = closing_words(run.spec, RunOutcome(Path("logs/wing"), state, False, False, state.end.why))
    assert f"Ended: {WORDS}." in words
    assert "orchestrator resume" not in words


def test_a_trial_is_explained_by_what_was_left_when_it_was_chosen_and_by_the_end() -> None:
    run = estimated(begun(), 1, 0.5, 0.25).settle(1, always(5.0))
    chosen_since = len(run.scheduler.state.trials)
    run = stopped(run).settle(1, always(5.0))
    policy = run.scheduler.state.policy
    last = explain(run.spec, policy, run.events, chosen_since)
    assert "By then the model expected 0.375 to be left to gain over the best point." in last
    assert f"The run is over: {WORDS}." in last
    assert "By then the model expected" not in explain(run.spec, policy, run.events, 2)


def test_beside_a_threshold_it_is_a_share_of_the_domain_that_is_expected_to_be_held_wrongly() -> None:
    goal = "goal: minimise"
    assert goal in WITH_GAIN
    crossed = WITH_GAIN.replace(goal, "threshold: 3").replace("algorithm: gp-ei", "algorithm: auto")
    run = estimated(RecordedRun(crossed).begin(workers=1).settle(4, always(5.0)), 1, 0.5, 0.25)
    notes = run.view().belief.notes
    assert "share on the wrong side: expected 0.375, with probability 0 less than 0.01 is left" in notes
    wrongly = "the model expects 0.375 of the domain to be classified wrongly"
    assert any(one.sentence == wrongly for one in run.view().happenings)
    assert any(wrongly in line for line in story(run.scheduler.state.policy, run.events))
    run = run.settle(1, always(5.0))
    last = explain(run.spec, run.scheduler.state.policy, run.events, len(run.scheduler.state.trials))
    assert "By then the model expected 0.375 to be the share of the domain that it named the wrong" in last


def test_where_each_condition_has_its_own_best_it_is_what_is_left_on_average_over_these() -> None:
    goal, first = "goal: minimise", "parameters:\n"
    assert goal in WITH_GAIN
    assert first in WITH_GAIN
    each = WITH_GAIN.replace(goal, f"{goal}, over: each").replace("algorithm: gp-ei", "algorithm: auto")
    each = each.replace(first, f"{first}  load: {{type: float, bounds: [0, 1], in_use: evenly}}\n")
    run = estimated(RecordedRun(each).begin(workers=1).settle(4, always(5.0)), 1, 0.5, 0.25)
    run = run.settle(1, always(5.0))
    last = explain(run.spec, run.scheduler.state.policy, run.events, len(run.scheduler.state.trials))
    assert "By then the model expected 0.375 to be left to gain, on average over conditions." in last
