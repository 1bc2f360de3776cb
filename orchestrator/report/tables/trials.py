"""The trials of a run as a table, and its best ones as rows of that."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from orchestrator.report.following.run_so_far import RunSoFar
from orchestrator.report.own_of_trials import own_of
from orchestrator.report.seen.believed import believed
from orchestrator.report.seen.last_heard import is_last_heard_of, state_words
from orchestrator.report.seen.schedule import schedule_of
from orchestrator.report.seen.trade_offs import best_first
from orchestrator.report.tables.table import Table
from orchestrator.report.words.amendment import added_words, trial_note
from orchestrator.report.words.change import changed_words
from orchestrator.report.words.goals import units_of
from orchestrator.report.words.going_on import began_anew_words
from orchestrator.report.words.travel import on_the_way_words
from orchestrator.scheduler.blocks import block_of
from orchestrator.scheduler.changed import changed_for
from orchestrator.scheduler.corrections import as_corrected, corrections, trial_of
from orchestrator.scheduler.reference import is_reference
from orchestrator.scheduler.state import State
from orchestrator.scheduler.transitions import Phase, TrialState
from orchestrator.scheduler.trial import Trial
from orchestrator.spec.model import Spec
from orchestrator.spec.results.column_names import own_name
from orchestrator.values.block_name import BY_WORKER
from orchestrator.values.derivatives import DERIVATIVES, column_of
from orchestrator.values.printable import printable


class Column(NamedTuple):
    """Its name, and a trial's cell in it; ``foreign``: an evaluator or worker wrote its texts or its name."""

    name: str
    cell: Callable[[Trial], object]
    foreign: bool = False


def _told_state(run: RunSoFar, attended: bool) -> Callable[[Trial], str]:
    """What was forgotten must not come back as a known result of another run, nor as a known failure."""
    finished = run.state.phase is Phase.FINISHED
    last_heard_of = is_last_heard_of(run.spec, attended=attended, finished=finished)
    return lambda trial: "forgotten" if trial.forgotten else state_words(trial, last_heard_of)


def in_state(run: RunSoFar, wanted: str | None, attended: bool = True) -> list[Trial]:
    """The trials that tables show to be so, or all of them. ``attended``: as for `trials_table`."""
    trials, told_state = list(run.state.trials.values()), _told_state(run, attended)
    told = zip(trials, as_corrected(run.state, trials), strict=True)
    return [trial for trial, now in told if wanted in (None, told_state(now))]


def trials_table(run: RunSoFar, trials: Iterable[Trial] | None = None, attended: bool = True) -> Table:
    """A row a trial: its number and state, the objective by its name, the parameters, what became of it, as
    it was corrected. A known result that stands in the place of a trial is that. ``attended``: whether an
    orchestrator works on the run; if none does, nobody knows of a trial whether it runs.

    So read back, the CSV is a file of known results. The objective, a parameter or an outcome of the same
    name as a column of ours keeps the name, and our column gets a ``run.`` in front; so does what an
    evaluation returned besides.
    """
    chosen = as_corrected(run.state, run.state.trials.values() if trials is None else trials)
    columns = _columns(run.spec, run.state, chosen, _told_state(run, attended))
    rows = [[column.cell(trial) for column in columns] for trial in chosen]
    units = {name: printable(one.unit) for name, one in run.spec.parameters.items() if one.unit}
    foreign = {column.name for column in columns if column.foreign}
    return Table(tuple(column.name for column in columns), rows, units | units_of(run.spec), foreign)


def _columns(
    spec: Spec, state: State, trials: Sequence[Trial], told_state: Callable[[Trial], str]
) -> list[Column]:
    """Those that say something of any of the trials."""
    objective, anew = spec.objective.name, corrections(state)
    # Outcomes before there are any, too: a person fills such a table in.
    extras = dict.fromkeys([*spec.outcomes, *(key for trial in trials for key in trial.extras)])
    taken = {objective, *spec.parameters, *spec.outcomes}

    def own(name: str) -> str:
        name = own_name(name, taken)
        taken.add(name)
        return name

    columns = [
        Column(own("trial"), lambda trial: trial.number),
        Column(own("state"), told_state),
    ]
    if state.policy.results.compared:
        columns += [
            Column(own(name), _compared(state, name)) for name in ("better_than", "like", "worse_than")
        ]
    else:
        columns.append(Column(objective, lambda trial: None if trial.forgotten else trial.value))
    # Read back, a column of that name is one, even where none was reported.
    variance = own("variance")
    if any(trial.variance is not None for trial in trials):
        columns.append(Column(variance, lambda trial: trial.variance))
    if any(trial.forecast is not None for trial in trials):
        columns.append(Column(own("foreseen"), lambda trial: _foreseen(trial)[0]))
        columns.append(Column(own("foreseen_deviation"), lambda trial: _foreseen(trial)[1]))
    if any(trial.values_before for trial in trials):
        columns.append(Column(own("value_before"), _value_before))
    # Whoever does the trial sets the others, which stay where there is no room for all.
    seen = set() if spec.candidates is None else set(spec.candidates.seen)
    columns += [Column(name, _parameter(name)) for name in sorted(spec.parameters, key=seen.__contains__)]
    factors = max((len(trial.factors or ()) for trial in trials), default=0)
    columns += [Column(own(f"factor_{index + 1}"), _factor(index)) for index in range(factors)]
    # As it is by all that was said of it, or else it would be of no block where it is read back.
    block, by_worker = _block(state, anew), spec.blocks == BY_WORKER
    if spec.blocks is not None:
        extras.pop(spec.blocks, None)
        columns += [] if by_worker else [Column(own(spec.blocks), block, foreign=True)]
    if by := spec.derivatives_by:
        extras.pop(DERIVATIVES, None)
        columns += [Column(column_of(name), _derivative(name)) for name in by]
    columns += [
        Column(key, _extra(key)) if key in spec.outcomes else Column(own(key), _extra(key), foreign=True)
        for key in extras
    ]
    if spec.fidelity is not None:
        columns.append(Column(own("cost"), lambda trial: trial.cost))
        if spec.fidelity.continues:
            columns.append(Column(own("continues"), lambda trial: trial.suggested.continues or None))
            columns.append(Column(own("continued"), lambda trial: trial.went_on))
    columns += [
        Column(own("seconds"), lambda trial: trial.elapsed or None),
        Column(own("attempts"), lambda trial: trial.attempts.begun),
        Column(own("worker"), lambda trial: (by_worker and block(trial)) or trial.worker, foreign=True),
    ]
    if spec.evaluation.slots is not None:
        columns.append(Column(own("slots"), lambda trial: trial.slots or None))
    if any(trial.by for trial in trials):
        columns.append(Column(own("by"), lambda trial: trial.by or None, foreign=True))
    of_workers = (name for trial in trials for name in own_of(trial, spec))
    # What names the block has a column above.
    each = [name for name in dict.fromkeys([*spec.workers.each, *of_workers]) if name != spec.blocks]
    columns += [Column(own(name), _of_its_worker(spec, name), foreign=True) for name in each]
    return [
        *columns,
        Column(own("started_s"), lambda trial: trial.started_at),
        Column(own("settled_s"), lambda trial: trial.settled_at),
        Column(own("message"), lambda trial: _message(trial, state, anew), foreign=True),
    ]


