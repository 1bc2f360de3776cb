"""Parameters that come round: how a spec says it, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from spec_texts import refusal_with, sentences, spec_with, text_with, under_caret

from orchestrator.errors import SpecError
from orchestrator.spec.begun.amended import with_bounds
from orchestrator.spec.build import build_space
from orchestrator.spec.load import load_spec_text
from orchestrator.spec.schema import spec_schema

PARAMETERS = """\
parameters:
  angle: {type: float, bounds: [-180, 180], periodic: true, unit: deg}
  hour: {type: int, bounds: [0, 24], periodic: true}
  gain: {type: float, bounds: [0, 1], periodic: false}"""


def test_a_spec_says_it_of_numbers_with_bounds() -> None:
    space = build_space(spec_with(parameters=PARAMETERS))
    assert space.domain.comes_round.tolist() == [True, True, False]
    assert not build_space(spec_with()).domain.comes_round.any()


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ("{type: float, bounds: [1, 9], scale: log, periodic: true}", "a linear scale beside `periodic`"),
        ("{type: float, bounds: [0, 9], tolerance: 1, periodic: true}", "no `tolerance` beside `periodic`"),
        ("{type: int, bounds: [0, 9], travel: 1, periodic: true}", "no `travel` beside `periodic`"),
        ("{type: float, bounds: [0, 9], step: 9, periodic: true}", "at least two settings"),
        (
            "{type: float, bounds: [0, 360], in_use: {mean: 350, deviation: 20}, periodic: true}",
            "no `mean` of what comes up in use",
        ),
        ("{type: float, bounds: [0, 9], periodic: 360}", "expected true or false"),
    ],
)
def test_what_cannot_come_round_is_refused_at_its_place(told: str, said: str) -> None:
    refusal = refusal_with(parameters=f"parameters:\n  a: {told}", mode="mode: sequential")
    assert any(said in sentence for sentence in sentences(refusal)), sentences(refusal)
    assert any(place.startswith(("true", "360")) for place in under_caret(refusal)), under_caret(refusal)


@pytest.mark.parametrize(
    ("told", "meant"),
    [
        ("{type: int, bounds: [0, 23], periodic: true}", "[0, 24]"),
        ("{type: int, bounds: [1, 12], periodic: true}", "[1, 13]"),
        ("{type: int, bounds: [-180, 179], periodic: true}", "[-180, 180]"),
        ("{type: float, bounds: [0, 315], step: 45, periodic: true}", "[0, 360]"),
        ("{type: int, bounds: [0, 24], periodic: true}", None),
        ("{type: int, bounds: [0, 8], periodic: true}", None),
        ("{type: int, bounds: [0, 365], periodic: true}", None),
        ("{type: float, bounds: [0, 120], step: 60, periodic: true}", None),
        ("{type: float, bounds: [0, 359], periodic: true}", None),
        ("{type: int, bounds: [0, 23]}", None),
    ],
)
def test_an_upper_bound_that_looks_like_the_last_setting_is_remarked_on(told: str, meant: str | None) -> None:
    text = text_with(parameters=f"parameters:\n  hour: {told}")
    remarks = list(load_spec_text(text, "day.yaml", Path()).remarks)
    assert [f"`bounds: {meant}`" in one and "of `hour` is" in one for one in remarks] == [True] * bool(meant)
    assert all(one.splitlines()[-1].index("^") == one.splitlines()[-2].index("bounds") for one in remarks)


def test_it_says_nothing_of_choices() -> None:
    refusal = refusal_with(parameters="parameters:\n  a: {type: choice, values: [n, e], periodic: true}")
    assert any("`periodic`" in sentence for sentence in sentences(refusal))


def test_its_bounds_are_not_amended_because_they_say_what_a_turn_is() -> None:
    spec = spec_with(parameters=PARAMETERS)
    with pytest.raises(SpecError, match="that does not come round, got `angle`"):
        with_bounds(spec, {"angle": (-90.0, 90.0)})
    assert with_bounds(spec, {"gain": (0.0, 0.5)}).parameters["gain"].periodic is False


def test_the_schema_knows_the_key_of_numbers_with_bounds() -> None:
    schema = json.loads(json.dumps(spec_schema()))
    known = [name for name, one in schema["$defs"].items() if "periodic" in one.get("properties", {})]
    assert known == ["FloatParameter", "IntParameter"]
