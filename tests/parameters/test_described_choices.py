"""Choices whose values are described by numbers: what is said of them, and what a kernel sees."""

import json
import pickle
from itertools import combinations

import numpy as np
import pytest

from orchestrator.errors import SpecError
from orchestrator.parameters.described import parameter_described
from orchestrator.parameters.space import Space
from orchestrator.unit_cube.coordinate import Coordinate
from orchestrator.unit_cube.descriptors import MARKED_APART, MOST_LOOKED_AT, Descriptors, marks

SOLVENTS = {
    "water": {"polarity": 10.2, "boiling": 100},
    "ethanol": {"polarity": 5.2, "boiling": 78},
    "methanol": {"polarity": 5.1, "boiling": 65},
    "hexane": {"polarity": 0.1, "boiling": 69},
}
SPACE = Space.from_description(
    {"x": (0.0, 1.0), "solvent": {"type": "choice", "values": SOLVENTS}, "y": (0.0, 1.0)}
)


def embedded(space, *values):
    return space.domain.embed(np.array([space.encode({"x": 0.5, "solvent": v, "y": 0.5}) for v in values]))


def test_a_value_is_seen_as_its_numbers_between_the_least_and_the_most_and_a_mark():
    water, hexane = embedded(SPACE, "water", "hexane")
    assert water[1:3].tolist() == [1.0, 1.0]
    assert hexane[1:3].tolist() == pytest.approx([0.0, 4 / 35])
    assert (water[0], water[-1]) == (0.5, 0.5)
    assert np.linalg.norm(water[3:-1] - hexane[3:-1]) == pytest.approx(MARKED_APART)


def test_each_number_has_a_length_scale_of_its_own_and_so_has_the_mark():
    domain = SPACE.domain
    assert domain.embedded_parameter.tolist() == [0] + [1] * 6 + [2]
    assert domain.embedded_aspect.tolist() == [0, 1, 2, 3, 3, 3, 3, 4]
    assert domain.embedding.aspects == 5
    assert domain.embedding.of_coordinates([0.5, 2.0, 0.25, 7.0, 0.75]).tolist() == [0.5, 0.25, 0.75]


def test_where_nothing_is_described_aspects_are_coordinates():
    domain = Space.from_description(
        {"x": (0.0, 1.0), "c": {"type": "choice", "values": ["a", "b", "c"]}}
    ).domain
    assert domain.embedded_aspect is domain.embedded_parameter
    assert domain.embedding.of_coordinates([0.5, 2.0]).tolist() == [0.5, 2.0]


def test_a_number_that_all_values_share_is_left_out():
    told = {name: {**numbers, "price": 3} for name, numbers in SOLVENTS.items()}
    space = Space.from_description(
        {"x": (0.0, 1.0), "solvent": {"type": "choice", "values": told}, "y": (0.0, 1.0)}
    )
    assert space.domain.coordinates == SPACE.domain.coordinates


def test_columns_describe_values_in_their_order_as_in_a_spec():
    told = {"type": "choice", "values": ["a", "b"], "described": {"mass": np.array([262, 350])}}
    each = {"type": "choice", "values": {"a": {"mass": 262}, "b": {"mass": 350}}}
    assert parameter_described("ligand", told) == parameter_described("ligand", each)
    for wrong, said in (
        ({"described": {"mass": [262]}}, "2 numbers a name"),
        ({"described": "ligands.csv"}, "2 numbers a name"),
        ({"described": {"mass": [262, "heavy"]}}, "a finite number as `mass` of 'b'"),
        ({"values": each["values"]}, "no `described` beside values that are"),
        ({"values": ["a", "a"]}, "is listed twice"),
        ({"values": [["a"], "b"]}, "texts or numbers beside `described`"),
    ):
        with pytest.raises(SpecError, match=said):
            parameter_described("ligand", {**told, **wrong})


