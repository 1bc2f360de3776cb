from __future__ import annotations

from pathlib import Path

import pytest
from lab_bench import PATIENCE_S, Bench

from orchestrator.command_line import decisions


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    # Of what is asked of a run that a busy machine gives no processor, or whose disk is slow.
    monkeypatch.setattr(decisions, "ANSWER_WITHIN_S", PATIENCE_S)
    return Bench(tmp_path)
