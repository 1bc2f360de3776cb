"""Results of a file that lacks a parameter's column: the spec says what it was in all of them."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from orchestrator.errors import SpecError
from orchestrator.spec.load import LoadedSpec, load_spec_text

SPEC = """\
experiment: oven
objective: {name: crumb, goal: maximise}
parameters:
  heat: {type: float, bounds: [150, 250]}
  humidity: {type: float, bounds: [10, 90], unit: "%"}
  tin: {type: choice, values: [round, "1.10"]}
budget: {trials: 9}
evaluation: {evaluator: person}
"""
BLOCKS = "blocks: day\n"
OLD = "heat,tin,crumb\n180,round,3\n200,1.10,4\n210,,\n"
OLDER = "heat,crumb\n190,2\n"


def read(folder: Path, results: str, more: str = "") -> LoadedSpec:
    (folder / "old.csv").write_text(OLD)
    (folder / "older.csv").write_text(OLDER)
    return load_spec_text(f"{SPEC}{more}initial: {{results: {results}}}\n", "spec.yaml", folder)


def refused(folder: Path, results: str, more: str = "") -> str:
    with pytest.raises(SpecError) as refusal:
        read(folder, results, more)
    return str(refusal.value)


def test_it_holds_of_every_result_of_the_file(tmp_path: Path) -> None:
    loaded = read(tmp_path, "{file: old.csv, where: {humidity: 40}}")
    assert [one.parameters for one in loaded.spec.initial.results] == [
        {"heat": 180.0, "humidity": 40.0, "tin": "round"},
        {"heat": 200.0, "humidity": 40.0, "tin": "1.10"},
    ]
    assert "3 rows read from old.csv, of which 1 skipped" in "\n".join(loaded.remarks)


def test_each_file_has_its_own_beside_others_and_single_results(tmp_path: Path) -> None:
    results = (
        "[{file: old.csv, where: {humidity: 40}}, {heat: 160, humidity: 55, tin: round, crumb: 1},"
        " {file: older.csv, where: {humidity: 30, tin: 1.10, day: 2026-11-28}}]"
    )
    spec = read(tmp_path, results, BLOCKS).spec
    assert [one.parameters["humidity"] for one in spec.initial.results] == [40.0, 40.0, 55.0, 30.0]
    last = spec.initial.results[-1]
    assert (last.parameters["tin"], last.block) == ("1.10", "2026-11-28")


def test_a_run_that_has_begun_reads_its_spec_without_the_files(tmp_path: Path) -> None:
    loaded = read(tmp_path, "{file: old.csv, where: {humidity: 40}}")
    assert load_spec_text(loaded.text, "spec.yaml", None).spec.initial.results == []


def test_a_file_that_is_named_so_lies_as_it_does_alone(tmp_path: Path) -> None:
    (tmp_path / "far.csv").write_text(OLD)
    (tmp_path / "near").mkdir()
    assert "which lies elsewhere: put it beside the spec" in refused(
        tmp_path / "near", "{file: ../far.csv, where: {humidity: 40}}"
    )


def test_an_experiment_may_have_parameters_called_so(tmp_path: Path) -> None:
    spec = yaml.safe_load(SPEC)
    spec["parameters"] = {name: {"type": "choice", "values": ["a", "b"]} for name in ("file", "where")}
    spec["initial"] = {"results": [{"file": "a", "where": "b", "crumb": 2}]}
    loaded = load_spec_text(yaml.safe_dump(spec), "spec.yaml", tmp_path)
    assert loaded.spec.initial.results[0].parameters == {"file": "a", "where": "b"}
    (tmp_path / "old.csv").write_text("where,crumb\na,2\n")
    spec["initial"] = {"results": {"file": "old.csv", "where": {"file": "b"}}}
    loaded = load_spec_text(yaml.safe_dump(spec), "spec.yaml", tmp_path)
    assert loaded.spec.initial.results[0].parameters == {"file": "b", "where": "a"}


@pytest.mark.parametrize(
    ("results", "said"),
    [
        ("old.csv", "if it was the same in all rows, say so, as `{file: old.csv, where: {humidity: …}}`"),
        ("{file: old.csv}", "old.csv:1:1: expected a column for the parameter `humidity`, got none"),
        (
            "{file: old.csv, where: {humidty: 40, humidity: 40}}",
            "expected of all results what a parameter was (`heat`, `humidity` or `tin`), got `humidty` (did"
            " you mean `humidity`?)",
        ),
        (
            "{file: old.csv, where: {humidity: 95}}",
            "expected a number in [10, 90] for `humidity`, got 95",
        ),
        (
            "{file: old.csv, where: {humidity: [40, 50]}}",
            "expected one value of `humidity`, which all results of the file had, got a list",
        ),
        (
            "{file: old.csv, where: {humidity: }}",
            "expected one value of `humidity`, which all results of the file had, got nothing",
        ),
        (
            "{file: old.csv, where: {humidity: 40, tin: round}}",
            "expected of all results what old.csv does not say, got `tin`, of which it has a column;"
            " remove one of them",
        ),
        (
            "{file: old.csv, humidity: 40}",
            "expected beside `file` nothing but `where`, got `humidity`; is it `where: {humidity: 40}`?",
        ),
        ("{where: {humidity: 40}}", "expected `{file: old.csv, where: {humidity: 40}}`, got no `file`"),
        ("{fil: old.csv, where: {humidity: 40}}", "got no `file` (is it `fil`?)"),
        ("{file: old.csv, wher: {humidity: 40}}", "nothing but `where`, got `wher` (did you mean `where`?)"),
        (
            "old.csv, where: {humidity: 40}",
            "got `where`, which stands beside the file it is about: `results: {file: old.csv, where:",
        ),
        (
            "[], related: {file: old.csv, where: {humidity: 40}}",
            "expected the name of a table, alone: it need not have a column for every parameter, got a map",
        ),
        ("{file: 3, where: {humidity: 40}}", "expected the name of a CSV file, got 3"),
        (
            "{file: old.csv, where: 40}",
            "expected what all results of the file had, as `{humidity: 40}`, got 40",
        ),
        (
            "[old.csv, {file: old.csv, where: {humidity: 40}}]",
            "expected each file once, got `old.csv` again",
        ),
    ],
)
def test_what_cannot_be_meant_is_refused_once_where_it_stands(
    results: str, said: str, tmp_path: Path
) -> None:
    refusal = refused(tmp_path, results)
    assert refusal.count(said) == 1, refusal