def test_values_described_alike_are_two_values_still():
    told = {"left": {"size": 1}, "right": {"size": 1}, "large": {"size": 2}}
    domain = Space.from_description({"hand": {"type": "choice", "values": told}}).domain
    left, right, _ = domain.embed(domain.listed)
    assert np.linalg.norm(left - right) == pytest.approx(MARKED_APART)


def test_held_they_are_seen_as_they_are():
    place = SPACE.encode({"x": 0.5, "solvent": "ethanol", "y": 0.5})
    part = SPACE.domain.holding({1: float(place[1])})
    assert np.array_equal(part.embed(place[None, :]), SPACE.domain.embed(place[None, :]))
    assert np.array_equal(part.embedded_aspect, SPACE.domain.embedded_aspect)


def test_they_are_kept_to_the_bit():
    coordinate = SPACE.domain.coordinates[1]
    assert Coordinate.from_json(json.loads(json.dumps(coordinate.to_json()))) == coordinate
    assert pickle.loads(pickle.dumps(SPACE)).domain.coordinates == SPACE.domain.coordinates


@pytest.mark.parametrize("count", [2, 64, 65, 400, 1100])
def test_marks_are_about_as_far_apart_whichever_two(count):
    of_each = marks(count)
    assert of_each.shape[1] <= max(64, 2.3 * np.sqrt(count))
    if count <= 64:
        apart = [np.linalg.norm(a - b) for a, b in combinations(of_each[:8], 2)]
        assert apart == pytest.approx([1.0] * len(apart))
        return
    squared = 2 * (0.5 - of_each @ of_each.T)[np.triu_indices(count, 1)]
    assert np.abs(squared - 1).max() < 1 / np.sqrt(31) + 1e-9


def test_of_thousands_a_search_looks_at_the_most_alike_and_at_some_others():
    numbers = np.random.default_rng(0).random((2000, 3))
    described = Descriptors(tuple(map(tuple, numbers.tolist())))
    seen = described.worth_a_look(7)
    assert len(seen) == len(set(seen.tolist())) == MOST_LOOKED_AT
    assert 7 not in seen
    nearest = np.argsort(np.square(numbers - numbers[7]).sum(axis=1))[1:40]
    assert np.isin(nearest, seen).mean() > 0.9
    assert described.columns.nbytes < 2_000_000


def test_what_comes_beside_thousands_of_values_is_refused_in_a_few_words():
    values = {f"m{i}": {"size": i} for i in range(2000)}
    space = Space.from_description({"compound": {"type": "choice", "values": values}})
    assert space.decode(space.encode({"compound": "m1234"})) == {"compound": "m1234"}
    with pytest.raises(SpecError, match=r"or 1,950 more, got 'm12345'"):
        space.encode({"compound": "m12345"})


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"a": {"p": 1}, "b": {"q": 2}}, "expected `p` of every value, got none of 'b'"),
        ({"a": {"p": 1}, "b": {"p": 2, "q": 2}}, "expected `q` of every value or of none, got one of 'b'"),
        ({"a": {"p": 1}, "b": 2}, "expected numbers of each value, as .*, got 2 of 'b'"),
        ({"a": {"p": 1}, "b": {"p": float("nan")}}, "expected a finite number as `p` of 'b', got nan"),
        ({"a": {"p": 1}, "b": {"p": True}}, "expected a finite number as `p` of 'b', got True"),
        (
            {"a": {"p": 1}, "b": {"p": 1}},
            "expected numbers that differ between the values, got the same of all",
        ),
        ({"a": {}, "b": {}}, "expected numbers of each value, as .*, got none"),
        (
            {"a": {"p": -1.5e308}, "b": {"p": 1.5e308}},
            "expected numbers that differ by less than 1.8e308 as `p`",
        ),
        ({"a": {f"p{i}": i for i in range(51)}}, "expected at most 50 numbers of each value, got 51"),
    ],
)
def test_what_describes_nothing_is_refused(values, sentence):
    with pytest.raises(SpecError, match=sentence):
        Space.from_description({"c": {"type": "choice", "values": values}})
