"""What is computed from parameters that models see as they see these."""

import numpy as np
import pytest

from orchestrator.parameters.linear_sums import linear_sums
from orchestrator.parameters.space import Space

SHARE = (0.0, 100.0)


def seen(formula, bounds=SHARE, **others):
    space = {"resin": SHARE, "hardener": SHARE, **others}
    computed = {"type": "computed", "value": formula} | ({} if bounds is None else {"bounds": bounds})
    return linear_sums(Space.from_description({**space, "filler": computed}).following)


def filler(formula, bounds=SHARE, **others):
    return seen(formula, bounds, **others)["filler"]


def test_what_an_equality_has_computed_is_seen_as_any_other_component():
    space = Space.from_description(
        {"resin": SHARE, "hardener": SHARE, "filler": SHARE}, ["resin + hardener + filler == 100"]
    )
    (one,) = linear_sums(space.following).values()
    points = np.array([space.encode({"resin": 20.0, "hardener": 70.0})])
    assert one.at(points).tolist() == pytest.approx([0.1])


def test_it_is_a_share_of_the_range_that_it_can_have():
    one = filler("100 - resin - 2 * hardener", (10.0, 60.0))
    assert one.at(np.array([[0.9, 0.0], [0.4, 0.0], [0.2, 0.1]])).tolist() == pytest.approx([0.0, 1.0, 1.0])
    one = filler("100 - resin - hardener", (-500.0, 500.0))
    assert one.at(np.array([[1.0, 1.0], [0.0, 0.0]])).tolist() == pytest.approx([0.0, 1.0])


def test_it_may_follow_from_what_is_computed_and_from_what_is_fixed():
    rest = {"type": "computed", "value": "total - resin"}
    one = filler("rest - hardener", rest=rest, total={"type": "fixed", "value": 100})
    assert one.factors == pytest.approx((-1.0, -1.0))


@pytest.mark.parametrize(
    ("formula", "bounds", "others"),
    [
        ("100 - resin - hardener", None, {}),
        ("100 - resin", SHARE, {}),
        ("resin * hardener / 100", SHARE, {}),
        ("100 - resin - heat", SHARE, {"heat": {"type": "float", "bounds": (1, 90), "scale": "log"}}),
        ("100 - resin - sheets", SHARE, {"sheets": {"type": "int", "bounds": (0, 90)}}),
        (
            "100 - resin - salt",
            SHARE,
            {
                "kind": {"type": "choice", "values": ["salty", "sweet"]},
                "salt": {"type": "float", "bounds": (1, 9), "when": {"kind": "salty"}, "otherwise": 0},
            },
        ),
    ],
    ids=["without bounds", "of one", "a product", "a logarithm", "whole numbers", "not always there"],
)
def test_other_formulas_are_not_seen(formula, bounds, others):
    assert seen(formula, bounds, **others) == {}
