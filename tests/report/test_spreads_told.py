"""How a run's values are spread where parameters are uncertain: in words, and for programs."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from traded_off_runs import gave
from varied_runs import HOT, REFERENCE, ReferencedRun, VariedRun, failing, heated, wings

from orchestrator import Optimiser, cli
from orchestrator.errors import SpecError, UsageError
from orchestrator.parameters.space import Space
from orchestrator.parameters.uncertain import Uncertain
from orchestrator.report.following.runs import FollowedRun, read_run
from orchestrator.report.models.spread import AskedSpread, run_spread
from orchestrator.report.searches.kept_search import KeptSearch
from orchestrator.report.tables.spread import spread_json, spread_table, spread_words
from orchestrator.report.words.spread import RunSpread, WhereSpread, chance_words
from orchestrator.sensitivity import spread
from orchestrator.sensitivity.spread import FEWEST_BROKEN, Figure

pytestmark = pytest.mark.usefixtures(
    "fits_remembered", "stretched_to_twice", "walked_briefly", "drawn_briefly"
)

SPAN = {"mean": 4.0, "deviation": 0.5}


@pytest.fixture(scope="module")
def drawn_briefly() -> Any:
    """Few settings: how many there are is tested elsewhere."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spread, "MOST_SETTINGS", spread.FEWEST_SETTINGS)
        yield


def read(run: VariedRun, folder: Path) -> FollowedRun:
    return read_run(run.write(folder / "logs" / "wing-1"))


@pytest.fixture(scope="module")
def hot(tmp_path_factory: pytest.TempPathFactory) -> FollowedRun:
    """Of which heat, 10 times the span, is to be 60 at most."""
    return read(heated(12), tmp_path_factory.mktemp("hot"))


@pytest.fixture(scope="module")
def told(hot: FollowedRun) -> RunSpread:
    asked = AskedSpread(["sweep=3"], {"span": SPAN}, ["drag + heat / 10 <= 11", "heat <= 45 + 0 * span"])
    return run_spread(hot, asked)


def flowing(told: RunSpread) -> str:
    return " ".join(spread_words(told, None).split())


def said_by(capsys: pytest.CaptureFixture[str], *command: str) -> str:
    assert cli.main(["spread", *command]) == 0
    return capsys.readouterr().out


def test_a_row_a_quantity_and_a_row_a_limit_with_what_is_not_known_of_each(told: RunSpread) -> None:
    lines = spread_words(told, None).splitlines()
    assert lines[0].split() == ["mean", "deviation", "5", "%", "below", "median", "95", "%", "below"]
    assert [line.split()[0] for line in lines[1:3]] == ["drag", "heat"]
    assert lines[4].split()[:2] == ["limit", "broken"]
    assert lines[5].startswith("heat <= 60")
    assert lines[8].startswith("any of these")
    heat = told.found.quantities["heat"].figures
    assert heat["mean"].expected == pytest.approx(40.0, abs=0.5)
    assert heat["deviation"].expected == pytest.approx(5.0, rel=0.1)
    words = flowing(told)
    assert "uncertain, each apart from the others: span 4 ± 0.5 m." in words
    assert "at sweep = 3 deg." in words
    assert f"as in the best, trial {told.where.best}: ribs = " in words
    assert "drag and heat are spread by: span 100 % of their variance, which goes once that is known" in words
    assert "by 1,024 settings drawn, whose luck adds as much as" in words
    assert "as uncertain as these models say" in words


def test_that_draws_of_what_is_exact_are_left_alone_is_said(told: RunSpread) -> None:
    drawn = {"type": "float", "bounds": [0.0, 1.0], "prior": {"draws": np.linspace(0.2, 0.8, 60)}}
    space = Space.from_description({"a": drawn, "b": drawn, "c": drawn})
    for exact, said in (
        ({"a": 0.3}, "draws of a, which is exact here, are left alone: what else is by draws comes up as it"),
        ({"a": 0.3, "b": 0.5}, "draws of a and b, which are exact here, are left alone"),
    ):
        settings = dict.fromkeys("abc", 0.5) | exact
        where = WhereSpread(space, Uncertain.of(space, {}, exact), settings)
        assert said in flowing(replace(told, where=where))
        others = WhereSpread(
            space, Uncertain.of(space, {"c": {"mean": 0.5, "deviation": 0.1}}, "ab"), settings
        )
        assert "left alone" not in flowing(replace(told, where=others))


def test_limits_are_held_against_outcomes_and_parameters_and_by_results_that_break_them(
    told: RunSpread,
) -> None:
    broken = told.found.broken
    assert broken["heat <= 45 + 0 * span"].expected == pytest.approx(0.1587, abs=0.03)
    assert broken["heat <= 60"].expected < 0.01
    assert "heat <= 60: is broken so seldom that 1,024 settings do not tell how often" in flowing(told)
    seen, of = told.seen["heat <= 60"]
    assert of == 12
    assert 0 < seen < of


