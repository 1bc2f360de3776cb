"""That a spec is of one machine, which does one thing after another: where a trial begins from where the one
before it left that.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from orchestrator.errors import UsageError
from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.tree import Node, Place, find_key
from orchestrator.spec.model import Spec
from orchestrator.spec.parts import Parts
from orchestrator.spec.sections.evaluation import Evaluation
from orchestrator.spec.sections.workers import Workers

Limited = Literal["travel", "change"]
"""The keys of parameters that need one."""
IN_TURN = {
    "travel": "each trial is reached from where the one before it was",
    "change": "what a trial changes is known once the one before it is evaluated",
}


def check_one_machine(tree: Node, parts: Parts, key: Limited, place: Place) -> Iterator[Complaint]:
    """What is wrong beside a ``key`` at a place, as far as the parts are right."""
    mode, workers = parts.get("mode"), parts.get("workers")
    if mode is not None and mode.kind != "sequential":
        yield Complaint(told_or(tree, "mode", place), _in_turn(key))
    if workers is not None and (several := _several(key, workers, parts.get("evaluation"))):
        yield Complaint(told_or(tree, "workers", place), several)


def require_one_machine(spec: Spec, key: Limited) -> None:
    """Raises `UsageError` where a run that has begun has none."""
    if spec.mode.kind != "sequential":
        raise UsageError(f"{_in_turn(key)}; begin a run that knows what this one found")
    if several := _several(key, spec.workers, spec.evaluation):
        raise UsageError(several)


def told_or(tree: Node, key: str, otherwise: Place) -> Place:
    """Where a spec has a key, if it has it."""
    return find_key(tree, (key,)) if key in tree.mapping else otherwise


def _in_turn(key: Limited) -> str:
    return f"expected `mode: sequential` beside `{key}`: {IN_TURN[key]}"


def _several(key: Limited, workers: Workers, evaluation: Evaluation | None) -> str:
    """What is said of several workers; nothing of one."""
    count = workers.expected(several_slots=evaluation is not None and evaluation.slots is not None)
    if count <= 1:
        return ""
    return (
        f"expected one worker beside `{key}`, got {count}: the worker is the machine, and each of several"
        " would stand somewhere else; give each a run of its own"
    )
