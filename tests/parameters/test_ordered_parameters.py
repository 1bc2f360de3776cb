"""Parameters that take steps, and values whose order means something: what they are, and where they lie."""

import json
import math
import pickle
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orchestrator.algorithms.ask_and_tell.start_design import StartDesign
from orchestrator.errors import SpecError
from orchestrator.maximisers.boxes.within_box import Box
from orchestrator.parameters.space import OrderedParameter, Space
from orchestrator.python_interface.optimiser import Optimiser
from orchestrator.unit_cube.coordinate import Coordinate
from orchestrator.values.steps import Steps

DESCRIPTION = {
    "angle": {"type": "float", "bounds": [0, 10], "step": 0.1},
    "width": {"type": "int", "bounds": [32, 512], "step": 32},
    "fine": {"type": "float", "bounds": [-1, 1], "step": 1e-5},
    "order": {"type": "ordered", "values": [1, 2, 4, 8, 16]},
    "batch": {"type": "ordered", "values": [16, 8, 4, 2, 1], "scale": "log"},
    "mesh": {"type": "ordered", "values": ["coarse", "medium", "fine"]},
}
SPACE = Space.from_description(DESCRIPTION)


def positions(values: list, scale: str = "linear") -> list[float]:
    return list(OrderedParameter("v", tuple(values), scale).coordinate.positions)


def test_steps_are_the_decimals_that_a_person_means():
    assert list(Steps(0.0, 0.7, 0.1)) == [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7]
    assert [repr(value) for value in Steps(1e-5, 3e-5, 1e-5)] == ["1e-05", "2e-05", "3e-05"]
    assert list(Steps(32, 128, 32)) == [32, 64, 96, 128]
    assert all(isinstance(value, int) for value in Steps(32, 128, 32.0))


@settings(max_examples=200)
@given(st.integers(-(10**6), 10**6), st.integers(1, 999), st.integers(1, 5000), st.integers(0, 6), st.data())
def test_every_step_is_the_nearest_float_and_comes_back(low, step, count, digits, data):
    def decimal(units):
        return float(Fraction(units, 10**digits))

    steps = Steps(decimal(low), decimal(low + count * step), decimal(step))
    assert len(steps) == count + 1
    number = data.draw(st.integers(0, count))
    assert steps[number] == decimal(low + number * step)
    parameter = OrderedParameter("x", steps)
    position = parameter.encode(steps[number])
    assert parameter.decode(position) == steps[number]
    assert parameter.encode(parameter.decode(position)) == position
    assert parameter.numbers(np.array([position])).tolist() == [steps[number]]


def test_a_point_decodes_to_values_as_they_were_given_and_comes_back_to_the_bit():
    points = SPACE.domain.sample(300, np.random.default_rng(0))
    for point in points:
        values = SPACE.decode(point)
        assert [type(values[name]) for name in DESCRIPTION] == [float, int, float, int, int, str]
        assert (SPACE.encode(values) == point).all()
        assert (SPACE.encode(json.loads(json.dumps(values))) == point).all()
    for parameter, column in zip(SPACE.parameters, points.T, strict=True):
        if parameter.name != "mesh":
            told = [float(parameter.decode(position)) for position in column]
            assert parameter.numbers(column).tolist() == told


def test_steps_lie_at_the_centres_of_equal_cells_as_whole_numbers_do():
    assert OrderedParameter("x", Steps(0.0, 1.5, 0.5)).coordinate.positions == (0.125, 0.375, 0.625, 0.875)


def test_many_steps_are_not_listed_but_searched_as_if_continuous_and_snapped():
    coordinate = OrderedParameter("x", Steps(0.0, 1e6, 1e-3)).coordinate
    assert coordinate.kind == "continuous"
    assert coordinate.whole is not None
    assert coordinate.whole.count == 10**9 + 1


