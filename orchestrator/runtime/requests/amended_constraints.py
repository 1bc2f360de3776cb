"""Constraints that a person adds to a run, or withdraws: whether they can be, and which trials break them.

What is numpy is imported where it is needed: whoever resumes a run must not wait for it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any

from orchestrator.errors import UsageError
from orchestrator.expressions.arithmetic import ArithmeticMistake
from orchestrator.expressions.constraints import Constraint, by_subject, kept_among, relative_among
from orchestrator.expressions.equalities import Equality
from orchestrator.expressions.in_use import NO_CONSTRAINT, constrained_in_use
from orchestrator.runtime.requests.kinds import Amend
from orchestrator.runtime.results.wanted_results import WantedResults
from orchestrator.scheduler.state import State
from orchestrator.scheduler.trial import Trial
from orchestrator.spec.checks.at_odds import sentence_of
from orchestrator.spec.checks.beside import refuse_beside
from orchestrator.spec.checks.clock import is_the_clock
from orchestrator.spec.checks.constraints import nameable
from orchestrator.spec.model import Spec
from orchestrator.spec.sections.parameters import (
    ComputedParameter,
    FloatParameter,
    IntParameter,
    OrderedParameter,
    computed_of,
    in_use_among,
)
from orchestrator.values.named import Values
from orchestrator.values.over import EACH

_QUOTED = re.compile(r"""("[^"]*"|'[^']*')""")

NO_OUTCOME = (
    "; what is returned beside the value is an outcome where the spec names it: another outcome is for a run"
    " of its own, which knows what this one found"
)


STAYS = "; by an equality a parameter is computed, and stays so: others are for a run of its own"


KEPT = (
    "; what every trial is to keep is said before the first, and stays so: another is for a run of its own,"
    " which knows what this one found"
)


def as_written(texts: Sequence[str], spec: Spec) -> list[str]:
    """Constraints as the spec, as it was amended, has them, where they differ in spaces and quotes alone."""
    known = {_closely(text): text for text in spec.constraints}
    return [known.get(_closely(text), text.strip()) for text in texts]


def so_already(request: Amend, spec: Spec, state: State) -> tuple[str, ...]:
    """A sentence for each constraint that holds already, or was withdrawn before; ``spec`` is as it was
    amended until now.
    """
    holding = [text for text in request.constraints if text in spec.constraints]
    gone = [text for text in request.withdrawn if _withdrawn_before(text, spec, state)]
    return (
        *(f"`{text}` holds already" for text in holding),
        *(f"`{text}` is withdrawn already" for text in gone),
    )


def check_constraints(request: Amend, spec: Spec, state: State) -> None:
    """Raises `UsageError` for a constraint that cannot be added or withdrawn; ``spec`` is as it was amended
    until now.
    """
    if both := [text for text in request.constraints if text in request.withdrawn]:
        raise UsageError(f"expected `{both[0]}` to be added or withdrawn, got both")
    for text in request.withdrawn:
        if text not in spec.constraints and not _withdrawn_before(text, spec, state):
            now = f"`{'`, `'.join(spec.constraints)}`" if spec.constraints else "none does"
            if Equality.meant(text):
                raise UsageError(f"expected a constraint that holds ({now}) to withdraw, got `{text}`{STAYS}")
            raise UsageError(f"expected a constraint that holds ({now}) to withdraw, got `{text}`")
    if kept := kept_among(text for text in request.withdrawn if text in spec.constraints):
        raise UsageError(f"expected constraints to withdraw that no trial has to keep, got `{kept[0]}`{KEPT}")
    for text in request.constraints:
        if text not in spec.constraints:
            _check_added(text, spec)
    gains = spec.budget.expected_gain is not None and "expected_gain" not in request.budgets.lifted
    if gains and on_outcomes(request.constraints, spec):
        sentence = sentence_of("constraints on outcomes", "expected_gain")
        raise UsageError(f"{sentence}; lift it as well: --expected-gain none")


def _withdrawn_before(text: str, spec: Spec, state: State) -> bool:
    return text in state.amended.constraints.withdrawn and text not in spec.constraints


