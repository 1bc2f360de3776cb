"""The status of a run: a row for programs, lines for people."""

from __future__ import annotations

from collections.abc import Sequence

from orchestrator.report.following.listed_run import DAMAGED
from orchestrator.report.following.standing import Standing
from orchestrator.report.seen.crew import Running, WorkerLine
from orchestrator.report.seen.outlook import Remaining
from orchestrator.report.seen.view import View
from orchestrator.report.tables.best import (
    best_lines,
    best_now_lines,
    preferred_lines,
    reference_lines,
)
from orchestrator.report.tables.table import Table
from orchestrator.report.tables.trade_offs import status_of_trade_offs, trade_off_lines
from orchestrator.report.words.cut_short import PUT_A_COPY_BACK
from orchestrator.report.words.fidelity import Spending
from orchestrator.report.words.left_requests import first_of
from orchestrator.report.words.related import related_words
from orchestrator.report.words.without_best import NOT_SAID_ABOVE, words_and_what_to_do
from orchestrator.report.words.wording import counted, duration
from orchestrator.system.shell_lines import shell_line


def status_table(
    now: Standing, holder: dict[str, object] | None, left: Sequence[str] = (), cut_short: str = ""
) -> Table:
    """One row: what goes on, how far it is, who is at work; ``left`` are requests that nobody took up, and
    ``cut_short`` how the journal holds less than was known of the run.
    """
    view = now.view
    attended, found, trials = view.attended, view.found, view.trials
    known: dict[str, object] = {
        "run": now.name,
        "state": DAMAGED if cut_short else view.in_a_word,
        "activity": PUT_A_COPY_BACK if cut_short else view.activity,
        "orchestrator": _holder(holder) if attended else None,
        "elapsed_s": round(view.now, 3),
        "remaining_s": _remaining(view.remaining),
        "budget_trials": view.budget,
        "cost": None if view.spending is None else view.spending.spent,
        "budget_cost": None if view.spending is None else view.spending.budget,
        "learned_costs": None if view.spending is None else _learned_costs(view.spending),
        "completed_at_full_fidelity": None if view.spending is None else view.spending.full,
        "completed": trials.completed,
        "failed": trials.failed,
        "stopped": trials.stopped,
        "abandoned": trials.abandoned,
        "running": trials.running,
        "waiting": trials.waiting,
        "workers": view.crew.connected if attended else 0,
        "slots": view.crew.slots if attended else 0,
        "slots_taken": view.crew.slots_taken if attended else 0,
        "late_results": now.late,
        "refits": now.refits,
        "resumed": max(0, view.lives - 1),
        "parameters_held": dict(view.places),
        "related_results": list(view.related),
        "related_rows_left_out": view.related_left_out,
        "best": None if found.best is None else found.best.value,
        "best_trial": None if found.best is None else found.best.trial,
        "best_parameters": None if found.best is None else dict(found.best.settings),
        "why_no_best": found.why_no_best,
        **status_of_trade_offs(view),
        "believed_best": None if found.believed is None else found.believed.value,
        "believed_best_trial": None if found.believed is None else found.believed.trial,
        "believed_best_parameters": None if found.believed is None else dict(found.believed.settings),
        "reference": None if found.reference is None else found.reference.value,
        "reference_trial": None if found.reference is None else found.reference.trial,
        "reference_times": None if found.reference is None else found.reference.times,
        "reference_parameters": None if found.reference is None else dict(found.reference.settings),
        "reference_levels": None if found.reference is None else dict(found.reference.levels),
        "best_now": None if found.best_now is None else found.best_now.value,
        "best_now_parameters": None if found.best_now is None else dict(found.best_now.settings),
        "crossing": None if found.crossing is None else found.crossing.to_json(),
        "offsets": {name: list(offset) for name, offset in view.belief.offsets.items()},
        "to_compare": [list(pair) for pair in view.wanted.to_compare],
        "preferred_trial": None if found.preferred is None else found.preferred.trial,
        "preferred_next": None if found.preferred is None else found.preferred.next,
        "preferred_chance": None if found.preferred is None else found.preferred.chance,
        "preferred_parameters": None if found.preferred is None else dict(found.preferred.settings),
        "limits": view.limits or None,
        "changes": view.changes or None,
        "jobs": view.crew.jobs or None,
        "left": len(left),
        "cut_short": cut_short or None,
    }
    return Table(tuple(known), [list(known.values())])


