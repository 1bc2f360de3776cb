"""What people had amended and a damaged journal does not hold any more: said, so that it is amended again."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from damaged_journals import NOW, SPEC, folder_of_a_run, fsck, write

from orchestrator import cli
from orchestrator.report.following.runs import read_run
from orchestrator.report.following.standing import standing_of
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.runtime.recovery.fsck import examine
from orchestrator.runtime.recovery.recover import Replay
from orchestrator.runtime.recovery.repair import plan_repair, repair
from orchestrator.runtime.run import RunOptions, resume_experiment
from orchestrator.scheduler.amendment_events import (
    BoundsAmended,
    BudgetAmended,
    HeldAmended,
    ResultsAdded,
    RunPaused,
)
from orchestrator.scheduler.event_parts import KnownResult, Suggested
from orchestrator.scheduler.events import (
    Event,
    ResultArrived,
    RunResumed,
    RunStarted,
    SuggestionsMade,
    WorkerJoined,
)
from orchestrator.scheduler.words.story import story

HELD = 5
"""The line of the amendment, from 0, the header's."""


def two_batches(folder: RunFolder) -> list[Event]:
    """A run that held april, then may, and asked for two points there, of which it has one value."""
    batch = "parameters:\n  batch: {type: choice, values: [april, may]}"
    folder.spec.write_text(f"{SPEC.replace('parameters:', batch)}held: {{batch: april}}\n")
    april, *may = (
        Suggested(parameters={"span": 0.1 * k, "batch": "april" if k == 1 else "may"}) for k in range(1, 4)
    )
    return [
        RunStarted(at=0.0, run="wing-1", wall="noon"),
        WorkerJoined(at=1.0, worker="ada", slots=1),
        SuggestionsMade(at=2.0, ask=1, suggestions=(april,), first_trial=1),
        ResultArrived(at=3.0, worker="ada", lease="1.1", value=9.0),
        HeldAmended(at=4.0, held={"batch": "may"}, request="1-1"),
        SuggestionsMade(at=5.0, ask=3, suggestions=tuple(may), first_trial=2),
        ResultArrived(at=6.0, worker="ada", lease="2.1", value=1.0),
        RunPaused(at=7.0, request="1-2"),
    ]


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    return folder_of_a_run(tmp_path)


def say_how_it_stands(folder: RunFolder) -> None:
    """As the orchestrator does that works on the run."""
    folder.standing.write_bytes(msgspec.json.encode(standing_of(read_run(folder), None)))


def damage(folder: RunFolder, lines: list[bytes], place: int) -> None:
    damaged = lines[place].replace(b'"n":', b'"m":')
    folder.journal.write_bytes(b"".join([*lines[:place], damaged, *lines[place + 1 :]]))


def lose(folder: RunFolder, lines: list[bytes], place: int) -> None:
    folder.journal.write_bytes(b"".join([*lines[:place], *lines[place + 1 :]]))


def test_a_damaged_line_that_looks_like_an_amendment_is_shown(folder: RunFolder) -> None:
    damage(folder, write(folder, two_batches(folder)), HELD)
    said = fsck(folder).stdout
    assert 'lost: by its looks, an amendment: HeldAmended {"at":4.0,"held":{"batch":"may"}' in said
    assert (
        f"if that is still meant, amend it again, after the repair: orchestrator amend {folder.path}" in said
    )


def test_a_damaged_line_of_another_kind_is_shown_as_no_amendment(folder: RunFolder) -> None:
    damage(folder, write(folder, two_batches(folder)), HELD - 1)
    assert "by its looks" not in fsck(folder).stdout


def test_trials_asked_for_elsewhere_say_that_what_is_held_was_amended(folder: RunFolder) -> None:
    lose(folder, write(folder, two_batches(folder)), HELD)
    expected = (
        "lost: what amended where parameters are held, batch = april by what is left: trial 2, trial 3 were "
        "asked for elsewhere; what has no value there is not evaluated"
    )
    said = fsck(folder).stdout
    assert expected in said
    assert "to be evaluated, or evaluated again: 0 trials" in said


