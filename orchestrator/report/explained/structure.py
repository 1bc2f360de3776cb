"""What structure a model took the objective to have, in sentences: its parts, and how far they reach."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from orchestrator.parameters.linear_sums import linear_sums
from orchestrator.report.words.hyperparameter import hyperparameters_in_words
from orchestrator.report.words.wording import (
    NAMED,
    counted,
    finite_number,
    listed,
    number,
    searched_parameters,
)
from orchestrator.spec.build import build_space
from orchestrator.spec.model import Spec
from orchestrator.spec.sections.parameters import ChoiceParameter

OF_OWN_OUTPUTS = "each factor is learned from its own output"
"""The note of an algorithm that was told the output of each part: these are known, not up to a constant."""


def structure_in_words(spec: Spec, why: Mapping[str, Any], insight: Mapping[str, Any]) -> Iterator[str]:
    """A sentence for each thing that is known of it, by a trial's reasons and what was believed then."""
    names = searched_parameters(spec, insight)
    member, weights = why.get("member"), insight.get("weights") or {}
    # A model beside the ensemble believes what it likes.
    beside = member is not None and bool(weights) and member not in weights
    decomposition = insight.get("decomposition")
    if decomposition and not beside:
        parts = _called(names, decomposition)
        shown = parts[:NAMED] + ([f"{len(parts) - NAMED:,} more"] if len(parts) > NAMED else [])
        probability = finite_number(insight.get("probability"))
        likely = "" if probability is None or probability > 0.995 else f" (probability {probability:.2g})"
        yield f"It took the objective for a sum of {counted(len(parts), 'part')}{likely}: {listed(shown)}."
    known = OF_OWN_OUTPUTS in (insight.get("notes") or ())
    yield from _parts(names, why.get("parts") or (), "" if known else ", each known up to a constant")
    hyperparameters = insight.get("hyperparameters") or {}
    chosen = hyperparameters.get(member)
    if member is None and len(weights) > 1:
        likeliest = max(weights, key=weights.__getitem__)
        if chosen := hyperparameters.get(likeliest):
            yield f"The likeliest member, `{likeliest}`, believes:"
    elif member is None and len(hyperparameters) == 1:
        chosen = next(iter(hyperparameters.values()))
    if chosen:
        yield from hyperparameters_in_words(names, chosen, _aspects(spec, names))


def _aspects(spec: Spec, names: Sequence[str]) -> list[str]:
    """What has a length-scale of its own, where values are described, each number, and the value itself; and
    what models see of components that are computed.
    """
    found: list[str] = []
    for name in names:
        told = spec.parameters.get(name)
        description = told.description if isinstance(told, ChoiceParameter) else None
        found += [*(f"{one} of {name}" for one in description.varying), name] if description else [name]
    return [*found, *linear_sums(build_space(spec).following)]


def _parts(names: Sequence[str], told: Sequence[Mapping[str, Any]], known: str) -> Iterator[str]:
    """What each factor is believed to add at the point, those that matter most first."""
    if not told:
        return
    called = _called(names, [part["factor"] for part in told])
    ranked = sorted(zip(called, told, strict=True), key=lambda part: -abs(float(part[1]["mean"])))
    shown = [
        f"{name} {float(part['mean']):+.3g} ± {number(float(part['deviation']), 2)}"
        for name, part in ranked[:NAMED]
    ]
    shown += [f"{len(ranked) - NAMED:,} more"] if len(ranked) > NAMED else []
    yield f"What the parts add there{known}: {listed(shown)}."


def _called(names: Sequence[str], factors: Sequence[Sequence[object]]) -> list[str]:
    """Each by its parameters; those of the same ones are told apart by numbers."""
    called = [" × ".join(_name(names, i) for i in factor) for factor in factors]
    times, before = Counter(called), Counter[str]()
    for place, name in enumerate(called):
        before[name] += 1
        if times[name] > 1:
            called[place] = f"{name} ({before[name]})"
    return called


def _name(names: Sequence[str], index: object) -> str:
    return names[index] if isinstance(index, int) and 0 <= index < len(names) else f"#{index}"
