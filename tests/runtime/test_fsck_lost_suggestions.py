"""A journal that lost lines of suggestions: no value gets other parameters than its own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from damaged_journals import (
    folder_of_a_run,
    mended,
    nothing_is_mixed_up,
    of_results,
    recorded,
    unnamed,
    values,
    without,
    worth,
    write,
)

from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.runtime.recovery.recover import Replay
from orchestrator.scheduler.amendment_events import PointsAdded
from orchestrator.scheduler.commands import Ask
from orchestrator.scheduler.event_parts import ROUND, Suggested
from orchestrator.scheduler.events import (
    Event,
    ResultArrived,
    RunResumed,
    RunStarted,
    SuggestionsMade,
    WorkerJoined,
)
from orchestrator.scheduler.leases import trial_of
from orchestrator.scheduler.mending_events import JournalMended


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    return folder_of_a_run(tmp_path)


def test_an_ask_that_is_answered_again_behind_the_damage_makes_no_trials(folder: RunFolder) -> None:
    events = recorded(2)
    early, answered = [place for place, one in enumerate(events) if isinstance(one, SuggestionsMade)][3:5]
    again = events[answered]
    assert isinstance(again, SuggestionsMade)
    first = again.first_trial + len(again.suggestions)
    other = (Suggested(parameters={"span": 0.75}),) * len(again.suggestions)
    repeated = SuggestionsMade(at=again.at, ask=again.ask, suggestions=other, first_trial=first)
    lines = write(folder, [*events[: answered + 1], repeated, *events[answered + 1 :]])
    folder.journal.write_bytes(b"".join([*lines[: early + 1], b"rubbish\n", *lines[early + 2 :]]))
    _, state = mended(folder)
    nothing_is_mixed_up(state)
    lost = {2.0 * one.parameters["span"] for one in events[early].suggestions}  # type: ignore[union-attr]
    assert values(events) - lost <= {trial.value for trial in state.trials.values()}


def test_suggestions_that_are_lost_take_only_their_own_values_with_them(folder: RunFolder) -> None:
    events = recorded(3)
    lines = write(folder, events)
    places = [place for place, line in enumerate(lines) if b'"SuggestionsMade"' in line]
    lost = places[len(places) // 2]
    gone = events[lost - 1]
    assert isinstance(gone, SuggestionsMade)
    numbers = range(gone.first_trial, gone.first_trial + len(gone.suggestions))
    folder.journal.write_bytes(b"".join(lines[:lost] + lines[lost + 1 :]))
    plan, state = mended(folder)
    dropped = [e for e in events if isinstance(e, ResultArrived) and trial_of(e.lease) in numbers]
    for event in dropped:
        assert any(repr(event.value) in sentence for sentence in plan.saved.dropped)
    assert values(events) - values(list(dropped)) <= {trial.value for trial in state.trials.values()}
    nothing_is_mixed_up(state)


def test_parameters_that_are_not_certain_are_not_guessed_at(folder: RunFolder) -> None:
    old = unnamed(recorded(4))
    lines = write(folder, old)
    places = [place for place, line in enumerate(lines) if b'"SuggestionsMade"' in line]
    lost = places[4]
    folder.journal.write_bytes(b"".join(lines[:lost] + lines[lost + 1 :]))
    plan, state = mended(folder)
    nothing_is_mixed_up(state)
    assert any("its parameters is lost" in sentence for sentence in plan.saved.dropped)


def test_with_whole_asks_the_trials_are_known_though_the_lines_do_not_name_them(folder: RunFolder) -> None:
    old = unnamed(recorded(4))
    lines = write(folder, old)
    lost = of_results(lines)[8]
    folder.journal.write_bytes(b"".join(lines[:lost] + lines[lost + 1 :]))
    _, state = mended(folder)
    kept = [event for place, event in enumerate(old, start=1) if place != lost]
    assert values(kept) <= {trial.value for trial in state.trials.values()}
    nothing_is_mixed_up(state)


def test_nor_are_they_after_a_repair_that_does_not_say_how_many_trials_there_were(folder: RunFolder) -> None:
    first, second = (Suggested(parameters={"span": span}) for span in (0.2, 0.3))
    events: list[Event] = [
        RunStarted(at=0.0, run="wing-1", wall="", points=({"span": 0.5},)),
        WorkerJoined(at=1.0, worker="ada", slots=1),
        SuggestionsMade(at=2.0, ask=1, suggestions=(first,)),
        ResultArrived(at=3.0, worker="ada", lease="2.1", value=worth(first.parameters)),
        JournalMended(at=3.0, wall="", lost=1, asks=2),
        RunResumed(at=4.0, wall=""),
        SuggestionsMade(at=5.0, ask=4, suggestions=(second,)),
        ResultArrived(at=6.0, worker="ada", lease="3.1", value=worth(second.parameters)),
    ]
    _, state = without(folder, events, 3)
    nothing_is_mixed_up(state)


def test_an_answer_of_which_nothing_was_made_gives_no_parameters_to_the_trials_of_the_next(
    folder: RunFolder,
) -> None:
    """The run had ended before it came, or what it was asked for was amended."""
    events = recorded(2)
    early, later = [place for place, one in enumerate(events) if isinstance(one, SuggestionsMade)][3:5]
    following = events[later]
    assert isinstance(following, SuggestionsMade)
    # One more than of the next: what would have been a trial of that is none, either.
    other = (Suggested(parameters={"span": 0.75}),) * (len(following.suggestions) + 1)
    in_vain = SuggestionsMade(
        at=following.at, ask=following.ask, suggestions=other, first_trial=following.first_trial
    )
    asked_again = [
        replace(one, ask=one.ask + 1) if isinstance(one, SuggestionsMade) else one for one in events[later:]
    ]
    lines = write(folder, [*events[:later], in_vain, *asked_again])
    folder.journal.write_bytes(b"".join([*lines[: early + 1], b"rubbish\n", *lines[early + 2 :]]))
    _, state = mended(folder)
    nothing_is_mixed_up(state)
    lost = {2.0 * one.parameters["span"] for one in events[early].suggestions}  # type: ignore[union-attr]
    assert values(events) - lost <= {trial.value for trial in state.trials.values()}


def test_where_two_lines_claim_a_trial_that_has_a_value_neither_is_believed(folder: RunFolder) -> None:
    events = recorded(2)
    early, later = [place for place, one in enumerate(events) if isinstance(one, SuggestionsMade)][3:5]
    made = events[later]
    assert isinstance(made, SuggestionsMade)
    other = (Suggested(parameters={"span": 0.75}),) * len(made.suggestions)
    claims = SuggestionsMade(at=1e3, ask=999, suggestions=other, first_trial=made.first_trial)
    lines = write(folder, [*events, claims])
    folder.journal.write_bytes(b"".join([*lines[: early + 1], b"rubbish\n", *lines[early + 2 :]]))
    plan, state = mended(folder)
    nothing_is_mixed_up(state)
    (value,) = [
        e.value for e in events if isinstance(e, ResultArrived) and trial_of(e.lease) == made.first_trial
    ]
    assert any(repr(value) in sentence for sentence in plan.saved.dropped)


def test_what_goes_on_from_another_trial_goes_on_from_it_under_the_number_that_it_has_then(
    folder: RunFolder,
) -> None:
    events = recorded(3)
    places = [place for place, one in enumerate(events) if isinstance(one, SuggestionsMade)]
    lost, begun, later = places[len(places) // 2], places[len(places) // 2 + 1], places[-1]
    before, after = events[begun], events[later]
    assert isinstance(before, SuggestionsMade)
    assert isinstance(after, SuggestionsMade)
    first, *others = after.suggestions
    going_on = replace(first, continues=before.first_trial)
    events[later] = replace(after, suggestions=(going_on, *others))
    lines = write(folder, events)
    folder.journal.write_bytes(b"".join(lines[: lost + 1] + lines[lost + 2 :]))
    _, state = mended(folder)
    (number,) = [one.number for one in state.trials.values() if one.parameters == first.parameters]
    continues = state.trials[number].suggested.continues
    assert continues != before.first_trial
    gone_on_from = state.trials[continues]
    assert gone_on_from.parameters == before.suggestions[0].parameters
    assert gone_on_from.files_number == before.first_trial


def test_a_round_is_that_of_the_trial_which_settled_it_under_the_number_that_it_has_then(
    folder: RunFolder,
) -> None:
    events = recorded(3)
    places = [place for place, one in enumerate(events) if isinstance(one, SuggestionsMade)]
    lost, later = places[len(places) // 2], places[-1]
    gone, after = events[lost], events[later]
    assert isinstance(gone, SuggestionsMade)
    assert isinstance(after, SuggestionsMade)
    settling = after.first_trial + 1
    rounds = (gone.first_trial, 0, settling)
    chosen = tuple(
        Suggested(parameters={"span": span}, why={ROUND: {"of": of}} if of else {})
        for span, of in zip((0.11, 0.12, 0.13), rounds, strict=True)
    )
    lines = write(folder, [*events[:later], replace(after, suggestions=chosen)])
    folder.journal.write_bytes(b"".join(lines[: lost + 1] + lines[lost + 2 :]))
    _, state = mended(folder)
    saved = {one.parameters["span"]: one for one in state.trials.values()}
    assert saved[0.12].number != settling
    assert [saved[span].suggested.why[ROUND]["of"] for span in (0.11, 0.13)] == [0, saved[0.12].number]


def test_nor_is_what_was_asked_before_people_added_points_and_nobody_waits_for(folder: RunFolder) -> None:
    asked = WorkerJoined(at=1.0, worker="ada", slots=2)
    added = PointsAdded(at=2.0, points=({"span": 0.2}, {"span": 0.3}), first_trial=2)
    write(folder, [RunStarted(at=0.0, run="wing-1", wall="", points=({"span": 0.5},)), asked, added])
    replay = Replay.of(folder)
    replay.catch_up()
    assert (replay.scheduler.state.optimiser.asks, replay.scheduler.state.optimiser.asking) == (1, None)
    assert not any(isinstance(one, Ask) for one in replay.history.commands)


def test_what_was_asked_where_the_answer_is_lost_is_not_asked_again(folder: RunFolder) -> None:
    events = recorded(5)
    answered = [place for place, event in enumerate(events, start=1) if isinstance(event, SuggestionsMade)]
    _, state = without(folder, events, answered[3])
    assert state.optimiser.asking is None
    replay = Replay.of(folder)
    replay.catch_up()
    assert not any(isinstance(one, Ask) for one in replay.history.commands), "nobody waits for that answer"
