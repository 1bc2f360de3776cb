"""Which settings are plausible by a fit: in words, on a page, and for programs."""

from __future__ import annotations

import csv
import json
import re
from dataclasses import replace
from io import StringIO
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from orchestrator import Optimiser, cli
from orchestrator.parameters.priors import knowing
from orchestrator.parameters.space import Space
from orchestrator.report.following.runs import read_run
from orchestrator.report.html.charts import width_on_chart
from orchestrator.report.html.corner_chart import Axis, corner_chart, shown_ends
from orchestrator.report.html.posterior import posterior_drawn
from orchestrator.report.models.posterior import RunPosterior, run_posterior
from orchestrator.report.searches.kept_search import KeptSearch
from orchestrator.report.tables.posterior import posterior_json, posterior_table, posterior_words
from orchestrator.report.words.posterior import LeastMisfit, sentences
from orchestrator.scheduler.event_parts import Suggested
from orchestrator.sensitivity.chains import Chain
from orchestrator.values.typed_priors import typed_prior

pytestmark = pytest.mark.usefixtures("walked_briefly")
FIT = {
    "u": {"value": 1.3, "error": 0.2},
    "v": {"value": 8.9, "error": 0.6},
    "w": {"value": 2.0, "error": 0.1},
}
PARAMETERS: dict[str, Any] = {
    "rate": {"type": "float", "bounds": [0.0, 4.0], "unit": "1/d"},
    "lag": (0.0, 9.0),
    "kind": {"type": "choice", "values": ["new", "old"]},
}


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a search."""
    path = tmp_path_factory.mktemp("fit") / "fit.jsonl"
    optimiser = Optimiser(PARAMETERS, fit=FIT, goal="minimise", noise=0, algorithm="random", store=path)
    for asked in optimiser.ask(14):
        rate, lag = asked.parameters["rate"], asked.parameters["lag"]
        optimiser.tell(asked.trial, outcomes={"u": rate, "v": lag, "w": 0.2 * lag + 0.2 * rate})
    optimiser.close()
    return path


@pytest.fixture(scope="module")
def told(kept: Path) -> RunPosterior:
    found = run_posterior(read_run(KeptSearch.open(kept)), 1000)
    # Searches in files have no units.
    return replace(found, space=Space.from_description(PARAMETERS))


def said_by(capsys: pytest.CaptureFixture[str], *command: str) -> str:
    assert cli.main(["posterior", *command]) == 0
    return capsys.readouterr().out


def flowing(told: RunPosterior) -> str:
    return ". ".join(sentences(told.space, told.found, told.calibration, told.model, told.least))


def test_a_table_has_what_each_parameter_lies_between_and_sentences_say_how_far_to_trust_it(
    told: RunPosterior,
) -> None:
    text = posterior_words(told, None)
    lines = text.splitlines()
    assert lines[0].split() == [
        "parameter",
        "best",
        "median",
        "68",
        "%",
        "95",
        "%",
        "by",
        "models",
        "at",
        "bound",
    ]
    assert lines[1].startswith("rate (1/d)")
    assert lines[2].split()[0] == "lag"
    assert lines[2].endswith("high")
    assert max(map(len, lines[4:])) <= 100
    words = " ".join(text.split())
    assert "errors are taken as told" in words
    assert "at bounds: lag is plausible up to there" in words
    assert "how plausible each value of kind is: " in words
    assert f"best: trial {told.best.number}, with the least misfit, " in words
    assert "over 3 targets" in words
    assert "from walks of 256 walkers, 100 steps long" in words


def test_for_programs_there_is_all_of_it(told: RunPosterior) -> None:
    record = json.loads(posterior_json(told))
    rate, _, kind = record["parameters"]
    assert rate["low_95"] < rate["low_68"] < rate["median"] < rate["high_68"] < rate["high_95"]
    assert (rate["unit"], rate["at_bound"], rate["counts"]) == ("1/d", None, 1.0)
    assert rate["best"] == told.best.parameters["rate"]
    assert set(kind["chances"]) == {"new", "old"}
    assert record["correlations"]["rate"]["rate"] == pytest.approx(1.0)
    assert record["targets"] == 3
    assert record["misfit"] == told.least.misfit
    assert record["misfit_is"] == "as expected"
    assert 0.0 < record["misfit_expected"] < record["misfit"]
    assert posterior_table(told).rows[2][-1] == json.dumps(kind["chances"])


def test_the_command_has_the_table_or_draws(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = list(csv.DictReader(StringIO(said_by(capsys, str(kept), "--draws", "7", "--format", "csv"))))
    assert len(rows) == 7
    assert list(rows[0]) == ["rate", "lag", "kind"]
    assert 0.0 <= float(rows[0]["rate"]) <= 4.0


def test_a_run_without_a_fit_is_told_what_it_takes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "hill.jsonl"
    optimiser = Optimiser({"a": (0.0, 1.0)}, store=path)
    optimiser.learn_all([{"a": k / 5, "value": k} for k in range(5)])
    optimiser.close()
    assert cli.main(["posterior", str(path)]) == 2
    assert "expected an objective that is fitted to what was measured" in capsys.readouterr().err


def test_errors_that_are_scaled_are_told_with_by_how_much(
    kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = json.loads(said_by(capsys, str(kept), "--errors", "scaled", "--format", "json"))
    factor = record["errors_factor"]
    assert 1.0 <= factor["least"] <= factor["low"] <= factor["median"] <= factor["high"] <= factor["most"]
    words = " ".join(said_by(capsys, str(kept), "--errors", "scaled").split())
    assert "whose errors are taken to be larger than told by one factor" in words
    assert "errors are larger by a factor of 1." in words


def test_what_a_misfit_says_of_the_errors_is_told(told: RunPosterior) -> None:
    many = replace(told, calibration=replace(told.calibration, targets=30, least_expected=60.0))
    assert "as their errors let one expect" in flowing(replace(many, least=LeastMisfit(3, 29.0, False)))
    large = replace(many, least=LeastMisfit(3, 60.0, False))
    assert "more than their errors explain" in flowing(large)
    assert "intervals are too narrow until then, and wider by --errors scaled" in flowing(large)
    scaled = replace(large, calibration=replace(large.calibration, factors=np.array([1.5, 2.0])))
    assert "intervals allow for errors that are larger, and not for where they are" in flowing(scaled)
    small = flowing(replace(many, least=LeastMisfit(3, 5.0, True)))
    assert "may be told too large" in small
    assert "constraints on outcomes do not count" in small


def test_where_models_have_a_better_fit_than_any_trial_errors_are_not_doubted(told: RunPosterior) -> None:
    better = replace(told.calibration, targets=30, least_expected=29.0)
    words = flowing(replace(told, calibration=better, least=LeastMisfit(3, 60.0, False)))
    assert (
        "least misfit, 60 over 30 targets; models expect 29 elsewhere, as errors of targets let one" in words
    )
    assert "more than their errors explain" not in words


def test_a_short_chain_failures_and_parameters_that_go_together_are_told(told: RunPosterior) -> None:
    chain = Chain(np.zeros((50, 4, 3)), np.array([3.0, 40.0, 1.0]), 0.2)
    tied = replace(told.found, correlations=np.array([[1.0, -0.93], [-0.93, 1.0]]))
    unsure = replace(told.calibration, chain=chain, failed=2, evaluated=16)
    words = flowing(replace(told, found=tied, calibration=unsure))
    assert "worth 5 independent draws: less long than 15 times" in words
    assert "where evaluations fail, as 2 of 16 did" in words
    assert "plausible together only, by the correlation of their ranks: lag and rate (-0.93)" in words
    rate = replace(told.found.each[0], of_models=0.5)
    doubtful = replace(told.found, each=(rate, *told.found.each[1:]))
    assert "models say much of rate: intervals may yet move" in flowing(replace(told, found=doubtful))
    assert "models say much" not in words
    listed = replace(told.calibration, chain=None)
    assert "every candidate was weighed" in flowing(replace(told, calibration=listed))


def test_a_page_draws_every_two_parameters(told: RunPosterior) -> None:
    best, beyond = (
        replace(told.best, suggested=Suggested(parameters=draw))
        for draw in (told.found.draws[0], {"rate": 0.0, "lag": 0.0, "kind": "new"})
    )
    document = posterior_drawn(replace(told, best=best))
    assert document.count("<rect") == 3
    assert document.count("<circle") == 1
    assert "orange: the best trial." in document
    document = posterior_drawn(replace(told, best=beyond))
    assert document.count("<circle") == 0
    assert "the best trial, which lies beyond what is shown of rate (1/d) and lag." in document
    document = posterior_drawn(told)
    assert "rate (1/d)" in document
    assert "95 %" in document
    assert posterior_drawn(None) == ""


def test_a_chart_shows_what_is_plausible_and_not_the_whole_range() -> None:
    rng = np.random.default_rng(0)
    positions = 0.5 + 0.01 * rng.standard_normal(2000)
    low, high = shown_ends(positions)
    assert 0.45 < low < 0.48
    assert 0.52 < high < 0.55
    assert shown_ends(np.zeros(10)) == (0.0, 0.01)
    axes = [Axis(name, positions, 0.9, low, high, ("a", "b")) for name in ("<x>", "y")]
    chart = corner_chart(axes)
    assert "&lt;x&gt;" in chart
    # The best trial is not where anything is plausible.
    assert "<circle" not in chart


def test_what_is_known_beforehand_counts_and_is_told(kept: Path) -> None:
    known = dict(map(typed_prior, ("rate=1.5+-0.04", "kind=0.9,0.1", "lag=7x/1.02")))
    found = run_posterior(read_run(KeptSearch.open(kept)), 1000, known)
    words = " ".join(posterior_words(found, None).split())
    assert "told, and by its prior; beforehand all else between the bounds is as plausible" in words
    said = "rate 1.5 ± 0.04; kind chances 0.9, 0.1; lag 7 within a factor of 1.02"
    assert f"priors, what is known beforehand: {said}" in words
    assert "it is that of the targets alone, and no prior counts in it" in words
    assert "what was measured says next to nothing of rate and lag beyond the prior" in words
    record = json.loads(posterior_json(found))
    assert record["priors"]["rate"] == {"mean": 1.5, "deviation": 0.04}
    rate, lag, kind = record["parameters"]
    assert rate["high_68"] - rate["low_68"] == pytest.approx(0.08, abs=0.02)
    assert lag["median"] == pytest.approx(7.19, abs=0.08)
    assert kind["chances"]["new"] == pytest.approx(0.9, abs=0.08)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (["rate=1.5"], "expected what is known of a parameter beforehand, as h0=67.4+-0.5 (a mean and its"),
        (["rate=some+-0.1"], "expected a number, got some"),
        (
            ["rat=1.5+-0.1"],
            "expected a prior of what is chosen (`rate`, `lag` or `kind`), got `rat` (did you",
        ),
        (["rate=1.5+-0"], "as the prior of `rate` expected a number above 0 as its `deviation`"),
        (["rate=90+-1"], "as the prior of `rate` expected bounds that hold what is plausible beforehand"),
        (["none.csv"], "expected a file, got nothing there"),
        (["rate=none.csv"], "expected a file, got nothing there"),
        (["rate=1+-1", "rate=none"], "expected --prior once for each parameter, got one twice"),
    ],
)
def test_what_cannot_be_known_is_refused_where_it_is_asked(
    kept: Path, asked: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        code: object = cli.main(["posterior", str(kept), *(f"--prior={one}" for one in asked)])
    except SystemExit as error:
        code = error.code
    assert code == 2
    assert said in " ".join(capsys.readouterr().err.split())


def test_draws_of_an_earlier_fit_are_known_of_all_together_that_have_a_column(
    kept: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    drawn, rng = tmp_path / "earlier.csv", np.random.default_rng(0)
    rates = rng.normal(1.5, 0.04, 300)
    lags = 7.0 + 4.0 * (rates - 1.5) + rng.normal(0.0, 0.05, 300)
    rows = zip(rates.tolist(), lags.tolist(), strict=True)
    drawn.write_text("rate,lag,omega\n" + "".join(f"{rate},{lag},0.3\n" for rate, lag in rows) + "99,7,0.3\n")
    asked = ["posterior", str(kept), "--prior", str(drawn), "--prior", "kind=0.9,0.1"]
    assert cli.main([*asked, "--format", "json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["priors"]["kind"] == {"chances": [0.9, 0.1]}
    assert record["priors"]["lag"]["draws"] == 300
    assert record["correlations"]["rate"]["lag"] > 0.6
    rate, _, _ = record["parameters"]
    assert rate["high_68"] - rate["low_68"] == pytest.approx(0.08, abs=0.02)


def test_how_draws_count_is_told_with_what_was_known(told: RunPosterior) -> None:
    rates = np.append(np.linspace(1.3, 1.7, 100), [99.0])
    known = {"rate": {"draws": rates}, "lag": {"draws": 7.0 + 0.1 * np.sin(50 * rates)}}
    words = flowing(replace(told, space=knowing(told.space, known)))
    assert "rate 1.5 ± 0.12 by 100 draws; lag " in words
    assert "; what is known by draws goes together, without 1 draw that lies outside the bounds" in words


def test_targets_that_are_at_odds_with_what_was_known_are_told(told: RunPosterior) -> None:
    space = knowing(told.space, {"rate": {"mean": 3.9, "deviation": 0.2}})
    assert "at odds with what was measured is the prior of rate (" in flowing(replace(told, space=space))
    assert "at odds" not in flowing(told)


def test_names_and_numbers_of_a_chart_have_room_beside_one_another() -> None:
    rng = np.random.default_rng(0)
    names = [f"{'a_long_name_that_goes_on_' * 2}{j}" for j in range(8)]
    axes = [Axis(name, rng.random(500), 0.5, 0.0, 1.0, ("0.000123", "1.25e-05")) for name in names]
    words = re.findall(
        r'<text x="([\d.]+)" y="([\d.]+)" text-anchor="(\w+)"[^>]*>([^<]*)<', corner_chart(axes)
    )
    assert len(words) == 7 * 3 + 8 * 3
    beginnings = {"start": 0.0, "middle": 0.5, "end": 1.0}
    lines: dict[str, list[tuple[float, float]]] = {}
    for x, y, anchor, word in words:
        left = float(x) - beginnings[anchor] * width_on_chart(word)
        lines.setdefault(y, []).append((left, left + width_on_chart(word)))
    for line in lines.values():
        ends = sorted(line)
        assert ends[0][0] >= 0.0
        assert all(before[1] <= after[0] for before, after in pairwise(ends))


def test_of_whole_numbers_the_bar_that_holds_the_interval_is_dark() -> None:
    positions = np.repeat([0.25, 0.5, 0.75], [20, 900, 80])
    low, high = shown_ends(positions)
    light, dark = re.findall(
        r'<path d="([^"]*)" fill="[^"]*" fill-opacity="([^"]*)"',
        corner_chart([Axis("n", positions, 0.5, low, high, ("1", "3"))]),
    )
    heights = [
        [float(height) for height in re.findall(r"h[\d.]+v([\d.]+)z", bars)] for bars, _ in (light, dark)
    ]
    assert max(heights[1]) > max(heights[0])


def test_a_page_has_what_is_plausible_with_what_is_known(kept: Path, tmp_path: Path) -> None:
    page = tmp_path / "fit.html"
    known = ["--posterior", "--prior", "rate=1.5+-0.04"]
    assert cli.main(["report", str(kept), *known, "--output", str(page)]) == 0
    assert "Priors, what is known beforehand: rate 1.5 ± 0.04." in page.read_text()
