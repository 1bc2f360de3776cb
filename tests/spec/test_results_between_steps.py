"""Known results with numbers that a parameter does not take: rounded by their writer, or between two."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from spec_texts import refusal_with, sentences, spec_with, text_with

from orchestrator.errors import SpecError
from orchestrator.runtime.results.known_events import known_events
from orchestrator.spec.begun.added_results import read_added_results
from orchestrator.spec.load import load_spec_text

PARAMETERS = """\
parameters:
  valve:  {type: float, bounds: [0, 1], step: 0.125}
  blades: {type: int, bounds: [2, 9]}
  cells:  {type: ordered, values: [16, 4, 2, 1], scale: log}
  angle:  {type: float, bounds: [-3.14159, 3.14159]}
  depth:  {type: int, bounds: [1, 4], when: blades >= 5}"""
HEADER = "valve,blades,cells,angle,depth,drag\n"


def read(folder: Path, *rows: str) -> tuple[list[dict[str, Any]], tuple[str, ...]]:
    """What is known of each row of a file, and what is said of them all."""
    (folder / "known.csv").write_text(HEADER + "".join(f"{row}\n" for row in rows))
    text = text_with(parameters=PARAMETERS, initial="initial: {results: known.csv}")
    loaded = load_spec_text(text, "wing.yaml", folder)
    return [one.parameters for one in loaded.spec.initial.results], loaded.remarks


def test_what_other_programs_rounded_is_what_it_was(tmp_path: Path) -> None:
    known, said = read(
        tmp_path, "0.13,3,4,3.142,,1", "0.38,3.0,4.0,-3.1416,,2", "0.625,2.9999999999,16,3.14,,3"
    )
    assert [(one["valve"], one["angle"]) for one in known] == [
        (0.125, 3.14159),
        (0.375, -3.14159),
        (0.625, 3.14),
    ]
    assert [one["blades"] for one in known] == [3, 3, 3]
    assert said == ()


def test_a_bound_in_single_precision_is_that_bound(tmp_path: Path) -> None:
    known, said = read(tmp_path, "0.125,3,4,3.141590118408203,,1", "0.125,3,4,-3.141590118408203,,2")
    assert [one["angle"] for one in known] == [3.14159, -3.14159]
    assert said == ()
    with pytest.raises(SpecError, match=r"got 3\.1415903"):
        read(tmp_path, "0.125,3,4,3.1415903568267822,,1")


def test_what_was_written_to_more_digits_is_not_taken_for_rounded(tmp_path: Path) -> None:
    known, said = read(tmp_path, "0.130,3,4,0,,1")
    assert known[0]["valve"] == 0.13
    assert "the known result lies between the values of `valve in steps of 0.125`" in said[0]


def test_results_between_steps_are_taken_as_they_are_and_told_of(tmp_path: Path) -> None:
    known, (said,) = read(tmp_path, "0.2,3,4,0,,1", "0.25,3.4,3,0,,2", "0.25,6,4,0,2.5,3", "0.25,3,4,0,,4")
    assert [list(one.values())[:3] for one in known] == [
        [0.2, 3, 4],
        [0.25, 3.4, 3],
        [0.25, 6, 4],
        [0.25, 3, 4],
    ]
    assert known[2]["depth"] == 2.5
    where = "`valve in steps of 0.125`, `blades in whole numbers` and `cells in its listed values`"
    assert f"2 of 4 known results lie between the values of {where}: learned from as at the nearest" in said


def test_a_zero_between_listed_numbers_is_one_of_them() -> None:
    spec = spec_with(parameters="parameters: {trim: {type: ordered, values: [-2, 1, 3]}}")
    (known,), _ = read_added_results(spec, [], ["trim=0,drag=1"])
    assert known.parameters == {"trim": 0}


def test_where_only_steps_are_left_the_nearest_have_to_be_asked_for() -> None:
    spec = spec_with(parameters="parameters: {blades: {type: int, bounds: [2, 9]}}")
    _, (said,) = read_added_results(spec, [], ["blades=3.4,drag=1"])
    assert said.endswith("have those nearest to good ones tried, by `points` or --try")


def test_none_of_them_may_be_the_best(tmp_path: Path) -> None:
    spec = spec_with(
        tmp_path,
        parameters=PARAMETERS,
        initial="initial: {results: [{valve: 0.2, blades: 6, cells: 3, angle: 0, depth: 2.5, drag: 0.1},"
        " {valve: 0.25, blades: 3, cells: 4, angle: 0, depth: 2.5, drag: 0.2}]}",
    )
    first, second = known_events(spec.initial.results, spec)
    assert first.broken == (
        "valve in steps of 0.125",
        "cells in its listed values",
        "depth in whole numbers",
    )
    # Where it does not count, what it was says nothing.
    assert second.broken == ()


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ("valve: 1.1", "expected 0 to 1 in steps of 0.125 for `valve`, got 1.1"),
        ("blades: 9.5", "expected a whole number in [2, 9] for `blades`, got 9.5"),
        ("cells: 17", "expected `16`, `4`, `2` or `1` for `cells`, got 17"),
        ("angle: 3.2", "expected a number in [-3.14159, 3.14159] for `angle`, got 3.2"),
    ],
)
def test_what_lies_beyond_all_values_is_refused_still(changes: str, said: str) -> None:
    name = changes.partition(":")[0]
    inside = {"valve": "0.25", "blades": "3", "cells": "4", "angle": "0"}
    told = ", ".join(f"{key}: {value}" for key, value in inside.items() if key != name)
    initial = f"initial: {{results: [{{{told}, {changes}, drag: 1}}]}}"
    assert sentences(refusal_with(parameters=PARAMETERS, initial=initial)) == [said]


def test_results_that_are_typed_in_later_are_taken_so_too() -> None:
    spec = spec_with(parameters=PARAMETERS)
    (known,), said = read_added_results(spec, [], ["valve=0.13,blades=3.4,cells=4,angle=0,drag=1"])
    assert (known.parameters["valve"], known.parameters["blades"]) == (0.125, 3.4)
    assert "the known result lies between the values of `blades in whole numbers`" in said[0]
    with pytest.raises(SpecError, match=r"expected a whole number in \[2, 9\] for `blades`, got `many`"):
        read_added_results(spec, [], ["valve=0.13,blades=many,cells=4,angle=0,drag=1"])