def status_words(
    now: Standing, holder: dict[str, object] | None, left: Sequence[str] = (), cut_short: str = ""
) -> str:
    """The status for a person; ``left`` are requests that nobody took up, and ``cut_short`` how the journal
    holds less than was known of the run.
    """
    view = now.view
    of = "" if view.budget is None else f" of {view.budget:,}"
    yet, trials = "", view.trials
    if view.remaining is not None:
        yet = f", {'at most' if view.remaining.at_most else 'about'} {duration(view.remaining.seconds)} left"
    lines = [
        ("run", now.folder),
        ("state", _state(view, holder, cut_short)),
        ("now", PUT_A_COPY_BACK if cut_short else view.activity),
        *([("jobs", view.crew.jobs)] if view.crew.jobs else []),
        ("time", f"{duration(view.now)}{yet}"),
        (
            "trials",
            f"{trials.settled:,}{of} settled: {trials.completed:,} completed, {trials.failed:,} failed"
            f"{f', {trials.stopped:,} stopped early' if trials.stopped else ''}"
            f"{f', {trials.abandoned:,} abandoned' if trials.abandoned else ''}"
            f"; {view.running_words}, {trials.waiting:,} waiting",
        ),
    ]
    if view.spending is not None:
        full = f"{view.spending.full:,} of {trials.completed:,} completed at full fidelity"
        lines.append(("cost", f"{view.spending.words} evaluations at full fidelity; {full}"))
        if view.spending.looks is not None:
            lines.append(("looks", view.spending.looks.words))
    if view.limits:
        lines.append(("limits", view.limits))
    if view.changes:
        lines.append(("changes", view.changes))
    if view.held_at:
        lines.append(("held", view.held_at))
    if view.related:
        lines.append(("related", related_words(view.related, view.related_left_out)))
    lines += [("amended" if index == 0 else "", words) for index, words in enumerate(view.amended)]
    lines += [("left" if index == 0 else "", words) for index, words in enumerate(first_of(left))]
    if left and not view.attended:
        lines.append(("", f"taken up by: {shell_line('resume', now.folder)}"))
    lines += _expected_of_people(view, now.folder)
    lines += _what_is_best(view, now.folder)
    if view.found.reference is not None:
        lines += reference_lines(view, view.found.reference)
    if view.belief.offsets_words:
        lines.append(("offsets", view.belief.offsets_words))
    lines += [
        ("workers" if index == 0 else "", _doing(worker)) for index, worker in enumerate(view.crew.workers)
    ]
    if view.crew.workers and (further := view.crew.connected - len(view.crew.workers)) > 0:
        lines.append(("", f"and {further:,} more"))
    return "".join(f"{name:<8}{text}\n" for name, text in lines)


def _what_is_best(view: View, folder: str) -> Sequence[tuple[str, str]]:
    """What was found of what is sought, or why nothing was."""
    found = view.found
    if found.best is not None:
        return best_lines(view, found.best)
    if found.best_now is not None:
        return best_now_lines(found.best_now)
    if found.crossing is not None:
        return [("above", found.crossing.words), ("", found.crossing.believed)]
    if found.preferred is not None:
        return preferred_lines(found.preferred)
    if found.trade_offs:
        return trade_off_lines(view, folder)
    if found.why_no_best == "none is sought":
        return [("above", NOT_SAID_ABOVE)]
    if found.why_no_best not in (None, "no value"):
        why = words_and_what_to_do(found.why_no_best, folder, held=view.attended)
        return [("front" if view.goals else "best", why)]
    return []


def _state(view: View, holder: dict[str, object] | None, cut_short: str) -> str:
    if cut_short:
        return f"{DAMAGED}: the journal is cut short: {cut_short}"
    return view.in_a_word + (f", by {_holder(holder)}" if view.attended else "")


def _learned_costs(spending: Spending) -> dict[str, float] | None:
    return None if spending.looks is None else spending.looks.by_value


def _expected_of_people(view: View, folder: str) -> list[tuple[str, str]]:
    """The first trials that wait for a person's word or result, and how many more there are."""
    lines: list[tuple[str, str]] = []
    before = ""
    for one in view.wanted.expected:
        settings = ", ".join(f"{name} = {text}" for name, text in one.parameters)
        told = one.against is not None or (one.what == "record" and one.outcomes)
        hint = f"; {one.command}" if told else ""
        changes = f"; {one.changes}" if one.changes else ""
        failed = f"; it failed: {one.failed}" if one.failed else ""
        words = f"trial {one.trial}: {settings}{changes}{failed}{hint}"
        lines.append(("" if one.what == before else one.what, words))
        before = one.what
    if more := view.wanted.in_all - len(view.wanted.expected):
        # Trials that wait to be compared are in no state of their own.
        others = {
            "record": ("trials", folder, "--state", "running"),
            "approve": ("trials", folder, "--state", "queued"),
            "compare": ("status", folder, "--format", "json"),
        }
        lines.append(("", f"and {more:,} more: {shell_line(*others[before])}"))
    return lines


def _doing(worker: WorkerLine) -> str:
    doing = ", ".join(map(_evaluating, worker.running)) or "idle"
    taken = f"; {worker.slots_words} taken" if worker.slots else ""
    counts = f"{worker.completed} done, {worker.failed} failed{', draining' if worker.draining else ''}"
    return f"{worker.name}: {doing}{taken}; {counts}"


def _evaluating(running: Running) -> str:
    on = f" on {counted(running.slots, 'slot')}" if running.slots else ""
    return f"trial {running.trial}{on} for {duration(running.seconds)}"


def _holder(holder: dict[str, object] | None) -> str:
    if not holder:
        return "another process"
    return f"process {holder.get('pid')} on {holder.get('host')}"


def _remaining(remaining: Remaining | None) -> float | None:
    return None if remaining is None else round(remaining.seconds, 3)
