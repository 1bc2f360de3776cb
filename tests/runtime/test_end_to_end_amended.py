"""Runs in real processes that are amended: while they go on, across a kill, and after their end."""

from __future__ import annotations

import signal
from pathlib import Path

from run_lab import RunLab, checked, eventually, spec, suggestions

from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.runtime.recovery.recover import Replay
from orchestrator.scheduler.amendment_events import BoundsAmended, ObservationsForgotten, RunPaused
from orchestrator.scheduler.events import ResultArrived
from orchestrator.scheduler.transitions import Phase, TrialState

GOAL = {"name": "value", "goal": "maximise"}


def sequential(trials: int = 10) -> dict[str, object]:
    return spec("slow", options={"seconds": 0.02}, mode="sequential", budget={"trials": trials})


def amend(lab: RunLab, folder: RunFolder, *options: str, code: int = 0) -> str:
    return lab.says("amend", str(folder.path), *options, code=code)


def test_a_run_amended_while_it_goes_on_and_killed_suggests_what_its_journal_says(lab: RunLab) -> None:
    gate = lab.directory / "open"
    whole = spec(
        "gated",
        options={"folder": str(lab.directory)},
        mode="sequential",
        budget={"trials": 3},
        initial={"points": [{"x": 0.9, "y": 0.5}]},
    )
    run = lab.run(whole)
    folder = run.folder
    eventually((lab.directory / "1.1").exists)
    words = amend(lab, folder, "--bounds", "x=0.0,0.5", "--trials", "6", "--by", "ada")
    assert "running trials outside, which may finish: 1" in words
    # Answered when it is on disk, so nobody can take it back.
    run.kill()
    assert [event.by for event in run.of(BoundsAmended)] == ["ada"]
    assert "swap them" in amend(lab, folder, "--bounds", "x=2,1", code=2)
    gate.touch()
    run = lab.resume(folder)
    run.ends(0)
    state = checked(folder)
    assert (state.tally.completed, state.policy.budget.trials) == (6, 6)
    assert all(0.0 <= made["x"] <= 0.5 for made in suggestions(folder)[1:])
    # Its worker died with the orchestrator, and outside the bounds it is not tried again.
    assert (state.trials[1].state, state.budgeted) == (TrialState.ABANDONED, 6)
    assert "x = 0.9 is not in [0, 0.5]" in lab.says("trials", str(folder.path))
    assert "amended x in [0, 0.5]" in lab.says("status", str(folder.path))


def test_a_finished_run_that_is_amended_goes_on_when_it_is_resumed(lab: RunLab) -> None:
    run = lab.run(sequential(3))
    run.ends(0)
    folder = run.folder
    assert "below" not in amend(lab, folder, "--trials", "5")
    words = amend(lab, folder, "--forget", "2", "--reason", "the door was open")
    assert "orchestrator resume" in words
    assert "forgotten already" in amend(lab, folder, "--forget", "2", "--reason", "x")
    assert "at least the 3 trials" in amend(lab, folder, "--trials", "2", code=2)
    result = "x=0.1,y=0.2,value=0.01"
    assert "1 known result is added" in amend(lab, folder, "--result", result)
    lab.resume(folder).ends(0)
    state = checked(folder)
    assert (state.tally.completed, state.tally.known) == (5, 1)
    assert state.trials[2].forgotten == "the door was open"
    assert state.found.best is not state.trials[2]
    assert "the door was open" in lab.says("trials", str(folder.path))
    told = lab.says("explain", str(folder.path), "2")
    assert "Forgotten" in told
    assert "the door was open" in told
    # Nothing is left to be taken up, and a run that is over stays over.
    before = folder.journal.read_bytes()
    lab.resume(folder).ends(0)
    assert folder.journal.read_bytes() == before


def test_what_was_amended_after_the_end_is_said_below_the_words_that_the_run_goes_on(lab: RunLab) -> None:
    run = lab.run(sequential(2))
    run.ends(0)
    amend(lab, run.folder, "--trials", "3")
    lines = lab.said("resume", str(run.folder.path), "--plain").splitlines()
    goes_on = next(i for i, line in enumerate(lines) if "goes on" in line)
    amended = next(i for i, line in enumerate(lines) if "the budget is amended" in line)
    assert goes_on < amended


def test_an_amendment_that_brings_nothing_back_is_in_the_journal_all_the_same(lab: RunLab) -> None:
    run = lab.run(sequential(2))
    run.ends(0)
    amend(lab, run.folder, "--forget", "1", "--reason", "unplugged")
    lab.resume(run.folder).ends(0)
    assert len(run.of(ObservationsForgotten)) == 1
    state = checked(run.folder)
    assert (state.phase, state.lives, state.found.best) == (Phase.FINISHED, 1, state.trials[2])


def test_a_paused_run_starts_nothing_survives_a_kill_and_goes_on(lab: RunLab) -> None:
    run = lab.run(sequential(4000))
    folder = run.folder
    run.await_events(ResultArrived, 2)
    amend(lab, folder, "--pause", "--reason", "lunch")
    eventually(lambda: not checked(folder).running and checked(folder).optimiser.asking is None)
    assert "paused" in lab.says("status", str(folder.path))
    made = len(checked(folder).trials)
    run.kill()
    run = lab.resume(folder)
    run.await_events(RunPaused)
    amend(lab, folder, "--trials", str(made + 5))
    assert len(checked(folder).trials) == made
    assert checked(folder).phase is Phase.PAUSED
    amend(lab, folder, "--continue")
    run.ends(0)
    assert len(checked(folder).trials) == made + 5


def test_the_same_amendments_at_the_same_place_give_the_same_points_whoever_is_killed(
    lab: RunLab, tmp_path: Path
) -> None:
    """What was left while nobody worked holds from the first moment of the next life."""

    begun = lab.run_to_its_end(
        spec(
            "slow",
            options={"seconds": 0.01},
            algorithm={"name": "gp-ucb"},
            mode="sequential",
            budget={"trials": 5},
            initial={"count": 4},
        )
    )

    def lived(kills: tuple[int, ...]) -> list[object]:
        folder = lab.copy_of(begun, f"killed at {kills}")
        amend(lab, folder, "--bounds", "x=0.2,0.7", "--trials", "8")
        life = lab.resume(folder)
        for results in kills:
            eventually(lambda results=results: len(of_results(folder)) >= results)
            life.signal(signal.SIGKILL)
            life.process.wait()
            life = lab.resume(folder)
        life.ends(0)
        return list(suggestions(folder))

    assert lived(()) == lived((6,))


def of_results(folder: RunFolder) -> list[object]:
    replay = Replay.of(folder)
    return [event for event in replay.follow() if isinstance(event, ResultArrived)]


def test_an_amendment_that_leaves_the_reason_of_the_end_says_what_else_to_amend(lab: RunLab) -> None:
    run = lab.run(sequential(2) | {"budget": {"trials": 9, "target": -1.0e9}, "objective": GOAL})
    run.ends(0)
    words = amend(lab, run.folder, "--trials", "20")
    assert "resumed, it would end at once: the target was reached" in words
    assert words.rstrip().endswith(f"orchestrator amend {run.folder.path} --target VALUE")
    words = amend(lab, run.folder, "--target", "none")
    assert words.rstrip().endswith(f"continue: orchestrator resume {run.folder.path}")
