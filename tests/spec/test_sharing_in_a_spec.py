"""What all trials of a round share: how a spec says it, and what is refused."""

from __future__ import annotations

import pytest
from spec_texts import refusal_with, sentences, spec_with, under_caret

from orchestrator.spec.policy_of_spec import policy_of

PARAMETERS = """\
parameters:
  heat: {type: float, bounds: [20, 300]}
  solvent: {type: choice, values: [water, ethanol]}
  dose: {type: float, bounds: [0, 1]}
  stirs: {type: choice, values: [true, false]}
  speed: {type: float, bounds: [1, 9], when: {stirs: true}}
  load: {type: computed, value: 2 * dose}
  motor: {type: fixed, value: 3}"""


def mode_of(shared: str, batch: int = 4) -> str:
    return f"mode: {{synchronous: {batch}, sharing: {shared}}}"


def refused(shared: str, **lines: str | None) -> tuple[list[str], list[str]]:
    refusal = refusal_with(**({"parameters": PARAMETERS, "mode": mode_of(shared)} | lines))
    return sentences(refusal), under_caret(refusal)


def test_a_round_shares_what_its_mode_says() -> None:
    spec = spec_with(parameters=PARAMETERS, mode=mode_of("[heat, solvent]"))
    mode = policy_of(spec).mode
    assert (mode.kind, mode.batch, mode.sharing) == (
        "synchronous",
        4,
        ("heat", "solvent"),
    )


def test_what_is_fixed_is_shared_anyway() -> None:
    assert policy_of(spec_with(parameters=PARAMETERS, mode=mode_of("[motor]"))).mode.sharing == ("motor",)


@pytest.mark.parametrize(
    ("shared", "said", "at"),
    [
        ("[heats]", "got `heats` (did you mean `heat`?)", "heats"),
        ("[heat, heat]", "expected each parameter that trials share once, got `heat` again", "heat]"),
        ("[load]", "got `load`, which is computed; share what that comes of", "load"),
        ("[speed]", "got `speed`, which has a `when`: where it does not count", "speed"),
    ],
)
def test_what_cannot_be_shared_is_said_at_its_place(shared: str, said: str, at: str) -> None:
    told, places = refused(shared)
    assert said in told[0]
    assert places[0].startswith(at)


def test_a_key_beside_the_size_of_rounds_that_is_mistyped_is_the_one_that_is_named() -> None:
    (told,), (place,) = refused("", mode="mode: {synchronous: 4, shares: [heat]}")
    assert "expected one of the keys `kind`, `batch` or `sharing`, got `shares`" in told
    assert place.startswith("shares")


def test_something_has_to_be_left_that_trials_do_not_share() -> None:
    two = "parameters: {a: {type: float, bounds: [0, 1]}, b: {type: float, bounds: [0, 1]}}"
    told, places = refused("[a, b]", parameters=two)
    assert "all of them would be alike" in told[0]
    assert places[0].startswith("sharing")


@pytest.mark.parametrize("name", ["r", "s", "t"])
def test_an_equality_leaves_another_to_be_computed_than_what_is_shared(name: str) -> None:
    parts = ", ".join(f"{part}: {{type: float, bounds: [0, 1]}}" for part in "rst")
    whole = {"parameters": f"parameters: {{{parts}}}", "constraints": "constraints: [r + s + t == 1]"}
    assert policy_of(spec_with(mode=mode_of(f"[{name}]"), **whole)).mode.sharing == (name,)
    (told,), _ = refused("[s, t]", **whole)
    assert "all of them would be alike" in told


@pytest.mark.parametrize("mode", ["mode: {kind: sequential, sharing: [heat]}", "mode: {sharing: [heat]}"])
def test_only_rounds_share_anything(mode: str) -> None:
    (told,), _ = refused("", mode=mode)
    assert "expected rounds beside `sharing`, as in `mode: {synchronous: 4, sharing: [temperature]}`" in told


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ({"algorithm": "algorithm: {name: turbo}"}, "an algorithm that holds parameters"),
        ({"candidates": "candidates: [{heat: 30, dose: 0.5}, {heat: 40, dose: 0.2}]"}, "no `sharing` beside"),
    ],
)
def test_it_is_refused_beside_what_could_not_keep_to_it(lines: dict[str, str], said: str) -> None:
    assert any(said in one for one in refused("[heat]", **lines)[0])
