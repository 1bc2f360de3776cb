"""Pages of comparisons are written by their commands: what is typed into one is lost when it is written."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator
from typing import Any

import pytest

import benchmarks
from benchmarks.kept.comparison import RUNS, KeptComparison
from benchmarks.project import PROJECT

DOCS = PROJECT / "docs"
WORDS_OF_RUNS = {"blocks", "boundaries", "fidelity"}
"""Pages whose sentences tell of runs as their tables do."""
WORDS_OF_SLOW_RUNS = {"for-each", "robust"}
NEVER_KEPT = {"trade-offs"}
"""Measured when runs were kept where they were made alone."""
WHEN_AND_WHERE = re.compile(r"Measured .*?; written on .*?, \d{4}-\d\d-\d\d\.")


def comparisons() -> Iterator[KeptComparison[Any, Any]]:
    for one in pkgutil.iter_modules(benchmarks.__path__):
        found = getattr(importlib.import_module(f"benchmarks.{one.name}"), "COMPARISON", None)
        if isinstance(found, KeptComparison):
            yield found


def of_each(*, slow: set[str]) -> list[Any]:
    return [
        pytest.param(one, id=one.name, marks=[pytest.mark.long] if one.name in slow else [])
        for one in comparisons()
    ]


def prose(page: str) -> list[str]:
    """Its lines, but for tables and for when it was measured."""
    return [WHEN_AND_WHERE.sub("", line) for line in page.splitlines() if not line.startswith("|")]


@pytest.mark.parametrize("comparison", of_each(slow=WORDS_OF_SLOW_RUNS))
def test_a_page_says_what_its_command_writes(comparison: KeptComparison[Any, Any]) -> None:
    told = comparison.name in WORDS_OF_RUNS | WORDS_OF_SLOW_RUNS
    runs = comparison.kept.kept(DOCS / comparison.name / RUNS) if told else []
    order = {title: i for i, title in enumerate(comparison.titles)}
    written = comparison.page(sorted(runs, key=lambda found: order.get(found.job.title, len(order))))
    page = (DOCS / f"{comparison.name}.md").read_text(encoding="utf-8")
    assert prose(page) == prose(written)


@pytest.mark.parametrize("comparison", of_each(slow=set()))
def test_runs_lie_beside_the_page_that_is_written_from_them(comparison: KeptComparison[Any, Any]) -> None:
    beside = DOCS / comparison.name / RUNS
    if comparison.name in NEVER_KEPT:
        assert not beside.exists()
        return
    lines = beside.read_text(encoding="utf-8").splitlines()
    assert len(comparison.kept.kept(beside)) == len(lines) > 0
