"""What is asked of the values of a run whose trials are compared is refused with what to ask instead."""

from __future__ import annotations

from argparse import Namespace
from types import SimpleNamespace

import pytest

from orchestrator.command_line import looking
from orchestrator.errors import UsageError


@pytest.mark.parametrize("asked", ["sensitivity", "tolerance", "predict"])
def test_a_run_without_values_is_named_for_what_it_is(asked: str, monkeypatch: pytest.MonkeyPatch) -> None:
    policy, folder = SimpleNamespace(compared=True), SimpleNamespace(path="logs/coffee")
    run = SimpleNamespace(state=SimpleNamespace(policy=policy), folder=folder)
    monkeypatch.setattr(looking, "run_to_look_at", lambda _: run)
    parsed = Namespace(of=None, off=[], points=None, targets=[], format="table", output=None)
    with pytest.raises(UsageError, match="where they are compared; which is preferred: orchestrator best"):
        getattr(looking, asked)(parsed)
