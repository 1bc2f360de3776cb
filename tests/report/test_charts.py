"""The charts of a run: where their lines, dots and labels lie, whatever the values are."""

from __future__ import annotations

import math
import re
from itertools import pairwise, permutations
from xml.etree import ElementTree

import numpy as np
import pytest

from orchestrator.parameters.space import Space
from orchestrator.report.html.charts import best_chart, weights_chart, width_on_chart
from orchestrator.report.html.map_chart import Side, map_chart
from orchestrator.report.html.parameter_chart import Dots, parameter_chart
from orchestrator.spec.sections.parameters import (
    ChoiceParameter,
    FloatParameter,
    IntParameter,
    OrderedParameter,
)

SVG = "{http://www.w3.org/2000/svg}"


def test_the_curve_holds_the_best_so_far_and_shows_what_is_far_off_at_its_edge() -> None:
    trials = [(i, float(i)) for i in range(1, 20)] + [(20, -1e308), (21, 1.0)]
    curve = [(i, float(i)) for i in range(1, 20)]
    root = ElementTree.fromstring(best_chart(curve, trials, [4, 5], [], "height"))

    (line,) = root.iter(f"{SVG}polyline")
    heights = [float(point.partition(",")[2]) for point in line.get("points", "").split()]
    assert heights == sorted(heights, reverse=True), "it only rises"
    dots = list(root.iter(f"{SVG}circle"))
    assert len(dots) == len(trials)
    assert all(math.isfinite(float(dot.get("cy", "nan"))) for dot in dots)
    rings = [dot for dot in dots if dot.get("fill") == "none"]
    assert rings, "the value that would flatten everything lies at the edge"
    assert len(list(root.iter(f"{SVG}path"))) == 2, "the failed trials are marked"
    assert "outside the range shown" in "".join(text.text or "" for text in root.iter(f"{SVG}text"))


def test_a_chart_without_a_best_value_names_none() -> None:
    trials = [(1, 1.0), (2, 3.0)]
    assert "heat by trial.</title>" in best_chart([], trials, [], [], "heat")
    assert "heat by trial; the best so far is 3.</title>" in best_chart([(2, 3.0)], trials, [], [], "heat")


def test_where_no_value_is_the_best_the_middle_nine_tenths_are_within_the_range() -> None:
    trials = [(place, 100.0 + place) for place in range(1, 40)] + [(40, 1e6)]
    text = best_chart([], trials, [], [], "heat", reference=120.0)
    assert "2 outside the range shown" in text
    assert ">120</text>" in text
    assert "stroke-dasharray" in text
    assert "outside" not in best_chart([], [(1, 1.0)], [2], [], "heat")


def test_a_minimum_found_at_once_leaves_what_is_far_off_outside_the_range_shown() -> None:
    trials = [(1, 1.0), *((i, 1.0 + i / 10) for i in range(2, 20)), (20, 1e9)]
    assert "2 outside the range shown" in best_chart([(1, 1.0)], trials, [], [], "cost")


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_what_falls_by_magnitudes_is_drawn_by_its_logarithm_which_the_axis_says(sign: float) -> None:
    curve = [(place, sign * 10.0 ** (4 - place)) for place in range(1, 9)]
    root = ElementTree.fromstring(best_chart(curve, curve, [], [], "misfit"))
    heights = [float(dot.get("cy", "nan")) for dot in root.iter(f"{SVG}circle")]
    steps = [after - before for before, after in pairwise(heights)]
    assert steps == pytest.approx([steps[0]] * len(steps), abs=0.02)
    assert steps[0] * sign > 0.0
    words = [text.text or "" for text in root.iter(f"{SVG}text")]
    assert "misfit (log)" in words
    assert {"0.01" if sign > 0.0 else "−0.01", "100" if sign > 0.0 else "−100"} <= set(words)


@pytest.mark.parametrize(
    "values", [[1.0, 900.0], [900.0, 0.0], [900.0, -1.0], [50.0, 1.0]], ids=["up", "to 0", "below", "near"]
)
def test_other_values_are_drawn_as_they_are(values: list[float]) -> None:
    curve = list(enumerate(values, 1))
    assert "(log)" not in best_chart(curve, curve, [], [], "misfit")
    assert "(log)" not in best_chart([], curve, [], [], "misfit")
    assert "(log)" not in best_chart([(1, 9.0), (2, 0.01)], curve[:1], [], [], "misfit", reference=-1.0)