def test_listed_numbers_lie_by_their_distances_and_both_ends_as_far_from_the_edges():
    assert positions([1, 2, 3, 4]) == [0.125, 0.375, 0.625, 0.875]
    one, two, four, eight, sixteen = positions([1, 2, 4, 8, 16])
    assert (one, sixteen) == (0.1, 0.9)
    assert np.diff([one, two, four, eight, sixteen]) == pytest.approx(0.8 * np.array([1, 2, 4, 8]) / 15)
    assert positions([1, 2, 4, 8, 16], "log") == pytest.approx([0.1, 0.3, 0.5, 0.7, 0.9])
    assert positions([16, 4, 2]) == pytest.approx([1 / 6, 1 / 6 + 12 / 21, 5 / 6]), "in the order written"


def test_texts_lie_evenly():
    assert positions(["coarse", "medium", "fine"]) == [0.5 / 3, 0.5, 2.5 / 3]


def test_models_see_neighbours_as_neighbours():
    parameter = OrderedParameter("v", ("coarse", "medium", "fine"))
    domain = Space((parameter,)).domain
    embedded = domain.embed(np.array([[parameter.encode(value)] for value in parameter.values]))
    assert embedded.shape == (3, 1)
    assert abs(embedded[2] - embedded[0]) > abs(embedded[1] - embedded[0]) > 0


def test_the_nearest_value_is_decoded_wherever_a_point_lies():
    parameter = OrderedParameter("v", (1, 2, 4, 8, 16))
    for position in np.linspace(0, 1, 101):
        distances = np.abs(np.array(parameter.coordinate.positions) - position)
        assert parameter.values.index(parameter.decode(position)) == int(distances.argmin())
        snapped = Space((parameter,)).domain.snap(np.array([position]))
        assert parameter.encode(parameter.decode(position)) == snapped[0]


def test_numbers_from_elsewhere_are_the_nearest_values_in_whatever_order_these_are_listed():
    for listed in ((0.125, 1.0, 4.0, 16.0), (16.0, 4.0, 1.0, 0.125)):
        one = OrderedParameter("v", listed)
        assert [one.nearest(told) for told in (0.3, 2.4, 2.6, 15)] == [0.125, 1.0, 4.0, 16.0]
        assert OrderedParameter("v", listed, "log").nearest(2.4) == 4.0
        assert (one.as_meant(0.13), one.as_meant(2.4)) == (0.125, 2.4)


def test_a_design_comes_to_every_value_as_often_however_unevenly_they_lie():
    domain = Space.from_description({**DESCRIPTION, "x": (0.0, 1.0)}).domain
    design = StartDesign(domain, seed=3)
    points = np.array([design.point(trial) for trial in range(64)])
    drawn = domain.sample(2000, np.random.default_rng(1))
    for j, coordinate in enumerate(domain.coordinates):
        if 3 <= len(coordinate.positions) <= 16:
            k = len(coordinate.positions)
            counts = Counter(points[:, j].tolist())
            assert set(counts) == set(coordinate.positions)
            assert max(counts.values()) - min(counts.values()) <= 3
            often = Counter(drawn[:, j].tolist()).values()
            assert min(often) > 0.6 * 2000 / k


def test_a_region_narrower_than_a_step_still_reaches_the_values_beside():
    domain = SPACE.domain
    narrow = np.full(domain.dimension, 1e-9)
    for centre in domain.sample(20, np.random.default_rng(2)):
        box = Box.about(domain, centre, narrow)
        for j, coordinate in enumerate(domain.coordinates):
            here = coordinate.positions.index(centre[j]) if coordinate.positions else 0
            beside = coordinate.positions[max(here - 1, 0) : here + 2]
            for position in beside or coordinate.whole.beside(centre[j]):
                neighbour = centre.copy()
                neighbour[j] = position
                assert box.contains(neighbour[None, :])[0]


def test_a_coordinate_is_the_same_after_it_went_to_a_node_as_json():
    for coordinate in SPACE.domain.coordinates:
        assert Coordinate.from_json(json.loads(json.dumps(coordinate.to_json()))) == coordinate


