"""What a run exports is known to another: what failed, too, as a failure."""

from __future__ import annotations

import csv

from run_lab import RunLab, checked, spec

from orchestrator import Optimiser

PARAMETERS = {"how": {"type": "choice", "values": ["raises", "well"]}}
FIRST = spec(
    "as_told",
    budget={"trials": 2},
    initial={"points": [{"how": "raises"}, {"how": "well"}]},
    evaluation={"attempts": 1},
) | {"parameters": PARAMETERS}


def test_what_failed_in_a_run_has_failed_for_the_next_and_for_python(lab: RunLab) -> None:
    run = lab.run(FIRST)
    run.ends(0)
    exported = lab.directory / "known.csv"
    exported.write_text(lab.says("export", str(run.folder.path)))

    again = lab.run(FIRST | {"budget": {"trials": 1}, "initial": {"results": "known.csv"}})
    again.ends(0)
    # Read once more while the run goes on, the failure is the same.
    told = lab.says("amend", str(again.folder.path), "--trials", "2", "--known", str(exported))
    assert "2 of 2 results are known to the run already" in told
    lab.resume(again.folder).ends(0)
    learned = [trial.value for trial in checked(run.folder).observed]
    assert sorted(map(str, learned)) == ["1.0", "None"]
    known = [trial.value for trial in checked(again.folder).observed if trial.number < 1]
    assert known == learned

    optimiser = Optimiser(PARAMETERS, goal="maximise")
    with exported.open() as table:
        rows = [{**row, "height": float(row["height"] or "nan")} for row in csv.DictReader(table)]
    assert optimiser.learn_all(rows, value="height") == 2


def test_a_failure_that_was_forgotten_is_none_to_the_run_itself_and_to_another(lab: RunLab) -> None:
    run = lab.run(FIRST)
    run.ends(0)
    words = lab.says("amend", str(run.folder.path), "--forget", "1", "--reason", "a broken sensor")
    assert "what came of trial 1 is forgotten, and the model learns anew without it" in words
    lab.resume(run.folder).ends(0)
    assert "amended 1 failure forgotten" in lab.says("status", str(run.folder.path))
    (lab.directory / "known.csv").write_text(lab.says("export", str(run.folder.path)))

    again = lab.run(FIRST | {"budget": {"trials": 1}, "initial": {"results": "known.csv"}})
    again.ends(0)
    assert [trial.value for trial in checked(again.folder).observed if trial.number < 1] == [1.0]
