"""What the parts of a spec must be to each other. Each check runs as soon as the parts it needs are valid."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from orchestrator.expressions.arithmetic import ArithmeticMistake
from orchestrator.expressions.computed import Computed
from orchestrator.programs.command_evaluator import COMMAND_EVALUATOR
from orchestrator.programs.placeholders import SLOTS
from orchestrator.spec.checks.beside import check_beside
from orchestrator.spec.checks.blocks import check_blocks
from orchestrator.spec.checks.candidates import check_candidates
from orchestrator.spec.checks.change import check_change
from orchestrator.spec.checks.clock import check_clock
from orchestrator.spec.checks.command import (
    check_command,
    check_long_form,
    check_named_value,
    check_parameters_file,
    check_pattern,
    check_templates,
)
from orchestrator.spec.checks.comparison import check_comparison
from orchestrator.spec.checks.computed import check_computed
from orchestrator.spec.checks.computed_objective import check_computed_objective
from orchestrator.spec.checks.conditions import check_conditions
from orchestrator.spec.checks.constraints import (
    RETURNED_BY_ANOTHER,
    check_constraints,
    check_counted,
    check_outcomes,
)
from orchestrator.spec.checks.derivatives import check_derivatives, check_derivatives_of_pattern
from orchestrator.spec.checks.each import check_each
from orchestrator.spec.checks.evaluator_lookup import missing_evaluator
from orchestrator.spec.checks.held import check_held
from orchestrator.spec.checks.in_use import check_in_use, check_variation
from orchestrator.spec.checks.jobs import check_jobs
from orchestrator.spec.checks.kept import check_kept
from orchestrator.spec.checks.priors import check_priors
from orchestrator.spec.checks.reference import check_reference
from orchestrator.spec.checks.sharing import check_sharing
from orchestrator.spec.checks.slots import check_slots
from orchestrator.spec.checks.stop_when import check_stop_when
from orchestrator.spec.checks.threshold import check_threshold
from orchestrator.spec.checks.tolerance import check_tolerance
from orchestrator.spec.checks.travel import check_travel
from orchestrator.spec.document.complaint import Complaint
from orchestrator.spec.document.tree import Node, find, find_all, find_key
from orchestrator.spec.parts import Parts
from orchestrator.spec.results.column_names import own_name
from orchestrator.spec.results.roles import roles_of
from orchestrator.spec.sections.evaluation import PERSON
from orchestrator.spelling import did_you_mean, listed


def check(tree: Node, parts: Parts) -> list[Complaint]:
    """Everything that is wrong between valid parts."""
    checks = (
        _factors(tree, parts),
        _names(tree, parts),
        _columns(tree, parts),
        _named_elsewhere(tree, parts),
        _batch(tree, parts),
        check_beside(tree, parts),
        check_candidates(tree, parts),
        check_outcomes(tree, parts),
        check_reference(tree, parts),
        check_computed(tree, parts),
        check_conditions(tree, parts),
        check_constraints(tree, parts),
        check_counted(tree, parts),
        check_each(parts.get("workers"), parts.get("evaluation"), tree, _kinds(tree)),
        check_jobs(tree, parts),
        check_command(parts.get("evaluation"), tree, _to_name(tree), _own(tree), parts.get("workers")),
        check_pattern(parts.get("evaluation"), tree, parts.get("outcomes") or ()),
        check_held(tree, parts),
        check_clock(tree, parts),
        check_sharing(tree, parts),
        check_travel(tree, parts),
        check_change(tree, parts),
        check_tolerance(tree, parts),
        check_in_use(tree, parts),
        check_priors(tree, parts),
        check_blocks(tree, parts),
        check_comparison(tree, parts),
        check_threshold(tree, parts),
        check_kept(tree, parts),
        check_computed_objective(tree, parts),
        check_derivatives(tree, parts),
        check_stop_when(parts.get("evaluation"), tree),
        check_slots(tree, parts),
    )
    return [complaint for complaints in checks for complaint in complaints]


def _kinds(tree: Node) -> dict[str, object]:
    """Each parameter's type as it is written: names are of use even where a parameter is wrong."""
    parameters = tree.get("parameters")
    entries = parameters.mapping if parameters else {}
    return {name: kind.content if (kind := e.node.get("type")) else None for name, e in entries.items()}


def _to_name(tree: Node) -> dict[str, object]:
    """The same, with the clock as if it were fixed, as a program has a clock of its own; and what others are
    computed from, or is of candidates, as what follows from it may be all that a program is told. Without
    what models alone see.
    """
    clock, kinds = tree.get("clock"), _kinds(tree)
    spared = {str(clock.content)} if clock is not None else set()
    candidates = tree.get("candidates")
    columns = candidates.get("columns") if candidates else None
    spared.update(columns.mapping if columns else ())
    for node in find_all(tree, ("candidates", "seen")):
        kinds.pop(str(node.content), None)
    for name in [name for name, kind in kinds.items() if kind == "computed"]:
        with suppress(ArithmeticMistake):
            spared.update(Computed.of(name, find(tree, ("parameters", name, "value")).content).parents)
    return {name: "fixed" if name in spared or kind == "computed" else kind for name, kind in kinds.items()}


def _own(tree: Node) -> list[str]:
    """The names of what each local worker has of its own, as they are written, and of how many slots an
    evaluation has, where that is said.
    """
    workers = tree.get("workers")
    each = workers.get("each") if workers else None
    evaluation = tree.get("evaluation")
    slots = [SLOTS] if evaluation and evaluation.get("slots") else []
    return [*(each.mapping if each else ()), *slots]


