"""`orchestrator amend`: the request that its options make."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from orchestrator.command_line.change_option import changes_from
from orchestrator.command_line.files import say_remarks
from orchestrator.command_line.known_already import not_known_already, words_on_known
from orchestrator.command_line.named_numbers import NONE, duration_typed, number_typed, numbers_by_name
from orchestrator.command_line.retried_trials import as_far_as_may_be
from orchestrator.command_line.stands_option import stands_from
from orchestrator.errors import SpecError, UsageError
from orchestrator.runtime.requests.amended_constraints import as_written, check_constraints
from orchestrator.runtime.requests.amended_spec import amended
from orchestrator.runtime.requests.kinds import Amend, Budgets
from orchestrator.runtime.results.known_events import known_events
from orchestrator.scheduler.rules.added_candidates import Columns, with_rows
from orchestrator.scheduler.rules.budgets import BudgetName
from orchestrator.scheduler.state import State
from orchestrator.spec.begun.added_candidates import read_added_candidates, with_candidates
from orchestrator.spec.begun.added_results import read_added_results
from orchestrator.spec.begun.asked_points import points_to_try, words_on_held, words_on_uncounted
from orchestrator.spec.checks.beside import refuse_beside
from orchestrator.spec.document.yaml_tree import scalar
from orchestrator.spec.model import Spec
from orchestrator.spec.points.held import cannot_be_held
from orchestrator.spec.points.told_values import value_told
from orchestrator.spec.sections.parameters import Parameter
from orchestrator.values.block_name import block_name
from orchestrator.values.counts import count_in
from orchestrator.values.named import Values
from orchestrator.values.typed_pairs import name_and_value


def request_from(
    parsed: argparse.Namespace, spec: Spec, state: State, named: Mapping[str, Values] | None = None
) -> Amend:
    """The request, for the run of a spec in a state. ``named`` are its points that have a name, as `best`.

    Raises `UsageError` or `SpecError`.
    """
    bounds = _all_bounds(parsed.bounds)
    held = _held(parsed.held, amended(spec, state, bounds, held={}).parameters)
    free = list(dict.fromkeys(parsed.free))
    travel = numbers_by_name(parsed.travel, "--travel", spec.parameters)
    changes = changes_from(parsed.change, spec)
    now = amended(spec, state)
    constraints, withdrawn = as_written(parsed.constraints, now), as_written(parsed.withdraw, now)
    budgets = _budgets(parsed)
    # Before anything is looked at by them.
    check_constraints(Amend(constraints=constraints, withdrawn=withdrawn, budgets=budgets), now, state)
    rows = _candidates(now, parsed.candidates)
    then = amended(
        spec,
        state,
        bounds,
        Amend(held=held, free=free).held_after(state.policy.where.held),
        state.amended.constraints.after(constraints, withdrawn),
        with_rows(state.amended.candidates, rows),
    )
    if parsed.known or parsed.result:
        # Before they are asked for values that none may have.
        refuse_beside(now, ["results"])
    if parsed.where and not parsed.known:
        raise UsageError("expected --known FILE beside --where, which says what its results had")
    files = [Path(path) for path in parsed.known]
    results, remarks = read_added_results(then, files, parsed.result, parsed.where)
    events = known_events(results, then)
    of_files = events[: len(events) - len(parsed.result)]
    new = not_known_already(of_files, state)
    parsed, left_out = as_far_as_may_be(parsed, then, named or {})
    say_remarks(left_out)
    points = points_to_try(then, parsed.points, named or {})
    say_remarks(words_on_uncounted(then, parsed.points, points, named or {}))
    say_remarks(words_on_held(then, parsed.points, named or {}))
    say_remarks([*remarks, *filter(None, [words_on_known(len(of_files), len(of_files) - len(new))])])
    return Amend(
        bounds=bounds,
        held=held,
        free=free,
        constraints=constraints,
        withdrawn=withdrawn,
        candidates={name: list(values) for name, values in rows.items()},
        travel={name: limit for name, limit in travel.items() if limit is not None},
        anywhere=[name for name, limit in travel.items() if limit is None],
        stands=stands_from(parsed.stands, spec.parameters),
        changes={name: takes for name, takes in changes.items() if takes is not None},
        at_once=[name for name, takes in changes.items() if takes is None],
        block=block_name(parsed.block),
        jobs=_jobs(parsed.jobs),
        budgets=budgets,
        results=[*new, *events[len(of_files) :]],
        points=points,
        times=_times(parsed),
        forget=parsed.forget,
        reason=parsed.reason,
        paused=True if parsed.pause else False if parsed.go_on else None,
        by=parsed.by,
    )


def _candidates(spec: Spec, files: Sequence[Path]) -> Columns:
    """The rows of files that are not among a spec's candidates yet."""
    rows: Columns = {}
    for path in files:
        more, remarks = read_added_candidates(with_candidates(spec, rows), path)
        say_remarks(remarks)
        rows = with_rows(rows, more)
    if files and not rows:
        raise UsageError("expected rows that are not among the candidates yet, got none")
    return rows


