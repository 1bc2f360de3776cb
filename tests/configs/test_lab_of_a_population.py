"""The spec of a network whose settings change on the way does what its first lines say."""

from __future__ import annotations

import shutil
import subprocess

import pytest
from lab_bench import Bench


@pytest.mark.long
@pytest.mark.skipif(shutil.which("awk") is None, reason="awk is not installed")
def test_the_last_piece_of_a_schedule_comes_to_the_same_by_hand(bench: Bench) -> None:
    spec = bench.shorten(
        "population.yaml",
        budget={"cost": 5},
        algorithm={"options": {"population": 4, "pieces": 4}},
        parameters={"epochs": {"type": "int", "bounds": [5, 20]}},
    )
    bench.says("run", spec, "--quiet")
    best = bench.best()
    stretches = best["schedule"]
    assert stretches[-1]["until"] == best["epochs"] == 20
    assert [one["until"] for one in stretches] == sorted({one["until"] for one in stretches})
    assert {name: best[name] for name in ("rate", "momentum", "batch")} == stretches[-1]["parameters"]
    assert f"To epochs = {stretches[0]['until']} (trial" in bench.says("best")
    line = next(one for one in bench.says("best", "--command").splitlines() if one.startswith("cp "))
    again = subprocess.run(line, shell=True, cwd=bench.folder, capture_output=True, text=True, check=True)
    assert float(again.stdout) == best["loss"]
