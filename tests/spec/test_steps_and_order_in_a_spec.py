"""Parameters of a spec that take steps, and ordered values: as they are written, and where they are met."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from spec_texts import refusal_with, sentences, spec_with, under_caret

from orchestrator.errors import SpecError
from orchestrator.spec.begun.added_results import read_added_results
from orchestrator.spec.begun.amended import with_bounds
from orchestrator.spec.build import build_space
from orchestrator.spec.sections.initial import KnownResult

PARAMETERS = """\
parameters:
  angle: {type: float, bounds: [0, 1], step: 0.1}
  width: {type: int, bounds: [32, 512], step: 32}
  batch: {type: ordered, values: [1, 2, 4, 8.5], scale: log}
  mesh:  {type: ordered, values: [coarse, "2", fine]}"""
POINT = "{angle: 0.3, width: 64, batch: 4, mesh: fine}"


def with_own(*own: str) -> str:
    return "\n".join([PARAMETERS, *(f"  {line}" for line in own)])


def test_they_become_the_values_that_were_written() -> None:
    angle, width, batch, mesh = build_space(spec_with(parameters=PARAMETERS)).parameters
    values = [
        [parameter.decode(position) for position in parameter.coordinate.positions]
        for parameter in (angle, width, batch, mesh)
    ]
    assert json.dumps(values[0]) == "[0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]"
    assert values[1] == list(range(32, 513, 32))
    assert json.dumps(values[2:]) == '[[1, 2, 4, 8.5], ["coarse", "2", "fine"]]'
    assert all(parameter.coordinate.kind == "ordinal" for parameter in (angle, width, batch, mesh))


@pytest.mark.parametrize(
    ("own", "said", "at"),
    [
        (
            "{type: float, bounds: [0, 10], step: 3}",
            "expected bounds that are a whole number of steps of 3 apart, as [0, 9] or [0, 12], got [0, 10]",
            "3}",
        ),
        (
            "{type: int, bounds: [0, 100], step: 32}",
            "bounds that are a whole number of steps of 32 apart, as [0, 96] or [0, 128], got [0, 100]",
            "32}",
        ),
        (
            "{type: float, bounds: [1, 8], scale: log, step: 0.5}",
            "expected no `step` beside `scale: log`; what lies evenly on a log scale is written as"
            " `{type: ordered, values: [1, 2, 4, 8], scale: log}`",
            "0.5}",
        ),
        (
            "{type: float, bounds: [0, 1], step: -0.5}",
            "expected a number above 0 as the step, got -0.5",
            "-0",
        ),
        (
            "{type: float, bounds: [0, 1], step: a bit}",
            "expected a number above 0 as the step, got `a",
            "a b",
        ),
        ("{type: int, bounds: [0, 9], step: 1.5}", "expected a whole number as the step of an int", "1.5}"),
        (
            "{type: float, bounds: [0, 1], step: 1.0e-19}",
            "expected at most 2^40 steps, each wider than",
            "1.0",
        ),
        ("{type: float, bounds: [0, 1], steps: 0.5}", "(did you mean `step`?)", "steps"),
        ("{type: choice, values: [1, 2], step: 1}", "got `step`", "step"),
        ("{type: int, bounds: [8, 64, 8]}", "got [8, 64, 8]; how far apart values are is said", "[8, 64, 8]"),
        (
            "{type: int, values: [8, 16]}",
            "got `values`; values are those of `type: ordered`, or of",
            "values",
        ),
        ("{type: float, bounds: [1, 0], step: 0.5}", "swap them", "[1, 0]"),
        (
            "{type: ordered, values: [1, 3, 2]}",
            "expected numbers that ascend or descend throughout, got 2 after 3; if their order means nothing,"
            " say `type: choice`",
            "[1, 3, 2]}",
        ),
        ("{type: ordered, values: [1.8, 1.9, 1.10]}", "got 1.1 after 1.9", "[1.8"),
        ("{type: ordered, values: [1, 1.0]}", "expected each value once, got 1 after 1", "[1, "),
        ("{type: ordered, values: [a, b, a]}", "expected each value once, got `a` again", "[a, "),
        (
            "{type: ordered, values: [a, 1]}",
            "expected numbers alone, or texts alone, got `a` beside 1",
            "[a, ",
        ),
        ("{type: ordered, values: [true, 1]}", "expected a finite number or text, got `true`", "true"),
        ("{type: ordered, values: [a]}", "expected at least two values in their order, got 1", "[a]"),
        ("{type: ordered, values: [0, 1], scale: log}", "a log scale needs values above 0, got 0", "[0, "),
        ("{type: ordered, values: [a, b], scale: log}", "got texts, which lie evenly; leave `scale`", "[a, "),
        ("{type: ordered, values: [a, b], scale: lg}", "expected `linear` or `log`, got `lg`", "lg}"),
        (
            "{type: ordered, values: [1, 2, 1000000]}",
            "expected values that can be told apart, got 1 and 2 in a range from 1 to 1000000; say",
            "[1, ",
        ),
        ("{type: ordered, bounds: [1, 2]}", "expected the key `values`, but it is missing", "own:"),
        ("{type: ordinal, values: [1, 2]}", "(here that is `type: ordered`)", "ordinal"),
        ("{type: ordered, levels: [1, 2]}", "(did you mean `values`?)", "levels"),
    ],
)
def test_what_is_wrong_with_one_is_said_where_it_stands(own: str, said: str, at: str) -> None:
    refusal = refusal_with(parameters=f"parameters:\n  x: {{type: float, bounds: [0, 1]}}\n  own: {own}")
    places = zip(sentences(refusal), under_caret(refusal), strict=True)
    assert any(said in sentence and place.startswith(at) for sentence, place in places), refusal


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ("angle: 0.35", "expected 0 to 1 in steps of 0.1 for `angle`, got 0.35; the nearest are 0.3 and 0.4"),
        ("angle: 1.1", "expected 0 to 1 in steps of 0.1 for `angle`, got 1.1"),
        ("angle: much", "expected 0 to 1 in steps of 0.1 for `angle`, got `much`"),
        ("width: 65", "expected 32 to 512 in steps of 32 for `width`, got 65; the nearest are 64 and 96"),
        ("batch: 3", "expected `1`, `2`, `4` or `8.5` for `batch`, got 3"),
        ("mesh: fin", "expected `coarse`, `2` or `fine` for `mesh`, got `fin`"),
    ],
)
def test_a_point_off_the_values_is_refused_with_those_beside_it(changes: str, said: str) -> None:
    name = changes.partition(":")[0]
    point = ", ".join(part for part in POINT.strip("{}").split(", ") if not part.startswith(name))
    refusal = refusal_with(parameters=PARAMETERS, initial=f"initial: {{points: [{{{point}, {changes}}}]}}")
    assert sentences(refusal) == [said]
    assert under_caret(refusal)[0].startswith(changes.partition(": ")[2])


def test_what_is_off_by_rounding_alone_is_what_it_was(tmp_path: Path) -> None:
    table = "angle,width,batch,mesh,drag\n0.30000000000000004,64.0,8.50,2,1\n1.0,96,4,fine,2\n"
    (tmp_path / "known.csv").write_text(table)
    spec = spec_with(tmp_path, parameters=PARAMETERS, initial="initial: {results: known.csv}")
    first = {"angle": 0.3, "width": 64, "batch": 8.5, "mesh": "2"}
    second = {"angle": 1.0, "width": 96, "batch": 4, "mesh": "fine"}
    assert spec.initial.results == [
        KnownResult(parameters=first, value=1.0),
        KnownResult(parameters=second, value=2.0),
    ]
    added, _ = read_added_results(spec, [], ["angle=0.30000000000000004,width=64,batch=8.5,mesh=2,value=1"])
    assert added[0].parameters == first
    with pytest.raises(SpecError, match="for `angle`, got 1"):
        read_added_results(spec, [], ["angle=1.25,width=64,batch=8.5,mesh=2,value=1"])


@pytest.mark.parametrize(
    ("when", "said"),
    [
        (
            "{angle: 0.25}",
            "expected 0 to 1 in steps of 0.1 for `angle`, got `0.25`; the nearest are 0.2",
        ),
        ("{width: [64, 65]}", "expected 32 to 512 in steps of 32 for `width`, got `65`; the nearest are 64"),
        ("{batch: 3}", "expected `1`, `2`, `4` or `8.5` for `batch`, got `3`"),
        ("{mesh: fin}", "expected `coarse`, `2` or `fine` for `mesh`, got `fin` (did you mean `fine`?)"),
        ("{mesh: 2}", "the values are text: put it in quotes"),
        ("mesh >= 2", "expected parameters that are numbers, got `mesh`, which has the values [coarse"),
    ],
)
def test_a_condition_names_values_that_there_are(when: str, said: str) -> None:
    refusal = refusal_with(parameters=with_own(f"own: {{type: float, bounds: [0, 1], when: {when}}}"))
    assert said in sentences(refusal)[0]


def test_conditions_look_at_steps_as_at_choices_and_as_at_numbers() -> None:
    own = [
        "a: {type: float, bounds: [0, 1], step: 0.5, when: {angle: [0.3, 0.5]}, otherwise: 0.7}",
        "b: {type: ordered, values: [1, 2], when: {mesh: [fine, '2']}, otherwise: none}",
        "c: {type: int, bounds: [0, 4], step: 2, when: batch >= 4}",
    ]
    space = build_space(spec_with(parameters=with_own(*own)))
    told: dict[str, Any] = {"angle": 0.3, "width": 64, "batch": 2, "mesh": "coarse", "a": 0.5}
    assert space.given(space.counted(told)) == told | {"b": "none"}
    elsewhere = told | {"angle": 0.4, "batch": 8.5, "b": 2, "c": 4, "mesh": "fine"}
    del elsewhere["a"]
    assert space.given(space.counted(elsewhere)) == elsewhere | {"a": 0.7}


def test_constraints_compute_with_steps_and_not_with_texts() -> None:
    space = build_space(spec_with(parameters=PARAMETERS, constraints="constraints: [angle * batch <= 1.2]"))
    point = {"angle": 0.3, "width": 64, "batch": 4, "mesh": "fine"}
    assert space.broken_by(point) == ()
    assert space.broken_by(point | {"angle": 0.4}) == ("angle * batch <= 1.2",)
    refusal = refusal_with(parameters=PARAMETERS, constraints="constraints: [angle * mesh <= 1.2]")
    assert "expected parameters that are numbers, got `mesh`" in sentences(refusal)[0]


def test_amended_bounds_keep_to_the_steps_and_may_go_beyond_what_was_written() -> None:
    spec = spec_with(parameters=PARAMETERS)
    space = build_space(with_bounds(spec, {"angle": (-0.2, 0.6), "width": (64.0, 128.0), "batch": (2, 4)}))
    angle, width, batch, _ = space.parameters
    assert [angle.decode(p) for p in angle.coordinate.positions][:4] == [-0.2, -0.1, 0.0, 0.1]
    assert [width.decode(p) for p in width.coordinate.positions] == [64, 96, 128]
    assert [batch.decode(p) for p in batch.coordinate.positions] == [2, 4]


@pytest.mark.parametrize(
    ("name", "pair", "said"),
    [
        (
            "angle",
            (0.25, 0.6),
            "expected bounds that keep to its steps of 0.1 from 0, as 0.2,0.6",
        ),
        ("angle", (0.21, 0.23), "as 0.2,0.3"),
        ("width", (40.0, 600.0), "expected bounds that keep to its steps of 32 from 32, as 32,608"),
        ("width", (40.5, 600.0), "expected whole numbers, because `width` is an int"),
        ("batch", (1.0, 3.0), "expected two of its values, `1`, `2`, `4` or `8.5`"),
        (
            "mesh",
            (1.0, 2.0),
            "expected a parameter with bounds (`angle`, `width` or `batch`), got `mesh`",
        ),
    ],
)
def test_other_bounds_are_refused_with_the_nearest(name: str, pair: tuple[float, float], said: str) -> None:
    with pytest.raises(SpecError) as refused:
        with_bounds(spec_with(parameters=PARAMETERS), {name: pair})
    assert said in str(refused.value)
