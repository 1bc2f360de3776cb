"""What is known of parameters beforehand: where it lies beside bounds, which draws belong together, and
whether one may think that it says where the best lies.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.tree import Node, find_key
from orchestrator.spec.model import Spec
from orchestrator.spec.parts import Parts
from orchestrator.spec.sections.parameters import (
    FloatParameter,
    IntParameter,
    bounds_of_draws,
    draws_among,
    priors_among,
)
from orchestrator.spelling import listed
from orchestrator.values.drawn import COUNTS_AT_TIMES, NOT_AS_MANY, rows_within
from orchestrator.values.finite import written
from orchestrator.values.prior import lies_outside

ALL_OVER: Final = ("explore", "random", "sobol")
"""The algorithms whose trials lie wherever values are, as what is spread over priors asks for."""


def check_priors(tree: Node, parts: Parts) -> Iterator[Complaint]:
    """What is wrong with draws of several parameters, as far as the parts are right."""
    parameters = parts.get("parameters") or {}
    drawn, bounds = draws_among(parameters), bounds_of_draws(parameters)
    for name in drawn:
        if getattr(parameters[name], "when", None) is not None:
            yield Complaint(find_key(tree, ("parameters", name, "prior")), COUNTS_AT_TIMES)
    counts = {name: len(one.values) for name, one in drawn.items()}
    first = next(iter(drawn), "")
    if others := [name for name in drawn if counts[name] != counts[first]]:
        for name in others:
            sentence = NOT_AS_MANY.format(counts[first], first, counts[name], name)
            yield Complaint(find_key(tree, ("parameters", name, "prior")), sentence)
    elif drawn:
        try:
            rows_within(drawn, bounds)
        except ValueError as error:
            yield Complaint(find_key(tree, ("parameters", first, "prior")), str(error))


def of_priors(tree: Node, spec: Spec) -> Iterator[Complaint]:
    """Of means, and of draws, that lie where no evaluation will be."""
    if drawn := draws_among(spec.parameters):
        first, count = next(iter(drawn)), len(next(iter(drawn.values())).values)
        if left_out := count - len(rows_within(drawn, bounds_of_draws(spec.parameters))):
            sentence = (
                f"{left_out:,} of {count:,} draws of {listed(list(drawn), 'and')} lie"
                " outside the bounds, and are left out: are these meant?"
            )
            yield Complaint(find_key(tree, ("parameters", first, "prior")), sentence)
    for name, prior in priors_among(spec.parameters).items():
        if name in drawn:
            continue
        told = spec.parameters[name]
        if isinstance(told, FloatParameter | IntParameter) and lies_outside(prior, *told.bounds):
            low, high = (written(one) for one in told.bounds)
            sentence = (
                f"what is known of `{name}` lies mostly outside its bounds, from {low} to {high}, and is cut"
                " off there: are these meant?"
            )
            yield Complaint(find_key(tree, ("parameters", name, "prior")), sentence)


def of_priors_without_a_fit(tree: Node, spec: Spec) -> Iterator[Complaint]:
    """That none says where the best lies, as elsewhere. The algorithm is one of ours."""
    objective, name = spec.objective, spec.algorithm.name
    if objective.fit is not None or objective.threshold is not None or name in ALL_OVER:
        return
    if known := [one for one in priors_among(spec.parameters) if one not in (*spec.held, spec.clock)]:
        sentence = (
            f"the `prior` of {listed(known, 'and')} changes no suggestion of `{name}`, and says over what"
            " `orchestrator spread` has values spread; where the best is believed to lie is what `promising`"
            " says, or a point to try first, among the `points` of `initial`"
        )
        yield Complaint(find_key(tree, ("parameters", known[0], "prior")), sentence)
