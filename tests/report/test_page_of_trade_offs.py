"""A run's page where there are several objectives: them against each other, and the table of the front."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from recorded_runs import RecordedRun, always
from traded_off_runs import HOT, OF_THREE, TRADED, WINGS, gave, opened, traded_off

from orchestrator import cli
from orchestrator.objectives import Goal
from orchestrator.report.html.front_chart import front_chart
from orchestrator.report.html.front_panel import Dot, staircase
from orchestrator.report.html.page import page

SVG = "{http://www.w3.org/2000/svg}"
BLUE = "#2563c9"
GOALS: dict[str, Goal] = {"drag": "minimise", "lift": "maximise"}


def page_of(run: RecordedRun, folder: Path) -> str:
    read = opened(run, folder)
    return page(read, read.catch_up(), held=False)


def seen(text: str) -> str:
    """What a page says, its drawings apart."""
    return re.sub(r"<[^>]*>", " ", re.sub(r"<svg.*?</svg>|<style>.*?</style>", "", text, flags=re.DOTALL))


def edges(svg: str) -> list[list[tuple[float, float]]]:
    """The corners of each panel's line."""
    lines = ElementTree.fromstring(svg).iter(f"{SVG}polyline")
    return [
        [(float(x), float(y)) for x, y in (corner.split(",") for corner in line.get("points", "").split())]
        for line in lines
    ]


def test_the_page_has_the_trade_offs_in_the_place_of_a_best_point(tmp_path: Path) -> None:
    text = page_of(traded_off(*WINGS), tmp_path)
    words = " ".join(seen(text).split())
    assert "trade-offs 3 drag 1 to 3 lift 2 to 3" in words
    assert "3 trade-offs, by drag, the best first trial drag lift heat span (m) sweep (deg)" in words
    assert "best point" not in words.lower()
    assert "best trials" not in words
    table = text.split("the best first", 1)[1].split("</table>", 1)[0]
    assert re.findall(r"<tr><td[^>]*>(\d+)</td>", table) == ["3", "6", "2"]


def test_its_chart_has_every_trial_and_tells_the_front_from_what_breaks_a_constraint(tmp_path: Path) -> None:
    text = page_of(traded_off(*WINGS), tmp_path)
    svg = re.findall(r"<svg.*?</svg>", text, re.DOTALL)[0]
    circles = list(ElementTree.fromstring(svg).iter(f"{SVG}circle"))
    fills = [circle.get("fill") for circle in circles]
    assert (fills.count(BLUE), fills.count("none"), len(fills)) == (3, 1, 6)
    titles = {circle.findtext(f"{SVG}title") for circle in circles} - {None}
    assert titles == {"3: drag 1, lift 2", "6: drag 2, lift 2.5", "2: drag 3, lift 3"}


def test_failed_trials_have_no_place_in_it_and_are_counted(tmp_path: Path) -> None:
    run = traded_off(*WINGS, spec_text=TRADED.replace("timeout: 60 s", "timeout: 60 s, attempts: 1"))
    run.settle(1, always(None))
    assert "1 trial failed and has no place here" in seen(page_of(run, tmp_path))


def test_while_there_is_no_trade_off_the_page_says_why(tmp_path: Path) -> None:
    words = seen(page_of(traded_off((1.0, 1.0, HOT)), tmp_path / "hot"))
    assert "There are none: no trial satisfies the constraints on outcomes yet." in words
    words = seen(page_of(RecordedRun(TRADED).begin(), tmp_path / "none"))
    assert "There are none: no value yet." in words


def test_each_objective_is_shown_against_the_parameters_with_the_trade_offs_marked(tmp_path: Path) -> None:
    text = page_of(traded_off(*WINGS), tmp_path)
    section = text.split("Where the values lie", 1)[1].split("</section>", 1)[0]
    charts = re.findall(r"<svg.*?</svg>", section, re.DOTALL)
    assert len(charts) == 2
    for chart in charts:
        marked = [c for c in ElementTree.fromstring(chart).iter(f"{SVG}circle") if c.get("fill") == BLUE]
        assert len(marked) == 3 * 4, "three trade-offs in each of four panels"


def test_names_with_what_html_makes_of_them_do_no_harm(tmp_path: Path) -> None:
    text = TRADED.replace("lift: maximise", '"<b>&lift": maximise')
    run = RecordedRun(text).begin(workers=1)
    gave(run, 1.0, {"<b>&lift": 2.0, "heat": 1.0})
    written = page_of(run, tmp_path)
    assert "<b>&lift" not in written
    for svg in re.findall(r"<svg.*?</svg>", written, re.DOTALL):
        ElementTree.fromstring(svg)


