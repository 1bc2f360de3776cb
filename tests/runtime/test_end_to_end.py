"""Runs that nothing disturbs: in each mode, to each kind of end."""

from __future__ import annotations

from typing import Any

import pytest
from run_lab import RunLab, checked, eventually, spec

from orchestrator.runtime.recovery.recover import Replay
from orchestrator.scheduler.events import StockTaken
from orchestrator.scheduler.transitions import Phase


@pytest.mark.parametrize(
    ("mode", "most"), [("sequential", 1), ({"synchronous": 3}, 3), ("asynchronous", 2)], ids=str
)
def test_a_run_spends_its_budget_in_each_mode_and_leaves_no_process(
    lab: RunLab, mode: Any, most: int
) -> None:
    run = lab.run(spec(mode=mode, workers={"local": 2}, budget={"trials": 7}))
    run.ends(0)
    assert lab.processes() == []
    state = checked(run.folder)
    assert (state.phase, state.tally.completed, state.tally.failed) == (Phase.FINISHED, 7, 0)
    replay = Replay.of(run.folder)
    at_a_time = []
    for event in replay.reader:
        replay.scheduler.handle(event)
        at_a_time.append(replay.scheduler.state.running)
    assert max(at_a_time) <= min(most, 2)


def test_a_model_is_refitted_while_the_run_goes_on(lab: RunLab) -> None:
    run = lab.run(spec(algorithm={"name": "egp-ts"}, mode="sequential", budget={"trials": 14}))
    run.ends(0)
    state = checked(run.folder)
    assert state.tally.completed == 14
    assert state.optimiser.insight["weights"]
    assert any(trial.suggested.mean is not None for trial in state.trials.values())


def test_evaluations_that_take_no_time_do_not_outrun_the_model(lab: RunLab) -> None:
    run = lab.run(spec(algorithm={"name": "gp-ei"}, workers={"local": 4}, budget={"trials": 30}))
    run.ends(0)
    chosen = [
        number for number, trial in checked(run.folder).trials.items() if trial.suggested.mean is not None
    ]
    assert len(chosen) >= 10


def test_where_results_are_known_the_very_first_trials_are_the_model_s(lab: RunLab) -> None:
    known = "".join(f"{k / 15},{(7 * k % 15) / 15},{k % 4}\n" for k in range(16))
    (lab.directory / "known.csv").write_text("x,y,height\n" + known)
    run = lab.run(
        spec(
            algorithm={"name": "gp-ei"},
            initial={"results": "known.csv"},
            workers={"local": 2},
            budget={"trials": 4},
        )
    )
    run.ends(0)
    assert all(trial.suggested.mean is not None for trial in checked(run.folder).trials.values())


def test_the_trial_believed_best_of_noisy_values_is_so_after_the_last_of_them(lab: RunLab) -> None:
    noisy = spec(
        objective={"noise": 0.1},
        algorithm={"name": "gp-ei"},
        mode={"synchronous": 4},
        workers={"local": 4},
        budget={"trials": 16},
    )
    run = lab.run(noisy)
    run.ends(0)
    assert [stock.observations for stock in run.of(StockTaken)] == [16]
    said = run.of(StockTaken)[0].insight["believed_best"]
    assert said == checked(run.folder).optimiser.insight["believed_best"]


def test_known_results_and_points_of_the_spec_come_before_what_the_optimiser_suggests(lab: RunLab) -> None:
    (lab.directory / "known.csv").write_text("x,y,height\n0.3,0.6,1.0\n0.5,0.5,0.95\n")
    points = [{"x": 0.25, "y": 0.5}, {"x": 0.75, "y": 0.125}]
    run = lab.run(spec(initial={"points": points, "results": "known.csv"}, budget={"trials": 4}))
    run.ends(0)
    state = checked(run.folder)
    assert [state.trials[number].parameters for number in (1, 2)] == points
    assert (state.tally.known, state.tally.completed) == (2, 4)
    assert state.found.best is not None
    assert state.found.best.parameters == {"x": 0.3, "y": 0.6}


def test_a_target_ends_the_run(lab: RunLab) -> None:
    run = lab.run(spec("counted", budget={"trials": None, "target": -1.0}, workers={"local": 2}))
    run.ends(0)
    state = checked(run.folder)
    assert state.end.why == "the target was reached"
    assert state.found.best is not None
    assert state.found.best.value == -1.0


def test_patience_ends_the_run(lab: RunLab) -> None:
    run = lab.run(spec("counted", budget={"trials": 50, "patience": 4}, mode="sequential"))
    run.ends(0)
    state = checked(run.folder)
    assert state.end.why == "no improvement in 4 trials"
    assert state.tally.completed == 5


def test_time_ends_the_run_and_gives_up_what_hangs(lab: RunLab) -> None:
    gate = lab.directory
    run = lab.run(spec("gated", options={"folder": str(gate)}, budget={"trials": None, "time": "1 h"}))
    eventually((gate / "1.1").exists)
    # A little more than until now; more of it where a command takes longer than that to begin.
    begun = run.events()[-1].at
    amended = (
        lab.command("amend", str(run.folder.path), "--time", f"{begun + slack:.1f} s").process.wait()
        for slack in (2.0, 8.0, 32.0)
    )
    assert 0 in amended
    run.ends(0)
    state = checked(run.folder)
    assert (state.end.why, state.tally.abandoned) == ("the time budget ran out", 1)
    lab.all_gone()