@pytest.mark.parametrize("value", [0.0, -3.0, 1.7e308, 5e-324])
def test_a_curve_of_one_value_has_a_range(value: float) -> None:
    root = ElementTree.fromstring(best_chart([(1, value)], [(1, value)], [], [], "y"))
    (line,) = root.iter(f"{SVG}polyline")
    assert all(math.isfinite(float(part)) for part in re.split("[ ,]", line.get("points", "")))


@pytest.mark.parametrize("highest", [5e-324, 1e-323, 1.5e-323, 1e-320, 1e-308])
def test_a_curve_of_the_smallest_values_has_a_range(highest: float) -> None:
    curve = [(1, 0.0), (2, highest)]
    root = ElementTree.fromstring(best_chart(curve, curve, [], [], "likelihood"))
    (line,) = root.iter(f"{SVG}polyline")
    assert all(math.isfinite(float(part)) for part in re.split("[ ,]", line.get("points", "")))


@pytest.mark.parametrize("best", [5e-324, -5e-324])
def test_what_falls_to_the_smallest_value_of_all_is_drawn_by_its_logarithm_as_well(best: float) -> None:
    curve = [(1, math.copysign(2.0, best)), (2, best)]
    root = ElementTree.fromstring(best_chart(curve, curve, [], [], "misfit"))
    assert "misfit (log)" in [text.text for text in root.iter(f"{SVG}text")]
    first, last = (float(dot.get("cy", "nan")) for dot in root.iter(f"{SVG}circle"))
    assert abs(last - first) > 100.0


def test_values_are_shown_against_each_parameter_where_it_lies_on_its_own_scale() -> None:
    parameters = {
        "rate": FloatParameter(type="float", bounds=(1e-6, 1e-2), scale="log", unit="1/s"),
        "count": IntParameter(type="int", bounds=(2, 10)),
        "kind": ChoiceParameter(type="choice", values=["a", "b", True, 1]),
    }
    trials = [
        ({"rate": 1e-6, "count": 2, "kind": "a"}, 1.0),
        ({"rate": 1e-4, "count": 6, "kind": True}, 3.0),
        ({"rate": 1e-2, "count": 10, "kind": 1}, 2.0),
    ]
    root = ElementTree.fromstring(parameter_chart(parameters, Dots(trials, trials[1]), "height"))

    words = [text.text for text in root.iter(f"{SVG}text")]
    assert {"rate, 1/s (log)", "count", "kind", "1e-06", "0.01", "2", "10", "a", "b", "true"} <= set(words)
    panels = [place(path) for path in root.iter(f"{SVG}path")]
    for (first, middle, last), share in zip(panels, (1 / 2, 1 / 2, 2 / 3), strict=True):
        assert (middle[0] - first[0]) / (last[0] - first[0]) == pytest.approx(share, abs=0.01)
        assert middle[1] < last[1] < first[1], "better is higher where it is maximised"
    stars = list(root.iter(f"{SVG}circle"))
    assert [(float(star.get("cx", "0")), float(star.get("cy", "0"))) for star in stars] == [
        pytest.approx(middle) for _, middle, _ in panels
    ], "the best is marked"


def test_of_long_names_that_begin_alike_the_ends_tell_which_panel_is_which() -> None:
    names = [f"corrector_magnets_of_the_transfer_line_{end}" for end in ("horizontal", "vertical")]
    parameters = {name: FloatParameter(type="float", bounds=(0, 1)) for name in names}
    trials = [(dict.fromkeys(names, 0.5), 1.0)]
    root = ElementTree.fromstring(parameter_chart(parameters, Dots(trials, trials[0]), "height"))
    titles = [str(text.text) for text in root.iter(f"{SVG}text") if "…" in str(text.text)]
    assert [title.rpartition("_")[2] for title in titles] == ["horizontal", "vertical"]
    assert all(len(title) <= 30 for title in titles)


def test_the_name_of_a_long_objective_does_not_reach_out_of_the_chart() -> None:
    name = "transmission through the whole of the line, averaged over ten shots (percent)"
    root = ElementTree.fromstring(best_chart([(1, 1.0)], [(1, 1.0)], [], [], name))
    (title,) = [text for text in root.iter(f"{SVG}text") if text.get("transform")]
    assert str(title.text).endswith("(percent)")
    assert len(str(title.text)) * 6.3 / 2 <= float(title.get("y", "nan"))


