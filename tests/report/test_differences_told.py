"""By how much points of a run are believed to be better than another: in words, and for programs."""

from __future__ import annotations

import csv
import json
from io import StringIO
from pathlib import Path

import pytest
from recorded_runs import SPEC, RecordedRun
from traded_off_runs import gave
from varied_runs import HOT, LONG, REFERENCE, TODAY, ReferencedRun, VariedRun, failing, heated, wings

from orchestrator import cli
from orchestrator.command_line.named_points import points_by_name
from orchestrator.errors import OrchestratorError, UsageError
from orchestrator.report.following.runs import FollowedRun, read_run
from orchestrator.report.models.meant_points import meant
from orchestrator.report.words.differences import moved_words
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.scheduler.amendment_events import BoundsAmended, HeldAmended, ResultsAdded
from orchestrator.scheduler.event_parts import KnownResult
from orchestrator.scheduler.reference_events import ReferenceMeasured

pytestmark = pytest.mark.usefixtures("fits_remembered", "stretched_to_twice")

MESHED = SPEC.replace("trials: 20", "cost: 200") + 'fidelity: {parameter: ribs, cost: "ribs"}\n'
TRADED = LONG.replace(
    "objective: {name: drag, goal: minimise}", "objectives: {drag: minimise, mass: minimise}"
)
TOLERANT = LONG.replace("bounds: [1.0, 9.0]", "bounds: [1.0, 9.0], tolerance: 0.5")


def read(run: RecordedRun, folder: Path) -> FollowedRun:
    return read_run(run.write(folder / "logs" / "wing-1"))


def said_by(capsys: pytest.CaptureFixture[str], *command: str) -> str:
    assert cli.main(["compare", *command]) == 0
    return capsys.readouterr().out


def refused(capsys: pytest.CaptureFixture[str], *command: str) -> str:
    assert cli.main(["compare", *command]) == 2
    return capsys.readouterr().err


@pytest.fixture(scope="module")
def hot(tmp_path_factory: pytest.TempPathFactory) -> FollowedRun:
    """One that grows hot, of which the settings of today are known."""
    run = ReferencedRun(HOT + REFERENCE)
    run.begin()
    for _ in range(16):
        run.answer_asks()
        span = float(str(dict(run.evaluations[0].parameters)["span"]))
        gave(run, 10.0 - span, {"heat": 10.0 * span})
    return read(run, tmp_path_factory.mktemp("hot"))


@pytest.fixture(scope="module")
def place(hot: FollowedRun) -> str:
    return str(hot.folder.path)


