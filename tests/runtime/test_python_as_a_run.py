"""The Python interface and a run of the same problem: one seed makes the same points, to the bit."""

from __future__ import annotations

import pytest
from run_lab import RunLab, spec, suggestions
from workloads_for_runs import quick

from orchestrator import Optimiser, Plan, maximise

TRIALS = 14


@pytest.mark.parametrize("algorithm", ["auto", "random", pytest.param("egp-ts", marks=pytest.mark.long)])
def test_a_loop_in_python_suggests_what_a_sequential_run_does(lab: RunLab, algorithm: str) -> None:
    described = spec(algorithm={"name": algorithm}, mode="sequential", budget={"trials": TRIALS})
    run = lab.run(described)
    run.ends(0)
    optimiser = Optimiser(
        described["parameters"], goal="maximise", algorithm=algorithm, seed=3, plan=Plan(trials=TRIALS)
    )
    asked = []
    for _ in range(TRIALS):
        (one,) = optimiser.ask()
        asked.append(dict(one.parameters))
        optimiser.tell(one.trial, quick(asked[-1]))
    assert asked == suggestions(run.folder)
    assert one.trial == TRIALS


@pytest.mark.parametrize("algorithm", ["gp-ei", pytest.param("auto", marks=pytest.mark.long)])
def test_so_it_does_of_parts_of_points_though_it_is_killed_once_one_is_completed(
    lab: RunLab, algorithm: str
) -> None:
    points = [{"x": 0.25}, {"x": 0.75, "y": 0.5}, {"y": 0.125}]
    described = spec(
        algorithm={"name": algorithm},
        mode="sequential",
        budget={"trials": 6},
        initial={"count": 2, "points": points},
    )
    folder = lab.run_killed(described, asks=1)
    assert "Said of it beforehand: x = 0.25; the rest was chosen beside that." in lab.says(
        "explain", str(folder.path), "2"
    )
    options = {"start_points": 2}
    optimiser = Optimiser(
        described["parameters"],
        goal="maximise",
        algorithm=algorithm,
        options=options,
        seed=3,
        plan=Plan(trials=6),
    )
    maximise(quick, optimiser, 6, points=points)
    assert [{name: row[name] for name in "xy"} for row in optimiser.results()] == suggestions(folder)


def test_so_it_does_in_rounds_after_a_point_of_one_s_own_and_a_result_known_before(lab: RunLab) -> None:
    own, known = {"x": 0.25, "y": 0.5}, {"x": 0.5, "y": 0.125}
    described = spec(
        mode={"synchronous": 3},
        budget={"trials": 13},
        algorithm={"name": "auto"},
        initial={"points": [own], "results": [{**known, "value": quick(known)}]},
    )
    run = lab.run(described)
    run.ends(0)
    optimiser = Optimiser(described["parameters"], seed=3, plan=Plan(trials=13, parallel=3))
    optimiser.learn(known, quick(known))
    asked, in_round = [], [optimiser.attach(own)]
    while len(asked) < 13:
        for one in in_round:
            optimiser.tell(one.trial, quick(dict(one.parameters)))
        asked += in_round
        in_round = optimiser.ask(3)
    assert [one.parameters for one in asked] == suggestions(run.folder)