def test_the_numbers_of_trials_are_neither_cut_off_nor_struck_out_by_those_that_failed() -> None:
    chart = best_chart([(1, 2.0), (20_000, 1.0)], [(1, 2.0), (20_000, 1.0)], [20_000], [], "drag")
    root = ElementTree.fromstring(chart)
    (number,) = (text for text in root.iter(f"{SVG}text") if text.text == "20000")
    assert float(number.get("x", "")) + 6.3 * len("20000") / 2 <= float(root.get("width", ""))
    (crossed,) = re.findall(r"M[\d.]+,([\d.]+)l6,6", chart)
    assert float(crossed) + 6 < float(number.get("y", "")) - 9


def test_ordered_values_lie_by_their_distances_and_what_is_expected_of_them_is_a_line() -> None:
    parameters = {
        "order": OrderedParameter(type="ordered", values=[1, 2, 6]),
        "batch": OrderedParameter(type="ordered", values=[8, 4, 2], scale="log"),
        "mesh": OrderedParameter(type="ordered", values=["coarse", "medium", "fine"]),
        "many": OrderedParameter(type="ordered", values=["first", "b", "c", "d", "last"]),
        "width": IntParameter(type="int", bounds=(32, 128), step=32),
    }
    trials = [
        ({"order": 1, "batch": 8, "mesh": "coarse", "many": "first", "width": 32}, 1.0),
        ({"order": 2, "batch": 4, "mesh": "medium", "many": "c", "width": 64}, 3.0),
        ({"order": 6, "batch": 2, "mesh": "fine", "many": "last", "width": 128}, 2.0),
    ]
    expected = {"mesh": [("coarse", 1.0, 0.1), ("medium", 3.0, 0.1), ("fine", 2.0, 0.1)]}
    chart = parameter_chart(parameters, Dots(trials, trials[1]), "height", expected)
    root = ElementTree.fromstring(chart)

    words = [text.text for text in root.iter(f"{SVG}text")]
    assert words == [
        *("order", "1", "6", "batch (log)", "8", "2", "mesh", "coarse", "medium", "fine"),
        *("many", "first", "last", "width", "32", "128"),
    ]
    panels = [place(path) for path in root.iter(f"{SVG}path")]
    for (first, middle, last), share in zip(panels, (1 / 5, 1 / 2, 1 / 2, 1 / 2, 1 / 3), strict=True):
        assert (middle[0] - first[0]) / (last[0] - first[0]) == pytest.approx(share, abs=0.01)
    at = {text.text: float(text.get("x", "nan")) for text in root.iter(f"{SVG}text")}
    assert [panels[0][0][0], panels[0][2][0]] == [at["1"], at["6"]], "numbers reach from end to end"
    assert [x for x, _ in panels[2]] == pytest.approx([at["coarse"], at["medium"], at["fine"]], abs=0.1)
    (line,) = root.iter(f"{SVG}polyline")
    ends = [float(point.partition(",")[0]) for point in line.get("points", "").split()]
    assert ends == [x for x, _ in panels[2]]


def place(path: ElementTree.Element) -> list[tuple[float, float]]:
    """Where a path has its dots."""
    found = re.findall(r"M([-\d.]+),([-\d.]+)h0", path.get("d", ""))
    return [(float(x), float(y)) for x, y in found]


