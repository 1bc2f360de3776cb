"""How far settings may travel from one trial to the next: how a spec says it, and what is refused."""

from __future__ import annotations

import json

import pytest
from spec_texts import refusal_with, sentences, spec_with, under_caret

from orchestrator.spec.build import build_space
from orchestrator.spec.policy_of_spec import policy_of
from orchestrator.spec.schema import spec_schema
from orchestrator.values.travel import Travel

PARAMETERS = """\
parameters:
  current: {type: float, bounds: [0, 100], travel: 5}
  gas: {type: float, bounds: [1.0e-6, 1.0e-2], scale: log, travel: 2}
  shots: {type: int, bounds: [1, 9]}"""
TRAVELLING = {
    "parameters": PARAMETERS,
    "mode": "mode: sequential",
    "initial": "initial: {points: [{current: 20, gas: 1.0e-4, shots: 3}]}",
}


def refused(**lines: str | None) -> tuple[list[str], list[str]]:
    """The sentences, and what stands from each caret on."""
    refusal = refusal_with(**(TRAVELLING | lines))
    return sentences(refusal), under_caret(refusal)


def with_first(told: str) -> str:
    return PARAMETERS.replace("{type: float, bounds: [0, 100], travel: 5}", told)


def test_limits_are_the_runs_and_the_spaces() -> None:
    spec = spec_with(**TRAVELLING)
    limits = {"current": Travel(5.0), "gas": Travel(2.0, logarithmic=True)}
    assert policy_of(spec).where.travel == dict(build_space(spec).travel) == limits


def test_a_spec_without_them_has_none() -> None:
    assert policy_of(spec_with()).where.travel == {}


@pytest.mark.parametrize(
    ("told", "said", "at"),
    [
        ("{type: float, bounds: [0, 9], travel: -1}", "a number above 0, in the parameter's own", "-1"),
        ("{type: float, bounds: [0, 9], travel: far}", "a number above 0, in the parameter's own", "far"),
        ("{type: float, bounds: [0, 9], step: 0.5, travel: 0.4}", "at least 0.5, by which it can", "0.4"),
        ("{type: int, bounds: [0, 9], travel: 0.5}", "at least 1, by which it can change", "0.5"),
        ("{type: float, bounds: [1, 9], scale: log, travel: 1}", "a factor above 1, as the scale is", "1}"),
        ("{type: choice, values: [3, 20], travel: 1}", "got `travel`", "travel: 1"),
        (
            "{type: float, bounds: [0, 90], travel: 5, when: {shots: 3}}",
            "from which it could travel",
            "travel: 5",
        ),
    ],
)
def test_a_limit_that_makes_no_sense_is_refused_at_its_place(told: str, said: str, at: str) -> None:
    found, where = refused(parameters=with_first(told))
    assert any(said in sentence for sentence in found), found
    assert where[0].startswith(at)


@pytest.mark.parametrize(
    ("lines", "said", "at"),
    [
        ({"mode": None}, "expected `mode: sequential` beside `travel`", "travel: 5"),
        ({"mode": "mode: {synchronous: 2}"}, "expected `mode: sequential` beside `travel`", "mode"),
        ({"workers": "workers: {local: 2}"}, "expected one worker beside `travel`, got 2", "workers"),
        ({"initial": None}, "first of all the settings at which the machine stands", "travel: 5"),
        ({"initial": "initial: {count: 3}"}, "first of all the settings at which the machine", "initial"),
    ],
)
def test_what_is_no_one_machine_that_stands_somewhere_is_refused(
    lines: dict[str, str | None], said: str, at: str
) -> None:
    found, where = refused(**lines)
    assert len(found) == 1
    assert said in found[0]
    assert where[0].startswith(at)


def test_how_closely_to_look_is_not_chosen_beside_it() -> None:
    found, where = refused(
        fidelity="fidelity: {parameter: shots, cost: shots}", budget="budget: {cost: 9}", algorithm=None
    )
    assert "expected no `travel` beside `fidelity`" in found[0]
    assert where[0].startswith("travel")


def test_points_to_begin_with_are_reached_from_one_another() -> None:
    within = "{current: 24, gas: 2.0e-4, shots: 9}"
    beyond = "{current: 60, gas: 2.0e-4, shots: 9}"
    first = "{current: 20, gas: 1.0e-4, shots: 3}"
    assert (
        len(spec_with(**TRAVELLING | {"initial": f"initial: {{points: [{first}, {within}]}}"}).initial.points)
        == 2
    )
    found, where = refused(initial=f"initial: {{points: [{first}, {within}, {beyond}]}}")
    assert found == [
        "expected a point within reach of the one before it, got one where current = 60 is too far from 24,"
        " where it may travel 5: 8 evaluations away; put others between"
    ]
    assert where[0].startswith(beyond)


def test_editors_know_of_it() -> None:
    schema = json.dumps(spec_schema()["$defs"]["FloatParameter"]["properties"]["travel"])
    assert "How far it may go from one evaluation to the next" in schema
