"""`reference(heat)` in a constraint: what was measured of an outcome at the settings of today."""

from __future__ import annotations

import pytest

from orchestrator.expressions import constraints
from orchestrator.expressions.arithmetic import ArithmeticMistake
from orchestrator.expressions.constraints import (
    Constraint,
    Nameable,
    by_subject,
    in_doubt,
    relative_among,
    unsettled,
)

NAMES = Nameable(("x", "n"), (), {}, ("heat", "flow rate"), reference=True)
RELATIVE = "heat <= 1.05 * reference(heat)"


def mistake(text: str, names: Nameable = NAMES) -> tuple[str, int]:
    with pytest.raises(ArithmeticMistake) as caught:
        names.read(text)
    return str(caught.value), caught.value.offset


def test_it_is_named_beside_the_outcome_and_in_backquotes_where_its_name_needs_them() -> None:
    assert [name.name for name in NAMES.read(RELATIVE).names] == ["heat", "reference(heat)"]
    assert NAMES.read("`flow rate` > reference(`flow rate`) - 2").referred == ("flow rate",)
    assert NAMES.read("heat <= 80").referred == ()


@pytest.mark.parametrize(
    ("text", "sentence", "offset"),
    [
        ("heat <= reference(hat)", "got `hat` (did you mean `heat`?)", 8),
        ("heat <= reference(x)", "got `x`, a parameter; write the number that it has there", 8),
        ("heat <= reference(2)", "expected the name of an outcome in `reference(…)`, got 2", 8),
        ("heat <= reference(heat, x)", "got 2 arguments", 8),
        ("probability(heat <= reference(heat)) >= 0.9", "before anything is tried", 20),
    ],
)
def test_what_is_no_outcome_is_refused_where_it_stands(text: str, sentence: str, offset: int) -> None:
    said, at = mistake(text)
    assert sentence in said
    assert at == offset


def test_it_needs_a_reference() -> None:
    said, at = mistake(RELATIVE, Nameable(("x",), (), {}, ("heat",)))
    assert said.startswith("expected settings that `heat` was measured at, `initial: {reference: {x: 0.3}}`")
    assert at == 15


def test_it_has_a_number_once_it_is_known_and_is_called_as_it_was_written() -> None:
    constraint = Constraint.of("0.9 * reference(heat) <= heat <= 2 * reference(lift)")
    known = constraint.relative_to({"heat": 70.0})
    assert (known.referred, known.text) == (("lift",), constraint.text)
    assert known.relative_to({"lift": 40.0}).referred == ()


def test_it_is_of_outcomes_and_in_doubt_until_it_is_known() -> None:
    texts = ["x <= n", RELATIVE, "heat <= 80"]
    assert by_subject(texts, ["heat"]) == (("x <= n",), (RELATIVE, "heat <= 80"))
    assert relative_among(texts) == {RELATIVE: ("heat",)}
    assert unsettled(texts, []) == (RELATIVE,)
    assert unsettled(texts, ["heat"]) == ()
    assert in_doubt(texts, ["heat"], ["heat"], []) == (RELATIVE,)
    assert in_doubt(texts, ["heat"], [], ["heat"]) == (RELATIVE, "heat <= 80")


def test_what_a_constraint_is_relative_to_is_read_of_its_text_once(monkeypatch: pytest.MonkeyPatch) -> None:
    text, read = "drag <= 1.07 * reference(drag)", list[str]()
    reads = constraints._read
    monkeypatch.setattr(constraints, "_read", lambda told: read.append(told) or reads(told))
    assert [unsettled([text], ()) for _ in range(100)] == [(text,)] * 100
    assert read == [text]
