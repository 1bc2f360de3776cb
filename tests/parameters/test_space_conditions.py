"""Parameters that do not always count, in the unit cube: points that differ in nothing else are one point."""

import pickle

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from orchestrator.errors import SpecError
from orchestrator.parameters.space import Space

SOLVERS = {
    "weight": {"type": "float", "bounds": [0.1, 1.9], "when": {"smoother": "jacobi"}},
    "solver": {"type": "choice", "values": ["direct", "cg", "gmres"]},
    "tolerance": {
        "type": "float",
        "bounds": [1e-8, 1e-2],
        "scale": "log",
        "when": {"solver": ["cg", "gmres"]},
    },
    "restart": {"type": "int", "bounds": [5, 100], "when": {"solver": "gmres"}, "otherwise": 0},
    "levels": {"type": "int", "bounds": [1, 4]},
    "smoother": {
        "type": "choice",
        "values": ["jacobi", "ilu"],
        "when": ["levels >= factor", {"solver": "cg"}],
    },
    "factor": {"type": "fixed", "value": 2},
}
SPACE = Space.from_description(SOLVERS)
DIRECT = {"solver": "direct", "levels": 1, "factor": 2}

points = st.lists(st.floats(0.0, 1.0), min_size=6, max_size=6).map(np.array)


def expected_names(parameters: dict) -> set[str]:
    """By the description, without the code under test."""
    names = {"solver", "levels", "factor"}
    if parameters["solver"] in ("cg", "gmres"):
        names.add("tolerance")
    if parameters["solver"] == "gmres":
        names.add("restart")
    if parameters["levels"] >= 2 and parameters["solver"] == "cg":
        names.add("smoother")
        if parameters["smoother"] == "jacobi":
            names.add("weight")
    return names


@given(points)
@settings(max_examples=200)
def test_a_point_has_what_counts_there_and_comes_back_exactly(point: np.ndarray) -> None:
    parameters = SPACE.decode(point)
    assert set(parameters) == expected_names(parameters)
    encoded = SPACE.encode(parameters)
    assert SPACE.decode(encoded) == parameters
    assert SPACE.encode(SPACE.decode(encoded)).tolist() == encoded.tolist()


@given(points, points)
@settings(max_examples=200)
def test_points_that_differ_only_in_what_does_not_count_are_one_to_every_model(
    a: np.ndarray, b: np.ndarray
) -> None:
    domain = SPACE.domain
    # Halfway between two positions, either may be the nearest.
    assume(
        all(
            (np.abs(c.middles - x) > 1e-9).all()
            for c, x in zip(domain.coordinates, a, strict=True)
            if c.positions
        )
    )
    other = np.where(domain.active(a[None, :])[0], a, b)
    assert SPACE.decode(other) == SPACE.decode(a)
    assert domain.rounded(other).tolist() == domain.rounded(a).tolist()
    assert domain.embed(other).tolist() == domain.embed(a).tolist()


def test_what_does_not_count_may_be_left_out_or_be_anything() -> None:
    bare = SPACE.encode(DIRECT).tolist()
    assert SPACE.encode({**DIRECT, "tolerance": None, "restart": 7, "weight": "heavy"}).tolist() == bare
    assert SPACE.counted({**DIRECT, "tolerance": 1e-3, "restart": 7}) == DIRECT


def test_what_counts_and_is_missing_is_asked_for_with_the_reason() -> None:
    with pytest.raises(
        SpecError, match="`restart`: expected a value, but it is missing; it counts where `solver`"
    ):
        SPACE.encode({"solver": "gmres", "tolerance": 1e-3, "levels": 1})


def test_an_evaluator_is_given_what_a_parameter_is_otherwise() -> None:
    assert SPACE.given(DIRECT) == {**DIRECT, "restart": 0}


def test_samples_and_neighbours_rest_where_parameters_do_not_count() -> None:
    domain = SPACE.domain
    sampled = domain.sample(300, np.random.default_rng(0))
    assert (domain.folded(sampled) == sampled).all()
    assert len({frozenset(SPACE.decode(point)) for point in sampled}) == 5
    direct = SPACE.encode(DIRECT)
    assert len(domain.alternatives(direct, SPACE.index("restart"))) == 0
    others = domain.alternatives(direct, SPACE.index("solver"))
    assert [SPACE.decode(other)["solver"] for other in others] == ["cg", "gmres"]
    assert (domain.folded(others) == others).all()