def test_where_the_line_that_widened_the_bounds_is_lost_nothing_is_evaluated_or_told_beyond_the_specs(
    folder: RunFolder,
) -> None:
    inner, *outer = (Suggested(parameters={"span": span}) for span in (0.2, 2.5, 2.7))
    events: list[Event] = [
        RunStarted(at=0.0, run="wing-1", wall="noon"),
        WorkerJoined(at=1.0, worker="ada", slots=1),
        SuggestionsMade(at=2.0, ask=1, suggestions=(inner,), first_trial=1),
        ResultArrived(at=3.0, worker="ada", lease="1.1", value=1.0),
        BoundsAmended(at=4.0, bounds={"span": (0.0, 3.0)}, request="1-1"),
        SuggestionsMade(at=5.0, ask=3, suggestions=tuple(outer), first_trial=2),
        ResultArrived(at=6.0, worker="ada", lease="2.1", value=2.0),
        ResultsAdded(at=6.5, results=(KnownResult(parameters={"span": 2.9}, value=3.0),), request="1-2"),
        RunPaused(at=7.0, request="1-3"),
    ]
    lose(folder, write(folder, events), 5)
    assert "lost: what amended the bounds, span in [0, 1] by what is left: trial 2" in fsck(folder).stdout
    assert fsck(folder, "--repair").returncode == 0
    replay = Replay.of(folder)
    replay.catch_up()
    state = replay.scheduler.state
    assert [trial.number for trial in state.observed if state.counts(trial)] == [1]
    assert state.trials[2].value == 2.0, "it is kept, for whoever amends the bounds again"
    assert not state.unsettled
    replay.scheduler.handle(BoundsAmended(at=8.0, bounds={"span": (0.0, 3.0)}))
    assert sorted(trial.number for trial in state.observed if state.counts(trial)) == [0, 1, 2]


@pytest.mark.parametrize("place", [HELD - 1, HELD + 1])
def test_where_the_amendment_is_there_nothing_is_said_of_it(folder: RunFolder, place: int) -> None:
    lose(folder, write(folder, two_batches(folder)), place)
    said = fsck(folder).stdout
    assert "dropped: 1 line" in said
    assert "lost: " not in said


def test_what_the_run_was_last_said_to_be_amended_by_is_said_to_be_lost(folder: RunFolder) -> None:
    events = two_batches(folder)
    events.insert(HELD, BudgetAmended(at=4.0, trials=50, request="1-3"))
    lines = write(folder, events)
    say_how_it_stands(folder)
    lose(folder, lines, HELD + 1)
    assert "lost: by standing.json, trials 50 instead of 40" in fsck(folder).stdout


def test_what_was_amended_otherwise_since_it_was_last_said_is_not_said_to_be_lost(folder: RunFolder) -> None:
    events = two_batches(folder)
    write(folder, events)
    say_how_it_stands(folder)
    lose(folder, write(folder, [*events, HeldAmended(at=8.0, freed=("batch",), request="1-3")]), 2)
    assert "lost: " not in fsck(folder).stdout


def test_the_mended_journal_remembers_what_was_lost_until_it_is_amended_again(folder: RunFolder) -> None:
    damage(folder, write(folder, two_batches(folder)), HELD)
    assert fsck(folder, "--repair").returncode == 0
    replay = Replay.of(folder)
    replay.catch_up()
    state = replay.scheduler.state
    assert len(state.amended.lost) == 2
    assert "HeldAmended" in state.amended.lost[0]
    told = "\n".join(story(state.policy, list(Replay.of(folder).reader)))
    assert "lost with them: by its looks, an amendment: HeldAmended" in told
    replay.scheduler.handle(RunResumed(at=9.0, wall="later"))
    assert not state.amended.lost, "whoever resumed it was told"


def test_a_resume_says_what_a_repair_has_lost(folder: RunFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []

    def live(
        _life: object, _broker: object, _options: object, _first: object, notes: list[tuple[str, str]]
    ) -> None:
        said.extend(sentence for _, sentence in notes)

    damage(folder, write(folder, two_batches(folder)), HELD)
    repair(plan_repair(folder, examine(folder.journal), NOW))
    monkeypatch.setattr("orchestrator.runtime.run._live", live)
    resume_experiment(folder, RunOptions(monitor=None))  # type: ignore[arg-type]
    assert "HeldAmended" in said[0]
    assert said[0].startswith("lost when the journal was mended: by its looks")


@pytest.mark.parametrize("repair", [[], ["--repair"]])
def test_an_amendment_at_the_end_that_was_known_of_is_said_to_be_missing(
    folder: RunFolder, repair: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """No trial is missing, and the journal can be read to its end."""
    events = two_batches(folder)[: HELD + 1]
    lines = write(folder, [*events, HeldAmended(at=9.0, freed=("batch",), request="1-9")])
    say_how_it_stands(folder)
    folder.journal.write_bytes(b"".join(lines[:-1]))
    assert cli.main(["fsck", str(folder.path), *repair]) == 1
    said = capsys.readouterr().out
    assert "cut short, at the end of a line" in said
    assert "by standing.json 2 requests of people had taken effect, by the journal 1" in said
    assert "and not `batch is chosen, no longer held at april`" in said
