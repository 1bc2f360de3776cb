"""From Python, the best settings for each condition: what is asked, recommended, kept, shown and refused."""

from __future__ import annotations

import json
import pickle
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from orchestrator import Optimiser, maximise
from orchestrator.algorithms.best_for_each import BestForEach
from orchestrator.cli import main
from orchestrator.errors import SpecError, UsageError
from orchestrator.sensitivity import held_out

LOAD = {"type": "float", "bounds": (0, 10), "in_use": "evenly"}
PARAMETERS: dict[str, Any] = {"gain": (0.0, 5.0), "load": LOAD}


def cost(parameters: dict[str, Any]) -> float:
    """Least where the gain is 1 and three tenths of the load."""
    return float((parameters["gain"] - 1.0 - 0.3 * parameters["load"]) ** 2)


@pytest.fixture(scope="module", autouse=True)
def _held_out() -> Iterator[None]:
    """As if twice as far were asked for by results left out: to hold models against them takes seconds."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(held_out, "fifths_of", lambda *_: held_out.Fifths(2.0))
        yield


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("searches") / "gains.jsonl"


@pytest.fixture(scope="module")
def searched(file: Path) -> Optimiser:
    found = Optimiser(PARAMETERS, goal="minimise", noise=0, seed=3, over="each", store=file)
    for _ in range(10):
        (asked,) = found.ask()
        found.tell(asked.trial, cost(asked.parameters))
    return found


@pytest.mark.parametrize("load", [0, 4.5, 10])
def test_settings_are_recommended_for_the_condition_that_is_held(searched: Optimiser, load: float) -> None:
    found = searched.recommend(held={"load": load})
    assert found.parameters["load"] == load
    assert abs(found.parameters["gain"] - 1.0 - 0.3 * load) < 0.15


def test_without_a_condition_there_is_nothing_to_recommend(searched: Optimiser) -> None:
    with pytest.raises(UsageError, match=r"as `recommend\(held=\{'load': \.\.\.\}\)`, and `load` is missing"):
        searched.recommend()
    with pytest.raises(UsageError, match=r"each condition has best settings of its own; recommend\(held="):
        searched.best()


def test_a_trial_can_be_asked_for_in_a_condition_as_it_is(searched: Optimiser) -> None:
    (asked,) = searched.ask(held={"load": 2.5})
    assert asked.parameters["load"] == 2.5
    searched.abandon(asked.trial)


def test_its_file_is_shown_by_the_commands_as_it_is_recommended_and_predicted(
    searched: Optimiser, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["best", str(file), "--at", "load=4.5", "--format", "json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert list(row) == ["load", "gain", "expected", "expected_deviation", "measured", "trial"]
    assert abs(row["gain"] - 2.35) < 0.15
    found = searched.recommend(held={"load": 4.5})
    assert found.parameters == {"load": 4.5, "gain": row["gain"]}
    assert (found.predicted.mean, found.predicted.deviation) == (row["expected"], row["expected_deviation"])
    (predicted,) = searched.predict(found.parameters)
    assert row["expected"] == pytest.approx(predicted.value.mean, abs=1e-6)
    assert row["expected_deviation"] == pytest.approx(predicted.value.deviation, rel=1e-3)


def test_what_is_held_beside_the_condition_is_recommended_as_it_was_told(searched: Optimiser) -> None:
    found = searched.recommend(held={"load": 4.1, "gain": 1.1})
    assert found.parameters == {"load": 4.1, "gain": 1.1}
    assert abs(found.predicted.mean - cost(found.parameters)) < 0.1


def test_settings_for_many_conditions_are_recommended_by_one_fit(
    searched: Optimiser, monkeypatch: pytest.MonkeyPatch
) -> None:
    searched.recommend(held={"load": 1.0})
    monkeypatch.setattr(BestForEach, "compute_refit", None)
    assert searched.recommend(held={"load": 9.0}).parameters["gain"] > 3.0
    assert pickle.loads(pickle.dumps(searched)).results() == searched.results()


def test_a_table_has_as_many_conditions_as_are_asked_for(
    searched: Optimiser, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["best", str(file), "--values", "3"]) == 0
    head, *rows = capsys.readouterr().out.splitlines()[:4]
    assert head.split() == ["load", "gain", "value", "measured", "trial"]
    assert [row.split()[0] for row in rows] == ["0", "5", "10"]
    # With the condition that it was measured in, where one is near.
    assert any(re.search(r" at [\d.]+ +\d+$", row) for row in rows)
    assert main(["status", str(file)]) == 0
    assert "recommend(held=...)" in capsys.readouterr().out


def test_what_is_not_understood_of_a_condition_is_said(
    searched: Optimiser, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for told, sentence in {
        "gain=2": "expected --at load=…, and no more, got `gain`, which is a setting",
        "load=12": "expected a number in [0, 10] for `load`, got 12",
        "lod=2": "did you mean `load`?",
    }.items():
        assert main(["best", str(file), "--at", told]) == 2
        assert sentence in capsys.readouterr().err


def test_its_page_has_charts_of_what_is_set_against_the_condition(
    searched: Optimiser, file: Path, tmp_path: Path
) -> None:
    assert main(["report", str(file), "--output", str(tmp_path / "page.html")]) == 0
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "The best settings for each condition" in page
    assert "gain against load." in page
    assert "<th class='v'>measured</th>" in page
    assert "none yet" not in page


def test_a_prediction_without_a_condition_is_of_the_usual_one(searched: Optimiser) -> None:
    (found,) = searched.predict({"gain": 2.5})
    assert abs(found.parameters["load"] - 5.0) < 0.2
    assert abs(found.value.mean - cost(found.parameters)) < 0.2


def test_what_is_at_odds_with_it_is_refused() -> None:
    with pytest.raises(UsageError, match="no `clock` beside `over: each`"):
        Optimiser({**PARAMETERS, "hour": (0, 9)}, over="each", clock="hour")
    with pytest.raises(UsageError, match="expected a parameter with `in_use` beside `over`"):
        Optimiser({"gain": (0, 1)}, over="each")
    with pytest.raises(SpecError, match="leave `in_use` out"):
        Optimiser(PARAMETERS, over="each", algorithm="turbo")
    with pytest.raises(SpecError, match="expected no `least` of `load`, which varies in use"):
        Optimiser({**PARAMETERS, "load": {**LOAD, "least": 2}}, over="each")


def test_a_whole_search_in_one_call_takes_them() -> None:
    found = maximise(lambda p: -cost(p), Optimiser(PARAMETERS, over="each", noise=0, seed=1), 7)
    assert len(found.results()) == 7
