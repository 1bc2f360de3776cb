"""Tables of related experiments, as specs name them and as a run keeps them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from spec_texts import refusal_with, sentences, spec_with, text_with

from orchestrator.report.words.spec import spec_words
from orchestrator.spec.begun.amended import with_bounds
from orchestrator.spec.build import build_problem
from orchestrator.spec.load import load_spec_text

OLD = "x,n,drag\n0.2,3,1.5\n0.9,9,0.5\n0.4,2,\n1.5,2,4\n0.5,5,2.5\n"
AUTO = {"algorithm": "algorithm: auto"}
NAMED = {**AUTO, "initial": "initial: {related: old.csv}"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "old.csv").write_text(OLD, encoding="utf-8")
    (tmp_path / "older.csv").write_text("X;Drag\n0,25;7\n0,5;8\n", encoding="utf-8")
    return tmp_path


def test_results_come_into_the_unit_cube_in_the_sense_of_the_goal(folder: Path) -> None:
    (related,) = build_problem(spec_with(folder, **NAMED)).related
    np.testing.assert_allclose(related.points, [[0.2, 2.5 / 9], [0.9, 8.5 / 9], [0.5, 0.5]])
    np.testing.assert_allclose(related.values, [-1.5, -0.5, -2.5])


def test_what_is_read_of_each_and_what_is_left_out_is_said(folder: Path) -> None:
    told = load_spec_text(text_with(**NAMED), "wing.yaml", folder)
    (remark,) = [one.split("\n")[0] for one in told.remarks if "related" in one]
    assert remark == (
        "wing.yaml:7:20: 3 results of a related experiment read from old.csv; left out: 1 without a value, 1"
        " outside today's parameters"
    )
    assert "with 3 results of a related experiment" in spec_words(told.spec)


def test_an_experiment_need_not_have_had_all_parameters(folder: Path) -> None:
    several = {**AUTO, "initial": "initial: {related: [old.csv, older.csv]}"}
    told = load_spec_text(text_with(**several), "wing.yaml", folder)
    second = build_problem(told.spec).related[1]
    np.testing.assert_array_equal(second.points, [[0.25, np.nan], [0.5, np.nan]])
    assert any("it did not have `n`" in remark for remark in told.remarks)
    assert "5 results of 2 related experiments" in spec_words(told.spec)


def test_what_was_given_up_early_has_no_value_and_what_does_not_always_count_may_be_empty(
    folder: Path,
) -> None:
    table = "x,n,drag,state\n0.2,3,1.5,COMPLETE\n0.9,9,0.1,PRUNED\n0.4,,2,COMPLETE\n0.5,5,2.5,COMPLETE\n"
    (folder / "old.csv").write_text(table, encoding="utf-8")
    spec = spec_with(folder, **NAMED)
    assert build_problem(spec).related[0].values.tolist() == [-1.5, -2.5]
    counting = (
        "parameters: {x: {type: float, bounds: [0, 1]}, n: {type: int, bounds: [1, 9], when: x >= 0.45}}"
    )
    (related,) = build_problem(spec_with(folder, **NAMED, parameters=counting)).related
    assert related.values.tolist() == [-1.5, -2.0, -2.5]


def test_a_run_keeps_the_tables_and_reads_them_without_the_files(folder: Path) -> None:
    told = load_spec_text(text_with(**NAMED), "wing.yaml", folder)
    (folder / "old.csv").unlink()
    again = load_spec_text(told.text, "spec.yaml", None).spec
    assert again == told.spec
    np.testing.assert_array_equal(
        build_problem(again).related[0].points, build_problem(told.spec).related[0].points
    )


def test_of_bounds_that_are_amended_only_what_lies_within_counts_and_of_none_there_is_none(
    folder: Path,
) -> None:
    spec = spec_with(folder, **NAMED)
    (related,) = build_problem(with_bounds(spec, {"x": (0.4, 1.0)})).related
    np.testing.assert_allclose(related.values, [-0.5, -2.5])
    assert build_problem(with_bounds(spec, {"x": (0.6, 1.0)})).related == ()


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("a,b\n1,2\n", "expected a column named `drag` or `value`, got none"),
        ("drag\n1\n2\n", "expected a column for at least one of the parameters, got none"),
        ("x,x,drag\n0,0,1\n0,0,1\n", "expected each column once, got `x` 2 times"),
        ("x,drag\n0.5,1\n7,3\n", "expected at least 2 results of a related experiment"),
    ],
)
def test_a_table_that_tells_nothing_is_refused_where_it_stands(folder: Path, table: str, said: str) -> None:
    (folder / "old.csv").write_text(table, encoding="utf-8")
    refusal = refusal_with(folder, **NAMED)
    assert "old.csv:1:1: " in refusal
    assert said in refusal


def test_files_elsewhere_missing_ones_and_one_twice_are_refused(folder: Path) -> None:
    def said(files: str) -> str:
        return refusal_with(folder, **AUTO, initial=f"initial: {{related: {files}}}")

    assert "got ../old.csv, which lies elsewhere" in said("../old.csv")
    assert "nowhere.csv" in said("nowhere.csv")
    assert "expected each file once, got `old.csv` again" in said("[old.csv, old.csv]")
    many = "".join(f'"x,drag\\n0,{i}\\n1,{i}\\n", ' for i in range(5))
    assert "expected at most 4 related experiments, got 5" in said(f"[{many}]")


def test_other_algorithms_and_what_it_is_at_odds_with_refuse_it(folder: Path) -> None:
    (refused,) = sentences(refusal_with(folder, initial="initial: {related: old.csv}"))
    assert refused.startswith("expected an algorithm that learns from related experiments (`auto`)")
    fidelity = "fidelity: {parameter: n, cost: n}"
    (refused,) = sentences(refusal_with(folder, **NAMED, fidelity=fidelity))
    assert refused.startswith("expected no `fidelity` beside `related`: how closely")