def test_the_distinct_points_of_choices_are_counted_once() -> None:
    space = Space.from_description(
        {
            "kind": {"type": "choice", "values": ["a", "b"]},
            "n": {"type": "int", "bounds": [1, 4], "when": {"kind": "a"}},
            "m": {"type": "int", "bounds": [1, 3], "when": "n >= 3"},
        },
        ["n + m <= 5"],
    )
    told = {tuple(space.decode(point).items()) for point in space.domain.listed}
    # Of b one; of a two without m, three with n = 3 that the constraint cuts to two, and one with n = 4.
    assert len(told) == space.domain.size == 1 + 2 + 2 + 1


def test_a_constraint_asks_for_nothing_where_one_of_its_parameters_does_not_count() -> None:
    description = {
        "a": {"type": "float", "bounds": [0, 1]},
        "b": {"type": "float", "bounds": [0, 1], "when": "a < 0.5"},
    }
    space = Space.from_description(description, ["a + b <= 0.4"])
    assert space.broken_by({"a": 0.9}) == space.broken_by({"a": 0.9, "b": 0.9}) == ()
    assert space.broken_by({"a": 0.3, "b": 0.3}) == ("a + b <= 0.4",)
    sampled = space.domain.sample(200, np.random.default_rng(0))
    assert all(not space.broken_by(space.decode(point)) for point in sampled)
    assert {len(space.decode(point)) for point in sampled} == {1, 2}
    description["most"] = {"type": "fixed", "value": 0.4}
    limited = Space.from_description(description, ["a + b <= most"])
    assert limited.broken_by({"a": 0.3, "b": 0.3}) == ("a + b <= most",)
    assert np.array_equal(limited.domain.sample(200, np.random.default_rng(0)), sampled)


def test_other_programs_are_told_at_which_positions_of_its_parents_a_coordinate_counts() -> None:
    positions = {p.name: p.coordinate.positions for p in SPACE.parameters}
    solver, levels = SPACE.index("solver"), SPACE.index("levels")
    by = SPACE.activity.counts_by
    assert by(SPACE.index("restart")) == {solver: positions["solver"][2:]}
    assert by(SPACE.index("smoother")) == {levels: positions["levels"][1:], solver: positions["solver"][1:2]}
    continuous = {
        "a": {"type": "float", "bounds": [0, 1]},
        "b": {"type": "float", "bounds": [0, 1], "when": "a > 0.5"},
    }
    assert Space.from_description(continuous).activity.counts_by(1) is None


def test_a_space_with_conditions_survives_pickling() -> None:
    assert pickle.loads(pickle.dumps(SPACE)) == SPACE
    assert pickle.loads(pickle.dumps(SPACE)).decode(SPACE.encode(DIRECT)) == DIRECT


@pytest.mark.parametrize(
    ("own", "said"),
    [
        (
            {"when": {"solver": "amg"}},
            "when it counts: expected `direct`, `cg` or `gmres` for `solver`, got `amg`",
        ),
        (
            {"when": "restart > 3"},
            "expected no circle of parameters that count by each other, got restart by x by restart",
        ),
        ({"when": 3}, "parameter `x`: expected when it counts, as `{optimiser: sgd}`"),
        ({"otherwise": 3}, "parameter `x`: expected `when` beside `otherwise`, got none"),
        ({"when": {"solver": "cg"}, "whn": 3}, "got `whn` (did you mean `when`?)"),
    ],
)
def test_conditions_that_make_no_sense_are_refused(own: dict, said: str) -> None:
    circular = {**SOLVERS, "restart": {**SOLVERS["restart"], "when": "x > 0.5"}}
    description = circular if "circle" in said else SOLVERS
    with pytest.raises(SpecError) as caught:
        Space.from_description({**description, "x": {"type": "float", "bounds": [0, 1], **own}})
    assert said in str(caught.value)


def test_true_is_not_one_where_both_can_be_chosen() -> None:
    description = {
        "flag": {"type": "choice", "values": [1, True]},
        "a": {"type": "float", "bounds": [0, 1], "when": {"flag": 1}},
        "b": {"type": "float", "bounds": [0, 1], "when": {"flag": True}},
    }
    space = Space.from_description(description)
    assert [set(space.decode(np.array([x, 0.5, 0.5]))) for x in (0.25, 0.75)] == [
        {"flag", "a"},
        {"flag", "b"},
    ]


def test_a_parameter_can_count_by_one_that_is_fixed() -> None:
    description = {
        "solver": {"type": "fixed", "value": "cg"},
        "a": {"type": "float", "bounds": [0, 1], "when": {"solver": "cg"}},
        "b": {"type": "float", "bounds": [0, 1], "when": {"solver": "gmres"}},
    }
    assert set(Space.from_description(description).decode(np.array([0.2, 0.3]))) == {"solver", "a"}
