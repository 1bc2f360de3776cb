"""Parameters that follow from others: given with them, and constrained by their bounds."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

from orchestrator.errors import SpecError
from orchestrator.parameters.held import held_within
from orchestrator.parameters.space import Space
from orchestrator.parameters.space_equalities import space_without_equalities
from orchestrator.wanted_outcomes import described

FORMULATION: dict[str, Any] = {
    "resin": (0.0, 100.0),
    "hardener": (0.0, 100.0),
    "filler": {"type": "computed", "value": "100 - resin - hardener", "bounds": (0, 60)},
}


def space(constraints: tuple[str, ...] = (), **further: Any) -> Space:
    return Space.from_description({**FORMULATION, **further}, constraints)


def test_it_is_given_with_the_others_and_is_no_coordinate() -> None:
    one = space()
    assert one.names == ("resin", "hardener")
    for point in one.domain.sample(50, np.random.default_rng(0)):
        parameters = one.suggested(point)
        assert 0 <= parameters["filler"] <= 60
        assert sum(parameters.values()) == pytest.approx(100, abs=1e-12)
        assert one.encode(parameters) == pytest.approx(point)
    assert pickle.loads(pickle.dumps(one)) == one


def test_decimals_are_as_meant() -> None:
    one = space(total={"type": "computed", "value": "0.1 * resin + 0.2 * resin"})
    told = one.completed({"resin": 1.0, "hardener": 98.7})
    assert (told["filler"], told["total"]) == (0.3, 0.3)
    assert one.broken_by({"resin": 33.3, "hardener": 66.7}) == ()


def test_what_is_told_of_it_has_to_agree_but_for_rounding() -> None:
    one = space()
    for filler in (33.4, 33.3, None):
        told = {"resin": 33.3, "hardener": 33.3} | ({} if filler is None else {"filler": filler})
        assert one.mistakes(told) == {}
    with pytest.raises(SpecError, match=r"expected 33.4, which is `100 - resin - hardener`, got 32"):
        one.encode({"resin": 33.3, "hardener": 33.3, "filler": 32})
    assert "filler" in one.mistakes({"resin": 33, "hardener": 33, "filler": 33})


@pytest.mark.parametrize(
    "resin", [{"type": "int", "bounds": [1, 9]}, {"type": "float", "bounds": [0, 10], "step": 5}]
)
def test_what_lies_between_values_is_judged_by_what_came_and_not_by_what_is_nearest(resin: object) -> None:
    one = Space.from_description({"resin": resin, "rest": {"type": "computed", "value": "10 - resin"}})
    assert one.completed({"resin": 2.2}) == {"resin": 2.2, "rest": pytest.approx(7.8)}
    between = {"resin": 2.2, "rest": 7.8}
    assert one.encode(one.nearest(between)) == one.encode(one.nearest({"resin": 2.2}))
    assert one.nearest(between) != between
    with pytest.raises(SpecError, match="parameter `rest`"):
        one.encode(one.nearest({"resin": 2.2, "rest": 6.0}))


def test_in_single_precision_it_agrees_as_far_as_that_goes() -> None:
    one = space()
    for resin, hardener in ((33.3, 20.1), (10.7, 77.77), (0.001, 99.9)):
        told = {"resin": resin, "hardener": hardener, "filler": 100 - resin - hardener}
        single = {name: float(np.float32(value)) for name, value in told.items()}
        assert one.mistakes(single) == {}
        assert "filler" in one.mistakes({**single, "filler": single["filler"] + 1e-4})


def test_its_bounds_hold_as_constraints_and_are_named_as_these() -> None:
    assert space().broken_by({"resin": 10, "hardener": 20}) == ("0 <= filler <= 60",)


def test_constraints_conditions_and_others_may_name_it() -> None:
    one = space(
        ("ratio <= 0.5",),
        ratio={"type": "computed", "value": "hardener / resin"},
        rest={"type": "computed", "value": "100 - filler"},
        oven={"type": "float", "bounds": (60, 140), "when": "rest >= 70", "otherwise": 20},
    )
    ovens = [one.suggested(p) for p in one.domain.sample(60, np.random.default_rng(1))]
    assert all(p["ratio"] <= 0.5 and ("oven" in p) == (p["rest"] >= 70) for p in ovens)
    assert 0 < sum("oven" in p for p in ovens) < 60


def test_what_follows_from_whole_numbers_is_whole() -> None:
    one = Space.from_description(
        {
            "nodes": {"type": "int", "bounds": (1, 9)},
            "cores": {"type": "computed", "value": "4 * nodes"},
            "half": {"type": "computed", "value": "nodes / 2"},
            "up": {"type": "computed", "value": "ceil(half)"},
        }
    )
    told = one.completed({"nodes": 3})
    assert [(told[name], type(told[name])) for name in ("cores", "half", "up")] == [
        (12, int),
        (1.5, float),
        (2, int),
    ]


@pytest.mark.parametrize(("otherwise", "kind"), [(0, int), (0.5, float)])
def test_it_is_whole_as_long_as_what_it_follows_from_is_so_where_that_does_not_count(
    otherwise: float, kind: type
) -> None:
    fans = {"type": "int", "bounds": (1, 9), "when": "cooled > 0", "otherwise": otherwise}
    told = {"cooled": {"type": "choice", "values": [0, 1]}, "fans": fans}
    one = Space.from_description({**told, "power": {"type": "computed", "value": "1 + 2 * fans"}})
    found = one.counted({"cooled": 0, "fans": 3})["power"], one.counted({"cooled": 1, "fans": 3})["power"]
    assert found == (1 + 2 * otherwise, 7)
    assert {type(power) for power in found} == {kind}


def test_where_what_it_follows_from_does_not_count_it_has_what_that_is_otherwise_or_is_not_there() -> None:
    parts = {"solvent": (0.0, 100.0), "wax_in": {"type": "choice", "values": [0, 1]}}
    wax = {"type": "float", "bounds": (1, 60), "when": {"wax_in": 1}}
    with_none = Space.from_description(
        {**parts, "wax": {**wax, "otherwise": 0}}, ["solvent + wax == 100", "wax_in <= 1"]
    )
    assert with_none.counted({"wax_in": 0, "wax": 20})["solvent"] == 100
    assert with_none.counted({"wax_in": 1, "wax": 20})["solvent"] == 80
    twice = Space.from_description({**parts, "wax": wax, "twice": {"type": "computed", "value": "2 * wax"}})
    assert "twice" not in twice.counted({"solvent": 1.0, "wax_in": 0})


def test_a_constraint_on_it_holds_by_what_it_is_where_what_it_follows_from_does_not_count() -> None:
    fans = {"type": "int", "bounds": (4, 9), "when": "cooled > 0"}
    told = {"cooled": {"type": "choice", "values": [0, 1]}, "heat": (0.0, 20.0)}
    power = {"type": "computed", "value": "fans + 1"}
    limit = "heat + power <= 12"
    one = Space.from_description({**told, "fans": {**fans, "otherwise": 0}, "power": power}, [limit])
    assert one.broken_by({"cooled": 0, "heat": 10.9}) == ()
    assert one.broken_by({"cooled": 0, "heat": 11.1}) == (limit,)
    assert one.broken_by({"cooled": 1, "heat": 7.1, "fans": 4}) == (limit,)
    drawn = [one.decode(point) for point in one.domain.sample(60, np.random.default_rng(0))]
    assert 8 < max(point["heat"] for point in drawn if not point["cooled"]) <= 11
    without = Space.from_description({**told, "fans": fans, "power": power}, [limit])
    assert without.broken_by({"cooled": 0, "heat": 20.0}) == ()


def test_an_equality_of_what_may_not_count_is_refused_where_nothing_says_what_it_is_then() -> None:
    parts = {"solvent": (0.0, 100.0), "wax_in": {"type": "choice", "values": [0, 1]}}
    wax = {"type": "float", "bounds": (1, 60), "when": {"wax_in": 1}}
    with pytest.raises(SpecError, match="expected what `wax` is `otherwise`, as 0, to count where"):
        Space.from_description({**parts, "wax": wax}, ["solvent + wax == 100"])


@pytest.mark.parametrize(
    ("further", "said"),
    [
        ({"a": {"type": "computed", "value": "b"}, "b": {"type": "computed", "value": "a"}}, "no circle"),
        ({"a": {"type": "computed", "value": "rsin"}}, r"got `rsin` \(did you mean `resin`\?\)"),
        ({"a": {"type": "computed", "value": "resin < 1"}}, "expected arithmetic of other parameters"),
        ({"a": {"type": "computed", "value": "3"}}, "parameters that vary, got none"),
        ({"a": {"type": "computed", "value": "resin", "bounds": (3, 1)}}, "low < high"),
        ({"a": {"type": "computed", "value": "resin", "step": 1}}, "expected the keys .* got `step`"),
    ],
)
def test_a_formula_that_makes_no_sense_is_refused(further: dict[str, Any], said: str) -> None:
    with pytest.raises(SpecError, match=said):
        space(**further)


def test_it_is_not_held_but_what_it_follows_from_is() -> None:
    with pytest.raises(SpecError, match="`filler`, which is computed, as `100 - resin - hardener`; hold of"):
        held_within(space(), {"filler": 20})
    part = held_within(space(), {"resin": 30})
    assert part is not None
    told = [space().suggested(p) for p in part.sample(20, np.random.default_rng(2))]
    assert all(p["resin"] == pytest.approx(30) and 0 <= p["filler"] <= 60 for p in told)


def test_the_shares_of_ten_components_are_drawn_evenly() -> None:
    names = [f"x{i}" for i in range(10)]
    one = Space.from_description(dict.fromkeys(names, (0, 1)), [f"{' + '.join(names)} == 1"])
    points = one.domain.sample(1000, np.random.default_rng(3))
    shares = np.column_stack([points, 1 - points.sum(axis=1)])
    # Of a uniform simplex: means of a tenth, and 0.99 ** 9 above a hundredth.
    assert np.abs(shares.mean(axis=0) - 0.1).max() < 0.015
    assert np.abs((shares > 0.01).mean(axis=0) - 0.99**9).max() < 0.04


def test_an_equality_may_be_added_to_a_space_and_stand_beside_constraints_on_outcomes() -> None:
    shares = {"a": (0, 1), "b": (0, 1), "c": {"type": "float", "bounds": (0, 2), "unit": "g"}}
    made, others = space_without_equalities(Space.from_description(shares), ["a + b + c == 2", "a < b"])
    assert (made.names, made.computed[0].text) == (("a", "b"), "2 - a - b")
    assert others == ["a < b"]
    space, wanted = described(shares, ["a + b + c == 2", "heat <= c"], ["heat"])
    assert space.computed == Space.from_description(shares, ["a + b + c == 2"]).computed
    assert wanted is not None
    assert wanted.judged({"a": 0.5, "b": 0.5, "c": 1.0}, {"heat": 1.5}, 1.0).broken == ("heat <= c",)