def test_the_weights_fill_the_chart_and_the_smallest_members_share_a_band() -> None:
    members = [f"member-{i}" for i in range(12)]
    history = [(10 + n, dict.fromkeys(members, 1.0 / 12.0)) for n in range(700)]
    root = ElementTree.fromstring(weights_chart(history))

    bands = list(root.iter(f"{SVG}polygon"))
    assert len(bands) == 8
    points = [point.split(",") for point in bands[-1].get("points", "").split()]
    assert len(points) <= 2 * 302
    assert {round(float(y)) for _, y in points[: len(points) // 2]} == {14}, "the last ends at 1"
    assert "5 others, 42 % at last" in "".join(text.text or "" for text in root.iter(f"{SVG}text"))


def test_a_member_is_named_where_its_band_would_hold_no_other() -> None:
    text = weights_chart([(10, {f"member-{i}": 0.125 for i in range(8)})])
    assert "member-7, 12 % at last" in text
    assert "other" not in text


def test_the_names_of_an_ensembles_members_do_not_lie_on_each_other() -> None:
    for names, columns in ((["rbf", "sum", "trend"], 3), (["trend matern-5/2, shared, warped", "b", "c"], 2)):
        root = ElementTree.fromstring(weights_chart([(10, dict.fromkeys(names, 1 / 3))]))
        squares = [rect for rect in root.iter(f"{SVG}rect") if rect.get("width") == "10"]
        assert len({square.get("x") for square in squares}) == columns
        assert all(float(square.get("y", "0")) < float(root.get("height", "0")) for square in squares)


def test_members_of_the_same_weight_have_the_same_colours_whenever_they_are_drawn() -> None:
    names = ["trend", "joint", "sum", "pairs"]
    drawn = {weights_chart([(10, dict.fromkeys(order, 0.25))]) for order in permutations(names)}
    assert len({re.sub("<polygon.*?/>", "", chart) for chart in drawn}) == 1


@pytest.mark.parametrize("unit", [1e-13, 3e-12, 1.0, 1e9])
def test_the_grid_lies_where_its_labels_say_whatever_the_unit(unit: float) -> None:
    trials = [(i, i * unit) for i in range(1, 10)]
    root = ElementTree.fromstring(best_chart(trials, trials, [], [], "y"))
    labels = [text.text or "" for text in root.iter(f"{SVG}text") if text.get("text-anchor") == "end"]
    told = [float(label.replace("−", "-")) for label in labels]
    assert len(set(told)) == len(told) > 1
    grid = [float(line.get("y1", "nan")) for line in root.iter(f"{SVG}line")]
    assert all(0.0 <= y <= 300.0 for y in grid)


def test_values_that_differ_in_their_last_digits_have_labels_that_differ() -> None:
    trials = [(i, -76543.21 + i / 1000) for i in range(1, 10)]
    root = ElementTree.fromstring(best_chart(trials, trials, [], [], "energy"))
    labels = [text.text for text in root.iter(f"{SVG}text") if text.get("text-anchor") == "end"]
    assert len(set(labels)) == len(labels) > 2


def test_a_map_has_room_for_the_name_beside_it() -> None:
    name = "a_long_name_that_goes_on_and_on_until_it_ends"
    across, down = Space.from_description({"a": (0.0, 1.0), name: (0.0, 1.0)}).parameters
    chart = map_chart(np.full((4, 4), 0.5), Side(across), Side(down), [], "chances")
    beside = re.findall(r'<text x="([\d.]+)"[^>]*text-anchor="end"[^>]*>([^<]*)<', chart)
    assert all(width_on_chart(words) <= float(x) for x, words in beside)
    assert any("…" in words for _, words in beside)


def test_a_map_over_an_angle_goes_from_one_bound_to_the_other() -> None:
    angle = {"type": "float", "bounds": (-180, 180), "periodic": True}
    across, down = Space.from_description({"a": angle, "b": (0.0, 1.0)}).parameters
    root = ElementTree.fromstring(map_chart(np.full((4, 4), 0.5), Side(across), Side(down), [], "chances"))
    assert {"-180", "180"} <= {text.text for text in root.iter(f"{SVG}text")}


def test_a_map_of_few_values_names_each_and_has_its_dots_in_the_middle_of_their_cells() -> None:
    described = {"skin": {"type": "choice", "values": ["foam", "steel", "carbon"]}, "span": (1.0, 9.0)}
    skin, span = Space.from_description(described).parameters
    across = Side(skin, np.array([skin.encode(value) for value in ("foam", "steel", "carbon")]))
    shades = np.array([[0.0, 0.5, np.nan], [0.2, 1.0, 0.3]])
    dots = [({"skin": "steel", "span": 9.0}, True), ({"skin": "foam"}, False)]
    root = ElementTree.fromstring(map_chart(shades, across, Side(span), dots, "drag"))
    cells = [one for one in root.iter(f"{SVG}rect") if one.get("fill") != "none"]
    places = {text.text: text for text in root.iter(f"{SVG}text")}
    (dot,) = root.iter(f"{SVG}circle")
    assert len(cells) == 6
    assert [cell.get("fill-opacity") for cell in cells].count(None) == 1
    steel = cells[1]
    assert float(dot.get("cx", "")) == pytest.approx(
        float(steel.get("x", "")) + float(steel.get("width", "")) / 2, abs=0.3
    )
    assert float(dot.get("cy", "")) == min(float(cell.get("y", "")) for cell in cells)
    assert places["steel"].get("x") == dot.get("cx", "").removesuffix(".0")
    assert {"foam", "carbon", "1", "9", "span", "skin"} <= places.keys()
