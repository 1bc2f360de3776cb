"""The spec of a network that is trained by rungs does what its first lines say."""

from __future__ import annotations

import shutil

import pytest
from lab_bench import Bench


@pytest.mark.long
@pytest.mark.skipif(shutil.which("awk") is None, reason="awk is not installed")
def test_the_best_settings_go_on_rung_by_rung_to_all_epochs(bench: Bench) -> None:
    spec = bench.shorten(
        "halving.yaml", budget={"cost": 5}, parameters={"epochs": {"type": "int", "bounds": [1, 9]}}
    )
    bench.says("run", spec, "--quiet")
    trials, best = {trial["trial"]: trial for trial in bench.trials()}, bench.best()
    assert {trial["epochs"] for trial in trials.values()} == {1, 3, 9}
    went_on = [trial for trial in trials.values() if trial["continues"]]
    for trial in went_on:
        before = trials[trial["continues"]]
        assert before["epochs"] * 3 == trial["epochs"]
        assert all(before[name] == trial[name] for name in ("rate", "momentum", "batch"))
    assert best["epochs"] == 9
    assert best["loss"] == min(trial["loss"] for trial in went_on if trial["epochs"] == 9)
    words = bench.says("explain", str(best["trial"]))
    assert "Its settings were among the best of those looked at as closely" in words
    assert "this is at rung 3 of 3, of which the last is full fidelity" in words
