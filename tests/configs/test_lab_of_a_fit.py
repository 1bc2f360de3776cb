"""The lab of a simulation that is fitted: by a program and by hand, gone on with, and asked about."""

from __future__ import annotations

import csv
import json
import shutil
import signal

import pytest
from lab_bench import LABS, Bench

from orchestrator.spec.load import load_spec, load_spec_text
from orchestrator.spec.sections.parameters import priors_among
from orchestrator.values.drawn import Drawn

MEASURED = {10: (14, 4), 20: (57, 8), 30: (154, 13), 40: (219, 15), 50: (175, 14), 60: (91, 10), 70: (50, 7)}
MEASURED |= {80: (19, 5)}


def misfit(outcomes: dict) -> float:
    return sum(((outcomes[f"day_{day}"] - value) / error) ** 2 for day, (value, error) in MEASURED.items())


@pytest.mark.skipif(shutil.which("awk") is None, reason="awk is not installed")
def test_a_program_returns_outcomes_and_the_run_computes_their_misfit(bench: Bench) -> None:
    spec = bench.shorten("computed.yaml", budget={"trials": 8})
    bench.says("run", spec, "--quiet")
    (bench.folder / "configs" / "labs" / "outbreak.csv").unlink()
    trials = bench.trials()
    assert [trial["misfit"] for trial in trials] == [pytest.approx(misfit(trial)) for trial in trials]
    best = bench.best()
    assert best["misfit"] == min(trial["misfit"] for trial in trials)
    told = {name: best[name] for name in ("contacts", "latency", "illness", "first")}
    asked = [f"{name}={value}" for name, value in told.items()]
    told_back = json.loads(bench.says("predict", "--format", "json", *asked))
    (expected,) = (point["predicted"] for point in told_back["points"])
    assert expected["misfit"]["mean"] == pytest.approx(best["misfit"], rel=0.2, abs=5.0)
    assert expected["day_40"]["mean"] == pytest.approx(best["day_40"], rel=0.1)
    bench.says("amend", "--trials", "10")
    bench.says("resume", "--quiet")
    assert [trial["state"] for trial in bench.trials()] == ["completed"] * 10


@pytest.mark.skipif(shutil.which("awk") is None, reason="awk is not installed")
def test_a_program_prints_a_curve_that_is_compared_with_a_table_point_by_point(bench: Bench) -> None:
    bench.says("run", bench.shorten("curve.yaml", budget={"trials": 8}), "--quiet")
    with (LABS / "swing.csv").open(newline="") as table:
        measured = [(float(row["value"]), float(row["error"])) for row in csv.DictReader(table)]
    trials = bench.trials()
    for trial in trials:
        pairs = zip(trial["swing"], measured, strict=True)
        assert trial["misfit"] == pytest.approx(
            sum(((came - at) / error) ** 2 for came, (at, error) in pairs)
        )
    # The table that is exported is known to another spec, curves and all.
    (bench.folder / "configs" / "labs" / "before.csv").write_text(bench.says("export"))
    before = load_spec(bench.folder / bench.shorten("curve.yaml", initial={"results": "before.csv"})).spec
    assert [one.value for one in before.initial.results] == pytest.approx(
        [trial["misfit"] for trial in trials]
    )
    assert max(map(len, bench.says("trials").splitlines())) < 200
    (point,) = json.loads(bench.says("predict", "--format", "json", "stiffness=20"))["points"]
    assert len(point["curves"]["swing"]["high"]) == len(measured)
    assert point["curves"]["swing"]["at"][:3] == pytest.approx([0.1, 0.2, 0.3])
    bench.says("report", "--output", "page.html")
    assert "How swing is fitted" in (bench.folder / "page.html").read_text(encoding="utf-8")
    told = bench.says("predict", "stiffness=20")
    assert "swing, at 5 " in told
    assert "11 of its 50 points are shown; --format csv and json have all" in told
    for question in (["sensitivity"], ["compare", "1", "--against", "best"]):
        assert "by models of the outcomes that it is computed from" in bench.says(*question)


def test_a_person_records_what_came_and_no_value(bench: Bench) -> None:
    spec = bench.shorten(
        "by-hand.yaml",
        objective={"fit": {"distance": {"value": 3.0, "error": 0.5}, "height": 1.0}, "name": "misfit"}
        | {"goal": "minimise", "noise": "unknown"},
        evaluation={"approval": False},
        budget={"trials": 2},
    )
    with bench.going("run", spec, "--plain") as run:
        bench.until(lambda: list((bench.folder / "logs").glob("*/journal.jsonl")) != [])
        bench.until(lambda: len(bench.trials()) == 1)
        refused = bench.says("record", "1", "--value", "4", "--extra", "distance=3.5", code=2)
        assert "expected no value, as `misfit` is computed" in refused
        assert "expected the outcome `height`" in bench.says("record", "1", "--extra", "distance=3.5", code=1)
        bench.says("record", "1", "--extra", "distance=3.5", "--extra", "height=3")
        bench.until(lambda: len(bench.trials()) == 2)
        run.send_signal(signal.SIGINT)
    table = bench.folder / "came.csv"
    table.write_text("trial,distance,height\n2,3,1.5\n")
    assert "left" not in bench.says("status")
    bench.says("record", "--results", "came.csv")
    assert "trial 2 is to be recorded with" in bench.says("status")
    bench.says("resume", "--plain")
    first, second = bench.trials()
    assert (first["misfit"], second["misfit"]) == (pytest.approx(5.0), pytest.approx(0.25))
    # What is not said of it anew is as it was.
    bench.says("record", "2", "--extra", "distance=3.5", "--correct")
    assert "what came of trial 2 forgotten" in bench.says("status")


@pytest.mark.skipif(shutil.which("awk") is None, reason="awk is not installed")
def test_a_second_fit_knows_what_the_first_left_and_goes_on_without_its_file(bench: Bench) -> None:
    spec = bench.shorten("second-fit.yaml", budget={"trials": 4}, algorithm={"name": "sobol"})
    bench.says("run", spec, "--quiet")
    (bench.folder / "configs" / "labs" / "first-fit.csv").unlink()
    bench.says("amend", "--trials", "5")
    bench.says("resume", "--quiet")
    assert [trial["state"] for trial in bench.trials()] == ["completed"] * 5
    (kept,) = bench.folder.glob("logs/*/spec.yaml")
    priors = priors_among(load_spec_text(kept.read_text(), "spec.yaml", None).spec.parameters)
    with (LABS / "first-fit.csv").open(newline="") as table:
        rows = [{name: float(cell) for name, cell in row.items()} for row in csv.DictReader(table)]
    assert priors == {name: Drawn(tuple(row[name] for row in rows)) for name in ("latency", "illness")}
