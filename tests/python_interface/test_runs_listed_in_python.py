"""`orchestrator.runs`: searches, and runs, as a list of objects that shows itself as a table."""

from __future__ import annotations

from pathlib import Path

import pytest

import orchestrator
from orchestrator import ListedRun, minimise
from orchestrator.errors import UsageError


def test_a_program_is_told_of_what_lies_in_a_folder(tmp_path: Path) -> None:
    for seed in (0, 1):
        store = tmp_path / f"search-{seed}.jsonl"
        minimise(lambda p: p["x"], {"x": (0.0, 1.0)}, 3, algorithm="random", seed=seed, store=store)
    found = orchestrator.runs(tmp_path)
    assert {one.seed for one in found} == {0, 1}
    one: ListedRun = found[0]
    assert (one.state, one.trials, one.goal, one.of_python) == ("ended", 3, "minimise", True)
    assert one.best_parameters == {"x": one.best}
    assert [row["name"] for row in found.rows()] == [run.name for run in found]
    assert repr(found).splitlines()[0].split()[:4] == ["run", "state", "trials", "best"]
    assert orchestrator.runs(str(store))[0].path == store


def test_what_is_no_folder_is_refused_in_words() -> None:
    with pytest.raises(UsageError, match=r'as in runs\("logs"\), got 3'):
        orchestrator.runs(3)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=r'as in runs\(experiment="wing"\), got 3'):
        orchestrator.runs(experiment=3)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="got nowhere, which does not exist"):
        orchestrator.runs("nowhere")
