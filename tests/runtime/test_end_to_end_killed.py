"""Processes that are killed while a run goes on: the orchestrator, the optimiser, a worker."""

from __future__ import annotations

import os
import signal
from collections import Counter
from contextlib import suppress

import pytest
from forked_life import Nurseries
from gated_refits import GATE, GatedRefits, install
from run_lab import (
    BRISK,
    Life,
    RunLab,
    checked,
    eventually,
    is_alive,
    spec,
    suggestions,
)

from orchestrator.scheduler.events import RefitFinished, ResultArrived, SuggestionsMade, WorkerJoined
from orchestrator.scheduler.leases import trial_of
from orchestrator.scheduler.transitions import TrialState

TRIALS = 14
BEGINS = "refit 1 begins"


def sequential(lab: RunLab) -> dict[str, object]:
    """With a model from the eleventh trial on; a trial ends once it is let through."""
    return spec(
        "gated",
        options={"folder": str(lab.directory)},
        algorithm={"name": "egp-ts"},
        mode="sequential",
        budget={"trials": TRIALS},
    )


def let_through(lab: RunLab, trials: int = TRIALS) -> None:
    """The trials up to this one end; the run then waits, and cannot end before it is killed."""
    for trial in range(1, trials + 1):
        (lab.directory / f"open-{trial}").touch()


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory, nurseries: Nurseries) -> list[object]:
    """What the sequential run suggests if nothing happens to it."""
    lab = RunLab(tmp_path_factory.mktemp("undisturbed"), nurseries)
    let_through(lab)
    run = lab.run(sequential(lab))
    run.ends(0)
    made = list(suggestions(run.folder))
    lab.close()
    return made


def test_an_orchestrator_killed_again_and_again_suggests_what_it_would_have(
    lab: RunLab, undisturbed: list[object]
) -> None:
    run = lab.run(sequential(lab))
    folder = run.folder
    # At the first answer, in the start design, and where the model chooses.
    for moment in (1, 6, 12):
        let_through(lab, moment)
        run.await_events(ResultArrived, moment)
        run.kill()
        run = lab.resume(folder)
    let_through(lab)
    run.ends(0)
    assert suggestions(folder) == undisturbed
    assert checked(folder).lives == 4


@pytest.mark.long
def test_so_does_one_that_goes_in_rounds(lab: RunLab) -> None:
    """Whichever evaluation of a round is over first."""
    whole = spec(
        "at_its_own_pace",
        options={"seconds": 0.1},
        algorithm={"name": "gp-ei"},
        mode={"kind": "synchronous", "batch": 4},
        budget={"trials": 18},
        workers={"local": 4},
    )
    undisturbed = lab.run(whole)
    undisturbed.ends(0)
    run = lab.run(whole)
    folder = run.folder
    # In the middle of the round in which the first refit becomes due, and at its end.
    for moment in (11, 12):
        run.await_events(ResultArrived, moment)
        run.kill()
        run = lab.resume(folder)
    run.ends(0)
    assert run.of(RefitFinished)
    assert suggestions(folder) == suggestions(undisturbed.folder)


def test_an_optimiser_that_is_killed_is_started_anew_and_suggests_what_it_would_have(
    lab: RunLab, undisturbed: list[object]
) -> None:
    run = lab.run(sequential(lab))
    for moment in (3, 12):
        let_through(lab, moment - 1)
        run.await_events(SuggestionsMade, moment)
        for process in lab.processes("optimiser.server"):
            # A copy that computes a refit dies with it.
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
    let_through(lab)
    run.ends(0)
    assert suggestions(run.folder) == undisturbed
    assert "it is started anew and told everything" in run.said


@pytest.fixture(scope="module")
def undisturbed_with_gated_refits(
    tmp_path_factory: pytest.TempPathFactory, nurseries: Nurseries
) -> list[object]:
    """What the run with gated refits suggests if nothing happens to it."""
    lab = RunLab(tmp_path_factory.mktemp("gated"), nurseries)
    install(lab.directory)
    (lab.directory / GATE).touch()
    run = with_gated_refits(lab)
    run.ends(0)
    made = list(suggestions(run.folder))
    lab.close()
    return made


def with_gated_refits(lab: RunLab) -> Life:
    let_through(lab)
    return lab.run({**sequential(lab), "algorithm": {"name": GatedRefits.name}})


def in_its_first_refit(lab: RunLab) -> Life:
    """A run whose first refit is under way, and ends once `GATE` is there."""
    install(lab.directory)
    run = with_gated_refits(lab)
    eventually(lambda: len(lab.processes("optimiser.server")) == 2 and BEGINS in run.folder.log.read_text())
    return run


