"""A spec in a sentence, for `validate`."""

from __future__ import annotations

from orchestrator.report.words.fidelity import what_they_cost
from orchestrator.report.words.goals import sought_words
from orchestrator.report.words.related import related_words
from orchestrator.report.words.wording import counted, duration, listed, number, varied_parameters
from orchestrator.scheduler.rules.places import place_words
from orchestrator.spec.model import Spec
from orchestrator.spec.partial_points import parts_among
from orchestrator.spec.results.related_table import related_tables
from orchestrator.spec.sections.candidates import CandidateTable
from orchestrator.spec.sections.evaluation import PERSON
from orchestrator.spec.sections.parameters import computed_of, in_use_among
from orchestrator.values.over import EACH
from orchestrator.values.printable import printable

COMPUTED_SHOWN = 3


def spec_words(spec: Spec) -> str:
    """What would be run: ``maximise accuracy over 5 parameters with egp-ts, until 60 trials``."""
    known, related = len(spec.initial.results), related_tables(spec)
    told = [counted(known, "known result")] if known else []
    parts = len(parts_among(spec))
    told += [f"{counted(parts, 'first point')} to complete"] if parts else []
    # What of each is left out is said beside it.
    told += [related_words([len(one.rows) for one in related], 0)] if related else []
    start = f", with {listed(told)}" if told else ""
    return f"{problem_words(spec)}, for {listed(_ends(spec))}, {_evaluated(spec)}{start}"


def problem_words(spec: Spec) -> str:
    """What is sought, where, and by which algorithm: the beginning of that."""
    varied = len(varied_parameters(spec))
    computed = [f"{one.name} = {one.text}" for one in computed_of(spec.parameters)]
    given = 0 if spec.candidates is None else len(spec.candidates.given)
    fixed = len(spec.parameters) - varied - len(computed) - given
    more = [*computed[:COMPUTED_SHOWN], *([f"{fixed} more fixed"] if fixed else [])]
    if (rest := len(computed) - COMPUTED_SHOWN) > 0:
        more.append(f"{rest} more computed")
    constants = f" ({printable(', '.join(more))})" if more else ""
    ties = f" under {counted(len(spec.constraints), 'constraint')}" if spec.constraints else ""
    beside = [] if spec.candidates is None else [f"among {_candidates(spec, spec.candidates)}"]
    beside += [] if spec.fidelity is None else [f"fidelity by {spec.fidelity.parameter}"]
    beside += [f"{printable(place_words(spec.held))} held"] if spec.held else []
    beside += [] if spec.clock is None else [f"{printable(spec.clock)} by the clock"]
    beside += [] if spec.blocks is None else [f"offsets by {printable(spec.blocks)}"]
    if spec.objective.over == EACH:
        beside.append(f"best settings for each {printable(listed(list(in_use_among(spec.parameters))))}")
    over = f"{counted(varied, 'parameter')}{constants}{ties}{''.join(f', {one}' for one in beside)}"
    over += "," if beside else ""
    return f"{sought_words(spec)} over {over} with {spec.algorithm.name}"


def _candidates(spec: Spec, table: CandidateTable) -> str:
    """How many there are, and how many of them satisfy the constraints, where there are any."""
    count = len(table.candidates)
    if not spec.constraints:
        return f"{count:,} candidates"
    # Imported here because it is numpy.
    from orchestrator.spec.build import build_space

    rows = build_space(spec).domain.rows
    left = count if rows is None else len(rows)
    return f"{count:,} candidates" if left == count else f"{left:,} of {count:,} candidates"


def _ends(spec: Spec) -> list[str]:
    budget, ends = spec.budget, list[str]()
    if budget.trials is not None:
        ends.append(counted(budget.trials, "trial"))
    if budget.cost is not None:
        ends.append(what_they_cost(budget.cost))
    if budget.time_s is not None:
        ends.append(duration(budget.time_s))
    if budget.target is not None:
        ends.append(f"a value of {number(budget.target)}")
    if budget.patience is not None:
        without = "a new trade-off" if spec.further_objectives else "improvement"
        ends.append(f"{counted(budget.patience, 'trial')} without {without}")
    if budget.expected_gain is not None:
        left = (
            "an expected gain" if spec.objective.threshold is None else "an expected share classified wrongly"
        )
        ends.append(f"{left} below {number(budget.expected_gain)}")
    return ends


def _evaluated(spec: Spec) -> str:
    workers = spec.workers
    if spec.evaluation.evaluator == PERSON:
        return "by hand"
    several = spec.evaluation.slots is not None
    local = f"a local worker with {counted(workers.local, 'slot')}" if several else ""
    local = local or counted(workers.local, "local worker")
    if workers.each:
        local += f", {'each ' if workers.local > 1 else ''}with its own {listed(list(workers.each))}"
    others = [f"{workers.remote:,} elsewhere"] if workers.remote else []
    if workers.jobs is not None:
        others.append(f"as many as {counted(workers.jobs.at_most, 'job')} of a queue")
    if workers.local or not others:
        return f"on {local}{',' if workers.each and others else ''}{''.join(f' and {one}' for one in others)}"
    if workers.remote:
        others[0] = f"{counted(workers.remote, 'worker')} elsewhere"
    return f"on {' and '.join(others)}"