def _factors(tree: Node, parts: Parts) -> Iterator[Complaint]:
    kinds, factors = _kinds(tree), parts.get("factors")
    if factors is None or not kinds:
        return
    free = [name for name, kind in kinds.items() if kind not in ("fixed", "computed", "given")]
    for i, factor in enumerate(factors):
        node = find(tree, ("factors", i))
        for j, name in enumerate(factor):
            place = find(tree, ("factors", i, j)).place
            if name not in kinds:
                sentence = f"expected a parameter ({listed(free)}), got `{name}`{did_you_mean(name, free)}"
                yield Complaint(place, sentence)
            elif kinds[name] == "computed":
                sentence = (
                    f"expected a parameter that is chosen ({listed(free)}), got `{name}`, which is computed"
                )
                yield Complaint(place, sentence)
            elif name in factor[:j]:
                yield Complaint(place, f"expected each parameter once in a factor, got `{name}` again")
        if not any(name in free for name in factor) and all(name in kinds for name in factor):
            came = "only fixed ones" if factor else "none"
            yield Complaint(
                node.place, f"expected at least one parameter that varies in a factor, got {came}"
            )
    missed = [name for name in free if not any(name in factor for factor in factors)]
    if missed:
        sentence = f"expected every parameter in some factor, but none has {listed(missed)}"
        yield Complaint(find_key(tree, ("factors",)), sentence)


def _names(tree: Node, parts: Parts) -> Iterator[Complaint]:
    objective = parts.get("objective")
    if objective is not None and objective.name in _kinds(tree):
        sentence = (
            f"expected a name that no parameter has, got `{objective.name}`: {RETURNED_BY_ANOTHER};"
            " tables have a column for each"
        )
        yield Complaint(find(tree, ("objective", "name")).place, sentence)


def _columns(tree: Node, parts: Parts) -> Iterator[Complaint]:
    roles = roles_of(tree)
    # Of a plate of trials.
    known = [*roles, *(own_name(name, roles) for name in ("trial", "failed", "lost"))]
    for heading, name in (parts.get("columns") or {}).items():
        if name not in known:
            sentence = f"expected a name of the spec's, or {listed(known[-3:])}, got `{name}`"
            place = find(tree, ("columns", heading)).place
            yield Complaint(place, f"{sentence}{did_you_mean(name, known)}")


def _named_elsewhere(tree: Node, parts: Parts) -> Iterator[Complaint]:
    """Names of no parameter, where one of these is wrong, so that no more is asked of what has them."""
    known = _kinds(tree)
    if "parameters" in parts or not known or "candidates" in tree.mapping:
        return
    held, initial, fidelity = (tree.get(key) for key in ("held", "initial", "fidelity"))
    mappings = [held, initial and initial.get("reference"), *find_all(tree, ("initial", "points"))]
    named = [(name, entry.key_place) for one in mappings if one for name, entry in one.mapping.items()]
    nodes = [tree.get("clock"), fidelity and fidelity.get("parameter"), *find_all(tree, ("mode", "sharing"))]
    named += [(one.content, one.place) for one in nodes if one and isinstance(one.content, str)]
    for name, place in named:
        if name not in known:
            yield Complaint(
                place, f"expected a parameter ({listed(known)}), got `{name}`{did_you_mean(name, known)}"
            )


def _batch(tree: Node, parts: Parts) -> Iterator[Complaint]:
    mode, budget = parts.get("mode"), parts.get("budget")
    if (
        mode is None
        or budget is None
        or mode.batch is None
        or budget.trials is None
        or mode.kind == "sequential"
    ):
        return
    if mode.batch > budget.trials:
        sentence = f"expected batches no larger than the budget of {budget.trials} trials, got {mode.batch}"
        yield Complaint(find(tree, ("mode", "batch")).place, sentence)


def check_new_run(tree: Node, parts: Parts) -> Iterator[Complaint]:
    """What is refused of a new run, and was not always: those begun with it go on."""
    yield from _points_paid_for(tree, parts)
    yield from check_variation(tree, parts)
    yield from check_derivatives_of_pattern(tree, parts)


def _points_paid_for(tree: Node, parts: Parts) -> Iterator[Complaint]:
    """Whether the budget pays for the points to try first."""
    budget, initial = parts.get("budget"), parts.get("initial")
    if budget is None or initial is None or budget.trials is None:
        return
    points, times = len(initial.points), initial.reference_times
    if points > budget.trials:
        with_it = f", {times} of them the reference" if times > 1 else ""
        sentence = f"expected no more points than the budget of {budget.trials} trials, got {points}{with_it}"
        yield Complaint(find_key(tree, ("initial", "points")), sentence)


def check_evaluator(tree: Node, parts: Parts, folder: Path | None = None) -> Iterator[Complaint]:
    """Whether the evaluator and its templates are there, where workers of this machine are to use them, and
    what is wrong with them wherever they are. ``folder`` is the spec's.
    """
    evaluation, workers = parts.get("evaluation"), parts.get("workers")
    yield from check_named_value(evaluation, tree, parts)
    if evaluation is not None:
        yield from check_parameters_file(evaluation, tree)
    if evaluation is not None and workers is not None:
        yield from check_long_form(evaluation, tree, brought_along=workers.local == 0)
        here, named, own = workers.local > 0, _to_name(tree), _own(tree)
        yield from check_templates(evaluation, tree, named, own, must_be_here=here, folder=folder)
    # Remote workers bring their own evaluators, which this machine need not have.
    if (
        evaluation is None
        or workers is None
        or workers.local == 0
        or evaluation.evaluator in (COMMAND_EVALUATOR, PERSON)
    ):
        return
    sentence = missing_evaluator(evaluation.evaluator, folder)
    if sentence is not None:
        yield Complaint(find(tree, ("evaluation", "evaluator")).place, sentence)