def test_the_best_is_held_against_the_reference_unless_more_is_said(
    hot: FollowedRun, place: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = said_by(capsys, place)
    lines = text.splitlines()
    assert lines[0].split("  ")[0] == ""
    assert [head for head in lines[0].split("  ") if head.strip()] != []
    assert [line.split()[0] for line in lines[1:4]] == ["drag", "heat", "satisfied"]
    best = hot.state.found.best
    assert best is not None
    assert best.value is not None
    cells = lines[1].split()
    assert float(cells[1]) == pytest.approx(best.value, abs=0.2)
    assert float(cells[2]) == pytest.approx(7.0, abs=0.2)
    assert float(cells[3]) == pytest.approx(best.value - 7.0, abs=0.2)
    assert lines[1].endswith(">99 %")
    assert lines[2].endswith(")")
    flowing = " ".join(text.split())
    assert f"the best: trial {best.number}, measured {best.value:.5g}, at span = " in flowing
    assert (
        "the reference: trial 1, measured 7, at span = 3 m, sweep = 20 deg, ribs = 7, skin = foam." in flowing
    )
    assert "better: how likely the point is better than the reference, lower drag being so." in flowing
    assert "what the two err alike by does not count" in flowing
    assert "what is expected here is told to be 2 times as uncertain" in flowing
    assert "nothing is told of noise in drag, and these results show none, so that both are taken" in flowing
    assert "orchestrator amend --try best --try reference --times 3." in flowing


def test_of_several_points_there_are_lines_for_each_and_what_was_left_out_is_said(
    hot: FollowedRun, place: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = said_by(capsys, place, "best", "3", "span=5,sweep=3", "--against", "1")
    names = [line[: line.index("  ")] for line in text.splitlines()[1:10]]
    assert names == ["best"] * 3 + ["trial 3"] * 3 + ["span=5,sweep=3"] * 3
    flowing = " ".join(text.split())
    assert "span=5,sweep=3: ribs and skin as in the best." in flowing
    assert "trial 1: measured 7, at span = 3 m" in flowing


def test_a_poorer_point_is_said_to_be_so(place: str, capsys: pytest.CaptureFixture[str]) -> None:
    told = json.loads(said_by(capsys, place, "span=1.5", "--format", "json"))
    (point,) = told["points"]
    drag, heat = point["differences"]["drag"], point["differences"]["heat"]
    assert drag["mean"] == pytest.approx(1.5, abs=0.2)
    assert drag["better"] < 0.05
    assert drag["higher"] == pytest.approx(1.0 - drag["better"])
    assert (heat["better"], heat["higher"] < 0.05) == (None, True)
    assert drag["share"]["mean"] == pytest.approx(drag["mean"] / drag["expected_against"])
    assert drag["low"] < drag["mean"] < drag["high"]


def test_programs_get_the_same_as_json_and_as_csv(
    hot: FollowedRun, place: str, capsys: pytest.CaptureFixture[str]
) -> None:
    told = json.loads(said_by(capsys, place, "--format", "json"))
    assert list(told)[:5] == ["quantity", "interval", "against", "points", "averages"]
    assert told["against"]["parameters"] == TODAY
    assert (told["against"]["called"], told["against"]["trial"]) == ("reference", 1)
    assert told["averages"] is False
    best = hot.state.found.best
    assert best is not None
    assert told["points"][0]["trial"] == best.number
    assert 0.0 <= told["points"][0]["satisfied"] <= 1.0
    rows = list(csv.DictReader(StringIO(said_by(capsys, place, "--format", "csv"))))
    assert [(row["point"], row["against"], row["quantity"]) for row in rows] == [
        ("best", "reference", "drag"),
        ("best", "reference", "heat"),
    ]
    drag = told["points"][0]["differences"]["drag"]
    assert float(rows[0]["difference"]) == drag["mean"]
    assert float(rows[0]["better"]) == drag["better"]
    assert rows[1]["better"] == ""


def test_of_anything_else_that_came_there_is_no_better(
    place: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = said_by(capsys, place, "--of", "heat")
    assert [line.split()[0] for line in text.splitlines()[1:2]] == ["heat"]
    assert "better: how likely" not in text
    assert ", measured" not in text


def of_five_trials() -> ReferencedRun:
    """The first of them is of the reference."""
    run = ReferencedRun(HOT + REFERENCE)
    run.begin()
    for _ in range(5):
        run.answer_asks()
        span = float(str(dict(run.evaluations[0].parameters)["span"]))
        gave(run, 10.0 - span, {"heat": 10.0 * span})
    return run


def test_what_was_measured_several_times_is_told_on_average(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = of_five_trials()
    again = [KnownResult(parameters=TODAY, value=value, outcomes={"heat": 30.0}) for value in (7.4, 7.8)]
    failed = KnownResult(parameters=TODAY, value=None)
    run.happen(ResultsAdded(at=run.at, results=(*again, failed)))
    place = str(read(run, tmp_path).folder.path)
    flowing = " ".join(said_by(capsys, place, "2").split())
    assert "the reference: trial 1, measured 7.4 on average of 3 times, at span = 3 m" in flowing
    told = json.loads(said_by(capsys, place, "2", "--format", "json"))
    assert (told["against"]["measured"], told["against"]["times"]) == (pytest.approx(7.4), 3)
    assert told["points"][0]["times"] == 1


def test_penalties_have_an_average_though_their_sum_is_beyond_a_float(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = of_five_trials()
    again = [KnownResult(parameters=TODAY, value=1e308, outcomes={"heat": 30.0}) for _ in range(2)]
    run.happen(ResultsAdded(at=run.at, results=tuple(again)))
    place = str(read(run, tmp_path).folder.path)
    flowing = " ".join(said_by(capsys, place, "2").split())
    assert "on average of 3 times" in flowing
    told = json.loads(said_by(capsys, place, "2", "--format", "json"))
    assert told["against"]["measured"] == pytest.approx(1e308 / 1.5)


def test_the_same_settings_are_said_to_be_the_same(place: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = said_by(capsys, place, "1")
    assert text.splitlines()[1].endswith("50 %")
    assert "trial 1 and the reference are the same settings." in " ".join(text.split())


@pytest.mark.parametrize(
    ("points", "said"),
    [
        (["99"], "expected a trial from 1 to 18, got 99"),
        (["span=99"], "expected a number in [1, 9] for `span`, got 99"),
        (["spam=3"], "got `spam` (did you mean `span`?)"),
        (["best", "worst"], "expected a point as `best`, `reference`, the number of a trial, or settings"),
        (["span=3,span=4"], "each name once, got `span` twice"),
        (["--against", "old"], "expected a point as `best`, `reference`"),
        (["--of", "weight"], "expected something that evaluations returned as a number: `drag` or `heat`"),
    ],
)
def test_what_is_no_point_of_the_run_is_refused(
    place: str, points: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said in refused(capsys, place, *points)


def test_without_a_reference_it_is_to_be_said_what_to_compare_with(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = str(read(wings(6), tmp_path).folder.path)
    assert "expected --against with the point to compare with" in refused(capsys, place)
    assert "got `reference`, which its spec does not name" in refused(capsys, place, "--against", "reference")


def test_of_too_few_results_nothing_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = str(read(wings(3), tmp_path).folder.path)
    assert cli.main(["compare", place, "--against", "1"]) == 1
    assert "expected 4 results with a value or more" in capsys.readouterr().err


def test_of_several_objectives_none_is_the_best_and_each_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = str(read(wings(12, TRADED), tmp_path).folder.path)
    assert "got `best`, of which there is none of several objectives" in refused(
        capsys, place, "--against", "1"
    )
    told = json.loads(said_by(capsys, place, "2", "--against", "1", "--format", "json"))
    found = told["points"][0]["differences"]
    assert list(found) == ["drag", "mass"]
    assert all(0.0 <= one["better"] <= 1.0 for one in found.values())
    mass = read_run(RunFolder(Path(place))).state.trials[2].extras["mass"]
    assert f"trial 2: measured {mass:.5g}, at" in said_by(
        capsys, place, "2", "--against", "1", "--of", "mass"
    )


def test_where_evaluations_failed_it_is_said_how_likely_each_is_to_succeed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run, failures = failing(20)
    assert failures > 3
    place = str(read(run, tmp_path).folder.path)
    lines = said_by(capsys, place, "span=8", "--against", "span=3").splitlines()
    name, here, _, there, _ = lines[2].split()[:5]
    assert name == "succeeds"
    assert float(here.strip("<>")) < float(there.strip("<>"))


def test_a_trial_is_taken_at_full_fidelity_and_where_parameters_are_held_now(tmp_path: Path) -> None:
    meshed = read(wings(6, MESHED), tmp_path / "meshed")
    point = meant(meshed, "2")
    assert point.settings["ribs"] == 30
    said = moved_words(point.words, point.moved)
    assert said == "trial 2: ribs at full fidelity, and not as its trial had it"
    run = wings(6)
    run.happen(HeldAmended(at=run.at + 1.0, held={"skin": "carbon"}))
    held = read(run, tmp_path / "held")
    other = next(one for one in held.state.trials.values() if one.parameters["skin"] == "foam")
    assert meant(held, str(other.number)).settings == {**other.parameters, "skin": "carbon"}


def test_a_point_to_try_is_meant_as_one_to_compare_is(hot: FollowedRun) -> None:
    best = hot.state.found.best
    assert best is not None
    named = points_by_name(hot, ["best,span=4", "reference", "1", "span=4,sweep=20,ribs=7,skin=foam"])
    assert named == {"best": best.parameters, "reference": TODAY, "1": TODAY}
    with pytest.raises(
        UsageError, match="expected a point as `best`, `reference`, the number of a trial, or"
    ):
        points_by_name(hot, ["bets"])


def test_where_settings_are_off_it_is_averages_that_differ(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = str(read(wings(16, TOLERANT), tmp_path).folder.path)
    words = ("span=1.5,sweep=20", "--against", "span=4,sweep=20")
    told = json.loads(said_by(capsys, place, *words, "--format", "json"))
    assert told["averages"] is True
    # 100 / span is 66.7 as set, and 69.3 on average over 1 to 2.
    assert told["points"][0]["differences"]["drag"]["expected"] > 68.0
    assert "averages over settings that are off" in " ".join(said_by(capsys, place, *words).split())


def test_a_trial_outside_the_bounds_of_now_is_refused(tmp_path: Path) -> None:
    run = wings(6)
    run.happen(BoundsAmended(at=run.at + 1.0, bounds={"span": (8.9, 9.0)}))
    with pytest.raises(UsageError, match="expected a point where this run looks now, got trial 2: "):
        meant(begun := read(run, tmp_path), "2")
    # What is tried may be otherwise there, or the bounds be widened by the same amendment.
    asked = points_by_name(begun, ["2,span=8.95"])
    assert asked == {"2": begun.state.trials[2].parameters}


def test_before_there_is_a_best_one_that_is_said(tmp_path: Path) -> None:
    run = VariedRun()
    run.begin()
    with pytest.raises(OrchestratorError, match=r"expected a run with a best point, got .*: no value yet"):
        meant(read(run, tmp_path), "best")


def test_a_run_called_as_a_point_is_a_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    heated(8).write(tmp_path / "logs" / "best")
    monkeypatch.chdir(tmp_path)
    assert "trial 2: " in said_by(capsys, "best", "2", "--against", "1")
    assert "the best: trial" in said_by(capsys, "best", "--against", "1")


def test_the_reference_satisfies_what_is_relative_to_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = ReferencedRun(HOT.replace("heat <= 60", "heat <= reference(heat)") + REFERENCE)
    run.begin()
    for trial in range(8):
        run.answer_asks()
        span = float(str(dict(run.evaluations[0].parameters)["span"]))
        gave(run, 10.0 - span, {"heat": 10.0 * span + 3.0 * (-1) ** trial})
        if trial == 0:
            run.happen(ReferenceMeasured(at=1.0, levels={"heat": 33.0}))
    place = str(read(run, tmp_path).folder.path)
    points = ["reference", "span=9,sweep=20,ribs=7,skin=foam"]
    told = json.loads(said_by(capsys, place, *points, "--against", "1", "--format", "json"))
    assert [one["satisfied"] for one in (told["against"], *told["points"][:1])] == [1.0, 1.0]
    assert told["points"][1]["satisfied"] < 0.1


def best_by(capsys: pytest.CaptureFixture[str], *command: str) -> str:
    assert cli.main(["best", *command]) == 0
    return capsys.readouterr().out


def test_best_says_by_how_much_it_is_better_than_the_reference(
    hot: FollowedRun, place: str, capsys: pytest.CaptureFixture[str]
) -> None:
    flowing = " ".join(best_by(capsys, place).split())
    assert (
        "the best is better than the reference (trial 1) with >99 %, as far as results can tell: " in flowing
    )
    assert " % (-" in flowing
    assert "of the reference, without noise. nothing is told of noise in drag" in flowing
    told = json.loads(best_by(capsys, place, "--format", "json"))
    best = hot.state.found.best
    assert best is not None
    assert told["trial"] == best.number
    assert told["reference_trial"] == 1
    assert told["reference_difference"] == pytest.approx((best.value or 0.0) - 7.0, abs=0.2)
    assert told["reference_difference_low"] < told["reference_difference"] < told["reference_difference_high"]
    assert told["reference_better"] > 0.99


def test_best_says_nothing_of_it_while_results_are_too_few_and_without_a_reference(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    few = ReferencedRun(HOT + REFERENCE)
    few.begin()
    for _ in range(2):
        few.answer_asks()
        gave(few, 3.0, {"heat": 20.0})
    place = str(read(few, tmp_path / "few").folder.path)
    assert "reference" not in best_by(capsys, place)
    assert "reference_better" not in json.loads(best_by(capsys, place, "--format", "json"))
    other = str(read(wings(6), tmp_path / "none").folder.path)
    assert "reference" not in best_by(capsys, other)


def test_where_the_reference_is_the_best_that_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = ReferencedRun(LONG + REFERENCE)
    run.begin()
    for trial in range(6):
        run.answer_asks()
        gave(run, 1.0 + trial, {"mass": 1.0})
    place = str(read(run, tmp_path).folder.path)
    assert "the reference has the same settings: nothing better is believed to be known." in " ".join(
        best_by(capsys, place).split()
    )
