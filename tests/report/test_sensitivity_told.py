"""Which parameters of a run matter: in words, for programs, and drawn on its page."""

from __future__ import annotations

import csv
import json
import re
from dataclasses import replace
from io import StringIO
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from recorded_runs import SPEC
from traded_off_runs import gave
from varied_runs import HOT, VariedRun, heated, wings

from orchestrator import cli
from orchestrator.errors import OrchestratorError, UsageError
from orchestrator.report.following.runs import FollowedRun, read_run
from orchestrator.report.html.charts import WIDE_CHARACTER
from orchestrator.report.html.page import page
from orchestrator.report.html.shares_chart import BARS, shares_chart
from orchestrator.report.models.sensitivity import run_sensitivity
from orchestrator.report.tables.sensitivity import sensitivity_table, sensitivity_words
from orchestrator.report.words.sensitivity import trust_in
from orchestrator.scheduler import events as ev
from orchestrator.sensitivity import held_out
from orchestrator.sensitivity.results_model import LeftOut

pytestmark = pytest.mark.usefixtures("fits_remembered")

SVG = "{http://www.w3.org/2000/svg}"
TRADED = SPEC.replace(
    "objective: {name: drag, goal: minimise}",
    "objectives: [{name: drag, goal: minimise}, {name: mass, goal: minimise, unit: kg}]",
).replace("trials: 20", "trials: 60")


def read(run: VariedRun, folder: Path) -> FollowedRun:
    return read_run(run.write(folder / "logs" / "wing-1"))


def said_by(capsys: pytest.CaptureFixture[str], *command: str) -> str:
    assert cli.main(["sensitivity", *command]) == 0
    return capsys.readouterr().out


def test_the_parameter_that_matters_most_comes_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = wings(30)
    folder = str(read(run, tmp_path).folder.path)
    lines = said_by(capsys, folder).splitlines()
    assert lines[0].split() == ["parameter", "at", "alone", "in", "all", "from", "to"]
    assert [line.split()[0] for line in lines[1:3]] == ["span", "sweep"]
    best = run.scheduler.state.found.best
    assert best is not None
    text = " ".join(lines)
    assert f"the others as in the best point (trial {best.number})" in text
    assert "from 30 results; left out one by one," in text
    assert "too little" not in text
    assert max(map(len, lines)) <= 100