def test_a_space_of_them_survives_pickling():
    again = pickle.loads(pickle.dumps(SPACE))
    assert again == SPACE
    assert again.domain.coordinates == SPACE.domain.coordinates


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"angle": 0.25}, "expected 0 to 10 in steps of 0.1, got 0.25; the nearest are 0.2 and 0.3"),
        ({"angle": 10.1}, "expected 0 to 10 in steps of 0.1, got 10.1"),
        ({"angle": "1"}, "expected 0 to 10 in steps of 0.1, got '1'"),
        ({"angle": math.nan}, "got nan"),
        ({"width": 100}, "expected 32 to 512 in steps of 32, got 100; the nearest are 96 and 128"),
        ({"width": True}, "got True"),
        ({"order": 3}, "parameter `order`: expected one of 1, 2, 4, 8, 16, got 3"),
        ({"order": True}, "got True"),
        ({"mesh": "medum"}, "did you mean `medium`?"),
    ],
)
def test_what_is_none_of_the_values_is_named_with_those_beside_it(changes, sentence):
    good = SPACE.decode(np.full(6, 0.5))
    with pytest.raises(SpecError) as refused:
        SPACE.encode({**good, **changes})
    assert sentence in str(refused.value)


def test_a_value_that_is_off_by_rounding_alone_is_taken_for_what_it_was():
    good = SPACE.decode(np.full(6, 0.5))
    for told in (0.1 + 0.2, float(np.float32(0.3)), np.float64(0.3)):
        assert SPACE.decode(SPACE.encode({**good, "angle": told}))["angle"] == 0.3
    assert SPACE.decode(SPACE.encode({**good, "order": np.int64(4), "width": 64.0}))["width"] == 64


@pytest.mark.parametrize(
    ("told", "sentence"),
    [
        (
            {"type": "float", "bounds": [0, 1], "step": 0.3},
            "bounds that are a whole number of steps of 0.3 apart, as [0, 0.9] or [0, 1.2], got [0, 1]",
        ),
        ({"type": "float", "bounds": [0, 1], "step": 2}, "as [0, 2], got [0, 1]"),
        ({"type": "float", "bounds": [0, 1.5e308], "step": 1e308}, "apart, as [0, 1e+308], got"),
        ({"type": "int", "bounds": [0, 100], "step": 32}, "as [0, 96] or [0, 128], got [0, 100]"),
        ({"type": "int", "bounds": [0, 9], "step": 0.5}, "a whole number as the step of an int, got 0.5"),
        ({"type": "float", "bounds": [0, 1], "step": 0}, "a number above 0 as the step, got 0"),
        ({"type": "float", "bounds": [0, 1], "step": math.nan}, "a number above 0 as the step, got nan"),
        ({"type": "float", "bounds": [0, 1], "step": True}, "a number above 0 as the step, got True"),
        ({"type": "float", "bounds": [0, 1], "step": "fine"}, "a number above 0 as the step, got 'fine'"),
        ({"type": "float", "bounds": [0, 1], "step": 1e-17}, "leave `step` out"),
        (
            {"type": "int", "bounds": [1, 8], "step": 1, "scale": "log"},
            "scale is written as `{type: ordered, values: [",
        ),
        ({"type": "choice", "values": [1, 2], "step": 1}, "got `step`"),
        ({"type": "ordered", "values": [1, 3, 2]}, "got 2 after 3; if their order means nothing, say"),
        ({"type": "ordered", "values": [1, 2, 2]}, "expected each value once, got 2 after 2"),
        ({"type": "ordered", "values": ["a", "b", "a"]}, "expected each value once, got `a` again"),
        ({"type": "ordered", "values": [1, "b"]}, "numbers alone, or texts alone, got `b` beside 1"),
        ({"type": "ordered", "values": [False, True]}, "expected finite numbers, or texts, in their order"),
        ({"type": "ordered", "values": [1, math.inf]}, "got inf"),
        ({"type": "ordered", "values": [1]}, "at least two values in their order, got 1"),
        ({"type": "ordered", "values": [0, 1], "scale": "log"}, "a log scale needs values above 0, got 0"),
        ({"type": "ordered", "values": ["a", "b"], "scale": "log"}, "got texts, which lie evenly"),
        ({"type": "ordered", "values": ["a", "b"], "scale": "ln"}, "expected scale linear or log, got 'ln'"),
        ({"type": "ordered", "values": [1, 2, 1e9]}, "got 1 and 2 in a range from 1 to 1000000000; say"),
        ({"type": "ordered", "values": [1, 1e9, 1e9 + 1]}, "got 1000000000 and 1000000001 in a range"),
        ({"type": "ordered", "values": [-1.7e308, 1.7e308]}, "that differ by less than 1e304"),
        ({"type": "ordered", "values": list(range(5000))}, "expected at most 4096 values, got 5000"),
        ({"type": "ordered", "values": "abc"}, "expected a list of values, got 'abc'"),
        ({"type": "ordinal", "values": ["a", "b"]}, "did you mean `ordered`?"),
    ],
)
def test_what_makes_no_steps_or_no_order_is_refused_with_what_to_write_instead(told, sentence):
    with pytest.raises(SpecError) as refused:
        Space.from_description({"x": told})
    assert sentence in str(refused.value)


