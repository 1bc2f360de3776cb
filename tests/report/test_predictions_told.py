"""What models of a run's results expect at points that a person asks about: in words, and for programs."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from recorded_runs import SPEC
from traded_off_runs import gave
from varied_runs import HOT, LONG, Parameters, VariedRun, drag, failing, heated, wings

from orchestrator import cli
from orchestrator.errors import OrchestratorError, SpecError, UsageError
from orchestrator.report.following.runs import FollowedRun, read_run
from orchestrator.report.models.meant_points import meant, trial_meant
from orchestrator.report.models.predictions import RunPredictions, points_read, points_typed, run_predictions
from orchestrator.report.tables.predictions import predictions_json, predictions_table, predictions_words
from orchestrator.scheduler.amendment_events import BoundsAmended

pytestmark = pytest.mark.usefixtures("fits_remembered", "stretched_to_twice")

TRADED = LONG.replace(
    "objective: {name: drag, goal: minimise}", "objectives: {drag: minimise, mass: minimise}"
)
TIED = HOT.replace("[heat <= 60]", "[heat <= 60, sweep <= 10 * span]")
MESHED = SPEC.replace("trials: 20", "cost: 60") + 'fidelity: {parameter: ribs, cost: "ribs"}\n'
POINT = {"span": 4.0, "sweep": 10.0, "ribs": 7, "skin": "foam"}
SETTINGS = tuple(f"{name}={value}" for name, value in POINT.items())


def read(run: VariedRun, folder: Path) -> FollowedRun:
    return read_run(run.write(folder / "logs" / "wing-1"))


def said_by(capsys: pytest.CaptureFixture[str], *command: str) -> str:
    assert cli.main(["predict", *command]) == 0
    return capsys.readouterr().out


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Of a run whose drag falls with the span and rises with the sweep."""
    return str(read(wings(30), tmp_path_factory.mktemp("wings")).folder.path)


@pytest.fixture(scope="module")
def hot(tmp_path_factory: pytest.TempPathFactory) -> FollowedRun:
    """One that grows hot, and whose sweep is bounded by its span."""
    return read(heated(25, TIED), tmp_path_factory.mktemp("hot"))


@pytest.fixture(scope="module")
def told(hot: FollowedRun) -> RunPredictions:
    """Of the best trial's settings but for the span."""
    return run_predictions(hot, points_typed(hot, ["span=5.9", "sweep=3"]))


