"""A spec that is right, and what the loader says of one that is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from orchestrator.errors import SpecError
from orchestrator.spec.load import load_spec_text
from orchestrator.spec.model import Spec

LINES = {
    "experiment": "experiment: wing",
    "objective": "objective: {name: drag, goal: minimise}",
    "parameters": "parameters: {x: {type: float, bounds: [0, 1]}, n: {type: int, bounds: [1, 9]}}",
    "algorithm": "algorithm: random",
    "budget": "budget: {trials: 24}",
    "evaluation": "evaluation: {evaluator: 'json:dumps'}",
}


def text_with(**lines: str | None) -> str:
    """The right spec with some lines replaced, added, or (None) left out."""
    return "\n".join(line for line in (LINES | lines).values() if line is not None)


def spec_with(folder: Path | None = None, /, **lines: str | None) -> Spec:
    """The spec that such a text holds."""
    return load_spec_text(text_with(**lines), "wing.yaml", folder or Path()).spec


def refusal_of(text: str, folder: Path | None = None) -> str:
    """What is said of a text that is refused."""
    with pytest.raises(SpecError) as caught:
        load_spec_text(text, "wing.yaml", folder or Path())
    return str(caught.value)


def refusal_with(folder: Path | None = None, /, **lines: str | None) -> str:
    """What is said of the right spec with some lines replaced, added or left out."""
    return refusal_of(text_with(**lines), folder)


def sentences(refusal: str) -> list[str]:
    """The sentences of a refusal, without places, lines and carets."""
    heads = [line for line in refusal.split("\n") if line.startswith("wing.yaml:")]
    return [head.split(": ", 1)[1] for head in heads]


def under_caret(refusal: str) -> list[str]:
    """What stands from each caret on."""
    lines = refusal.split("\n")
    return [lines[i - 1][line.index("^") :] for i, line in enumerate(lines) if line.strip() == "^"]
