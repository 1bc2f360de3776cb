"""Several runs on one page: a table, the best values so far in a chart, and the best points side by side."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from lab_of_runs import SHORT, damaged, run_of
from test_page import Outline
from traded_off_runs import TRADED, WINGS, traded_off

from orchestrator import cli, minimise
from orchestrator.report.following.listing import listed_with
from orchestrator.report.html.charts import colour_of, dashes_of
from orchestrator.report.html.drawings import drawings
from orchestrator.report.html.overlaid_curves import Alike, Line, Middle, middles_of, overlaid_curves
from orchestrator.report.html.runs_alike import ReadRun, alike
from orchestrator.report.html.several_runs import Several, several_runs

SOBOL = f"{SHORT}algorithm: sobol\n"


def page_of(*paths: Path) -> str:
    return several_runs(Several([listed_with(path) for path in paths], paths[0].parent / "runs.html"))


def read(*paths: Path) -> list[ReadRun]:
    found = [listed_with(path) for path in paths]
    return [ReadRun(told, run) for told, run in found if run is not None]


def test_it_has_a_line_a_run_the_curves_of_all_and_their_best_points(tmp_path: Path) -> None:
    runs = [run_of(seed=seed).write(tmp_path / f"wing <{seed}>") for seed in range(3)]
    other = run_of(SOBOL, (9.0, 2.5)).write(tmp_path / "other")
    broken = damaged(tmp_path / "damaged", run_of())
    runs[0].report.write_text("its own page")
    document = page_of(*(run.path for run in runs), other.path, broken.path)
    page = Outline(document)
    words = " ".join(page.words)
    assert "3 ended, 1 interrupted, 1 damaged" in words
    assert "line 3 is damaged" in words
    assert page.addresses == ["wing%20%3C0%3E/report.html"] * 2
    by_trials, by_time = (ElementTree.fromstring(chart) for chart in drawings(document).values())
    lines = [len(chart.findall("{*}polyline")) for chart in (by_trials, by_time)]
    bands = [len(chart.findall("{*}polygon")) for chart in (by_trials, by_time)]
    assert (lines, bands) == ([5, 5], [1, 1])
    assert {"auto, 3 runs", "sobol, seed 0"} <= {one.text for one in by_time.findall("{*}text")}
    best = document[document.index("wing: the best points") :]
    assert re.findall(r"drag = ([\d.]+)", best) == ["1.5", "1.5", "1.5", "2.5"]


def test_the_median_and_the_quartiles_reach_as_far_as_all_have_come() -> None:
    lines = [
        Line("one", [(1.0, 8.0), (3.0, 2.0)], 6.0),
        Line("two", [(1.0, 6.0), (2.0, 4.0)], 4.0),
        Line("three", [(2.0, 7.0), (5.0, 1.0)], 5.0),
    ]
    assert list(middles_of(lines)) == [
        Middle(2.0, 5.5, 7.0, 7.5),
        Middle(3.0, 3.0, 4.0, 5.5),
        Middle(4.0, 3.0, 4.0, 5.5),
    ]
    assert list(middles_of(lines[:2])) == []
    assert list(middles_of([*lines, Line("late", [(7.0, 1.0)], 9.0)])) == []


def test_a_run_that_came_to_its_only_value_last_is_a_dot() -> None:
    lines = [Line("one", [(1.0, 5.0)], 1.0), Line("two", [(1.0, 4.0)], 3.0)]
    chart = ElementTree.fromstring(
        overlaid_curves([Alike("auto", lines)], "drag", "trials", maximised=False, whole=True)
    )
    assert [one.findtext("{*}title") for one in chart.findall("{*}circle")] == ["one"]
    assert [one.findtext("{*}title") for one in chart.findall("{*}polyline")] == ["two"]


def test_runs_that_differ_in_their_seeds_alone_are_one_colour_and_others_are_named_apart(
    tmp_path: Path,
) -> None:
    specs = {
        "a": f"{SHORT}mode: sequential\n",
        "b": SHORT,
        "c": SHORT.replace("local: 2", "local: 3").replace("trials: 4", "trials: 9"),
        "d": SHORT.replace("9.0]", "8.0]"),
    }
    runs = [run_of(text, seed=7).write(tmp_path / name) for name, text in specs.items()]
    named = {
        group.name: [one.listed.name for one in group.runs] for group in alike(read(*(r.path for r in runs)))
    }
    assert named == {
        "auto, sequential, seed 7": ["a"],
        "auto as b, 2 runs": ["b", "c"],
        "auto as d, seed 7": ["d"],
    }


def test_of_several_objectives_each_has_its_curves_and_without_values_there_are_none(tmp_path: Path) -> None:
    traded = traded_off(*WINGS).write(tmp_path / "traded")
    begun = run_of(values=()).write(tmp_path / "begun")
    compared = SHORT.replace("goal: minimise", "told: by comparison").replace("wings:drag", "person")
    tasted = run_of(compared.replace("workers: {local: 2}\n", "workers: {local: 0}\n"), ()).write(
        tmp_path / "tasted"
    )
    document = page_of(traded.path, begun.path, tasted.path)
    titles = [
        chart.findtext("{*}title") for chart in map(ElementTree.fromstring, drawings(document).values())
    ]
    assert titles == [
        "The best drag so far of 1 run, by trials.",
        "The best drag so far of 1 run, by seconds.",
        "The best lift so far of 1 run, by trials.",
        "The best lift so far of 1 run, by seconds.",
        "drag against lift: the trade-offs of 1 run.",
    ]
    assert "3 trade-offs" in document


def test_what_runs_trade_off_lies_in_one_chart_with_an_edge_for_each(tmp_path: Path) -> None:
    one = traded_off(*WINGS).write(tmp_path / "one")
    other = traded_off((2.0, 2.0), (1.5, 1.0), spec_text=TRADED.replace("random", "sobol")).write(
        tmp_path / "other"
    )
    document = page_of(one.path, other.path)
    chart = ElementTree.fromstring(list(drawings(document).values())[-1])
    edges = chart.findall("{*}polyline")
    assert [edge.findtext("{*}title") for edge in edges] == ["one", "other"]
    assert len({edge.get("stroke") for edge in edges}) == 2
    named = [dot.findtext("{*}title") or "" for dot in chart.findall("{*}circle")]
    assert [name.partition(":")[0] for name in named] == [
        "one, trial 2",
        "one, trial 3",
        "one, trial 6",
        "other, trial 1",
        "other, trial 2",
    ]
    assert {"random, seed 0", "sobol, seed 0"} <= {text.text for text in chart.findall("{*}text")}


def test_a_run_has_one_colour_in_all_charts_of_its_experiment(tmp_path: Path) -> None:
    specs = [TRADED.replace("random", name) for name in ("random", "sobol")]
    hot = traded_off((2.0, 9.0, 99.0), (1.0, 9.0, 99.0), spec_text=specs[0]).write(tmp_path / "hot")
    other = traded_off((2.0, 2.0), spec_text=specs[1]).write(tmp_path / "other")
    charts = list(map(ElementTree.fromstring, drawings(page_of(hot.path, other.path)).values()))

    def colour(chart: ElementTree.Element) -> set[str | None]:
        shapes = [*chart.findall("{*}polyline"), *chart.findall("{*}circle")]
        own = [shape for shape in shapes if (shape.findtext("{*}title") or "").startswith("other")]
        return {shape.get("fill") if shape.tag.endswith("circle") else shape.get("stroke") for shape in own}

    assert len({frozenset(colour(chart)) for chart in charts}) == 1


def test_lines_of_one_colour_are_dashed_otherwise() -> None:
    told = {(colour_of(index), dashes_of(index)) for index in range(32)}
    assert len(told) == 32
    groups = [
        Alike(f"group {index}", [Line(f"run {index}", [(1.0, index), (2.0, 0.5)], 3.0)])
        for index in range(20)
    ]
    chart = ElementTree.fromstring(overlaid_curves(groups, "drag", "trials", maximised=False, whole=True))
    drawn = [(line.get("stroke"), line.get("stroke-dasharray")) for line in chart.findall("{*}polyline")]
    assert len(set(drawn)) == 20
    # In the legend as well.
    samples = {(line.get("stroke"), line.get("stroke-dasharray")) for line in chart.findall("{*}path")}
    assert set(drawn[8:]) <= samples


def test_the_command_writes_it_where_the_runs_lie(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run_of().write(tmp_path / "logs" / "wing-1")
    run_of(seed=1, day=2).write(tmp_path / "logs" / "wing-2")
    minimise(lambda p: p["x"], {"x": (0.0, 1.0)}, 2, algorithm="sobol", store="logs/search.jsonl")
    for arguments, path, count in (
        (["wing-1", "logs/wing-2"], "logs/runs.html", 2),
        (["--all"], "logs/runs.html", 3),
        (["--experiment", "wing", "--output", "wing.html"], "wing.html", 2),
        (["logs/search.jsonl", "wing-2", "--experiment", "wing"], "logs/runs-wing.html", 1),
    ):
        assert cli.main(["report", *arguments]) == 0
        assert capsys.readouterr().out == f"{path}\n"
        assert len(re.findall(r"<tr><td[^>]*>[^<]*</td><td[^>]*>ended</td>", Path(path).read_text())) == count
    assert cli.main(["report", "--all", "--charts", "figures"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 4
    for mistaken, words in (
        (["--all", "wing-1"], "expected either --all or the runs that are meant"),
        (["--all", "--sensitivity"], "expected --sensitivity with one run"),
        (["wing-1", "wing-3"], "wing-3, which does not exist; those under logs/: orchestrator runs"),
        (["--all", "--every", "9 s"], "expected --every beside --follow"),
    ):
        assert cli.main(["report", *mistaken]) == 2
        assert words in capsys.readouterr().err
