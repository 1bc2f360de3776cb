"""Choices that are empty or have spaces, commas or more about them, in known results in a table or typed."""

from __future__ import annotations

from pathlib import Path

import pytest
from spec_texts import spec_with

from orchestrator.errors import SpecError
from orchestrator.spec.begun.added_results import read_added_results

PARAMETERS = "parameters: {x: {type: float, bounds: [0, 1]}, flag: {type: choice, values: ['', --fast, ' ']}}"


def test_an_empty_cell_names_a_choice_that_is_empty_and_spaces_one_of_spaces(tmp_path: Path) -> None:
    (tmp_path / "known.csv").write_text("x,flag,drag\n0,,1\n0,--fast,2\n0, ,3\n0, --fast ,4\n")
    spec = spec_with(tmp_path, parameters=PARAMETERS, initial="initial: {results: known.csv}")
    added, _ = read_added_results(spec, [tmp_path / "known.csv"], [])
    for told in (spec.initial.results, added):
        assert [result.parameters["flag"] for result in told] == ["", "--fast", " ", "--fast"]


FLAGS = "['', -O2, '-O2 ', ' x', 'a, b', 'a,b=c', '1.10']"
TYPED = {
    "x=0,flag=,drag=1": "",
    "x=0, flag=-O2,drag=1": "-O2",
    "flag=-O2 ,x=0,drag=1": "-O2 ",
    "x=0,flag= -O2  ,drag=1": "-O2",
    "x=0,flag= x,drag=1": " x",
    "x=0,drag=1,flag=a, b": "a, b",
    "x=0,flag=a,b=c,drag=1": "a,b=c",
    "x=0,flag=1.10,drag=1": "1.10",
}


@pytest.mark.parametrize(("written", "meant"), TYPED.items())
def test_what_is_typed_of_a_choice_names_it_to_the_letter_as_a_cell_does(
    tmp_path: Path, written: str, meant: str
) -> None:
    choices = f"parameters: {{x: {{type: float, bounds: [0, 1]}}, flag: {{type: choice, values: {FLAGS}}}}}"
    ((result,), remarks) = read_added_results(spec_with(tmp_path, parameters=choices), [], [written])
    assert result.parameters == {"x": 0.0, "flag": meant}
    assert (result.value, remarks) == (1.0, [])


def test_what_is_typed_beside_a_result_is_left_alone_as_a_column_is_unless_it_looks_like_a_mistake(
    tmp_path: Path,
) -> None:
    (tmp_path / "known.csv").write_text("trial,x,flag,drag,iterations,lift\n7,0.5,--fast,1,812,NaN\n")
    spec = spec_with(tmp_path, parameters=PARAMETERS, outcomes="outcomes: [lift]")
    written = "trial=7,x=0.5,flag=--fast,drag=1,iterations=812,lift=nan"
    typed, remarks = read_added_results(spec, [], [written])
    in_a_file, _ = read_added_results(spec, [tmp_path / "known.csv"], [])
    assert typed == in_a_file
    assert "`trial` and `iterations` are left out: they are nothing of the spec's" in remarks
    with pytest.raises(SpecError, match="did you mean `lift`"):
        read_added_results(spec, [], ["x=0.5,flag=--fast,drag=1,lifft=2"])
