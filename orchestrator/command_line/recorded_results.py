"""Results of many trials that a person measured, as those of a plate, in the rows of a CSV file.

A column says the number of the trial, and one each the objectives, the outcomes and derivatives; a column
``failed`` may say why there is no value, and one ``lost`` why there never will be, through no fault of the
settings. Where neither does, a row without a value has failed whose ``state`` says so, and why is its
``message``, as `orchestrator export` writes them. Other columns are left alone, so that what `orchestrator
trials` writes can be filled in, but the parameters', which have to be those of the row's trial.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path

import msgspec

from orchestrator.command_line.replicates import in_several_blocks, merged
from orchestrator.command_line.settings_in_rows import told_otherwise
from orchestrator.runtime.requests.computed_records import valued
from orchestrator.runtime.requests.corrected_records import is_correction
from orchestrator.runtime.requests.decisions import brings_nothing_else, decide
from orchestrator.runtime.requests.kinds import Decision, Record, RecordFailure, Refuse, Request, Verdict
from orchestrator.runtime.results.wanted_results import WantedResults
from orchestrator.scheduler.corrections import corrected, corrections
from orchestrator.scheduler.state import State
from orchestrator.scheduler.transitions import TrialState
from orchestrator.scheduler.trial import Trial
from orchestrator.spec.document.complaint import Complaint, refusal
from orchestrator.spec.document.csv_table import CsvTable
from orchestrator.spec.document.tree import Place
from orchestrator.spec.model import Spec
from orchestrator.spec.results.column_names import own_name
from orchestrator.spec.results.csv_results import NO_NUMBER
from orchestrator.spec.results.failed_states import says_failed
from orchestrator.spec.results.headings import Headings, misspelt
from orchestrator.spelling import listed
from orchestrator.values.block_name import block_name
from orchestrator.values.counts import count_in
from orchestrator.values.curve import written_curve
from orchestrator.values.derivatives import column_of
from orchestrator.values.typed_numbers import decimals_hint


@dataclass(frozen=True, slots=True)
class RecordedResults:
    """What a file has to record, and of how many of its rows nothing is: not measured, recorded before, or
    measured but without the number of a trial, as an instrument's controls.
    ``remarks``: what is to be said of its columns.
    """

    decisions: tuple[Decision, ...]
    unmeasured: int
    known: int
    of_no_trial: int = 0
    remarks: tuple[str, ...] = ()

    def decisions_by(self, name: str) -> tuple[Decision, ...]:
        """As somebody of that name says them."""
        return tuple(msgspec.structs.replace(one, by=name) for one in self.decisions)


@dataclass(frozen=True, slots=True)
class RunAsItStands:
    """One of which results are to be recorded. ``attended``: somebody works on it, so that a trial which
    nobody is at cannot be. ``left`` is what was asked of it and not taken up yet.
    """

    spec: Spec
    state: State
    attended: bool
    left: Collection[Request | None] = ()


def results_to_record(path: Path, run: RunAsItStands, *, replicates: bool, correct: bool) -> RecordedResults:
    """What the rows of a file record of a run. ``replicates``: rows of the same trial are. ``correct``: what
    was recorded before may be otherwise now.

    Raises:
        SpecError: with every error at its place, so that all of the file is recorded, or nothing.
    """
    spec, state = run.spec, run.state
    headings = Headings.of(spec)
    table = headings.table(path, str(path))
    columns = _Columns.of(table, spec, headings)
    rows = [_Row(table, line, cells, columns) for line, cells in table.rows]
    measured = [row for row in rows if row.says_something]
    numbered = [row for row in measured if row.has_number]
    read = [(row, decision) for row in numbered if (decision := row.decision()) is not None]
    complaints = [complaint for row in numbered for complaint in row.complaints]
    for row, decision in read:
        complaints += row.other_settings(spec, state.trials.get(decision.trial), decision)
    if replicates and columns.variance is not None:
        sentence = "expected no column `variance` beside --replicates, which have their own"
        complaints.append(Complaint(Place(table.source, 1, 1), sentence))
    for blocks, column in columns.block.items() if replicates else ():
        complaints += [Complaint(row.place(column), told) for row, told in in_several_blocks(read, blocks)]
    unsigned = [msgspec.structs.replace(one, by="") for one in run.left if one is not None]
    decisions: dict[int, Decision] = {}
    known: set[int] = set()
    wanted, anew = WantedResults.of(spec, state.amended.constraints, state.amended.values), corrections(state)
    for row, decision in merged(read) if replicates else read:
        trial = state.trials.get(decision.trial)
        told = None if trial is None else corrected(trial, anew.get(trial.number))
        if trial is not None and isinstance(decision, Record):
            decision = valued(decision, trial.parameters, wanted)
        if decision.trial in decisions:
            complaints.append(Complaint(row.place(columns.trial), _again(decision.trial, replicates)))
        elif decision in unsigned or (told and _is_recorded(decision, told, state, pooled=replicates)):
            known.add(decision.trial)
        else:
            decisions[decision.trial] = decision
            judged = decide(decision, state, state.at, name="", wanted=wanted)
            if correct and is_correction(decision, state):
                continue
            if isinstance(judged, Verdict) and (run.attended or trial is None or trial.settled):
                complaints.append(Complaint(row.place(columns.trial), judged.sentence))
    if complaints:
        raise refusal(complaints)
    return RecordedResults(
        tuple(decisions.values()),
        len(rows) - len(measured),
        sum(decision.trial in known for _, decision in read),
        len(measured) - len(numbered),
        columns.remarks,
    )


def _again(trial: int, replicates: bool) -> str:
    how = (
        "where one of its replicates does not count, say why in a column `lost`"
        if replicates
        else "rows of replicates are read with --replicates"
    )
    return f"expected each trial once, got trial {trial} again; {how}"


def _is_recorded(decision: Decision, trial: Trial, state: State, *, pooled: bool) -> bool:
    """Whether this came of a trial already, as where a file is read again with more of its rows filled in: a
    variance that is ``pooled`` is another then, and nobody said so.
    """
    match decision:
        case Record(value=value):
            said = msgspec.structs.replace(decision, variance=None) if pooled else decision
            return trial.value == value and brings_nothing_else(said, trial, state)
        case Refuse():
            # What failed is one of these settings' failures until it is forgotten.
            return bool(trial.forgotten) and trial.value is None
        case _:
            return trial.state is TrialState.FAILED


@dataclass(frozen=True, slots=True)
class _Columns:
    """The numbers of the columns that say something, those of the outcomes, of derivatives, of the block and
    of the settings by their names. Values may be ``composed`` of outcomes, and have none.
    """

    trial: int
    value: int | None
    outcomes: dict[str, int]
    derivatives: dict[str, int]
    variance: int | None
    block: dict[str, int]
    failed: int | None
    lost: int | None
    state: int | None
    message: int | None
    settings: dict[str, int]
    remarks: tuple[str, ...]
    composed: bool = False

    @classmethod
    def of(cls, table: CsvTable, spec: Spec, headings: Headings) -> _Columns:
        header = table.header
        values = [
            name for name in dict.fromkeys((spec.objective.name, "value")) if name not in spec.parameters
        ]
        taken = {*spec.parameters, *values, *spec.outcomes}
        trial, variance, failed, lost, state, message = (
            own_name(name, taken) for name in ("trial", "variance", "failed", "lost", "state", "message")
        )
        composed = spec.objective.is_computed
        value = None if composed else next((name for name in values if name in header), None)
        blocks = [] if spec.blocks is None else [spec.blocks]
        derivatives = [column_of(name) for name in spec.derivatives_by]
        might_be = [variance, failed, lost, *derivatives, *blocks]
        complaints = [
            headings.missing(f"a column `{name}`", [name], header)
            for name in (trial, *spec.outcomes)
            if name not in header and (name == trial or value is not None or composed)
        ]
        if value is None and not composed and failed not in header and lost not in header:
            what = f"a column named {listed([*values, failed, lost])}"
            complaints.append(headings.missing(what, values, header))
        complaints += [
            f"expected each column once, got `{name}` {header.count(name)} times"
            for name in dict.fromkeys(header)
            if header.count(name) > 1 and name in (trial, value, *might_be, *spec.outcomes)
        ]
        if complaints:
            raise refusal(Complaint(Place(table.source, 1, 1), sentence) for sentence in complaints)
        number = {name: i for i, name in enumerate(header)}
        return cls(
            number[trial],
            None if value is None else number[value],
            {name: number[name] for name in spec.outcomes if name in number},
            {name: number[name] for name in derivatives if name in number},
            number.get(variance),
            {name: number[name] for name in blocks if name in number},
            number.get(failed),
            number.get(lost),
            number.get(state),
            number.get(message),
            {name: number[name] for name in spec.parameters if header.count(name) == 1},
            tuple(misspelt(header, {*taken, trial, *might_be}, might_be)),
            composed,
        )


class _Row:
    """One row, and what was found to be wrong with it."""

    def __init__(self, table: CsvTable, line: int, cells: Sequence[str], columns: _Columns) -> None:
        self._table, self._line, self._cells, self._columns = table, line, cells, columns
        self.complaints: list[Complaint] = []

    def place(self, column: int) -> Place:
        """Of a cell."""
        return Place(self._table.source, self._line, 1 + sum(len(cell) + 1 for cell in self._cells[:column]))

    @property
    def says_something(self) -> bool:
        """Whether it has a value, an outcome, a failure or a loss."""
        columns = self._columns
        told = (columns.value, columns.failed, columns.lost, *columns.outcomes.values())
        return self._has_failed or any(self._text(column) for column in told if column is not None)

    @property
    def _has_failed(self) -> bool:
        """Whether its state says so, which counts where nothing else does."""
        return says_failed(self._text(self._columns.state))

    @property
    def has_number(self) -> bool:
        """Whether it has that of a trial."""
        return bool(self._text(self._columns.trial))

    def decision(self) -> Decision | None:
        """What it records; None where something is wrong."""
        trial = self._trial()
        why, lost = self._text(self._columns.failed), self._text(self._columns.lost)
        value = self._number(self._columns.value)
        outcomes = {name: self._outcome(column) for name, column in self._columns.outcomes.items()}
        slopes = {name: self._number(column) for name, column in self._columns.derivatives.items()}
        variance = self._number(self._columns.variance)
        composed = self._columns.composed and any(told is not None for told in outcomes.values())
        measured = value is not None or composed
        if self._has_failed and not measured and not lost:
            why = why or self._text(self._columns.message) or "failed, as a table of results says"
        if measured + bool(why) + bool(lost) > 1:
            at = self._columns.lost if lost else self._columns.failed
            self._complain(at, "expected one of a value, `failed` and `lost`, got several")
        elif not why and not lost and not measured and not self.complaints:
            hint = "leave the row empty where nothing was measured, or say in a column `failed` why"
            self._complain(
                self._columns.value, f"expected a value beside what else was measured, got none; {hint}"
            )
        for name, told in outcomes.items():
            if measured and told is None and not self.complaints:
                beside = "others" if composed else "value"
                self._complain(
                    self._columns.outcomes[name], f"expected `{name}` beside the {beside}, got none"
                )
        if trial is None or self.complaints:
            return None
        if lost:
            return Refuse(trial, lost, forget=True)
        if not measured:
            return RecordFailure(trial, why)
        said = {name: self._block(name, column) for name, column in self._columns.block.items()}
        block = {name: text for name, text in said.items() if text}
        known = {name: slope for name, slope in slopes.items() if slope is not None}
        return Record(trial, value, variance, extras={**outcomes, **known, **block})

    def other_settings(self, spec: Spec, trial: Trial | None, decision: Decision) -> list[Complaint]:
        """What it says of settings that are not the trial's, unless nothing is to follow from it."""
        if trial is None or isinstance(decision, Refuse):
            return []
        complaints: list[Complaint] = []
        at = self._columns.settings
        told = {name: self._table.with_point(self._cells[column].strip()) for name, column in at.items()}
        for name in told_otherwise(spec, trial.parameters, told):
            sentence = (
                f"expected {name} = {trial.parameters[name]}, as of trial {trial.number}, got `{told[name]}`;"
                " mend the number of the trial, or, where it was done so, say that in a column `lost`, and"
                " tell what came by `orchestrator amend --result`"
            )
            complaints.append(Complaint(self.place(at[name]), sentence))
        return complaints

    def _trial(self) -> int | None:
        try:
            return count_in(self._text(self._columns.trial))
        except ValueError as error:
            self._complain(
                self._columns.trial,
                f"the number of a trial: {error}; leave that cell empty in rows of no trial",
            )
            return None

    def _outcome(self, column: int) -> float | list[object] | None:
        curve = written_curve(self._text(column))
        return self._number(column) if curve is None else curve

    def _number(self, column: int | None) -> float | None:
        told = self._table.with_point(self._text(column))
        if not told:
            return None
        try:
            number = float(told)
        except ValueError:
            number = float("nan")
        if isfinite(number):
            return number
        hint = decimals_hint(told) or _hint(told)
        self._complain(column, f"expected a finite number, got `{told}`{hint}")
        return None

    def _block(self, blocks: str, column: int) -> str:
        return block_name(self._table.with_point(self._text(column)), blocks)

    def _text(self, column: int | None) -> str:
        told = "" if column is None else self._cells[column].strip()
        is_words = column in (self._columns.failed, self._columns.lost, self._columns.message)
        return "" if told.lower() in NO_NUMBER and not is_words else told

    def _complain(self, column: int | None, sentence: str) -> None:
        self.complaints.append(Complaint(self.place(column or 0), sentence))


def _hint(told: str) -> str:
    """What is to be done about what is no number."""
    if told[0] in "<>":
        return "; of what lies beyond what can be measured, write that limit"
    if any(sign.isdigit() for sign in told):
        return "; write the number alone, without a unit or another sign"
    return "; where there is none, leave the row empty, or say why in a column `failed`"
