"""The specs to copy do what they say: each is run, as its first lines tell."""

from __future__ import annotations

import csv
import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from lab_bench import LABS, PROJECT, Bench

from orchestrator.report.doctor.findings import examine_spec
from orchestrator.spec.load import load_spec

REAL = {
    "amplifier.yaml": "ngspice",
    "argon.yaml": "lmp",
    "bracket.yaml": "prusa-slicer",
    "town.yaml": "sumo",
    "yagi.yaml": "nec2c",
}
"""The simulators that specs to copy are for, and that their first lines say how to install."""
LIBRARIES = {"galaxies.yaml": ("cosmosis", "camb")}
"""And those that are libraries of Python, of an extra that `make test` does not install."""


@pytest.mark.parametrize("name", sorted(path.name for path in LABS.glob("*.yaml")))
def test_each_is_a_spec_that_can_run_here_as_it_stands(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(PROJECT)
    loaded = load_spec(LABS / name)
    assert loaded.remarks == ()
    finding = examine_spec(loaded.spec)
    if shutil.which(REAL.get(name, "sh")) is None:
        assert REAL[name] in str(finding.lacks)
        return
    lacking = [library for library in LIBRARIES.get(name, ()) if find_spec(library) is None]
    if lacking:
        assert all(library in str(finding.lacks) for library in lacking)
        return
    assert finding.ready, finding.lacks


@pytest.mark.skipif(shutil.which("awk") is None, reason="awk is not installed")
def test_mixtures_keep_to_what_ties_their_parts(bench: Bench) -> None:
    trials = bench.trials_of("constraints.yaml", 8)
    for trial in trials:
        cement, water = trial["cement"], trial["water"]
        assert 0.15 <= 1 - cement - water - trial["sand"] <= 0.6
        assert 0.3 * cement <= water <= 0.7 * cement
        assert 60 * cement + 0.8 * trial["days"] <= 40
    bench.says("amend", "--bounds", "days=1,7", "--trials", "10")
    bench.says("resume", "--quiet")
    later = bench.trials()[8:]
    assert [trial["state"] for trial in later] == ["completed"] * 2
    assert all(trial["days"] <= 7 and trial["water"] <= 0.7 * trial["cement"] for trial in later)


@pytest.mark.skipif(shutil.which("awk") is None, reason="awk is not installed")
def test_the_best_girder_bears_what_it_must(bench: Bench) -> None:
    trials, best = bench.trials_of("outcomes.yaml", 10), bench.best()
    assert all(3 * trial["flange"] <= trial["height"] for trial in trials)
    sound = [t for t in trials if t["deflection"] <= 15 and 1.5 * t["stress"] <= t["strength"]]
    assert 0 < len(sound) < 10
    assert best["cost"] == min(trial["cost"] for trial in sound)
    assert best["cost"] > min(trial["cost"] for trial in trials)


@pytest.mark.skipif(shutil.which("awk") is None, reason="awk is not installed")
def test_a_pipe_has_the_pumps_and_the_insulation_that_it_has(bench: Bench) -> None:
    trials = bench.trials_of("conditional.yaml", 10)
    for trial in trials:
        speeds = [trial[f"speed_{i}"] is not None for i in (1, 2, 3)]
        assert speeds == [True, trial["pumps"] >= 2, trial["pumps"] == 3]
        assert (trial["thickness"] is not None) == (trial["insulation"] != "none")
    assert {trial["pumps"] for trial in trials} == {1, 2, 3}
    assert {trial["insulation"] for trial in trials} == {"none", "wool", "foam"}


@pytest.mark.skipif(shutil.which("awk") is None, reason="awk is not installed")
def test_a_solvent_is_chosen_by_a_table_that_the_run_keeps(bench: Bench) -> None:
    trials = bench.trials_of("described.yaml", 6)
    assert all(0.0 <= trial["back"] < 96.0 for trial in trials)
    (kept,) = bench.folder.glob("logs/*/spec.yaml")
    (bench.folder / "configs" / "labs" / "solvents.csv").unlink()
    assert "dioxane,4.8" in kept.read_text(encoding="utf-8")
    assert "trials  6 of 6 settled" in bench.says("status")


@pytest.mark.skipif(shutil.which("awk") is None, reason="awk is not installed")
def test_a_chemist_begins_where_good_settings_are_believed_to_lie(bench: Bench) -> None:
    first, *others = bench.trials_of("promising.yaml", 10)
    assert first["heat"] == pytest.approx(90.0)
    assert first["load"] == pytest.approx(1.0)
    assert first["base"] == 2
    assert any(abs(trial["heat"] - 90.0) > 30.0 for trial in others), "half of them are all over"
    assert "there, or about there, good settings were said to lie" in bench.says("explain", "1")
    assert "what is expected counts to the power" in bench.says("explain", "10")
    (run,) = (path.name for path in bench.folder.glob("logs/*"))
    bench.says("amend", run, "--bounds", "heat=40,60", "--bounds", "base=1,1.5", "--trials", "12")
    bench.says("resume", run, "--quiet")
    later = bench.trials()[10:]
    assert [trial["state"] for trial in later] == ["completed"] * 2
    assert all(trial["heat"] <= 60.0 and trial["base"] <= 1.5 for trial in later)


@pytest.mark.skipif(shutil.which("ngspice") is None, reason="ngspice is not installed")
def test_of_a_circuit_that_is_simulated_every_value_is_read(bench: Bench) -> None:
    by_hand, other = bench.trials_of("amplifier.yaml", 2)
    assert by_hand["gain"] == pytest.approx(27.29, abs=0.1)
    assert (by_hand["power"], by_hand["distortion"]) == pytest.approx((0.0134, 0.361), rel=0.1)
    assert by_hand["bass"] <= 3
    assert other["bass"] > 3, "this one is no amplifier at all"


@pytest.mark.skipif(shutil.which("lmp") is None, reason="LAMMPS is not installed")
def test_of_a_liquid_that_is_simulated_columns_of_two_tables_are_read(bench: Bench) -> None:
    said = bench.says("try", "configs/labs/argon.yaml", "epsilon=0.2385", "sigma=3.4")
    assert "neighbours = 50 points between 0 and 2." in said
    assert "density = 1.3" in said


@pytest.mark.skipif(shutil.which("nec2c") is None, reason="nec2c is not installed")
def test_of_an_antenna_that_is_simulated_columns_below_headings_are_read(bench: Bench) -> None:
    said = bench.says("try", "configs/labs/yagi.yaml")
    assert "gain = 8.59 dBi\nback = 0.62\nresistance = 40.0" in said
    assert "no best one, as it does not satisfy `back <= -3`, `reactance <= 25`" in said


@pytest.mark.skipif(shutil.which("sumo") is None, reason="SUMO is not installed")
def test_of_traffic_that_is_simulated_values_are_read_by_paths_of_xml(bench: Bench) -> None:
    said = bench.says("try", "configs/labs/town.yaml", "along=60", "across=10")
    assert "lost = 5" in said
    assert "waited = 4" in said
    assert "no best one, as it does not satisfy `waited <= 150`" in said


@pytest.mark.skipif(
    shutil.which("yosys") is None or shutil.which("nextpnr-ice40") is None, reason="yosys is not installed"
)
def test_of_a_filter_that_is_placed_the_speed_of_its_clock_is_read(bench: Bench) -> None:
    flags = ("mapper=-abc2", "retime=-retime", "placer=heap", "alpha=0.1", "weight=10", "target=100")
    said = bench.says("try", "configs/labs/filter.yaml", *flags)
    assert "speed = 1" in said or "speed = 9" in said
    assert "no best one, as it does not satisfy `cells <= 400`" in said


@pytest.mark.skipif(shutil.which("prusa-slicer") is None, reason="PrusaSlicer is not installed")
def test_of_a_part_that_is_sliced_how_long_it_takes_is_read_in_minutes(bench: Bench) -> None:
    said = bench.says("try", "configs/labs/bracket.yaml", "layer=0.1", "walls=2")
    assert re.search(r"^time = (6\d|7\d|8\d|9\d|1\d\d)\.\d+ min$", said, re.MULTILINE), "it says 1h 28m 37s"
    assert "thickness = 0.1 mm" in said


@pytest.mark.skipif(find_spec("swmm") is None, reason="swmm-toolkit is not installed")
def test_of_a_sewer_that_is_simulated_nothing_is_flooded_where_its_report_says_nothing(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    said = bench.says("try", "configs/labs/sewer.yaml")
    assert "flooded = 0.3" in said
    wide = ("first=1.4", "second=1.4", "third=1.4", "tank=550", "gate=0.2")
    said = bench.says("try", "configs/labs/sewer.yaml", *wide)
    assert "cost = 389.56" in said
    assert "flooded = 0\n" in said


@pytest.mark.skipif(shutil.which("awk") is None, reason="awk is not installed")
def test_a_coupling_is_first_tried_where_last_month_was_best(bench: Bench) -> None:
    first, *others = bench.trials_of("related.yaml", 4)
    assert (first["heat"], first["load"], first["base"]) == pytest.approx((85.0, 5.0, 2.0))
    assert len(others) == 3
    (kept,) = bench.folder.glob("logs/*/spec.yaml")
    (bench.folder / "configs" / "labs" / "last-month.csv").unlink()
    assert "heat,hours,load,base,yield" in kept.read_text(encoding="utf-8")
    assert "trials  4 of 4 settled" in bench.says("status")


@pytest.mark.skipif(shutil.which("awk") is None, reason="awk is not installed")
def test_tubes_of_a_freezer_are_tried_by_their_names_each_once(bench: Bench) -> None:
    trials = bench.trials_of("candidates.yaml", 8)
    assert len({trial["tube"] for trial in trials}) == 8
    assert all(0.0 <= trial["washed"] < 96.0 and trial["carbons"] >= 8 for trial in trials)


@pytest.mark.skipif(shutil.which("awk") is None, reason="awk is not installed")
def test_a_joint_is_pressed_in_the_air_that_there_is_and_the_next_day_in_other_air(bench: Bench) -> None:
    trials, first, second = bench.two_days_of_joints(6, 10)
    assert [trial["humidity"] for trial in trials] == [45.0] * 6 + [70.0] * 4
    assert first["strength"] == max(trial["strength"] for trial in trials[:6])
    assert second["humidity"] == 70.0
    assert second["strength"] == max(trial["strength"] for trial in trials[6:])


@pytest.mark.skipif(shutil.which("awk") is None, reason="awk is not installed")
def test_no_girder_beats_those_between_cheap_and_stiff(bench: Bench) -> None:
    trials, front = bench.trials_of("trade-offs.yaml", 12), bench.best()
    sound = [t for t in trials if t["deflection"] <= 40 and 1.5 * t["stress"] <= t["strength"]]
    assert 0 < len(front) < len(sound) < 12
    for one in front:
        assert one["deflection"] <= 40
        assert 1.5 * one["stress"] <= one["strength"]
        assert not [other for other in front if other is not one and as_good(other, one)]
    for one in sound:
        beaten = [better for better in front if as_good(better, one)]
        assert beaten, "whatever is sound is of the front, or one of it is as good"


def as_good(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return all(one[name] <= other[name] for name in ("cost", "deflection"))


@pytest.mark.skipif(shutil.which("awk") is None, reason="awk is not installed")
def test_a_bar_of_fewer_cells_is_looked_at_for_less_and_the_best_has_all(bench: Bench) -> None:
    spec = bench.shorten("fidelity.yaml", budget={"cost": 3})
    said = bench.says("run", spec, "--plain")
    trials = bench.trials()
    assert 3.0 <= sum(trial["cost"] for trial in trials) < 4.0
    assert len(trials) > 3
    cheap = [trial for trial in trials if trial["cells"] < 80]
    assert all(trial["message"].startswith("not at full fidelity") for trial in cheap)
    assert all(trial["cost"] == pytest.approx((trial["cells"] / 80) ** 3) for trial in trials)
    assert "for what 3" in said


@pytest.mark.skipif(shutil.which("awk") is None, reason="awk is not installed")
def test_the_fewer_cells_the_cooler_the_hot_end_of_the_bar_seems() -> None:
    def off(cells: int) -> float:
        told = {"first": 724, "then": 109, "switch_": 182, "cells": cells}
        given = [word for name, value in told.items() for word in ("-v", f"{name}={value}")]
        program = ["awk", *given, "-f", "configs/labs/bar.awk"]
        return float(subprocess.run(program, cwd=PROJECT, capture_output=True, check=True).stdout)

    assert off(10) < off(20) < off(40) < off(80)


@pytest.mark.skipif(shutil.which("awk") is None, reason="awk is not installed")
def test_a_beam_is_brought_up_without_a_setting_that_jumps(bench: Bench) -> None:
    bench.says("run", bench.shorten("travel.yaml", budget={"trials": 7}), "--quiet")
    trials = bench.trials()
    for before, after in pairwise(trials):
        assert max(abs(after[name] - before[name]) for name in ("first", "second")) <= 8.0 + 1e-9
        assert abs(after["steer"] - before["steer"]) <= 1.0
        assert 0.5 - 1e-9 <= after["gas"] / before["gas"] <= 2.0 + 1e-9
    assert any("on the way to first = " in (trial["message"] or "") for trial in trials)
    assert "there the start design has a point" in bench.says("explain", "--", "2")
    beyond = "first=99,second=22,steer=-1.5,gas=1.2e-4"
    said = bench.says("amend", "--try", beyond, "--trials", "8", code=2)
    assert "first = 99 is too far from" in said


@pytest.mark.skipif(shutil.which("awk") is None, reason="awk is not installed")
def test_a_printer_keeps_the_nozzle_that_takes_long_to_swap_for_a_while(bench: Bench) -> None:
    bench.says("run", bench.shorten("print.yaml", budget={"trials": 8}), "--quiet")
    trials = bench.trials()
    assert [trial["nozzle"] for trial in trials[:5]] == [trials[0]["nozzle"]] * 5
    assert len({trial["flow"] for trial in trials}) == 8
    assert any("changing bed (" in (trial["message"] or "") for trial in trials)
    assert "as changing it would have taken: nozzle (30 min 00 s)" in bench.says("explain", "--", "2")


@pytest.mark.skipif(shutil.which("awk") is None, reason="awk is not installed")
def test_a_coating_is_sought_that_is_good_though_its_layers_are_a_little_off(bench: Bench) -> None:
    bench.says("run", bench.shorten("tolerance.yaml", budget={"trials": 13}), "--quiet")
    assert "believed best on average, settings being a little off" in bench.says("best")
    assert "of what is not known of that average" in bench.says("explain", "--", "12")
    assert "first by 6 nm and second by 6 nm" in bench.says("tolerance")
    assert "no `target` beside `tolerance`" in bench.says("amend", "--target", "99", code=2)


@pytest.mark.skipif(shutil.which("awk") is None, reason="awk is not installed")
def test_tiles_that_are_fired_together_have_one_temperature(bench: Bench) -> None:
    bench.says("run", bench.shorten("kiln.yaml", budget={"trials": 16}), "--quiet")
    rows = list(csv.DictReader(bench.says("trials", "--format", "csv").splitlines()))
    fired = [{(row["temperature"], row["minutes"]) for row in rows[i : i + 8]} for i in (0, 8)]
    assert [len(one) for one in fired] == [1, 1]
    assert fired[0] != fired[1]
    assert "All of its round have temperature = " in bench.says("explain", "12")


@pytest.mark.skipif(shutil.which("awk") is None, reason="awk is not installed")
def test_two_robots_are_told_apart_by_who_evaluated(bench: Bench) -> None:
    bench.says("run", bench.shorten("blocks.yaml", budget={"trials": 6}), "--quiet")
    assert "no `target` beside `blocks`" in bench.says("amend", "--target", "3", code=2)
    assert "blocks are who evaluated" in bench.says("amend", "--block", "7", code=2)


@pytest.mark.skipif(shutil.which("awk") is None, reason="awk is not installed")
def test_a_rotor_is_sought_for_the_worst_of_its_winds(bench: Bench) -> None:
    bench.says("run", bench.shorten("in-use.yaml", budget={"trials": 11}), "--quiet")
    best = bench.says("best")
    assert "best on average over the worst 20 % of what comes up in use, as believed" in best
    assert "wind" not in best
    assert "no `target` beside `in_use`" in bench.says("amend", "--target", "99", code=2)


@pytest.mark.skipif(shutil.which("awk") is None, reason="awk is not installed")
def test_a_pump_has_the_best_settings_for_each_flow(bench: Bench) -> None:
    bench.says("run", bench.shorten("for-each.yaml", budget={"trials": 9}, initial={"count": 6}), "--quiet")
    table = bench.says("best")
    assert "flow (l/s)" in table
    assert len([line for line in table.splitlines() if "±" in line]) == 7
    assert "12.5" in bench.says("best", "--at", "flow=12.5")
    assert bench.says("best", "--values", "3", "--format", "csv").startswith("flow,speed,angle,gap,seal,exp")
    assert "expected to add most to the best of each condition" in bench.says("explain", "9")
    assert "each condition has best settings of its own" in bench.says("status")
    assert "no `target` beside `over: each`" in bench.says("amend", "--target", "99", code=2)


@pytest.mark.skipif(shutil.which("awk") is None, reason="awk is not installed")
def test_where_a_tank_runs_away_is_told_as_a_share_of_the_domain(bench: Bench) -> None:
    spec = bench.shorten("boundary.yaml", budget={"trials": 9}, initial={"count": 5})
    said = bench.says("run", spec, "--plain")
    assert "learn where hottest is above 120 °C" in said
    assert "% of the domain lies above 120 °C" in said
    assert "% of the domain lies above 120 °C" in bench.says("status")
    assert "to take most of the doubt of where the value is above 120 °C" in bench.says("explain", "9")
    assert "above" in bench.says("predict", "jacket=75", "strength=2.5", "cooling=5")
    assert "no `target` beside `threshold`" in bench.says("amend", "--target", "99", code=2)
