"""What constraints make of a spec's space and of its points: only numpy's arithmetic can tell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from orchestrator.errors import SpecError
from orchestrator.expressions.constraints import in_doubt, unsettled
from orchestrator.expressions.counts import in_words
from orchestrator.parameters.space import Space
from orchestrator.spec.build import require_feasible_points
from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.tree import Node, find, find_all, find_key
from orchestrator.spec.model import Spec
from orchestrator.spec.partial_points import wholes_at
from orchestrator.spec.sections.initial import KnownResult
from orchestrator.values.named import Values
from orchestrator.wanted_outcomes import WantedOutcomes

# Where all of so many random points satisfy a constraint, it is said to have no effect.
LOOKED_AT = 4096


def check_constrained_points(tree: Node, space: Space, spec: Spec) -> list[Complaint]:
    """That no point satisfies the constraints, or that one to begin with does not, or is no candidate."""
    told = wholes_at(spec, find_all(tree, ("initial", "points")))
    no_rows = [Complaint(node.place, sentence) for node, point in told if (sentence := space.no_row(point))]
    if space.ties is None or no_rows:
        return [*no_rows, *_repeated(told, space, spec)]
    try:
        require_feasible_points(spec)
    except SpecError as error:
        bounded = (("parameters", one.name, "bounds") for one in space.computed if one.bounds is not None)
        path = ("constraints",) if spec.constraints else next(bounded)
        return [Complaint(find_key(tree, path), str(error))]
    complaints = _repeated(told, space, spec)
    for node, point in told:
        if broken := space.broken_by(point):
            texts = "`, `".join(map(in_words, broken))
            sentence = f"expected a point that satisfies `{texts}`, got one that does not"
            complaints.append(Complaint(node.place, sentence))
    return complaints


def _repeated(told: Sequence[tuple[Node, Values]], space: Space, spec: Spec) -> list[Complaint]:
    """Points of rows that may be tried once, and are among the known results or other points already."""
    if space.rows is None or space.rows.candidates.again:
        return []
    used = {space.row_of(result.parameters): "known result" for result in spec.initial.results}
    complaints = []
    for node, point in told:
        if (number := space.row_of(point)) in used and number is not None:
            sentence = f"expected each candidate once, got one that is a {used[number]} already"
            complaints.append(Complaint(node.place, f"{sentence}; say `again: true` for replicates"))
        used[number] = "point to try"
    return complaints


def of_constraints(tree: Node, space: Space, outcomes: WantedOutcomes | None, spec: Spec) -> list[Complaint]:
    """Remarks: constraints that always hold, outcomes that none names, and known results that do not satisfy
    them, or may not.
    """
    said: list[Complaint] = []
    always = space.always_hold(LOOKED_AT)
    for i, text in enumerate(spec.constraints):
        if text.strip() in always:
            sentence = f"`{text}` has no effect: it holds all over the bounds, as far as was looked"
            said.append(Complaint(find_key(tree, ("constraints", i)), sentence))
    for i, name in enumerate(spec.outcomes):
        if outcomes is not None and not outcomes.names(name) and name not in outcomes.composed:
            sentence = f"`{name}` has no effect: no constraint is about it"
            said.append(Complaint(find(tree, ("outcomes", i)).place, sentence))
    for sentence in of_unsatisfying(space, outcomes, spec.initial.results):
        said.append(Complaint(find_key(tree, ("initial", "results")), sentence))
    return said


def of_unsatisfying(
    space: Space, outcomes: WantedOutcomes | None, known: Sequence[KnownResult]
) -> Iterator[str]:
    """That some known results do not satisfy the constraints, that of others nobody knows it, and that others
    lack an objective: a sentence each; none where all satisfy them.
    """
    outside, unknown, lacking = 0, 0, 0
    for result in known:
        if result.value is None:
            continue
        broken = space.broken_by(result.parameters)
        if outcomes is not None:
            judged = outcomes.judged(result.parameters, result.outcomes, result.value).broken
            # What is relative to a reference that is still to be tried nobody expects to be known.
            levels = {*outcomes.outcomes, outcomes.own}.difference(outcomes.relative)
            relative = unsettled(judged, levels)
            broken += tuple(text for text in judged if text not in relative)
            doubtful = in_doubt(broken, outcomes.outcomes, result.outcomes, levels)
            lacking += any(name not in result.outcomes for name, _ in outcomes.further)
        else:
            doubtful = ()
        outside += len(broken) > len(doubtful)
        unknown += 0 < len(doubtful) == len(broken)
    same = "still learned from, and no best"
    if outside:
        yield f"{_some(outside, known)} not satisfy the constraints: {same}"
    if unknown:
        some = f"{unknown} of {len(known)} known results satisfy"
        they = "the known result satisfies" if len(known) == 1 else some
        yield f"whether {they} the constraints is not known, as outcomes are missing: {same}"
    if lacking:
        without_place = "still learned from, and no trade-off"
        yield f"{_some(lacking, known)} not bring every objective: {without_place}"


def _some(count: int, known: Sequence[KnownResult]) -> str:
    return "the known result does" if len(known) == 1 else f"{count} of {len(known)} known results do"