def test_of_more_results_than_a_model_takes_it_says_how_many_it_was_made_of(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for place in ("sensitivity.measured", "report.words.sensitivity"):
        monkeypatch.setattr(f"orchestrator.{place}.MOST_RESULTS", 20)
    folder = str(read(wings(30), tmp_path).folder.path)
    assert "from 20 of 30 results, drawn whatever their values; left out" in " ".join(
        said_by(capsys, folder).split()
    )
    told = json.loads(said_by(capsys, folder, "--format", "json"))
    assert (told["results"], told["modelled"]) == (30, 20)


def test_penalties_that_a_model_leaves_out_are_not_counted_as_results_of_it() -> None:
    left_out = LeftOut(np.array([1.0, 2.0, 4.0]), np.array([1.0, 2.0, 3.0]), np.ones(3, dtype=bool))
    assert "from 3 of 5 results, the others being penalties; " in trust_in({"plain": 1.0}, left_out, 5, {})
    seeing = (
        "by `plain` (100 %), seeing `rate` by the logarithm of its distance from the lower end, from 3 of "
    )
    assert trust_in({"plain": 1.0}, left_out, 5, {"lower": ["rate"]}).startswith(seeing)


def test_programs_get_the_same_as_json_and_as_csv(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(read(wings(30), tmp_path).folder.path)
    told = json.loads(said_by(capsys, folder, "--format", "json"))
    assert told["quantity"] == "drag"
    assert told["results"] == 30
    assert 0.9 < told["explained"] <= 1.0
    assert sum(told["hypotheses"].values()) == pytest.approx(1.0)
    first = told["parameters"][0]
    assert first["parameter"] == "span"
    assert 0.5 < first["alone"] <= first["in_all"] <= 1.0
    assert first["least"] < first["most"]
    rows = list(csv.DictReader(StringIO(said_by(capsys, folder, "--format", "csv"))))
    assert [row["parameter"] for row in rows] == [one["parameter"] for one in told["parameters"]]
    assert float(rows[0]["in_all"]) == first["in_all"]


def test_anything_that_was_returned_as_a_number_can_be_asked_about(tmp_path: Path) -> None:
    followed = read(wings(30), tmp_path)
    found = run_sensitivity(followed, "mass").found
    assert list(found.influences) == ["span", "sweep", "ribs", "skin"]
    assert found.influences["skin"].in_all > 0.4
    assert found.influences["ribs"].in_all > 0.2
    assert found.influences["span"].in_all < 0.1
    with pytest.raises(UsageError, match=r"returned as a number: `?drag`?,? or `?mass`?; got `masss`"):
        run_sensitivity(followed, "masss")
    with pytest.raises(UsageError, match="got `note`"):
        run_sensitivity(followed, "note")


def test_a_whole_number_beyond_any_float_is_nothing_to_model(tmp_path: Path) -> None:
    run = wings(4)
    run.answer_asks()
    gave(run, 20.0, {"serial": 10**400})
    with pytest.raises(UsageError, match="got `serial`"):
        run_sensitivity(read(run, tmp_path), "serial")


def test_of_too_few_results_nothing_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    followed = read(wings(3), tmp_path)
    with pytest.raises(OrchestratorError, match="expected 4 results with `mass` or more"):
        run_sensitivity(read(wings(3), tmp_path / "b"), "mass")
    with pytest.raises(OrchestratorError, match="expected 4 results with a value or more"):
        run_sensitivity(followed)
    assert cli.main(["sensitivity", str(followed.folder.path)]) == 1
    assert "which has 3: of fewer nothing can be said" in capsys.readouterr().err


def test_a_value_that_was_forgotten_does_not_count(tmp_path: Path) -> None:
    run = wings(8)
    forgotten = ev.ObservationsForgotten(at=run.at + 1.0, trials=(2, 5), reason="unplugged")
    run.happen(forgotten)
    assert run_sensitivity(read(run, tmp_path)).found.results == 6


def test_of_several_objectives_each_has_its_own_best_point(tmp_path: Path) -> None:
    followed = read(wings(20, TRADED), tmp_path)
    light, slender = run_sensitivity(followed, "mass"), run_sensitivity(followed, "drag")
    best = f"as in the trade-off best in mass (trial {light.through.number})"
    words = " ".join(sensitivity_words(light, None).split())
    assert best in words
    # The units of both are the spec's.
    assert "from, to: the mass (kg) expected along it" in words
    assert " span (m) " in words
    assert "from, to: the drag expected along it" in " ".join(sensitivity_words(slender, None).split())
    assert light.through.extras["mass"] == min(t.extras["mass"] for t in followed.state.found.front)
    assert slender.through.value == min(t.value for t in followed.state.found.front if t.value is not None)


def test_where_no_trial_counts_as_the_best_none_is_called_so(tmp_path: Path) -> None:
    told = run_sensitivity(read(heated(6, HOT.replace("heat <= 60", "heat <= 1")), tmp_path))
    through = f"the others as in the trial of the best value, as none counts (trial {told.trial})"
    assert through in " ".join(sensitivity_words(told, None).split())


def test_what_is_nothing_beside_the_rest_of_its_columns_is_told_as_0(tmp_path: Path) -> None:
    told = run_sensitivity(read(wings(30), tmp_path))
    influences = {
        name: replace(one, profile=replace(one.profile, mean=np.array([-0.05, 3.1712e-9])))
        for name, one in told.found.influences.items()
        if one.profile is not None
    }
    rounded = replace(told, found=replace(told.found, influences=influences))
    lines = sensitivity_words(rounded, None).splitlines()
    assert lines[1].split()[-2:] == ["-0.05", "0"]
    # Programs are given the numbers as they are.
    assert sensitivity_table(rounded).rows[0][-1] == 3.1712e-9


def test_the_page_draws_shares_and_what_is_expected_along_each_parameter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # By how much is tested elsewhere, and takes fits.
    monkeypatch.setattr(held_out, "fifths_of", lambda *_: held_out.Fifths(2.0))
    followed = read(wings(30), tmp_path)
    out = tmp_path / "wing.html"
    assert cli.main(["report", str(followed.folder.path), "--sensitivity", "--output", str(out)]) == 0
    text = out.read_text()
    assert "Which parameters matter for drag" in text
    assert "The line is what is expected along a parameter" in text
    assert "What is expected of drag over span and sweep" in text
    assert "the others as in the best point: from" in text
    assert "The darker, the lower" in text
    assert "Grey" not in text
    assert "Constraints on outcomes" not in text
    drawings = re.findall(r"<svg.*?</svg>", text, re.DOTALL)
    (against,) = [drawing for drawing in drawings if "drag against span" in drawing]
    panels = ElementTree.fromstring(against)
    # A line in a band for each of three numbers, and a mark for either choice.
    assert len(list(panels.iter(f"{SVG}polyline"))) == len(list(panels.iter(f"{SVG}polygon"))) == 3
    without = page(followed, [], held=False)
    assert "Which parameters matter" not in without
    assert "The line is what is expected" not in without


def test_a_map_says_which_constraints_are_in_it_and_which_are_not(tmp_path: Path) -> None:
    followed = read(heated(12, HOT.replace("[heat <= 60]", '[heat <= 60, "span <= 8"]')), tmp_path)
    text = page(followed, [], False, [run_sensitivity(followed)])
    assert (
        "Grey: where constraints between parameters are broken. Constraints on outcomes, which some" in text
    )


def test_a_page_of_several_objectives_has_the_shares_of_each(tmp_path: Path) -> None:
    followed = read(wings(20, TRADED), tmp_path)
    told = [run_sensitivity(followed, name) for name in ("drag", "mass")]
    text = page(followed, [], False, told)
    assert text.count("Which parameters matter for") == 2
    assert text.count("in ten shades of as many places each") == 2
    assert "the others as in the trade-off best in it" in text
    assert "the others as in the trade-off best in mass" in text


def test_a_bar_has_room_for_a_name_of_wide_letters() -> None:
    svg = ElementTree.fromstring(shares_chart([("rf_max_momentum", 0.2, 0.9)], "drag"))
    (name,) = (text for text in svg.iter() if text.text == "rf_max_momentum")
    assert float(name.get("x", "")) >= WIDE_CHARACTER * len("rf_max_momentum")


def test_of_many_parameters_the_first_have_bars_and_the_others_are_counted() -> None:
    shares = [(f"p{i}", 0.001, 0.002) for i in range(BARS + 3)]
    drawn = ElementTree.fromstring(shares_chart([("<big>", 0.2, 0.9), *shares[1:]], "drag"))
    words = [label.text for label in drawn.iter(f"{SVG}text")]
    assert words[:2] == ["<big>", "90 %"]
    assert words[-1] == "3 more parameters, each with less"
    assert words.count("<1 %") == BARS - 1