def test_that_no_result_breaks_a_limit_is_said(told: RunSpread) -> None:
    never = flowing(replace(told, seen=dict.fromkeys(told.seen, (0, 12))))
    assert "heat <= 60: no result of 12 breaks it, and what lies beyond is for the models to say" in never
    always = flowing(replace(told, seen=dict.fromkeys(told.seen, (12, 12))))
    assert "heat <= 60: every result of 12 breaks it" in always


def test_for_programs_there_is_all_of_it(told: RunSpread) -> None:
    record = json.loads(spread_json(told))
    assert record["uncertain"] == {"span": SPAN}
    assert record["settings"]["sweep"] == 3.0
    assert set(record["settings"]) == {"sweep", "ribs", "skin"}
    assert set(record["left_out"]) == {"ribs", "skin"}
    heat = record["quantities"]["heat"]
    assert set(heat) == {"mean", "deviation", "1 %", "5 %", "median", "95 %", "99 %", "by_models", "shares"}
    assert heat["shares"]["span"]["alone"] == pytest.approx(1.0)
    assert record["limits"]["heat <= 60"]["results"] == 12
    assert record["any_broken"]["expected"] >= record["limits"]["heat <= 60"]["expected"]
    assert record["stretched"]["heat"] == 2.0
    assert record["errors_factor"] is None
    assert record["independent_draws"] == record["drawn"] == 1024
    table = spread_table(told)
    assert table.columns[:3] == ("quantity", "figure", "expected")
    assert [row[1] for row in table.rows[:7]] == list(heat)[:7]
    assert table.rows[-1][:2] == ["any of these", "broken"]


