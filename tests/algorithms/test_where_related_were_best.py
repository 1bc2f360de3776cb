"""Which points of related experiments are tried first: one of each hill, and the best of each of several."""

from __future__ import annotations

import numpy as np
import pytest

from orchestrator.algorithms import registry
from orchestrator.algorithms.base import AskKey, Noise, Problem, RelatedResults, Suggestion
from orchestrator.arrays import FloatArray
from orchestrator.parameters.space import Space
from orchestrator.unit_cube.coordinate import Coordinate
from orchestrator.unit_cube.domain import Domain

NAN = float("nan")


def found(points: list[list[float]], *values: float) -> RelatedResults:
    return RelatedResults(np.array(points), np.array(values))


def first(
    count: int, *related: RelatedResults, domain: Domain | None = None, held: bool = False
) -> list[Suggestion]:
    domain = domain or Domain.continuous(2)
    problem = Problem(domain, seed=3, noise=Noise("known", 0.0), trials=20, related=related)
    key = AskKey(0, 0, domain.holding({0: 0.25}) if held else None)
    return list(registry.build("auto", problem).ask(count, [], key))


def tops(count: int, *related: RelatedResults, domain: Domain | None = None) -> list[FloatArray]:
    return [one.point for one in first(count, *related, domain=domain) if "related" in one.why]


@pytest.mark.parametrize(("right", "hills"), [(0.5, 1), (0.83, 1), (0.87, 2), (1.0, 2)])
def test_another_hill_lies_a_quarter_of_the_cube_away(right: float, hills: int) -> None:
    related = found([[0.5, 0.5], [right, 0.5], [0.5, 0.45]], 3.0, 2.0, 1.0)
    assert len(tops(5, related)) == hills


def test_no_other_hill_lies_on_the_far_side_of_a_seam() -> None:
    related = found([[0.98, 0.5], [0.02, 0.5], [0.5, 0.5]], 3.0, 2.0, 1.0)
    domain = Domain((Coordinate(periodic=True), Coordinate()))
    assert [point[0] for point in tops(5, related, domain=domain)] == [0.98, 0.5]


def test_of_a_parameter_that_it_did_not_have_nothing_is_far() -> None:
    related = found([[0.5, NAN], [0.7, NAN], [0.8, NAN], [0.9, NAN]], 4.0, 3.0, 2.0, 1.0)
    chosen = tops(5, related)
    # A quarter of the one parameter that it had.
    assert [point[0] for point in chosen] == [0.5, 0.8]
    assert chosen[0][1] != chosen[1][1]


def test_the_second_is_the_best_of_those_that_are_far() -> None:
    related = found([[0.1, 0.1], [0.9, 0.9], [0.1, 0.9], [0.9, 0.1]], 4.0, 1.0, 3.0, 2.0)
    assert [point.tolist() for point in tops(5, related)] == [[0.1, 0.1], [0.1, 0.9]]


def test_of_equal_values_the_first_is_tried() -> None:
    related = found([[0.2, 0.2], [0.3, 0.2], [0.25, 0.2]], 1.0, 1.0, 1.0)
    assert [point.tolist() for point in tops(5, related)] == [[0.2, 0.2]]


def test_of_several_experiments_no_second_hill_is_tried() -> None:
    one = found([[0.1, 0.1], [0.9, 0.9]], 2.0, 1.0)
    other = found([[0.2, 0.8], [0.8, 0.2]], 2.0, 1.0)
    chosen = first(7, one, other)
    assert [suggested.why.get("related") for suggested in chosen] == [0, None, 1, None, None, None, None]
    assert [suggested.point.tolist() for suggested in chosen[:3:2]] == [[0.1, 0.1], [0.2, 0.8]]


def test_what_two_did_not_have_is_not_the_same_for_both() -> None:
    one, other = found([[0.1, NAN], [0.2, NAN]], 2.0, 1.0), found([[0.9, NAN], [0.8, NAN]], 2.0, 1.0)
    mine, others = tops(5, one, other)
    assert mine[1] != others[1]


def test_a_place_between_the_steps_is_tried_at_the_nearest() -> None:
    space = Space.from_description({"n": {"type": "int", "bounds": [0, 4]}, "x": (0.0, 1.0)})
    lower, upper = (space.encode({"n": n, "x": 0.5}) for n in (1, 2))
    related = found([(0.7 * lower + 0.3 * upper).tolist(), [0.0, 0.5]], 2.0, 1.0)
    (point,) = tops(1, related, domain=space.domain)
    assert point.tolist() == lower.tolist()


def test_where_parameters_are_held_what_was_best_elsewhere_is_not_tried() -> None:
    related = found([[0.1, 0.1], [0.9, 0.9]], 2.0, 1.0)
    chosen = first(3, related, held=True)
    assert not any("related" in one.why for one in chosen)
    assert {float(one.point[0]) for one in chosen} == {0.25}
