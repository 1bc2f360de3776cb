"""Parameters to the unit cube and back: exact after one round, and clear about what cannot be encoded."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orchestrator.errors import SpecError
from orchestrator.parameters.space import ChoiceParameter, FloatParameter, IntParameter, Space

NETWORK = Space.from_description(
    {
        "neurons": {"type": "int", "bounds": [2, 100]},
        "rate": {"type": "float", "bounds": [1e-6, 1e-1], "scale": "log", "unit": "1/step"},
        "batch": {"type": "int", "bounds": [4, 64], "scale": "log"},
        "activation": {"type": "choice", "values": ["relu", "tanh", True, 1, None]},
        "momentum": (-0.5, 0.9),
        "epochs": {"type": "fixed", "value": 20, "unit": "passes"},
    }
)

bounds = st.floats(-1e9, 1e9, allow_nan=False).flatmap(
    lambda low: st.tuples(st.just(low), st.floats(1e-6, 1e3).map(lambda w: low + w * max(1, abs(low))))
)


def test_a_point_decodes_to_native_values_with_the_fixed_ones_beside():
    values = NETWORK.decode(np.array([0.0, 1.0, 0.5, 0.3, 0.5]))
    assert values == {
        "neurons": 2,
        "rate": 1e-1,
        "batch": 15,
        "activation": "tanh",
        "momentum": pytest.approx(0.2),
        "epochs": 20,
    }
    assert [type(v) for v in values.values()] == [int, float, int, str, float, int]


def test_every_int_and_every_choice_comes_back_from_its_position():
    for name in ("neurons", "batch", "activation"):
        parameter = NETWORK.parameters[NETWORK.index(name)]
        for position in parameter.coordinate.positions:
            assert parameter.encode(parameter.decode(position)) == position


def test_integers_sit_at_the_centres_of_their_cells():
    linear, log = IntParameter("n", 1, 4), IntParameter("n", 1, 4, "log")
    assert linear.coordinate.positions == (0.125, 0.375, 0.625, 0.875)
    width = math.log(4.5) - math.log(0.5)
    assert log.encode(2) == pytest.approx((math.log(2) - math.log(0.5)) / width)
    assert [linear.decode(p) for p in (0.0, 0.2499, 0.2501, 1.0)] == [1, 1, 2, 4]


def test_an_integer_with_too_many_values_for_a_grid_is_continuous_and_rounded():
    wide = IntParameter("n", 1, 10**9, "log")
    assert wide.coordinate.kind == "continuous"
    for value in (1, 2, 17, 123_456_789, 10**9):
        assert wide.decode(wide.encode(value)) == value


@settings(max_examples=200)
@given(bounds, st.floats(0, 1))
def test_a_floats_round_trip_is_exact_to_the_bit_after_one_round(ends, position):
    parameter = FloatParameter("x", *ends)
    once = parameter.encode(parameter.decode(position))
    assert parameter.encode(parameter.decode(once)) == once
    assert parameter.decode(once) == parameter.decode(position)
    assert abs(once - position) < 1e-4
    assert ends[0] <= parameter.decode(position) <= ends[1]


@settings(max_examples=200)
@given(st.floats(-300, 290), st.floats(0.01, 10), st.floats(0, 1))
def test_a_log_floats_round_trip_is_exact_to_the_bit_after_one_round(exponent, decades, position):
    parameter = FloatParameter("x", 10.0**exponent, 10.0 ** (exponent + decades), "log")
    once = parameter.encode(parameter.decode(position))
    assert parameter.encode(parameter.decode(once)) == once
    assert abs(once - position) < 1e-6


@pytest.mark.parametrize("decades", range(1, 13))
def test_the_ends_of_a_log_scale_are_the_bounds_themselves(decades):
    low, high = 1e-9, 10.0 ** (decades - 9)
    parameter = FloatParameter("x", low, high, "log")
    assert [parameter.decode(parameter.encode(end)) for end in (low, high)] == [low, high]
    assert parameter.numbers(np.array([0.0, 1.0])).tolist() == [low, high]


def test_the_ends_are_reached_exactly():
    for parameter in (FloatParameter("x", 0.1, 0.7), FloatParameter("x", 1e-7, 0.3, "log")):
        assert (parameter.decode(0.0), parameter.decode(1.0)) == (parameter.low, parameter.high)
        assert (parameter.encode(parameter.low), parameter.encode(parameter.high)) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"rate": 0.5}, "parameter `rate`: expected a number in [1e-06, 0.1], got 0.5"),
        ({"rate": "fast"}, "got 'fast'"),
        ({"rate": math.nan}, "got nan"),
        ({"momentum": True}, "expected a number in [-0.5, 0.9], got True"),
        ({"neurons": 2.5}, "expected a whole number in [2, 100], got 2.5"),
        ({"neurons": 101}, "got 101"),
        ({"activation": "rely"}, "did you mean `relu`?"),
        ({"activation": False}, "got False"),
        ({"epochs": 21}, "parameter `epochs`: expected its fixed value 20, got 21"),
        ({"neuron": 3}, "did you mean `neurons`?"),
    ],
)
def test_what_cannot_be_encoded_is_named_with_what_was_expected_and_what_came(changes, sentence):
    good = NETWORK.decode(np.full(5, 0.5))
    with pytest.raises(SpecError) as refused:
        NETWORK.encode({**good, **changes})
    assert sentence in str(refused.value)


def test_a_missing_parameter_is_named_and_a_fixed_one_may_be_left_out():
    good = NETWORK.decode(np.full(5, 0.5))
    del good["epochs"]
    NETWORK.encode(good)
    del good["batch"]
    with pytest.raises(SpecError, match="parameter `batch`: expected a value, but it is missing"):
        NETWORK.encode(good)


def test_of_results_from_elsewhere_what_is_told_is_as_it_was_meant_and_the_rest_is_left_out():
    space = Space.from_description({"rate": (0.0, 0.3), "steps": {"type": "int", "bounds": [1, 9]}})
    assert space.as_meant({"rate": 3 * 0.1, "note": "x"}) == {"rate": 0.3, "note": "x"}


def test_one_and_true_are_different_choices_but_two_point_zero_is_the_integer_two():
    switch = ChoiceParameter("c", (True, 1, "1"))
    assert [switch.decode(switch.encode(v)) for v in (True, 1, "1")] == [True, 1, "1"]
    assert IntParameter("n", 1, 3).encode(2.0) == IntParameter("n", 1, 3).encode(2)


@pytest.mark.parametrize(
    ("description", "sentence"),
    [
        ({}, "at least one parameter"),
        ({"x": (1.0, 1.0)}, "expected bounds [low, high] with low < high, got [1.0, 1.0]"),
        ({"x": (0.0, math.inf)}, "expected finite numbers as bounds, got inf"),
        ({"x": 3.0}, "expected a pair of bounds"),
        ({"x": ["relu", "tanh"]}, 'to choose from values, {"type": "choice", "values": [...]}, or'),
        ({"x": {"type": "flaot", "bounds": [0, 1]}}, "did you mean `float`?"),
        ({"x": {"type": "float", "bound": [0, 1]}}, "did you mean `bounds`?"),
        ({"x": {"type": "float"}}, "`bounds` is missing"),
        ({"x": {"type": "int", "bounds": [0, 9], "scale": "log"}}, "a log scale needs bounds above 0"),
        ({"x": {"type": "int", "bounds": [0.5, 9]}}, "expected whole numbers as bounds, got 0.5"),
        ({"x": {"type": "float", "bounds": [0, 1], "scale": "ln"}}, "expected scale linear or log, got 'ln'"),
        ({"x": {"type": "choice", "values": "abc"}}, "expected a list of values, got 'abc'"),
        (
            {"x": {"type": "choice", "values": {1}}},
            "expected a list of values, as list(...) makes one, got {1}",
        ),
        ({"x": {"type": "choice", "values": ["a", "a"]}}, "listed twice"),
        ({"x": (1e15, 1e15 + 1)}, "too close for double precision"),
        ({"x": {"type": "float", "bounds": [2**53, 2**53 + 2], "scale": "log"}}, "too close for double"),
        ({"x": (0.0, 5e-324)}, "too close for double precision"),
        ({"x": (0.0, 1e-318)}, "too close for double precision"),
    ],
)
def test_a_description_that_makes_no_space_says_why(description, sentence):
    with pytest.raises(SpecError) as refused:
        Space.from_description(description)
    assert sentence in str(refused.value)


@pytest.mark.parametrize("scale", ["linear", "log"])
@pytest.mark.parametrize("high", [4096, 4097, 50_000, 10**9])
def test_snapped_is_what_comes_back_however_many_whole_numbers_there_are(scale: str, high: int) -> None:
    space = Space.from_description({"n": {"type": "int", "bounds": [1, high], "scale": scale}})
    rng = np.random.default_rng(0)
    points = np.concatenate([rng.random((200, 1)), [[0.0], [1.0]]])
    back = np.array([space.encode(space.decode(point)) for point in points])
    assert np.allclose(space.domain.snap(points), back, rtol=0, atol=1e-12)
    assert np.array_equal(space.domain.snap(back), back)
    drawn = space.domain.sample(50, rng)
    assert np.array_equal(space.domain.snap(drawn), drawn)


@pytest.mark.parametrize("digits", [400, 5000])
def test_a_whole_number_beyond_a_float_is_refused_in_a_sentence_and_not_written_out(digits):
    beyond = 10**digits
    for told in ((0.0, beyond), {"type": "int", "bounds": [-beyond, 9]}):
        with pytest.raises(SpecError, match=f"`x`: expected finite numbers .* of {digits + 1:,} digits"):
            Space.from_description({"x": told})
    for name in ("neurons", "momentum", "activation"):
        values = {"neurons": 9, "rate": 1e-3, "batch": 8, "activation": "tanh", "momentum": 0.1}
        with pytest.raises(SpecError, match=f"`{name}`: expected .* of {digits + 1:,} digits"):
            NETWORK.encode(values | {name: beyond})


@pytest.mark.parametrize("low", [0, -(2**63)])
def test_bounds_that_no_float_holds_are_values_as_any_other(low: int) -> None:
    high = 2**63 - 1
    whole = IntParameter("seed", low, high)
    assert whole.encode(whole.decode(1.0)) == whole.encode(high) == 1.0
    real = FloatParameter("x", low, high)
    assert real.encode(real.decode(1.0)) == real.encode(high) == 1.0
    with pytest.raises(SpecError, match="expected a whole number"):
        whole.encode(high + 1)