def test_the_command_has_a_run_settings_and_what_is_known(
    hot: FollowedRun, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ("--prior", "span=4+-0.5", "--of", "heat", "--limit", "heat <= 45", "--format", "csv")
    rows = list(csv.DictReader(StringIO(said_by(capsys, str(hot.folder.path), "sweep=3", *options))))
    assert [row["quantity"] for row in rows] == ["heat"] * 7 + ["heat <= 45"]
    assert 0.0 < float(rows[-1]["low"]) <= float(rows[-1]["expected"]) <= float(rows[-1]["high"]) < 1.0


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (AskedSpread(), "expected something that is uncertain, got none: no parameter has a `prior`"),
        (AskedSpread(["span=3"], {"span": SPAN}), "either a setting of `span` or what is known of it"),
        (AskedSpread(priors={"span": SPAN}, limits=["heat"]), "limit `heat`: expected an inequality"),
        (AskedSpread(priors={"span": SPAN}, limits=["haet <= 3"]), r"got `haet` \(did you mean `heat`\?\)"),
        (
            AskedSpread(priors={"span": SPAN}, limits=["span <= 3"]),
            "one of what comes out, got parameters alone",
        ),
        (AskedSpread(priors={"span": SPAN}, limits=["probability(heat <= 3) >= 0.9"]), "a limit alone, as"),
        (AskedSpread(priors={"span": SPAN}, of=["haet"]), "something that evaluations returned as a number"),
        (AskedSpread(posterior=True), "expected an objective that is fitted to what was measured"),
        (AskedSpread(["span=3"], posterior=True), "expected no settings beside --posterior"),
    ],
)
def test_what_has_no_meaning_is_refused(hot: FollowedRun, asked: AskedSpread, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        run_spread(hot, asked)


def test_a_limit_may_be_relative_to_what_was_measured_of_the_reference(tmp_path: Path) -> None:
    run = ReferencedRun(HOT + REFERENCE)
    run.begin()
    for _ in range(8):
        run.answer_asks()
        span = float(str(dict(run.evaluations[0].parameters)["span"]))
        gave(run, 10.0 - span, {"heat": 10.0 * span})
    limits = ["heat <= 1.5 * reference(heat)", "heat <= 45"]
    found = run_spread(read(run, tmp_path), AskedSpread(priors={"span": SPAN}, limits=limits, of=["heat"]))
    assert found.found.broken[limits[0]] == found.found.broken[limits[1]]
    assert found.seen[limits[0]] == found.seen[limits[1]]


def test_one_relative_to_what_is_not_known_is_refused(hot: FollowedRun) -> None:
    asked = AskedSpread(priors={"span": SPAN}, limits=["heat <= reference(heat)"])
    with pytest.raises(UsageError, match="expected settings that `heat` was measured at"):
        run_spread(hot, asked)


def test_settings_that_are_wrong_are_refused_at_their_place(hot: FollowedRun) -> None:
    with pytest.raises(SpecError, match="sweep"):
        run_spread(hot, AskedSpread(["sweep=300"], {"span": SPAN}))


def test_what_is_exact_has_to_be_said_where_there_is_no_best_trial_to_take_it_from(tmp_path: Path) -> None:
    none = read(VariedRun(HOT), tmp_path)
    with pytest.raises(UsageError, match="NAME=VALUE, as there is no best trial to take them from, got none"):
        run_spread(none, AskedSpread(priors={"span": SPAN}))


def test_what_the_spec_says_is_uncertain_and_where_evaluations_fail_is_told(tmp_path: Path) -> None:
    run, failures = failing(24)
    run.spec_text = run.spec_text.replace("[1.0, 9.0]", "[1.0, 9.0], prior: {mean: 5.5, deviation: 1}")
    told = run_spread(read(run, tmp_path), AskedSpread())
    assert told.where.uncertain is not None
    assert told.where.uncertain.names == ("span",)
    assert told.failed == failures
    assert 0.3 < told.succeeds < 0.95
    assert f"{failures} of 24 having failed; all else is of what it gives if it does" in flowing(told)


def test_a_number_that_came_with_values_may_be_asked_about(tmp_path: Path) -> None:
    told = run_spread(read(wings(12), tmp_path), AskedSpread(priors={"ribs": "evenly"}, of=["mass"]))
    assert list(told.found.quantities) == ["mass"]
    assert told.found.quantities["mass"].figures["deviation"].expected == pytest.approx(8.4, rel=0.2)


def test_of_what_is_plausible_by_a_fit_all_outcomes_are_spread(tmp_path: Path) -> None:
    path = tmp_path / "fit.jsonl"
    fit = {"u": {"value": 1.3, "error": 0.2}, "v": {"value": 8.0, "error": 0.6}}
    optimiser = Optimiser(
        {"rate": (0.0, 4.0), "lag": (0.0, 20.0)},
        fit=fit,
        goal="minimise",
        noise=0,
        algorithm="random",
        store=path,
    )
    for asked in optimiser.ask(12):
        rate, lag = asked.parameters["rate"], asked.parameters["lag"]
        optimiser.tell(asked.trial, {"u": rate, "v": lag, "w": rate + lag})
    optimiser.close()
    asked_of = AskedSpread(
        limits=["w <= 10"], posterior=True, priors={"rate": {"mean": 1.3, "deviation": 0.15}}
    )
    told = run_spread(read_run(KeptSearch.open(path)), asked_of)
    found = told.found.quantities
    assert list(found)[1:3] == ["u", "v"]
    # Two measurements of the one, and one of the other.
    assert found["u"].figures["deviation"].expected == pytest.approx(0.12, rel=0.2)
    assert found["v"].figures["mean"].expected == pytest.approx(8.0, abs=0.2)
    assert found["v"].figures["deviation"].expected == pytest.approx(0.6, rel=0.2)
    words = flowing(told)
    assert "over all that is plausible by the fit, with the priors rate 1.3 ± 0.15." in words
    assert "plausible settings: from walks of 256 walkers" in words
    assert told.found.broken["w <= 10"].expected == pytest.approx(0.13, abs=0.05)


def test_after_a_fit_tails_are_known_as_far_as_independent_settings_go_and_scaled_errors_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "fit.jsonl"
    # A line through three targets that lie on none.
    fit = {name: {"value": value, "error": 0.1} for name, value in zip("uvw", (1.0, 3.0, 1.0), strict=True)}
    line = {"offset": (-3.0, 6.0), "slope": (-4.0, 4.0)}
    optimiser = Optimiser(line, fit=fit, goal="minimise", noise=0, algorithm="random", store=path)
    for asked in optimiser.ask(10):
        offset, slope = asked.parameters["offset"], asked.parameters["slope"]
        optimiser.tell(asked.trial, {"u": offset - slope, "v": offset, "w": offset + slope})
    optimiser.close()
    told = run_spread(read_run(KeptSearch.open(path)), AskedSpread((), {}, ["u <= 99"], (), True, True))
    told = replace(told, drawn=16_384)
    record, words = json.loads(spread_json(told)), flowing(told)
    factor = record["errors_factor"]["median"]
    assert factor > 5.0
    by_errors_told = 0.1 * np.sqrt(5.0 / 6.0)
    assert record["quantities"]["u"]["deviation"]["expected"] > 5.0 * by_errors_told
    assert f"errors are larger by a factor of {factor:.3g}" in words
    assert record["independent_draws"] < record["drawn"]
    assert f"u <= 99 below {100.0 * FEWEST_BROKEN / record['independent_draws']:.2g} %" in words
    assert cli.main(["spread", str(path), "--prior", "slope=1+-1", "--errors", "scaled"]) == 2
    assert "expected --errors beside --posterior" in capsys.readouterr().err


def test_chances_near_none_and_near_all_are_said_to_be_no_more_than_is_known() -> None:
    assert chance_words(Figure(0.0, 0.0, 0.0, 0.0, 0.0), 1000) == ("below 1 %", "")
    assert chance_words(Figure(0.9999, 0.0, 1.0, 1.0, 0.0), 1000) == ("above 99 %", "")
    assert chance_words(Figure(0.05, 0.004, 0.043, 0.058, 0.001), 1000) == ("5 ± 0.4 %", "4.3 to 5.8 %")
    assert chance_words(Figure(0.05, 0.0, 0.05, 0.05, 0.001), 1000) == ("5 ± 0.1 %", "")
