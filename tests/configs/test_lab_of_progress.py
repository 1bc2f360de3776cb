"""A program that says how it stands is stopped when that is poor, as the spec to copy has it."""

from __future__ import annotations

import json
import shutil

import pytest
from lab_bench import Bench


@pytest.mark.skipif(shutil.which("awk") is None, reason="awk is not installed")
def test_an_oven_that_warms_too_slowly_is_stopped_in_the_middle_and_a_quick_one_is_not(bench: Bench) -> None:
    points = [{"gain": gain, "reset": 600.0} for gain in (1.0, 100.0)]
    spec = bench.shorten("progress.yaml", budget={"trials": 2}, initial={"points": points})
    told = [json.loads(line) for line in bench.says("run", spec, "--json").splitlines()]
    reports = [line["values"] for line in told if line["event"] == "Progress"]
    assert {name for values in reports for name in values} == {"error"}
    slow, quick = bench.trials()
    assert (slow["state"], slow["attempts"], slow["deviation"]) == ("failed", 1, None)
    step = int(slow["message"].partition(" at step ")[2].partition(",")[0])
    assert slow["message"].startswith("stopped: error was ")
    assert 30 <= step < 160, "it was stopped before its end"
    assert (quick["state"], quick["attempts"]) == ("completed", 1)
    assert quick["deviation"] == pytest.approx(897.944375)
