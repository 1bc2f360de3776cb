"""How good a run's best points are where settings are a little off: in words, and for programs."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from varied_runs import LONG, VariedRun, failing, heated, wings

from orchestrator import cli
from orchestrator.errors import OrchestratorError, UsageError
from orchestrator.parameters.space import Space
from orchestrator.report.following.runs import FollowedRun, read_run
from orchestrator.report.models.tolerances import RunTolerances, run_tolerances
from orchestrator.report.tables.tolerances import tolerance_json, tolerance_table, tolerance_words
from orchestrator.scheduler.event_parts import Suggested
from orchestrator.scheduler.trial import Trial
from orchestrator.sensitivity import held_out
from orchestrator.sensitivity.least_affected import LeastAffected
from orchestrator.sensitivity.tolerances import Tolerances
from orchestrator.sensitivity.tolerated import Behaviour

pytestmark = pytest.mark.usefixtures("fits_remembered")

TRADED = LONG.replace(
    "objective: {name: drag, goal: minimise}", "objectives: {drag: minimise, mass: minimise}"
)


def read(run: VariedRun, folder: Path) -> FollowedRun:
    return read_run(run.write(folder / "logs" / "wing-1"))


@pytest.fixture(scope="module")
def hot(tmp_path_factory: pytest.TempPathFactory) -> RunTolerances:
    """Of a run that grows hot, the span of which may be off by 1 m."""
    with pytest.MonkeyPatch.context() as patch:
        # By how much is tested elsewhere, and takes fits.
        patch.setattr(held_out, "fifths_of", lambda *_: held_out.Fifths(1.0))
        return run_tolerances(read(heated(25), tmp_path_factory.mktemp("hot")), {"span": 1.0})


def said_by(capsys: pytest.CaptureFixture[str], *command: str) -> str:
    assert cli.main(["tolerance", *command]) == 0
    return capsys.readouterr().out


def test_the_best_trial_is_shown_beside_what_is_better_where_settings_are_off(hot: RunTolerances) -> None:
    text = tolerance_words(hot, None)
    lines = text.splitlines()
    assert lines[0].split()[:2] == ["point", "as"]
    assert lines[0].split()[-4:] == ["span", "sweep", "ribs", "skin"]
    assert lines[1].startswith(f"trial {hot.best.number}, the best as set")
    assert "the best tried" in lines[2]
    assert lines[3].startswith("untried, the models' best")
    flowing = " ".join(text.split())
    assert "never beyond the bounds: span by 1 m." in flowing
    assert "drag: by `" in flowing
    assert "heat: by `" in flowing
    assert max(map(len, lines[4:])) <= 100


def test_how_unsure_models_are_is_told_of_what_is_left_to_chance_alone(hot: RunTolerances) -> None:
    models = {name: replace(model, stretch=2.0) for name, model in hot.models.items()}  # type: ignore[type-var]
    drag, heat = tolerance_words(replace(hot, models=models), None).split("drag: by ")[1].split("heat: by ")
    assert "2 times as uncertain" in heat
    assert "times as uncertain" not in drag


def test_it_backs_off_from_a_constraint_as_far_as_settings_are_off(hot: RunTolerances) -> None:
    found, space = hot.found, hot.tolerances.space
    spans = [space.decode(one.point)["span"] for one in (found.of_tried, found.anywhere)]
    assert hot.best.parameters["span"] > 5.5
    assert all(4.0 < span < 5.2 for span in spans)
    assert found.as_set.satisfied < 0.8
    assert found.anywhere.satisfied >= 0.95
    assert found.anywhere.average <= found.of_tried.average


def test_programs_get_the_same_as_json_and_as_csv(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(read(wings(25), tmp_path).folder.path)
    options = ("--off", "span=0.5", "--off", "sweep=2")
    told = json.loads(said_by(capsys, folder, *options, "--format", "json"))
    assert told["tolerances"] == {"span": 0.5, "sweep": 2.0}
    assert list(told["hypotheses"]) == ["drag"]
    first = told["points"][0]
    assert first["point"].startswith(f"trial {told['best_trial']}, the best")
    assert first["poor"] > first["as_set"]
    assert "satisfied" not in first
    assert told["stretched"] == {"drag": 1.0}
    rows = list(csv.DictReader(StringIO(said_by(capsys, folder, *options, "--format", "csv"))))
    assert [row["point"] for row in rows] == [one["point"] for one in told["points"]]
    assert float(rows[0]["on_average"]) == first["on_average"]


def test_where_evaluations_failed_it_is_told_how_likely_they_are_to_succeed_about_a_point(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run, failures = failing(24)
    folder = str(read(run, tmp_path).folder.path)
    told = json.loads(said_by(capsys, folder, "--off", "span=1", "--format", "json"))
    assert all(0.5 < one["succeeds"] < 0.9 for one in told["points"])
    text = said_by(capsys, folder, "--off", "span=1")
    assert text.splitlines()[0].split()[4:7] == ["average", "poor", "succeeds"]
    assert f"a value, {failures} of 24 having failed;" in " ".join(text.split())
    assert text.splitlines()[1].count("%") == 1


def test_of_more_results_than_a_model_takes_it_says_how_many_it_was_made_of(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for place in ("sensitivity.measured", "report.words.sensitivity"):
        monkeypatch.setattr(f"orchestrator.{place}.MOST_RESULTS", 20)
    folder = str(read(wings(25), tmp_path).folder.path)
    said = " ".join(said_by(capsys, folder, "--off", "span=0.5").split())
    assert "from 20 of 25 results, drawn whatever their values; left out" in said
    told = json.loads(said_by(capsys, folder, "--off", "span=0.5", "--format", "json"))
    assert (told["results"], told["modelled"]) == ({"drag": 25}, {"drag": 20})


def named(space: Space, best: int) -> RunTolerances:
    """Of the parameters of a space, by no model."""
    point = np.full(len(space.names), 0.5)
    one = Behaviour(point, 1.0, 2.0, 3.0, 1.0)
    trial = Trial(best, Suggested(parameters=space.decode(point)), queued_at=0.0)
    tolerances = Tolerances(space, {space.names[0]: 0.1})
    return RunTolerances("drag", tolerances, trial, trial, LeastAffected(0, one, 0, one, one), {}, False)


def test_parameters_keep_their_names_whatever_our_columns_are_called() -> None:
    told = named(Space.from_description({"learning_rate": (0.0, 1.0), "poor": (0.0, 1.0)}), 3)
    assert tolerance_words(told, None).splitlines()[0].split() == (
        ["point", "as", "set", "on", "average", "run.poor", "learning_rate", "poor"]
    )
    [point] = json.loads(tolerance_json(told))["points"]
    assert (point["run.poor"], point["poor"], point["learning_rate"]) == (3.0, 0.5, 0.5)
    assert tolerance_table(told).written("csv").startswith("point,as_set,on_average,run.poor,learning_rate,")


def test_a_known_result_is_called_that() -> None:
    told = named(Space.from_description({"span": (0.0, 1.0)}), -3)
    assert tolerance_words(told, None).splitlines()[1].startswith("known result -3, the best ")


def test_the_best_settings_that_were_tried_twice_are_one_row() -> None:
    told = named(Space.from_description({"span": (0.0, 1.0)}), 9)
    again = replace(told, tried=replace(told.tried, number=7))
    assert [row[0] for row in tolerance_table(again).rows] == ["trial 9, the best"]


def test_a_clock_without_a_unit_shows_a_number_alone() -> None:
    told = named(Space.from_description({"span": (0.0, 1.0), "hours": (0.0, 48.0)}), 3)
    words = " ".join(tolerance_words(replace(told, now={"hours": 4.5}), None).split())
    assert "all is of now, hours = 4.5: of trials" in words


def test_what_may_be_left_out_is_said_to_be_0_exactly_then() -> None:
    zinc = {"type": "float", "bounds": [0.0, 10.0], "least": 1.0}
    words = tolerance_words(named(Space.from_description({"zinc": zinc}), 3), None)
    assert "zinc by 0.1; what is left out is 0 exactly." in " ".join(words.split())


def test_what_cannot_be_answered_is_refused_with_a_reason(tmp_path: Path) -> None:
    followed = read(wings(25), tmp_path / "a")
    with pytest.raises(UsageError, match=r"got `spam`.*did you mean `span`"):
        run_tolerances(followed, {"spam": 1.0})
    with pytest.raises(OrchestratorError, match="expected 4 results with a value or more"):
        run_tolerances(read(wings(2), tmp_path / "b"), {"span": 1.0})
    with pytest.raises(UsageError, match="expected a run of one objective, got one of several"):
        run_tolerances(read(wings(6, TRADED), tmp_path / "c"), {"span": 1.0})


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--off", "span"), "expected a parameter and by how much it may be off, span=0.5, got span"),
        (("--off", "span=wide"), "expected a number, got wide"),
        (("--off", "span=1", "--off", "span=2"), "expected --off once for each parameter"),
        ((), "--off"),
    ],
)
def test_a_command_that_is_wrong_says_what_is_meant(
    options: tuple[str, ...], why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = str(read(wings(6), tmp_path).folder.path)
    assert cli.main(["tolerance", folder, *options]) == 2
    assert why in capsys.readouterr().err