def _all_bounds(texts: Sequence[str]) -> dict[str, tuple[float, float]]:
    bounds: dict[str, tuple[float, float]] = {}
    for name, pair in map(_bounds, texts):
        if name in bounds:
            raise UsageError(f"expected --bounds of each parameter once, got `{name}` again")
        bounds[name] = pair
    return bounds


def _bounds(text: str) -> tuple[str, tuple[float, float]]:
    name, _, pair = text.rpartition("=")
    parts = pair.split(",")
    if not name or len(parts) != 2:
        raise UsageError(f"expected --bounds NAME=LOW,HIGH, got {text}")
    low, high = (number_typed(part, f"--bounds {text}") for part in parts)
    return name, (low, high)


def _held(texts: Sequence[str], parameters: Mapping[str, Parameter]) -> dict[str, Any]:
    """The values as the parameters have them, by name."""
    held: dict[str, Any] = {}
    for text in texts:
        name, equals, value = name_and_value(text, parameters)
        if not equals or not name:
            raise UsageError(f"expected --held NAME=VALUE, got {text}")
        if name in held:
            raise UsageError(f"expected --held of each parameter once, got `{name}` again")
        if sentence := cannot_be_held(name, parameters):
            raise UsageError(sentence)
        try:
            read = scalar(value)
            held[name] = value_told(name, parameters[name], value if read is None else read, value)
        except SpecError as mistake:
            freed = f"; to have it chosen again: --free {name}" if value == NONE else ""
            raise UsageError(f"--held {text}: {mistake}{freed}") from None
    return held


def _count(text: str, option: str) -> int:
    try:
        return count_in(text)
    except ValueError as error:
        raise UsageError(f"{option}: {error}") from None


def _jobs(text: str | None) -> int | None:
    if text is None:
        return None
    if not text.isascii() or not text.isdigit():
        raise UsageError(f"expected --jobs of a whole number, or 0 for none, got {text}")
    return _count(text, "--jobs") if text.strip("0") else 0


def _times(parsed: argparse.Namespace) -> int:
    if parsed.times is None:
        return 1
    if not parsed.points:
        raise UsageError("expected points to try beside --times, as --try best, got none")
    return _count(parsed.times, "--times")


def _budgets(parsed: argparse.Namespace) -> Budgets:
    given: Sequence[tuple[BudgetName, str | None]] = (
        ("trials", parsed.trials),
        ("cost", parsed.cost),
        ("time", parsed.time),
        ("target", parsed.target),
        ("patience", parsed.patience),
        ("expected_gain", parsed.expected_gain),
    )
    told = {name: text for name, text in given if text is not None and text != NONE}
    gain = number_typed(told["expected_gain"], "--expected-gain") if "expected_gain" in told else None
    return Budgets(
        trials=_count(told["trials"], "--trials") if "trials" in told else None,
        cost=number_typed(told["cost"], "--cost") if "cost" in told else None,
        time_s=duration_typed(told["time"], "--time") if "time" in told else None,
        target=number_typed(told["target"], "--target") if "target" in told else None,
        patience=_count(told["patience"], "--patience") if "patience" in told else None,
        expected_gain=gain,
        lifted=tuple(name for name, text in given if text == NONE),
    )
