"""What tables a run has: its trials, its best point, its status."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from orchestrator.report.believed import believed
from orchestrator.report.best_tables import best_lines
from orchestrator.report.outlook import Remaining
from orchestrator.report.own_of_trials import own_of
from orchestrator.report.runs import FollowedRun
from orchestrator.report.standing import Standing
from orchestrator.report.tables import Table
from orchestrator.report.trade_off_tables import status_of_trade_offs, trade_off_lines
from orchestrator.report.trade_offs import best_first
from orchestrator.report.words.amendment import added_words, trial_note
from orchestrator.report.words.goals import units_of
from orchestrator.report.words.left_requests import first_of
from orchestrator.report.words.without_best import WORDS
from orchestrator.report.words.wording import duration, printable
from orchestrator.scheduler.state import Trial
from orchestrator.spec.column_names import own_name
from orchestrator.system.shell_lines import shell_line


def told_state(trial: Trial) -> str:
    """As tables have it: what was forgotten must not come back as a known result of another run, nor as a
    known failure.
    """
    return "forgotten" if trial.forgotten else str(trial.state)


def trials_table(run: FollowedRun, trials: Iterable[Trial] | None = None) -> Table:
    """A row a trial: its number and state, the objective by its name, the parameters, what became of it.

    So read back, the CSV is a file of known results. The objective, a parameter or an outcome of the same
    name as a column of ours keeps the name, and our column gets a ``run.`` in front; so does what an
    evaluation returned besides.
    """
    chosen = list(run.state.trials.values() if trials is None else trials)
    names = list(run.spec.parameters)
    objective = run.spec.objective.name
    factors = max((len(trial.factors or ()) for trial in chosen), default=0)
    # Outcomes before there are any, too: a person fills such a table in.
    extras = list(dict.fromkeys([*run.spec.outcomes, *(key for trial in chosen for key in trial.extras)]))
    taken_by_spec = {objective, *names, *run.spec.outcomes}
    taken = set(taken_by_spec)

    def own(name: str) -> str:
        name = own_name(name, taken)
        taken.add(name)
        return name

    reported_variance = any(trial.variance is not None for trial in chosen)
    trial_column, state_column = own("trial"), own("state")
    # Read back, a column of that name is one, even where none was reported.
    variance_column = own("variance")
    columns = [trial_column, state_column, objective, *([variance_column] if reported_variance else [])]
    foreseen = any(trial.forecast is not None for trial in chosen)
    columns += [own("foreseen"), own("foreseen_deviation")] if foreseen else []
    columns += names
    columns += [own(f"factor_{index + 1}") for index in range(factors)]
    returned = [key if key in run.spec.outcomes else own(key) for key in extras]
    columns += returned
    costly = run.spec.fidelity is not None
    columns += [own("cost")] if costly else []
    owned = [own_of(trial, run.spec) for trial in chosen]
    each = list(dict.fromkeys([*run.spec.workers.each, *(name for one in owned for name in one)]))
    columns += [own(name) for name in ("seconds", "attempts")]
    of_workers = [own(name) for name in ("worker", *each)]
    columns += [*of_workers, own("started_s"), own("settled_s"), own("message")]
    rows: list[list[Any]] = []
    for trial, of_worker in zip(chosen, owned, strict=True):
        row: list[Any] = [trial.number, told_state(trial), None if trial.forgotten else trial.value]
        row += [trial.variance] if reported_variance else []
        if foreseen:
            forecast = None if trial.forgotten else trial.forecast
            row += [None, None] if forecast is None else [forecast.mean, forecast.deviation]
        row += [trial.parameters.get(name) for name in names]
        row += [
            trial.factors[i] if trial.factors and i < len(trial.factors) else None for i in range(factors)
        ]
        row += [trial.extras.get(key) for key in extras]
        row += [trial.cost] if costly else []
        row += [trial.elapsed or None, trial.attempts, trial.worker]
        row += [of_worker.get(name) for name in each]
        row += [trial.started_at, trial.settled_at]
        said = [added_words(trial), trial_note(trial, run.state), trial.message]
        rows.append([*row, "; ".join(filter(None, said)) or None])
    units = {name: printable(one.unit) for name, one in run.spec.parameters.items() if one.unit}
    return Table(
        tuple(columns),
        rows,
        units | units_of(run.spec),
        {*returned, *of_workers, columns[-1]} - taken_by_spec,
    )


def best_row(run: FollowedRun) -> Table:
    """The best trial as a row of `trials_table`, for programs; and which one is believed best, in noise."""
    best, likely = run.state.best, believed(run.state)
    table = trials_table(run, [] if best is None else [best])
    if not table.rows:
        return table
    told: dict[str, Any] = {
        "believed_best": None if likely is None else likely.mean,
        "believed_best_deviation": None if likely is None else likely.deviation,
        "believed_best_trial": None if likely is None else likely.trial.number,
        "believed_best_parameters": None if likely is None else dict(likely.trial.parameters),
    }
    # A parameter or an outcome of the same name keeps it.
    columns = (*table.columns, *(own_name(name, set(table.columns)) for name in told))
    return Table(columns, [[*table.rows[0], *told.values()]], table.units, table.foreign)


def front_rows(run: FollowedRun) -> Table:
    """The trade-offs as rows of `trials_table`, the best in the first objective first, for programs."""
    return trials_table(run, best_first(run.state.policy, run.state.front))


def status_table(now: Standing, holder: dict[str, object] | None, left: Sequence[str] = ()) -> Table:
    """One row: what goes on, how far it is, who is at work; ``left`` are requests that nobody took up."""
    view = now.view
    held = view.held
    known: dict[str, Any] = {
        "run": now.name,
        "state": view.in_a_word,
        "activity": view.activity,
        "orchestrator": _holder(holder) if held else None,
        "elapsed_s": round(view.now, 3),
        "remaining_s": _remaining(view.remaining),
        "budget_trials": view.budget,
        "cost": None if view.spending is None else view.spending.spent,
        "budget_cost": None if view.spending is None else view.spending.budget,
        "completed_at_full_fidelity": None if view.spending is None else view.spending.full,
        "completed": view.completed,
        "failed": view.failed,
        "stopped": view.stopped,
        "abandoned": view.abandoned,
        "running": view.running,
        "waiting": view.waiting,
        "workers": view.workers_connected if held else 0,
        "slots": view.slots if held else 0,
        "late_results": now.late,
        "refits": now.refits,
        "resumed": max(0, view.lives - 1),
        "parameters_held": dict(view.places),
        "best": None if view.best is None else view.best.value,
        "best_trial": None if view.best is None else view.best.trial,
        "best_parameters": None if view.best is None else dict(view.best.settings),
        "why_no_best": view.why_no_best,
        **status_of_trade_offs(view),
        "believed_best": None if view.believed is None else view.believed.value,
        "believed_best_trial": None if view.believed is None else view.believed.trial,
        "believed_best_parameters": None if view.believed is None else dict(view.believed.settings),
        "left": len(left),
    }
    return Table(tuple(known), [list(known.values())])


def status_words(now: Standing, holder: dict[str, object] | None, left: Sequence[str] = ()) -> str:
    """The status for a person; ``left`` are requests that nobody took up."""
    view = now.view
    of = "" if view.budget is None else f" of {view.budget:,}"
    yet = ""
    if view.remaining is not None:
        yet = f", {'at most' if view.remaining.at_most else 'about'} {duration(view.remaining.seconds)} left"
    lines = [
        ("run", now.folder),
        ("state", view.in_a_word + (f", by {_holder(holder)}" if view.held else "")),
        ("now", view.activity),
        ("time", f"{duration(view.now)}{yet}"),
        (
            "trials",
            f"{view.settled:,}{of} settled: {view.completed:,} completed, {view.failed:,} failed"
            f"{f', {view.stopped:,} stopped early' if view.stopped else ''}"
            f"{f', {view.abandoned:,} abandoned' if view.abandoned else ''}"
            f"; {view.running:,} running, {view.waiting:,} waiting",
        ),
    ]
    if view.spending is not None:
        full = f"{view.spending.full:,} of {view.completed:,} completed at full fidelity"
        lines.append(("cost", f"{view.spending.words} evaluations at full fidelity; {full}"))
    if view.held_at:
        lines.append(("held", view.held_at))
    lines += [("amended" if index == 0 else "", words) for index, words in enumerate(view.amended)]
    lines += [("left" if index == 0 else "", words) for index, words in enumerate(first_of(left))]
    if left and not view.held:
        lines.append(("", f"taken up by: {shell_line('resume', now.folder)}"))
    before = ""
    for one in view.expected:
        settings = ", ".join(f"{name} = {text}" for name, text in one.parameters)
        hint = f"; orchestrator record {one.trial}{one.hint}" if one.what == "record" and one.outcomes else ""
        lines.append(("" if one.what == before else one.what, f"trial {one.trial}: {settings}{hint}"))
        before = one.what
    if more := view.expected_in_all - len(view.expected):
        states = ["--state", "running" if before == "record" else "queued"]
        lines.append(("", f"and {more:,} more: {shell_line('trials', now.folder, *states)}"))
    if view.best is not None:
        lines += best_lines(view, view.best)
    elif view.trade_offs:
        lines += trade_off_lines(view, now.folder)
    elif view.why_no_best not in (None, "no value"):
        lines.append(("front" if view.goals else "best", WORDS[view.why_no_best]))
    for index, worker in enumerate(view.workers):
        doing = (
            ", ".join(f"trial {one.trial} for {duration(one.seconds)}" for one in worker.running) or "idle"
        )
        counts = f"{worker.completed} done, {worker.failed} failed{', draining' if worker.draining else ''}"
        lines.append(("workers" if index == 0 else "", f"{worker.name}: {doing}; {counts}"))
    return "".join(f"{name:<8}{text}\n" for name, text in lines)


def _holder(holder: dict[str, object] | None) -> str:
    if not holder:
        return "another process"
    return f"process {holder.get('pid')} on {holder.get('host')}"


def _remaining(remaining: Remaining | None) -> float | None:
    return None if remaining is None else round(remaining.seconds, 3)
