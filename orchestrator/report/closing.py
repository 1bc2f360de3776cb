"""What a person is told when `run` or `resume` ends: the best point, how it went, where it lies."""

from __future__ import annotations

import math
from collections.abc import Sequence

from orchestrator.report.preferred import PREFERRED, preferred
from orchestrator.report.seen.believed import OBSERVED, Believed, believed
from orchestrator.report.seen.best_before import best_value_words
from orchestrator.report.seen.best_now import BestNow, best_now
from orchestrator.report.seen.crossing import crossing_of
from orchestrator.report.tables.table import Table
from orchestrator.report.tables.trade_offs import trade_offs_table
from orchestrator.report.words.broken_limits import broken_limits
from orchestrator.report.words.fidelity import completed_in_full, spending_of, what_they_cost
from orchestrator.report.words.goals import threshold_words, units_of
from orchestrator.report.words.without_best import NOT_SAID_ABOVE, WORDS, why_no_best
from orchestrator.report.words.wording import (
    counted,
    duration,
    first_line,
    first_of,
    outcome_words,
    parameter_words,
    where_words,
)
from orchestrator.runtime.run import RunOutcome
from orchestrator.scheduler.corrections import trial_of
from orchestrator.scheduler.endings import FAILING_ALIKE, NOTHING_SUCCEEDED
from orchestrator.scheduler.failing_alike import failed_alike
from orchestrator.scheduler.reference_value import value_of_reference
from orchestrator.scheduler.state import State
from orchestrator.scheduler.transitions import Phase, TrialState
from orchestrator.scheduler.trial import Trial, may_be_retried
from orchestrator.spec.model import Spec
from orchestrator.system.shell_lines import shell_line
from orchestrator.values.finite import written
from orchestrator.values.printable import printable

TRADE_OFFS_SHOWN = 6
COLUMNS_AT_MOST = 8
"""Of the table of trade-offs, so that its lines are not broken by most terminals."""


def fruitless(outcome: RunOutcome) -> bool:
    """Whether a run has ended of which nothing came but failures."""
    state = outcome.state
    return state.phase is Phase.FINISHED and state.tally.failed > 0 and state.tally.completed == 0


def why_fruitless(outcome: RunOutcome) -> str:
    """What there is to say of such a run where little is said."""
    return f"no evaluation has succeeded. {_failed(_last_failed(outcome.state))}"


def _last_failed(state: State) -> Trial:
    failed = [trial for trial in state.trials.values() if trial.state is TrialState.FAILED]
    return max(failed, key=lambda trial: trial.settled_at or 0.0)


def _failed(trial: Trial) -> str:
    return f"Trial {trial.number} failed: {first_line(trial.message)}"


def _to_go_on(outcome: RunOutcome) -> list[str]:
    """What failed for no fault of its point would keep the optimiser away from there, and was paid for."""
    state = outcome.state
    why = ["--reason", "their points were not to blame"]
    if state.end.why == NOTHING_SUCCEEDED:
        failed = list(filter(may_be_retried, state.trials.values()))
        amended = shell_line("amend", outcome.folder, "--retry", "failed", *_paid_again(state, failed), *why)
        return [
            "If that is mended by now, and their points were not to blame, have them tried again:",
            f"  {amended}",
        ]
    if state.end.why != FAILING_ALIKE:
        return []
    numbers = failed_alike(state)
    forgotten = [word for number in numbers for word in ("--forget", number)]
    paid = _paid_again(state, [state.trials[number] for number in numbers])
    amended = shell_line("amend", outcome.folder, *forgotten, *paid, *why)
    return [
        "If that is mended by now, and their points were not to blame, have others evaluated in their place:",
        f"  {amended}",
    ]


def _paid_again(state: State, failed: Sequence[Trial]) -> list[str | int]:
    """The options that raise each budget by what these trials took of it, rounded up. Patience and what there
    is to gain are judged anew of what counts.
    """
    policy, options = state.policy, list[str | int]()
    if policy.budget.trials is not None:
        options += ["--trials", policy.budget.trials + len(failed)]
    if policy.budget.cost is not None:
        cost = policy.budget.cost + sum(trial.cost for trial in failed)
        options += ["--cost", written(math.ceil(cost * 1e3 - 1e-6) / 1e3)]
    if policy.budget.time_s is not None:
        began = min((trial.started_at for trial in failed if trial.started_at is not None), default=state.at)
        options += ["--time", f"{math.ceil(policy.budget.time_s + state.at - began)} s"]
    return options


def _best_now(spec: Spec, now: BestNow) -> list[str]:
    unit = units_of(spec).get(spec.objective.name, "")
    told = f"{spec.objective.name} = {now.words} {unit}".rstrip()
    return [f"{now.title.capitalize()}: {told}", *_settings(list(parameter_words(spec, now.settings, 8)))]


def _point(spec: Spec, trial: Trial) -> list[str]:
    outcomes, parameters = outcome_words(spec, trial.extras, 8), parameter_words(spec, trial.parameters, 8)
    return _settings([*outcomes, *parameters])


def _settings(told: Sequence[tuple[str, str]]) -> list[str]:
    words, more = first_of(told)
    longest = max((len(name) for name, _ in words), default=0)
    return [*(f"  {name:<{longest}} = {text}" for name, text in words), *([f"  {more}"] if more else [])]