def on_outcomes(texts: Iterable[str], spec: Spec) -> tuple[str, ...]:
    """Those constraints that are on what only an evaluation can tell."""
    return by_subject(texts, spec.limited)[1]


def broken_by_trials(
    texts: Collection[str], spec: Spec, valued: Iterable[Trial], placed: Iterable[Trial]
) -> dict[str, tuple[int, ...]]:
    """Beside each constraint the trials and known results that do not satisfy it: on outcomes, of those that
    are ``valued``, where they have a value; on parameters, of those that are ``placed``. ``spec`` is as it
    was amended. Of very many it takes seconds.
    """
    from orchestrator.spec.build import build_space

    broken: dict[str, list[int]] = {text: [] for text in texts}
    if broken:
        alone = spec.model_copy(update={"constraints": list(broken)})
        space, broken = build_space(alone), WantedResults.of(alone).broken_by(broken, valued)
        for trial in placed:
            # Whatever the bounds are by now, it lies where it was tried.
            point = space.encode(space.nearest(_within_bounds(trial.parameters, spec)))
            ties = () if space.ties is None else space.ties.broken_by_values(trial.parameters, point)
            # Bounds of what is computed are among them.
            for text in broken.keys() & set(ties):
                broken[text].append(trial.number)
    return {text: tuple(numbers) for text, numbers in broken.items()}


def _within_bounds(parameters: Values, spec: Spec) -> dict[str, Any]:
    """What is nearest in a spec's space, of which bounds may have left it out, without what is computed."""
    within = dict(parameters)
    for name, told in spec.parameters.items():
        if isinstance(told, ComputedParameter):
            within.pop(name, None)
        value = parameters.get(name)
        if not isinstance(value, int | float):
            continue
        if isinstance(told, FloatParameter | IntParameter):
            low, high = told.bounds
            within[name] = min(max(value, low), high)
        elif isinstance(told, OrderedParameter) and told.numbers:
            within[name] = min(told.numbers, key=lambda number: abs(number - value))
    return within


def _check_added(text: str, spec: Spec) -> None:
    from orchestrator.algorithms import registry
    from orchestrator.spec.build import build_wanted_outcomes

    reference = spec.initial.reference is not None
    known = replace(nameable(spec.parameters), outcomes=spec.limited, reference=reference)
    try:
        named = {name.name for name in Constraint.of(text).names}
        if spec.objective.name in named.difference(known.outcomes, spec.parameters):
            raise UsageError(
                f"--constraint '{text}': expected parameters and outcomes, got the objective,"
                f" `{spec.objective.name}`; what is good enough of it is a target: --target"
            )
        if known.read(text, NO_OUTCOME).kept is not None:
            raise UsageError(f"expected a constraint that not every trial has to keep, got `{text}`{KEPT}")
        if on_outcomes([text], spec):
            refuse_beside(spec, ["constraints on outcomes"])
            if relative_among([text]):
                refuse_beside(spec, ["limits relative to the reference"])
            build_wanted_outcomes(spec.model_copy(update={"constraints": [text]}))
            return
    except ArithmeticMistake as mistake:
        raise UsageError(f"--constraint '{text}': {mistake}") from None
    if spec.clock is not None and spec.clock in named:
        raise UsageError(is_the_clock(spec.clock))
    varying = () if spec.objective.over == EACH else in_use_among(spec.parameters)
    for _, name in constrained_in_use(varying, [text], computed_of(spec.parameters)):
        raise UsageError(f"--constraint '{text}': {NO_CONSTRAINT.format(name)}")
    if not registry.KEEPS_CONSTRAINTS.of(spec.algorithm.name):
        raise UsageError(registry.KEEPS_CONSTRAINTS.lacking(spec.algorithm.name))


def _closely(text: str) -> str:
    """Without spaces, but for those of values in quotes, which are of one kind as far as may be."""
    parts = _QUOTED.split(text)
    return "".join(_quoted(part) if i % 2 else "".join(part.split()) for i, part in enumerate(parts))


def _quoted(value: str) -> str:
    # A shell, whose own quotes are of one kind, leaves those of the other.
    return value if '"' in value else f'"{value[1:-1]}"'
