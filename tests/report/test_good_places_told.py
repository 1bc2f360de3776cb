"""Several good places of a run: in words, for programs, and where there are none to tell."""

from __future__ import annotations

import csv
import json
import re
from io import StringIO
from pathlib import Path

import pytest
from recorded_runs import INSIGHT, RecordedRun
from traded_off_runs import gave

from orchestrator import cli
from orchestrator.scheduler import events as ev

pytestmark = pytest.mark.usefixtures("fits_remembered", "stretched_to_twice")

SPEC = """\
experiment: bends
objective: {name: height, goal: minimise, unit: mm}
parameters:
  x: {type: float, bounds: [-2.0, 2.0], unit: m}
budget: {trials: 40}
outcomes: [heat]
constraints: [heat <= 60]
evaluation: {evaluator: "bends:height"}
workers: {local: 1}
"""
PLACES = [-2.0 + i / 4 for i in range(17)]


def height(x: float) -> float:
    """Two valleys, at -1 and, less deep, at 1; between them a hill of about 1."""
    return (x**2 - 1.0) ** 2 + 0.3 * x


class Bent(RecordedRun):
    """Measured at places that lie evenly; at -1 it is too hot."""

    def answer_asks(self, seconds: float = 0.2) -> RecordedRun:
        while self.asks:
            ask = self.asks.popleft()
            made = [
                ev.Suggested(parameters={"x": PLACES[(ask.first_trial + i - 1) % len(PLACES)]})
                for i in range(ask.count)
            ]
            self.happen(
                ev.SuggestionsMade(
                    at=self.at + seconds,
                    ask=ask.ask,
                    suggestions=tuple(made),
                    seconds=seconds,
                    insight=self.insight(ask.first_trial),
                )
            )
        return self

    def insight(self, _: int) -> dict[str, object]:
        return dict(INSIGHT)

    def measured(self, trials: int = len(PLACES)) -> Bent:
        self.begin(workers=1)
        for _ in range(trials):
            self.answer_asks()
            x = float(str(dict(self.evaluations[0].parameters)["x"]))
            gave(self, height(x), {"heat": 70.0 if x == -1.0 else 20.0})
        self.answer_asks()
        return self


class Noisy(Bent):
    """The optimiser believes that another one is the best than that which was measured so."""

    def insight(self, trial: int) -> dict[str, object]:
        believed = {"trial": 6, "predicted": {"mean": 0.0, "deviation": 0.1}}
        return {**INSIGHT, **({"believed_best": believed} if trial > 6 else {})}


def written(run: RecordedRun, folder: Path) -> str:
    return str(run.write(folder / "logs" / "bends-1").path)


@pytest.fixture(scope="module")
def bent(tmp_path_factory: pytest.TempPathFactory) -> str:
    return written(Bent(SPEC).measured(), tmp_path_factory.mktemp("bent"))


def said(capsys: pytest.CaptureFixture[str], *command: str, code: int = 0) -> str:
    assert cli.main(["best", *command]) == code
    told = capsys.readouterr()
    return told.err if code else told.out


def test_each_place_is_a_line_with_its_best_trial_that_satisfies_constraints(
    bent: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = said(capsys, bent, "--places", "5")
    head, first, second, *more = text.splitlines()
    assert head.split() == ["trial", "height", "(mm)", "expected", "between", "heat", "x", "(m)"]
    # Of the deepest valley the bottom is too hot, and a neighbour stands for it.
    trial, value, expected, _, x = first.split()
    assert (trial, x, float(value)) == ("4", "-1.25", pytest.approx(height(-1.25), abs=1e-4))
    assert float(expected) == pytest.approx(height(-1.25), abs=0.05)
    trial, value, _, between, _, x = second.split()
    assert (trial, x, float(value)) == ("13", "1", pytest.approx(0.3))
    assert float(between) == pytest.approx(1.0, abs=0.1)
    assert more[0] == ""
    flowing = " ".join(text.split())
    assert "on the straight line from it to a better one, height is believed worse than at both" in flowing
    assert "choice" not in flowing
    assert "among 16 trials that may be the best, results tell no more than 2 places apart." in flowing
    assert "the order is" not in flowing
    assert "height: by `" in flowing


def test_programs_are_given_rows_as_of_trials(bent: str, capsys: pytest.CaptureFixture[str]) -> None:
    rows = json.loads(said(capsys, bent, "--places", "2", "--format", "json"))
    assert [(row["trial"], row["x"], row["height"]) for row in rows] == [
        (4, -1.25, height(-1.25)),
        (13, 1.0, height(1.0)),
    ]
    assert rows[0]["expected_between"] is None
    assert rows[1]["expected_between"] == pytest.approx(1.0, abs=0.1)
    (one,) = csv.DictReader(StringIO(said(capsys, bent, "--places", "1", "--format", "csv")))
    assert (one["trial"], one["state"], one["heat"]) == ("4", "completed", "20.0")


def test_a_page_lists_them_where_it_is_asked_to(bent: str, tmp_path: Path) -> None:
    path = tmp_path / "bends.html"
    assert cli.main(["report", bent, "--places", "2", "--output", str(path)]) == 0
    told = path.read_text()
    listed = told[told.index("<h2>Several good places</h2>") : told.index("<h2>The best trials</h2>")]
    assert "<th>height (mm)</th><th>expected</th><th>between</th><th>heat</th><th>x (m)</th>" in listed
    assert re.findall(r"<tr><td class='v'>(\d+)</td>", listed) == ["4", "13"]
    assert "Each is the best trial of a place of its own: " in listed
    assert "no more than" not in listed


def test_in_noise_the_one_believed_best_comes_first_and_others_by_what_is_expected(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = said(capsys, written(Noisy(SPEC).measured(), tmp_path), "--places", "2")
    assert [line.split()[0] for line in text.splitlines()[1:3]] == ["6", "13"]
    assert "the order is that of what is expected, as a measured value may be a lucky one." in " ".join(
        text.split()
    )


def test_where_no_point_is_the_best_there_are_no_places_either(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    several = SPEC.replace(
        "objective: {name: height, goal: minimise, unit: mm}",
        "objectives: {height: minimise, heat: minimise}",
    ).replace("outcomes: [heat]\nconstraints: [heat <= 60]\n", "")
    traded = Bent(several).begin().write(tmp_path / "logs" / "traded")
    words = said(capsys, str(traded.path), "--places", "2", code=2)
    assert "expected a run of one objective for --places, got one of several" in words
    early = Bent(SPEC).begin().write(tmp_path / "logs" / "early")
    words = said(capsys, str(early.path), "--places", "2", code=1)
    assert words == f"expected a run with a best trial, got {early.path}: no value yet\n"
    few = Bent(SPEC).measured(3).write(tmp_path / "logs" / "few")
    words = said(capsys, str(few.path), "--places", "2", code=1)
    assert words.startswith("expected 4 results with a value or more")
    assert "expected a whole number above 0, got 0" in said(capsys, str(few.path), "--places", "0", code=2)
