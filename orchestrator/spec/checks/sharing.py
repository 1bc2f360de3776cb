"""What the trials of a round cannot share, each mistake at its place."""

from __future__ import annotations

from collections.abc import Iterator

from orchestrator.spec.checks.clock import is_the_clock
from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.tree import Node, find, find_key
from orchestrator.spec.parts import Parts
from orchestrator.spec.sections.parameters import ComputedParameter, conditions_of, in_use_among, varies
from orchestrator.spelling import did_you_mean, listed
from orchestrator.values.sharing import (
    ALL_SHARED,
    does_not_always_count,
    is_computed,
    is_there_twice,
    says_how_closely,
    varies_in_use,
)


def check_sharing(tree: Node, parts: Parts) -> Iterator[Complaint]:
    """What is wrong, as far as the parts are right."""
    mode, parameters = parts.get("mode"), parts.get("parameters")
    if mode is None or parameters is None or not mode.sharing:
        return
    for i, name in enumerate(mode.sharing):
        again = name in mode.sharing[:i]
        if sentence := is_there_twice(name) if again else _cannot_be_shared(name, parts):
            yield Complaint(find(tree, ("mode", "sharing", i)).place, sentence)
    chosen = {name for name, told in parameters.items() if varies(told)}
    chosen -= {*(parts.get("held") or ()), parts.get("clock")}
    if chosen and chosen <= {*mode.sharing}:
        yield Complaint(find_key(tree, ("mode", "sharing")), ALL_SHARED)


def _cannot_be_shared(name: str, parts: Parts) -> str:
    parameters, fidelity = parts["parameters"], parts.get("fidelity")
    told = parameters.get(name)
    if told is None:
        near = did_you_mean(name, parameters)
        return f"expected parameters that trials share ({listed(parameters)}), got `{name}`{near}"
    if name == parts.get("clock"):
        return is_the_clock(name)
    if fidelity is not None and fidelity.parameter == name:
        return says_how_closely(name)
    if isinstance(told, ComputedParameter):
        return is_computed(name)
    if name in conditions_of(parameters):
        return does_not_always_count(name)
    return varies_in_use(name) if name in in_use_among(parameters) else ""
