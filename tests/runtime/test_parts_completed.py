"""The optimiser's process completes points of which people say a part, and the rest of an ask after them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from orchestrator.algorithms.random_search import RandomSearch
from orchestrator.parameters.space import FloatParameter, IntParameter, Space
from orchestrator.runtime.optimiser.own_terms import OwnTerms
from orchestrator.runtime.optimiser.parts_completed import PartsCompleted, parts_completed
from orchestrator.scheduler.commands import Ask, Tell
from orchestrator.scheduler.event_parts import Suggested
from orchestrator.values.named import Values
from orchestrator.values.travel import Travel

X, N = FloatParameter("x", 0.0, 1.0), IntParameter("n", 1, 9)


def completed(
    *parts: Values, space: Space | None = None, none_sure: bool = False, **beside: object
) -> tuple[PartsCompleted, list[Ask]]:
    """What comes of an ask for four, as suggestions are made at n = 5, and what was asked for on the way."""
    terms = OwnTerms(space or Space((X, N), {}, ("x + n <= 9",)), 1.0, None, None, (), 0)
    asks: list[Ask] = []

    def suggest(ask: Ask) -> Sequence[Suggested]:
        asks.append(ask)
        parameters = {"x": 0.5, "n": 5, **ask.held}
        return [] if none_sure else [Suggested(parameters=parameters)]

    told: dict[str, object] = {"ask": 7, "count": 4, "first_trial": 3, "pending": ({"x": 0.0, "n": 1},)}
    return parts_completed(Ask(**{**told, "parts": parts, **beside}), terms, suggest), asks  # type: ignore[arg-type]


def test_each_is_asked_for_where_it_is_held_beside_those_before_it() -> None:
    made, asks = completed({"x": 0.1}, {"n": 2})
    assert [(ask.count, ask.first_trial, ask.held, len(ask.pending)) for ask in asks] == [
        (1, 3, {"x": 0.1}, 1),
        (1, 4, {"n": 2}, 2),
    ]
    assert [(one.parameters, one.part) for one in made.suggested] == [
        ({"x": 0.1, "n": 5}, {"x": 0.1}),
        ({"x": 0.5, "n": 2}, {"n": 2}),
    ]
    assert (made.rest.count, made.rest.first_trial, len(made.rest.pending), made.rest.parts) == (2, 5, 3, ())


@pytest.mark.parametrize(
    ("part", "beside", "why"),
    [
        ({"n": 9, "x": 0.5}, {}, "no point was found that satisfies `x + n <= 9`"),
        ({"x": 1.5}, {}, "parameter `x`: expected a number in [0, 1], got 1.5"),
        ({"x": 0.5}, {"held": {"x": 0.25}}, "parameters are held elsewhere by now: x = 0.25"),
        (
            {"x": 0.5},
            {"space": Space((X, N), travel={"x": Travel(0.1)}), "stands": {"x": 0.0, "n": 1}},
            "x = 0.5 is too far from 0",
        ),
    ],
)
def test_one_beside_which_nothing_can_be_chosen_by_now_gives_way_to_the_rest(
    part: Values, beside: dict[str, object], why: str
) -> None:
    made, asks = completed(part, **beside)  # type: ignore[arg-type]
    assert (made.suggested, asks, made.rest.count) == ([], [], 4)
    (left_out,) = made.left_out
    assert left_out.part == part
    assert left_out.why.startswith(why)


def test_one_that_is_not_sure_enough_to_keep_limits_yet_is_not_left_out() -> None:
    made, _ = completed({"x": 0.1}, none_sure=True)
    assert (made.suggested, made.left_out, made.rest.count) == ([], [], 4)


def test_those_for_which_there_is_no_room_are_left_for_another_ask() -> None:
    made, asks = completed({"n": 9, "x": 0.5}, {"x": 0.1}, {"n": 2}, {"n": 9, "x": 0.6}, count=1)
    assert [ask.held for ask in asks] == [{"x": 0.1}]
    assert (len(made.suggested), len(made.left_out), made.rest.count) == (1, 1, 0)


def test_what_comes_of_it_is_told_as_of_what_was_asked_for_where_parameters_were_held() -> None:
    terms = OwnTerms(Space((N,), {"x": 0.5}), 1.0, None, None, ["x"], 0)
    tell = Tell(trial=1, parameters={"x": 0.5, "n": 3}, value=1.0, held=True, completed=True)
    observation, _ = terms.observation(tell, RandomSearch)
    assert observation.held


def test_in_a_round_that_shares_parameters_the_first_part_settles_what_they_are() -> None:
    made, asks = completed({"x": 0.1}, {"x": 0.3}, sharing=("n",))
    assert [(ask.settled, ask.settled_by) for ask in asks] == [({}, 0), ({"n": 5}, 3)]
    assert (made.rest.settled, made.rest.settled_by) == ({"n": 5}, 3)


@pytest.mark.parametrize("part", [{"n": 2}, {"x": 0.9}])
def test_a_part_that_cannot_share_these_is_in_a_round_of_its_own(part: Values) -> None:
    space = Space((X, N), {}, ("x + n <= 5.5",))
    _, asks = completed({"x": 0.1}, part, sharing=("n",), space=space)
    assert (asks[1].held, asks[1].settled) == (part, {})
