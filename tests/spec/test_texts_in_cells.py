"""Choices that are empty or have spaces about them, in a table of known results."""

from __future__ import annotations

from pathlib import Path

from spec_texts import spec_with

from orchestrator.spec.added_results import read_added_results

PARAMETERS = "parameters: {x: {type: float, bounds: [0, 1]}, flag: {type: choice, values: ['', --fast, ' ']}}"


def test_an_empty_cell_names_a_choice_that_is_empty_and_spaces_one_of_spaces(tmp_path: Path) -> None:
    (tmp_path / "known.csv").write_text("x,flag,drag\n0,,1\n0,--fast,2\n0, ,3\n0, --fast ,4\n")
    spec = spec_with(tmp_path, parameters=PARAMETERS, initial="initial: {results: known.csv}")
    added, _ = read_added_results(spec, [tmp_path / "known.csv"], [])
    for told in (spec.initial.results, added):
        assert [result.parameters["flag"] for result in told] == ["", "--fast", " ", "--fast"]