def test_what_is_expected_is_told_with_how_sure_that_is(
    folder: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = said_by(capsys, folder, *SETTINGS)
    lines = text.splitlines()
    assert lines[0].split() == ["expected", "5", "to", "95", "%"]
    name, mean, sign, _, low, to, high = lines[1].split()
    assert (name, sign, to) == ("drag", "±", "to")
    assert float(low) < float(mean) < float(high)
    assert float(mean) == pytest.approx(drag(POINT), rel=0.05)
    flowing = " ".join(text.split())
    assert "at span = 4 m, sweep = 10 deg, ribs = 7, skin = foam." in flowing
    assert "from 30 results; left out one by one," in flowing
    assert "what is expected here is told to be 2 times as uncertain as these models say" in flowing
    assert "as in the best" not in flowing
    assert "satisfied" not in flowing
    assert max(map(len, lines)) <= 100


def test_what_is_left_out_is_as_in_the_best_trial_and_that_is_said(told: RunPredictions) -> None:
    best, asked = told.asked.best, told.asked
    assert best is not None
    assert asked.points == [{**best.parameters, "span": 5.9, "sweep": 3.0}]
    flowing = " ".join(predictions_words(told, None).split())
    ribs, skin = best.parameters["ribs"], best.parameters["skin"]
    assert f"as in the best, trial {best.number}: ribs = {ribs}, skin = {skin}." in flowing
    assert "at span = 5.9 m, sweep = 3 deg." in flowing


def test_outcomes_that_are_constrained_are_told_and_how_likely_all_constraints_are_to_hold(
    told: RunPredictions,
) -> None:
    assert told.found.value.mean[0] == pytest.approx(10.0 - 5.9, abs=0.2)
    assert told.found.outcomes["heat"].mean[0] == pytest.approx(59.0, abs=1.0)
    assert 0.5 < told.found.satisfied[0] <= 1.0
    lines = predictions_words(told, None).splitlines()
    assert [line.split()[0] for line in lines[1:4]] == ["drag", "heat", "satisfied"]
    assert "heat: by `" in predictions_words(told, None)


def test_beyond_a_constraint_on_parameters_it_is_told_and_satisfies_nothing(
    hot: FollowedRun, tmp_path: Path
) -> None:
    file = tmp_path / "points.csv"
    file.write_text("span,sweep,ribs,skin\n2,35,7,foam\n3,20,7,foam\n8,20,7,carbon\n")
    found = run_predictions(hot, points_read(hot, file))
    assert found.found.satisfied == pytest.approx([0.0, 1.0, 0.0], abs=0.01)
    text = predictions_words(found, None)
    assert text.splitlines()[0].split()[:2] == ["point", "drag"]
    assert [line.split()[0] for line in text.splitlines()[1:4]] == ["1", "2", "3"]
    assert "point 1 breaks `sweep <= 10 * span`, and so would not be asked for." in " ".join(text.split())


def test_programs_get_the_same_as_json_and_as_csv(
    hot: FollowedRun, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place, file = str(hot.folder.path), tmp_path / "points.csv"
    file.write_text("skin,span,sweep,ribs,note\nfoam,3,20,7,one\ncarbon,5,4.5,30,two\n")
    told = json.loads(said_by(capsys, place, "--points", str(file), "--format", "json"))
    assert list(told) == [
        *("quantity", "interval", "left_out", "best_trial", "points"),
        *("hypotheses", "by_logarithm", "results", "modelled"),
        *("explained", "within_two_deviations", "stretched"),
    ]
    assert (told["quantity"], told["interval"], told["left_out"]) == ("drag", [0.05, 0.95], [])
    assert [one["parameters"] for one in told["points"]] == [
        {"span": 3.0, "sweep": 20.0, "ribs": 7, "skin": "foam"},
        {"span": 5.0, "sweep": 4.5, "ribs": 30, "skin": "carbon"},
    ]
    assert told["results"] == {"drag": 25, "heat": 25}
    assert told["stretched"] == {"drag": 2.0, "heat": 2.0}
    first = told["points"][0]
    assert list(first["predicted"]) == ["drag", "heat"]
    assert list(first["predicted"]["heat"]) == ["mean", "deviation", "low", "high"]
    assert 0.0 <= first["satisfied"] <= 1.0
    written = tmp_path / "predicted.csv"
    options = ("--format", "csv", "--output", str(written))
    assert said_by(capsys, place, "--points", str(file), *options) == ""
    rows = list(csv.DictReader(StringIO(written.read_text())))
    assert list(rows[0])[:9] == [
        *("drag_expected", "drag_deviation", "drag_low", "drag_high"),
        *("heat_expected", "heat_deviation", "heat_low", "heat_high", "satisfied"),
    ]
    assert [float(row["drag_expected"]) for row in rows] == [
        one["predicted"]["drag"]["mean"] for one in told["points"]
    ]
    # What was asked about can be asked about again.
    assert points_read(hot, written).points == [one["parameters"] for one in told["points"]]


def test_anything_that_was_returned_as_a_number_can_be_asked_about_alone(
    folder: str, capsys: pytest.CaptureFixture[str]
) -> None:
    told = json.loads(said_by(capsys, folder, *SETTINGS, "--of", "mass", "--format", "json"))
    (point,) = told["points"]
    assert list(point["predicted"]) == ["mass"]
    assert point["predicted"]["mass"]["mean"] == pytest.approx(27.0, abs=1.0)
    assert (point["satisfied"], point["succeeds"]) == (None, None)
    assert cli.main(["predict", folder, *SETTINGS, "--of", "masss"]) == 2
    assert "got `masss`" in capsys.readouterr().err


def test_of_several_objectives_each_is_told_and_every_parameter_has_to_be(tmp_path: Path) -> None:
    run = read(wings(25, TRADED), tmp_path)
    found = run_predictions(run, points_typed(run, SETTINGS)).found
    assert found.value.mean[0] == pytest.approx(drag(POINT), rel=0.1)
    assert found.outcomes["mass"].mean[0] == pytest.approx(27.0, abs=2.0)
    with pytest.raises(SpecError, match="expected a value for `ribs`, but it is missing"):
        points_typed(run, ["span=3", "sweep=1", "skin=foam"])


def test_what_is_left_out_may_be_as_in_a_trial_that_is_named(told: RunPredictions, tmp_path: Path) -> None:
    """So it has to be of several objectives, of which none is the best."""
    run = read(wings(25, TRADED), tmp_path)
    third = trial_meant(run, 3)
    asked = points_typed(run, ["span=3"], None, third)
    assert asked.points == [{**third.parameters, "span": 3.0}]
    assert (asked.best, asked.left_out) == (None, ("sweep", "ribs", "skin"))
    named = replace(told, asked=replace(told.asked, like=third))
    assert "as in trial 3: ribs = " in predictions_words(named, None)
    record = json.loads(predictions_json(named))
    assert record["from_trial"] == 3
    assert record["best_trial"] not in (None, 3)


def test_a_trial_outside_the_bounds_by_now_says_the_rest_where_that_is_told_otherwise(tmp_path: Path) -> None:
    run = wings(5)
    before = float(str(run.scheduler.state.trials[1].parameters["span"]))
    run.happen(BoundsAmended(at=run.at, bounds={"span": ((before + 9.0) / 2, 9.0)}))
    followed = read(run, tmp_path)
    outside = trial_meant(followed, 1)
    asked = points_typed(followed, ["span=9"], None, outside)
    assert asked.points == [{**outside.parameters, "span": 9.0}]
    with pytest.raises(UsageError, match=r"now, got trial 1: parameter `span`: .*; say another, as span="):
        points_typed(followed, ["sweep=10"], None, outside)


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("span=3",), "no best trial to take it from: `--from 12` takes what is left out from that trial"),
        ((), "there is no best trial to take them from, got none: `--from 12` takes"),
        (("span=3", "--from", "best"), "a trial, got `best`, of which there is none of several objectives\n"),
        (("span=3", "--from", "99"), "expected a trial from 1 to 5, got 99"),
        (("--points", "points.csv", "--from", "3"), "expected --from beside settings"),
    ],
)
def test_where_there_is_no_best_trial_one_has_to_be_named(
    options: tuple[str, ...], why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = str(wings(3, TRADED).write(tmp_path / "run").path)
    assert cli.main(["predict", place, *options]) == 2
    assert why in capsys.readouterr().err


def test_where_evaluations_failed_it_is_told_how_likely_they_are_to_succeed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run, failures = failing(20)
    place = str(read(run, tmp_path).folder.path)
    others = [one for one in SETTINGS if not one.startswith("span")]
    text = said_by(capsys, place, "span=2", *others)
    assert [line.split()[0] for line in text.splitlines()[1:3]] == ["drag", "succeeds"]
    assert f"a value, {failures} of 20 having failed;" in " ".join(text.split())
    file = tmp_path / "points.csv"
    file.write_text("skin,span,sweep,ribs\nfoam,2,10,7\nfoam,8.5,10,7\n")
    sound, broken = json.loads(said_by(capsys, place, "--points", str(file), "--format", "json"))["points"]
    assert 1.0 > sound["succeeds"] > 0.6
    assert 0.0 < broken["succeeds"] < 0.3
    assert sound["satisfied"] is None
    table = csv.DictReader(StringIO(said_by(capsys, place, "--points", str(file), "--format", "csv")))
    assert [float(row["succeeds"]) for row in table] == [sound["succeeds"], broken["succeeds"]]


class OfFoam(VariedRun):
    """While the skin is held."""

    def drawn(self) -> Parameters:
        return {**super().drawn(), "skin": "foam"}


def test_what_is_held_now_need_not_be_told_and_may_be(tmp_path: Path) -> None:
    run = OfFoam(SPEC + "held: {skin: foam}\n")
    run.begin()
    run.settle(6, float)
    followed = read(run, tmp_path)
    file = tmp_path / "points.csv"
    file.write_text("span,sweep,ribs\n3,20,7\n")
    assert points_read(followed, file).points[0]["skin"] == "foam"
    asked = points_typed(followed, ["span=3"])
    assert asked.points[0]["skin"] == "foam"
    assert asked.left_out == ("sweep", "ribs")
    assert points_typed(followed, ["skin=carbon"]).points[0]["skin"] == "carbon"


def test_settings_are_told_in_the_order_of_the_spec_whatever_follows_from_them(tmp_path: Path) -> None:
    area = "parameters:\n  area: {type: computed, value: 2 * span}\n  bolts: 4"
    run = VariedRun(SPEC.replace("parameters:", area))
    drawn = run.drawn
    run.drawn = lambda: (told := drawn()) | {"area": 2 * told["span"], "bolts": 4}  # type: ignore[method-assign]
    run.begin()
    run.settle(6, float)
    followed = read(run, tmp_path)
    (file := tmp_path / "points.csv").write_text("span,sweep,ribs,skin\n3,20,7,foam\n")
    found = run_predictions(followed, points_read(followed, file))
    assert predictions_table(found).columns[-5:] == ("area", "span", "sweep", "ribs", "skin")
    names = ["area", "bolts", "span", "sweep", "ribs", "skin"]
    assert list(json.loads(predictions_json(found))["points"][0]["parameters"]) == names
    for point in ("best", "2", "span=3"):
        assert list(meant(followed, point).settings) == names


def test_beside_a_fidelity_it_is_of_full_fidelity_unless_another_is_told(tmp_path: Path) -> None:
    run = VariedRun(MESHED)
    run.begin()
    run.settle(6, float)
    followed = read(run, tmp_path)
    others = ["span=3", "sweep=20", "skin=foam"]
    assert points_typed(followed, others).points[0]["ribs"] == 30
    assert points_typed(followed, [*others, "ribs=4"]).points[0]["ribs"] == 4


def test_parameters_keep_their_names_whatever_our_columns_are_called(tmp_path: Path) -> None:
    text = HOT.replace("sweep", "satisfied")
    run = VariedRun(text)
    drawn = run.drawn
    run.drawn = lambda: {name.replace("sweep", "satisfied"): one for name, one in drawn().items()}  # type: ignore[method-assign]
    run.begin()
    for heat in range(6):
        run.answer_asks()
        gave(run, 5.0 + heat, {"heat": 10.0 * heat})
    followed = read(run, tmp_path)
    found = run_predictions(followed, points_typed(followed, []))
    columns = predictions_table(found).columns
    assert columns[8:] == ("run.satisfied", "span", "satisfied", "ribs", "skin")
    assert json.loads(predictions_json(found))["best_trial"] == 1


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("span=12",), "expected a number in [1, 9] for `span`, got 12"),
        (("spam=3",), "got `spam` (did you mean `span`?)"),
        (("span=3", "sweep"), "expected settings NAME=VALUE, each name once, got sweep"),
        (("span=3", "--points", "points.csv"), "expected either settings or --points, got span=3"),
        (("--points", "points.csv"), "points.csv: expected a file, got nothing there"),
    ],
)
def test_a_command_that_is_wrong_says_what_is_meant(
    options: tuple[str, ...], why: str, folder: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["predict", folder, *options]) == 2
    assert why in capsys.readouterr().err


