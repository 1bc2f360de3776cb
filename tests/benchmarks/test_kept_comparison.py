"""Comparisons whose runs are kept twice: where they are made, and beside the page written from them."""

import pytest

from benchmarks import conditions, early_stopping, exploration, outcomes, trade_offs
from benchmarks.kept import comparison as kept_comparison
from benchmarks.kept.runs import archive


@pytest.mark.parametrize(
    ("module", "function"),
    [
        (conditions, "tree"),
        pytest.param(outcomes, "islands", marks=pytest.mark.long),
        pytest.param(trade_offs, "truss", marks=pytest.mark.long),
        (early_stopping, "late"),
        # Whose model is fitted on the way, after each part of the evaluations.
        pytest.param(exploration, "ishigami", marks=pytest.mark.searches),
    ],
)
def test_another_machine_writes_the_same_page_from_what_lies_beside_it(
    monkeypatch, tmp_path, module, function
):
    comparison = module.COMPARISON
    monkeypatch.setattr(kept_comparison, "PROJECT", tmp_path)
    page = tmp_path / "docs" / f"{comparison.name}.md"
    page.parent.mkdir()
    asked = ["--functions", function, "--algorithms", "random", "--seeds", "2", "--page", str(page)]
    assert comparison.main("", asked) == 0
    first = page.read_text()
    assert "(2)" in first
    results = tmp_path / "benchmarks" / "results" / comparison.name / kept_comparison.RUNS
    assert len(results.read_text().splitlines()) == 2
    results.unlink()
    assert comparison.main("", [*asked, "--seeds", "2"]) == 0
    assert page.read_text() == first
    assert not results.exists(), "what lies beside the page is not run again"


def test_values_are_kept_to_twelve_digits(tmp_path):
    run = conditions.Run(conditions.Job("auto", "tree", 0), (1.0 / 3.0, 2.0), 0.1, "2026-11-26")
    archive([run], tmp_path / "a" / "runs.jsonl")
    (found,) = conditions.RUNS.kept(tmp_path / "a" / "runs.jsonl")
    assert found.values == (0.333333333333, 2.0)
    assert found.job == run.job
