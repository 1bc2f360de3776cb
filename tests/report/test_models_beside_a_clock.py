"""What models say of a run whose best point drifts: of now, and through no best trial, as there is none."""

from __future__ import annotations

import json

import pytest
from varied_runs import LONG, Parameters, VariedRun

from orchestrator.errors import SpecError, UsageError
from orchestrator.report.following.runs import FollowedRun, read_run
from orchestrator.report.html.sensitivity import shares_drawn
from orchestrator.report.models.meant_points import meant
from orchestrator.report.models.predictions import points_typed
from orchestrator.report.models.sensitivity import RunSensitivity, run_sensitivity
from orchestrator.report.models.tolerances import run_tolerances
from orchestrator.report.tables.sensitivity import sensitivity_json, sensitivity_words
from orchestrator.report.tables.tolerances import tolerance_json, tolerance_words
from orchestrator.report.words.differences import moved_words
from orchestrator.report.words.prediction import Chances, Where, sentences
from orchestrator.spec.build import build_space

pytestmark = pytest.mark.usefixtures("fits_remembered")

CLOCKED = LONG.replace("parameters:\n", "parameters:\n  hours: {type: float, bounds: [0, 48], unit: h}\n")
CLOCKED += "clock: hours\n"
BELIEVED = {"hours": 20.0, "span": 7.2, "sweep": 3.0, "ribs": 7, "skin": "foam"}


class DriftingRun(VariedRun):
    """The span that has the least drag grows with the hours."""

    def drawn(self) -> Parameters:
        return {**super().drawn(), "hours": 0.0}

    def go_on(self, trials: int, every_h: float) -> DriftingRun:
        for _ in range(trials):
            self.at += 3600.0 * every_h
            self.answer_asks()
            told = dict(self.evaluations[0].parameters)
            self.give((told["span"] - 2.0 - 0.25 * told["hours"]) ** 2)
        return self


@pytest.fixture(scope="module")
def drifted(tmp_path_factory: pytest.TempPathFactory) -> FollowedRun:
    """Of 20 hours; the best drag of all came early."""
    run = DriftingRun(CLOCKED)
    run.begin(workers=1)
    return read_run(run.go_on(20, 1.0).write(tmp_path_factory.mktemp("drifted") / "logs" / "wing-1"))


@pytest.fixture(scope="module")
def last_through(drifted: FollowedRun) -> RunSensitivity:
    return run_sensitivity(drifted)


def test_where_nothing_is_believed_best_profiles_run_through_the_last_result(
    last_through: RunSensitivity,
) -> None:
    assert (last_through.point, last_through.trial) == ("the last result", 20)
    words = " ".join(sensitivity_words(last_through, None).split())
    assert "the others as in the last result (trial 20)" in words
    assert "best" not in words


def test_what_is_expected_somewhere_is_so_now_and_the_rest_as_believed_best(
    drifted: FollowedRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(SpecError, match="expected a value for `sweep`"):
        points_typed(drifted, ["span=6"])
    told = {"best_now": {"parameters": BELIEVED, "mean": 0.1, "deviation": 0.01}}
    monkeypatch.setattr(drifted.state.optimiser, "insight", told)
    asked = points_typed(drifted, ["span=6"])
    assert asked.points == [{**BELIEVED, "span": 6.0, "hours": drifted.state.places["hours"]}]
    assert (asked.left_out, asked.best) == (("sweep", "ribs", "skin"), None)
    where = Where(asked.space, asked.points, asked.left_out, None)
    said = list(sentences(where, {}, Chances(False, 0, 20)))
    assert said[1] == "as in the point believed best now: sweep = 3 deg, ribs = 7, skin = foam"


def test_what_is_believed_best_now_is_what_profiles_run_through(
    drifted: FollowedRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = {"best_now": {"parameters": BELIEVED, "mean": 0.1, "deviation": 0.01}}
    monkeypatch.setattr(drifted.state.optimiser, "insight", told)
    found = run_sensitivity(drifted)
    assert "the others as in the point believed best now." in " ".join(sensitivity_words(found, None).split())
    record = json.loads(sensitivity_json(found))
    assert record["through_trial"] is None
    assert {row["parameter"]: row["at"] for row in record["parameters"]} == BELIEVED
    assert "the others as in the point believed best now" in shares_drawn([found])


def test_within_tolerances_trials_are_taken_as_they_would_be_now(drifted: FollowedRun) -> None:
    told = run_tolerances(drifted, {"span": 0.5})
    record = json.loads(tolerance_json(told))
    assert all(point["hours"] == pytest.approx(20.0, abs=0.1) for point in record["points"])
    # By then a span of 7 m is best, whatever had less drag before.
    assert abs(told.best.parameters["span"] - 7.0) < 0.5
    assert told.best.value != min(trial.value for trial in drifted.state.observed if trial.value is not None)
    words = " ".join(tolerance_words(told, None).split())
    assert "all is of now, hours = 20" in words
    assert "of trials what their settings would give at that time, whatever came of them" in words


def test_the_clock_itself_is_off_by_nothing(drifted: FollowedRun) -> None:
    with pytest.raises(UsageError, match="expected a parameter other than `hours`, which is the clock"):
        run_tolerances(drifted, {"hours": 1.0})


def test_trials_are_compared_as_they_would_be_now_and_the_best_is_what_is_believed_best_now(
    drifted: FollowedRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    early = meant(drifted, "2")
    trial = drifted.state.trials[2]
    assert early.settings == {**trial.parameters, "hours": pytest.approx(20.0, abs=0.1)}
    assert moved_words("trial 2", early.moved) == "trial 2: hours as now, and not as its trial had it"
    # The optimiser answered some hours ago.
    told = {"best_now": {"parameters": {**BELIEVED, "hours": 16.0}, "mean": 0.1, "deviation": 0.01}}
    monkeypatch.setattr(drifted.state.optimiser, "insight", told)
    assert meant(drifted, "best").settings == {**BELIEVED, "hours": early.settings["hours"]}
    now = build_space(drifted.spec).encode(early.settings)
    then = build_space(drifted.spec).encode(trial.parameters)
    assert (now != then).any()