def _compared(state: State, how: str) -> Callable[[Trial], object]:
    """The numbers of the trials that one was found to be so, with spaces between them."""

    def cell(trial: Trial) -> str | None:
        found: list[int] = []
        for one in state.compared:
            both = {one.trial: "like" if one.alike else "better_than"}
            both[one.other] = "like" if one.alike else "worse_than"
            if both.get(trial.number) == how:
                found.append(one.other if one.trial == trial.number else one.trial)
        return " ".join(map(str, sorted(set(found)))) or None

    return cell


def _derivative(name: str) -> Callable[[Trial], object]:
    def cell(trial: Trial) -> object:
        told = trial.extras.get(DERIVATIVES)
        return told.get(name) if isinstance(told, Mapping) else None

    return cell


def _foreseen(trial: Trial) -> tuple[float | None, float | None]:
    if trial.forgotten or trial.forecast is None:
        return None, None
    return trial.forecast.mean, trial.forecast.deviation


def _value_before(trial: Trial) -> float | None:
    """Until values were last computed, or read, anew; `explain` has all that it had."""
    return None if trial.forgotten or not trial.values_before else trial.values_before[-1]


def _parameter(name: str) -> Callable[[Trial], object]:
    return lambda trial: trial.parameters.get(name)


def _factor(index: int) -> Callable[[Trial], object]:
    return lambda trial: trial.factors[index] if trial.factors and index < len(trial.factors) else None


def _extra(key: str) -> Callable[[Trial], object]:
    return lambda trial: trial.extras.get(key)


def _block(state: State, anew: Mapping[int, Trial]) -> Callable[[Trial], object]:
    def cell(trial: Trial) -> str | None:
        # What waits is of the block that lies there when it is handed out, whichever it was of before.
        waits = trial.state is TrialState.QUEUED
        return None if waits else block_of(state, anew.get(trial.number, trial)) or None

    return cell


def _of_its_worker(spec: Spec, name: str) -> Callable[[Trial], object]:
    return lambda trial: own_of(trial, spec).get(name)


def _message(trial: Trial, state: State, anew: Mapping[int, Trial]) -> str | None:
    # A known result, which may be the best, is no trial.
    recorded = state.trials.get(trial.number, trial)
    note = trial_note(recorded, state, anew.get(trial.number))
    whence = "the reference" if is_reference(recorded) else ""
    began = began_anew_words(trial, state)
    how = (on_the_way_words(trial), changed_words(changed_for(state, trial)))
    said = [whence, added_words(trial), *how, began, note, trial.message]
    return "; ".join(filter(None, said)) or None


def best_row(run: RunSoFar) -> Table:
    """The best trial as a row of `trials_table`, for programs; and which one is believed best, in noise."""
    best, likely = run.state.found.best, believed(run.state)
    table = trials_table(run, [] if best is None else [best])
    if not table.rows:
        return table
    told: dict[str, object] = {
        "believed_best": None if likely is None else likely.mean,
        "believed_best_deviation": None if likely is None else likely.deviation,
        "believed_best_trial": None if likely is None else trial_of(run.state, likely.trial).number,
        "believed_best_parameters": None if likely is None else dict(likely.trial.parameters),
    }
    if best is not None and (stretches := schedule_of(best, run.state, run.spec.accumulates)):
        told["schedule"] = [one.to_json() for one in stretches]
    # A parameter or an outcome of the same name keeps it.
    columns = (*table.columns, *(own_name(name, set(table.columns)) for name in told))
    return Table(columns, [[*table.rows[0], *told.values()]], table.units, table.foreign)


def front_rows(run: RunSoFar) -> Table:
    """The trade-offs as rows of `trials_table`, the best in the first objective first, for programs."""
    return trials_table(run, best_first(run.state.policy, run.state.found.front))