def _best(spec: Spec, state: State, best: Trial, likely: Believed | None) -> list[str]:
    """The best trial with its settings; where another is believed to be, that one with its own as well."""
    name, unit = spec.objective.name, units_of(spec).get(spec.objective.name, "")
    value = f"{best_value_words(state, best, 8)} {unit}".rstrip()
    observed = f"{name} = {value} ({where_words(trial_of(state, best).number)})"
    if likely is None:
        return [f"Best: {observed}", *_point(spec, best)]
    told = f"{likely.words} {unit}".rstrip()
    where = where_words(trial_of(state, likely.trial).number)
    expected = f"{likely.title.capitalize()}: {name} = {told} ({where})"
    if likely.trial is best:
        return [f"Best: {observed}", *_point(spec, best), expected]
    return [
        f"{OBSERVED.capitalize()}: {observed}",
        *_point(spec, best),
        expected,
        *_point(spec, likely.trial),
    ]


def _trade_offs(spec: Spec, outcome: RunOutcome) -> list[str]:
    """How many there are, and the first of them, a line each."""
    front = outcome.state.found.front
    table = trade_offs_table(spec, outcome.state, COLUMNS_AT_MOST)
    shown = Table(table.columns, table.rows[:TRADE_OFFS_SHOWN])
    several = f", by {spec.objective.name}, the best first" if len(front) > 1 else ""
    lines = [f"{counted(len(front), 'trade-off')}{several}:"]
    lines += [f"  {printable(line)}" for line in shown.written("table").splitlines()]
    if len(front) > TRADE_OFFS_SHOWN:
        where = "FOLDER" if outcome.moved else outcome.folder
        lines.append(f"  and {len(front) - TRADE_OFFS_SHOWN:,} more: {shell_line('best', where)}")
    return lines


def _without_best(spec: Spec, state: State) -> str:
    there_is = "there are no trade-offs" if spec.further_objectives else "there is no best point"
    why = why_no_best(state)
    if why == "none is sought":
        return f"The share of the domain that lies above {threshold_words(spec)} is {NOT_SAID_ABOVE}."
    if why not in (None, "no value"):
        words = WORDS[why].replace(" yet", "")
        return f"{words[:1].upper()}{words[1:]}, so {there_is}."
    return f"No value {'counts any longer' if state.tally.completed else 'came'}, so {there_is}."


def closing_words(spec: Spec, outcome: RunOutcome) -> str:
    """Lines that end with a line feed."""
    state = outcome.state
    lines: list[str] = []
    if state.found.best is not None:
        lines += _best(spec, state, state.found.best, believed(state))
    elif (now := best_now(state)) is not None:
        lines += _best_now(spec, now)
    elif (crossing := crossing_of(spec, state)) is not None:
        lines += [f"{crossing.words}:", f"  {crossing.believed}"]
    elif (best := preferred(state)) is not None:
        settings = list(parameter_words(spec, best.trial.parameters, 8))
        lines += [f"{PREFERRED.capitalize()}: {best.words}", *_settings(settings)]
    elif state.found.front:
        lines += _trade_offs(spec, outcome)
    else:
        lines.append(_without_best(spec, state))
    counts = [f"{counted(state.tally.completed, 'trial')} completed"]
    spending = spending_of(state, completed_in_full(state))
    if spending is not None:
        counts.append(f"{spending.full:,} of them at full fidelity")
    counts.append(f"{state.tally.failed:,} failed")
    if state.tally.stopped:
        counts.append(f"{state.tally.stopped:,} stopped early")
    if state.tally.abandoned:
        counts.append(f"{state.tally.abandoned:,} abandoned")
    if state.unsettled:
        counts.append(f"{len(state.unsettled):,} unfinished")
    cost = "" if spending is None else f", for {what_they_cost(spending.spent, 3)}"
    lines.append(f"{', '.join(counts)}, in {duration(state.at)}{cost}.")
    if limits := broken_limits(state):
        lines.append(f"{limits[:1].upper()}{limits[1:]}.")
    if outcome.failed:
        lines.append(f"Failed: {first_line(outcome.message)}")
        log = outcome.folder / "run.log"
        lines.extend([f"More in {log}"] if log.exists() else [])
        lines.extend(_to_go_on(outcome))
    elif state.phase is Phase.FINISHED:
        lines.append(f"Ended: {state.end.why}.")
    else:
        lines.append("Interrupted.")
    if state.tally.completed == 0 and state.tally.failed:
        last = _last_failed(state)
        lines.append(_failed(last))
        lines.append(f"All that is known of it: {shell_line('explain', outcome.folder, last.number)}")
    where = str(outcome.folder)
    if outcome.moved:
        lines.append(f"The run lay in {where}, and was moved meanwhile: FOLDER is where it lies now")
        where = "FOLDER"
    else:
        lines.append(f"The run lies in {where}")
    if value_of_reference(state) is not None and (
        state.found.best is not None or best_now(state) is not None
    ):
        lines.append(f"By how much the best is better than the reference: {shell_line('compare', where)}")
    if outcome.taken_over:
        lines.append(f"Watch it from here: {shell_line('watch', where)}")
    elif state.resumable:
        lines.append(f"Continue it: {shell_line('resume', where)}")
    return "\n".join(lines) + "\n"
