"""What of a spec is at odds with what else it says, each at its place; and what a spec says."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final, TypeAlias, cast

from orchestrator.errors import UsageError
from orchestrator.expressions.constraints import relative_among
from orchestrator.spec.checks.at_odds import BUDGETS_BY_VALUE, Said, at_odds
from orchestrator.spec.checks.constraints import constraints_by_subject
from orchestrator.spec.checks.kept import kept_of
from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.tree import Node, find_key
from orchestrator.spec.model import Spec
from orchestrator.spec.parts import Parts
from orchestrator.spec.sections.objective import BY_COMPARISON
from orchestrator.spec.sections.parameters import (
    changes_of,
    hunches_among,
    in_use_among,
    priors_among,
    tolerances_of,
    travels_of,
)
from orchestrator.values.over import EACH

Path: TypeAlias = tuple[str, ...]

_OF_THE_SPEC: Final = ("blocks", "candidates", "clock", "factors", "fidelity", "held", "outcomes")


def check_beside(tree: Node, parts: Parts) -> Iterator[Complaint]:
    """What is wrong, as far as the parts are right."""
    paths = _said(parts)
    for refused, sentence in at_odds(paths, paths):
        for path in paths[refused]:
            yield Complaint(find_key(tree, path), sentence)


def refuse_beside(spec: Spec, new: Collection[Said]) -> None:
    """Raises UsageError where something new is refused beside what a spec says."""
    for _, sentence in at_odds(_said(cast(Parts, dict(spec))), new):
        raise UsageError(sentence)


def refuse_with_what_is_beside(spec: Spec, new: Said) -> None:
    """Raises UsageError where something new is refused beside what a spec says, or that beside it."""
    refuse_beside(spec, [new])
    for _, sentence in at_odds([new], _said(cast(Parts, dict(spec)))):
        raise UsageError(sentence)


def _said(parts: Parts) -> Mapping[Said, Sequence[Path]]:
    """What is said, and by which keys."""
    of_parameters = parts.get("parameters") or {}
    paths: dict[Said, list[Path]] = {
        "tolerance": [("parameters", name, "tolerance") for name in tolerances_of(of_parameters)],
        "travel": [("parameters", name, "travel") for name in travels_of(of_parameters)],
        "change": [("parameters", name, "change") for name in changes_of(of_parameters)],
        "prior": [("parameters", name, "prior") for name in priors_among(of_parameters)],
        "promising": [("parameters", name, "promising") for name in hunches_among(of_parameters)],
    }
    for key in _OF_THE_SPEC:
        paths[key] = [(key,)] if parts.get(key) else []
    several = bool(parts.get("further_objectives"))
    paths["further objectives"] = [("objectives",)] if several else []
    if several:
        # All but the first are outcomes.
        paths["outcomes"] = []
    elif constraints_by_subject(parts)[1]:
        paths["constraints on outcomes"] = [("constraints",)]
    if relative_among(constraints_by_subject(parts)[1]):
        paths["limits relative to the reference"] = [("constraints",)]
    if kept_of(parts):
        paths["limits kept in every trial"] = [("constraints",)]
    objective, evaluation = parts.get("objective"), parts.get("evaluation")
    if in_use := [("parameters", name, "in_use") for name in in_use_among(of_parameters)]:
        each = objective is not None and objective.over == EACH
        paths["over: each" if each else "in_use"] = [("objective", "over")] if each else list(in_use)
    if objective is not None and objective.told == BY_COMPARISON:
        paths["told: by comparison"] = [("objective", "told")]
    if objective is not None and objective.derivatives not in (False, []):
        paths["derivatives"] = [("objective", "derivatives")]
    if objective is not None and objective.is_computed:
        key = "fit" if objective.fit is not None else "value"
        paths["an objective that is computed"] = [("objective", key)]
    fidelity = parts.get("fidelity")
    if fidelity is not None and fidelity.continues:
        paths["fidelity: continues"] = [("fidelity", "continues")]
    algorithm = parts.get("algorithm")
    if algorithm is not None and algorithm.name == "posterior":
        paths["algorithm: posterior"] = [("algorithm", "name")]
    if objective is not None and objective.threshold is not None:
        paths["threshold"] = [("objective", "threshold")]
    if evaluation is not None and evaluation.stop_when is not None:
        paths["stop_when"] = [("evaluation", "stop_when")]
        if evaluation.stop_when.chance_below is not None:
            paths["chance_below"] = [("evaluation", "stop_when", "chance_below")]
    if evaluation is not None and evaluation.slots is not None:
        paths["slots"] = [("evaluation", "slots")]
    mode, budget, initial = parts.get("mode"), parts.get("budget"), parts.get("initial")
    if mode is not None and mode.sharing:
        paths["sharing"] = [("mode", "sharing")]
    for budgeted in ("cost", *BUDGETS_BY_VALUE):
        if budget is not None and getattr(budget, budgeted) is not None:
            paths[budgeted] = [("budget", budgeted)]
    if initial is not None and initial.results:
        paths["results"] = [("initial", "results")]
    if initial is not None and initial.reference is not None:
        paths["reference"] = [("initial", "reference")]
    if initial is not None and initial.related:
        paths["related"] = [("initial", "related")]
    return {said: where for said, where in paths.items() if where}