def test_an_optimiser_killed_in_the_middle_of_a_refit_computes_it_anew(
    lab: RunLab, undisturbed_with_gated_refits: list[object]
) -> None:
    run = in_its_first_refit(lab)
    for process in lab.processes("optimiser.server"):
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
    (lab.directory / GATE).touch()
    run.ends(0)
    assert run.folder.log.read_text().count(BEGINS) == 2
    assert [event.number for event in run.of(RefitFinished)] == [1]
    assert suggestions(run.folder) == undisturbed_with_gated_refits


def test_a_refit_whose_copy_of_the_optimiser_is_killed_is_computed_without_one(
    lab: RunLab, undisturbed_with_gated_refits: list[object]
) -> None:
    run = in_its_first_refit(lab)
    (copy,) = (process for process in lab.processes("optimiser.server") if os.getsid(process) != process)
    os.kill(copy, signal.SIGKILL)
    eventually(lambda: "it is computed without a copy" in run.folder.log.read_text())
    (lab.directory / GATE).touch()
    run.ends(0)
    assert run.folder.log.read_text().count(BEGINS) == 1
    assert [event.number for event in run.of(RefitFinished)] == [1]
    assert suggestions(run.folder) == undisturbed_with_gated_refits


def test_with_several_workers_no_trial_is_lost_nor_run_again_after_its_result_was_journalled(
    lab: RunLab,
) -> None:
    note = lab.directory / "note"
    whole = spec(
        "noted",
        options={"note": str(note), "seconds": 0.03},
        workers={"local": 3},
        budget={"trials": 24},
    )
    run = lab.run(whole)
    folder = run.folder
    done: set[int] = set()
    seen = 0
    for moment in (4, 10, 16):
        run.await_events(ResultArrived, moment)
        run.kill()
        lab.all_gone()
        assert not done & set(begun(note)[seen:])
        done, seen = completed(folder), len(begun(note))
        run = lab.resume(folder)
    run.ends(0)
    assert not done & set(begun(note)[seen:])
    state = checked(folder)
    assert (state.tally.completed, len(state.trials)) == (24, 24)
    counts = Counter(trial_of(event.lease) for event in run.of(ResultArrived))
    assert set(counts) == set(range(1, 25))


def begun(note: os.PathLike[str]) -> list[int]:
    """The trials whose evaluation began, in order."""
    with open(note) as file:
        return [int(line) for line in file]


def completed(folder: object) -> set[int]:
    state = checked(folder)  # type: ignore[arg-type]
    return {number for number, trial in state.trials.items() if trial.state is TrialState.COMPLETED}


def test_nothing_outlives_an_orchestrator_that_is_killed(lab: RunLab) -> None:
    run = lab.run(
        spec(
            "gated",
            options={"folder": str(lab.directory)},
            workers={"local": 2},
            algorithm={"name": "egp-ts"},
        )
    )
    eventually(lambda: (lab.directory / "1.1").exists() and (lab.directory / "2.1").exists())
    # Itself, the optimiser, two workers with an evaluation each.
    eventually(lambda: len(lab.processes()) == 6, why=lambda: str(lab.processes()))
    run.kill()
    lab.all_gone()


def test_a_local_worker_that_is_killed_is_started_anew_and_its_trial_goes_on(lab: RunLab) -> None:
    run = lab.run(spec("gated", options={"folder": str(lab.directory)}, budget={"trials": 2}), BRISK)
    eventually((lab.directory / "1.1").exists)
    evaluation = int((lab.directory / "1.1").read_text())
    for process in lab.processes("evaluators.worker"):
        os.kill(process, signal.SIGKILL)
    eventually(lambda: not is_alive(evaluation))
    eventually((lab.directory / "1.2").exists)
    (lab.directory / "open").touch()
    run.ends(0)
    state = checked(run.folder)
    assert (state.tally.completed, state.trials[1].attempts.failed) == (2, 1)
    assert len(run.of(WorkerJoined)) == 2
    assert (
        "local-1 ended (killed by SIGKILL, often the kernel, when memory runs out); it is started anew"
        in run.said
    )


def test_an_optimiser_that_cannot_live_ends_the_run_and_leaves_it_resumable(lab: RunLab) -> None:
    run = lab.run(spec("gated", options={"folder": str(lab.directory)}, budget={"trials": 3}))
    eventually((lab.directory / "1.1").exists)
    while kill_optimiser(lab, run):
        pass
    run.ends(1)
    (lab.directory / "open").touch()
    lab.resume(run.folder).ends(0)
    assert checked(run.folder).tally.completed == 3


def kill_optimiser(lab: RunLab, run: Life) -> bool:
    """Kill it wherever it shows; False once the run is on its way to its end."""
    for process in lab.processes("optimiser.server"):
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
    if checked(run.folder).end.badly:
        (lab.directory / "open").touch()
        return False
    return True
