"""How a process ended, as people are told."""

from __future__ import annotations

import pytest

from orchestrator.system.exit_words import exit_words


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (0, "exit code 0"),
        (3, "exit code 3"),
        (-9, "killed by SIGKILL, often the kernel, when memory runs out"),
        (-11, "killed by SIGSEGV"),
        (-99, "killed by signal 99"),
        (None, "exit code unknown"),
    ],
)
def test_a_signal_is_called_by_its_name(code: int | None, words: str) -> None:
    assert exit_words(code) == words