def test_constraints_compute_with_their_numbers_exactly():
    space = Space.from_description(DESCRIPTION, constraints=["angle * order <= 4.8", "width >= 32 * batch"])
    points = space.domain.sample(200, np.random.default_rng(0))
    for point in points:
        values = space.decode(point)
        assert values["width"] >= 32 * values["batch"]
        assert space.broken_by(values) == ()
    corner = space.encode({**space.decode(points[0]), "angle": 0.6, "order": 8, "width": 512, "batch": 1})
    assert space.domain.feasible(corner[None, :])[0], "0.6 times 8 is 4.8"


def test_texts_cannot_be_computed_with():
    with pytest.raises(SpecError, match="`mesh`, which has the values coarse, medium, fine"):
        Space.from_description(DESCRIPTION, constraints=["mesh * order <= 4"])


@pytest.mark.parametrize(
    ("when", "counts"),
    [
        ({"mesh": ["medium", "fine"]}, lambda values: values["mesh"] != "coarse"),
        ({"angle": [0.3, 7]}, lambda values: values["angle"] in (0.3, 7.0)),
        ({"width": 64}, lambda values: values["width"] == 64),
        ({"order": [4, 8]}, lambda values: values["order"] in (4, 8)),
        ("order >= 4", lambda values: values["order"] >= 4),
        ("angle <= 0.3", lambda values: values["angle"] <= 0.3),
    ],
)
def test_another_parameter_may_count_by_their_values(when, counts):
    other = {"type": "float", "bounds": [0, 1], "step": 0.5, "when": when}
    space = Space.from_description({**DESCRIPTION, "other": other})
    rng = np.random.default_rng(0)
    points = space.domain.sample(300, rng)
    points[:100, 0] = space.parameters[0].encode(0.3)
    for point in space.domain.rounded(points):
        values = space.decode(point)
        assert ("other" in values) == counts(values)


@pytest.mark.parametrize(
    ("when", "said"),
    [
        (
            {"angle": 0.25},
            "expected 0 to 10 in steps of 0.1 for `angle`, got `0.25`; the nearest are 0.2 and",
        ),
        ({"width": 40}, "expected 32 to 512 in steps of 32 for `width`, got `40`; the nearest are 32 and 64"),
        ({"order": 3}, "expected `1`, `2`, `4`, `8` or `16` for `order`, got `3`"),
        ({"mesh": "medum"}, "(did you mean `medium`?)"),
        ("mesh >= 2", "expected parameters that are numbers, got `mesh`"),
    ],
)
def test_a_condition_on_what_is_none_of_the_values_is_refused(when, said):
    with pytest.raises(SpecError) as refused:
        Space.from_description({**DESCRIPTION, "other": {"type": "int", "bounds": [1, 3], "when": when}})
    assert said in str(refused.value)


def test_the_python_interface_asks_for_them_and_takes_their_results_as_they_are():
    optimiser = Optimiser(DESCRIPTION, goal="minimise", algorithm="random")
    (asked,) = optimiser.ask()
    assert repr(asked.parameters["angle"]) == repr(round(asked.parameters["angle"], 1))
    optimiser.tell(asked.trial, 3.0)
    known = {"angle": 0.1 + 0.2, "width": 64, "fine": 0.5, "order": 4, "batch": 2, "mesh": "fine"}
    optimiser.learn(known, 1.0)
    assert optimiser.best().parameters == known | {"angle": 0.3}
    attached = optimiser.attach(known | {"angle": 7})
    assert attached.parameters["angle"] == 7.0