def test_the_latest_run_is_meant_where_none_is_named_and_a_folder_may_have_an_equals_sign(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    logs = tmp_path / "logs"
    wings(3).write(logs / "rate=0.1")
    for named in ((), ("rate=0.1",), (str(logs / "rate=0.1"),)):
        assert cli.main(["predict", *named, "span=3", "--logs", str(logs)]) == 1
        assert "which has 3: of fewer nothing can be said" in capsys.readouterr().err
    assert cli.main(["predict", "rate=0.2", "--logs", str(logs)]) == 2
    assert "got `rate`" in capsys.readouterr().err


def test_settings_longer_than_any_name_of_a_folder_are_settings(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wings(3).write(tmp_path / "run")
    many = ",".join(f"parameter_{number}=0.125" for number in range(20))
    assert cli.main(["predict", many, "--logs", str(tmp_path)]) == 2
    assert "got `parameter_0`" in capsys.readouterr().err


def test_of_too_few_results_nothing_is_said(tmp_path: Path) -> None:
    few = read(heated(3), tmp_path / "few")
    with pytest.raises(OrchestratorError, match="expected 4 results with a value or more"):
        run_predictions(few, points_typed(few, SETTINGS))
    none = read(VariedRun(HOT), tmp_path / "none")
    with pytest.raises(UsageError, match="as there is no best trial to take them from, got none"):
        points_typed(none, [])
    with pytest.raises(UsageError, match="got `mass`"):
        run_predictions(none, points_typed(none, SETTINGS), "mass")