def test_three_objectives_have_a_panel_for_each_pair(tmp_path: Path) -> None:
    run = RecordedRun(OF_THREE).begin(workers=1)
    for drag, lift, mass in ((1.0, 1.0, 1.0), (2.0, 2.0, 5.0), (3.0, 1.0, 0.5)):
        gave(run, drag, {"lift": lift, "mass": mass, "heat": 1.0})
    svg = re.findall(r"<svg.*?</svg>", page_of(run, tmp_path), re.DOTALL)[0]
    assert len(edges(svg)) == 3
    words = [text.text for text in ElementTree.fromstring(svg).iter(f"{SVG}text")]
    assert [words.count(f"{goal}") for goal in ("minimise drag", "maximise lift", "minimise mass")] == [
        2,
        2,
        2,
    ]


@pytest.mark.parametrize(
    ("signs", "corners"),
    [
        ((-1.0, 1.0), [(1.0, 1.0), (2.0, 1.0), (2.0, 3.0)]),
        ((-1.0, -1.0), [(1.0, 1.0), (3.0, 1.0), (3.0, 0.0)]),
        ((1.0, 1.0), [(3.0, 0.0), (2.0, 0.0), (2.0, 3.0)]),
        ((1.0, -1.0), [(3.0, 0.0)]),
    ],
)
def test_the_edge_goes_by_the_worse_of_each_two_that_none_beats(
    signs: tuple[float, float], corners: list[tuple[float, float]]
) -> None:
    assert staircase([(2.0, 3.0), (1.0, 1.0), (3.0, 0.0), (2.0, 3.0)], signs) == corners


def test_a_front_that_is_far_better_than_all_else_is_not_drawn_in_a_corner() -> None:
    front = [Dot(str(i), (10.0 * i, float(i)), "trade-off") for i in range(1, 6)]
    far = [Dot(str(i), (100.0 * i, -40.0 * i), "breaking") for i in range(1, 30)]
    ((first, *_), *_) = edges(svg := front_chart(GOALS, front + far))
    blue = [one for one in ElementTree.fromstring(svg).iter(f"{SVG}circle") if one.get("fill") == BLUE]
    across = sorted(float(one.get("cx", "")) for one in blue)
    assert across[-1] - across[0] > 0.2 * (744.0 - first[0])
    assert "29 outside the ranges shown: at their edges" in svg


def test_the_edge_goes_on_to_the_sides_where_either_objective_is_worse() -> None:
    dots = [
        Dot("1", (1.0, 1.0), "trade-off"),
        Dot("2", (2.0, 3.0), "trade-off"),
        Dot("3", (4.0, 0.0), "beaten"),
    ]
    ((first, *_, last),) = edges(front_chart(GOALS, dots))
    circles = [
        (float(c.get("cx", "")), float(c.get("cy", "")))
        for c in ElementTree.fromstring(front_chart(GOALS, dots)).iter(f"{SVG}circle")
    ]
    assert first[1] > max(y for _, y in circles), "less lift is down"
    assert last[0] > max(x for x, _ in circles), "more drag is to the right"


def test_one_value_far_off_does_not_flatten_the_rest() -> None:
    front = [Dot(str(i), (float(i), float(i)), "trade-off") for i in range(10)]
    others = [Dot(str(i + 10), (i + 5.0, float(i)), "beaten") for i in range(9)]
    text = front_chart(GOALS, [*front, *others, Dot("20", (1e9, -1e9), "beaten")])
    assert "outside the ranges shown" in text
    xs = sorted({float(c.get("cx", "")) for c in ElementTree.fromstring(text).iter(f"{SVG}circle")})
    assert xs[5] - xs[0] > 100


@pytest.mark.parametrize("value", [0.0, -3.0, 1.7e308, -1.7e308, 5e-324])
def test_a_front_of_one_and_values_of_any_size_are_drawn(value: float) -> None:
    (corners,) = edges(front_chart(GOALS, [Dot("1", (value, value), "trade-off")]))
    assert all(math.isfinite(number) for corner in corners for number in corner)


def test_values_at_both_ends_of_what_floats_hold_are_drawn() -> None:
    dots = [Dot("1", (-1.7e308, -1.7e308), "trade-off"), Dot("2", (1.7e308, 1.7e308), "trade-off")]
    (corners,) = edges(front_chart(GOALS, dots))
    assert all(math.isfinite(number) for corner in corners for number in corner)


def test_any_trial_is_drawn_by_its_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def drawn(_evaluator: str, parameters: Mapping[str, Any], returned: Mapping[str, Any]) -> str:
        return f"<svg>{parameters['span']} {returned['value']} {returned['lift']}</svg>"

    monkeypatch.setattr("evaluators.pictures.picture", drawn)
    opened(traded_off(*WINGS), tmp_path)
    monkeypatch.chdir(tmp_path)
    assert cli.main(["report", "--picture", "wing.svg", "--trial", "6"]) == 0
    assert (tmp_path / "wing.svg").read_text() == "<svg>1.6 2.0 2.5</svg>"
    assert cli.main(["report", "--picture", "best.svg"]) == 1
    assert not (tmp_path / "best.svg").exists()
