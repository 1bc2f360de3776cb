"""The commands that decide over a run, and who may connect to one."""

from __future__ import annotations

import argparse
import sys
from contextlib import nullcontext
from datetime import datetime
from typing import TYPE_CHECKING

from orchestrator.command_line.files import (
    DONE,
    FAILED,
    folder_to_look_at,
    say,
    say_remarks,
    write,
    write_table,
)
from orchestrator.errors import OrchestratorError, UsageError
from orchestrator.system.shell_lines import shell_line
from orchestrator.values.counts import count_in

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from orchestrator.report.following.run_so_far import RunSoFar
    from orchestrator.runtime.folder.run_folder import RunFolder
    from orchestrator.runtime.requests.desk import Desk, Waiting
    from orchestrator.runtime.requests.kinds import Amend, Decision, Request, Verdict

ANSWER_WITHIN_S = 10.0


def approve(parsed: argparse.Namespace) -> int:
    """Let trials go to their workers: those named, or all that wait."""
    from orchestrator.report.following.run_so_far import run_so_far
    from orchestrator.runtime.requests.kinds import Approve

    trials = [_trial(target) for target in parsed.targets if target.isdecimal()]
    runs = [target for target in parsed.targets if not target.isdecimal()]
    if len(runs) > 1:
        raise UsageError(f"expected one RUN and numbers of trials, got {' '.join(parsed.targets)}")
    parsed.run = runs[0] if runs else None
    folder = folder_to_look_at(parsed)
    if not trials:
        state = run_so_far(folder).state
        trials = [number for number in state.waiting.queue if not state.trials[number].approved]
        if not trials:
            raise OrchestratorError("expected trials that wait for approval, found none")
    return _decide(folder, *(Approve(trial, parsed.by) for trial in trials))


def _trial(text: str) -> int:
    try:
        return count_in(text)
    except ValueError as error:
        raise UsageError(f"a trial: {error}") from None


def refuse(parsed: argparse.Namespace) -> int:
    """Have a trial not evaluated, and say why."""
    from orchestrator.runtime.requests.kinds import Refuse

    return _decide(folder_to_look_at(parsed), Refuse(parsed.trial, parsed.reason, parsed.by, parsed.forget))


def record(parsed: argparse.Namespace) -> int:
    """Type in the result of a trial that a person evaluated, or have those of many read from a file."""
    if parsed.results is not None:
        return _record_results(parsed)
    if parsed.replicates:
        raise UsageError("expected --results FILE beside --replicates, got none")
    if not 1 <= len(parsed.targets) <= 2:
        came = " ".join(parsed.targets) or "none"
        raise UsageError(f"expected the number of one trial, or --results FILE for those of many, got {came}")
    trial = _trial(parsed.targets[-1])
    parsed.run = parsed.targets[0] if len(parsed.targets) == 2 else None
    return _record(parsed, trial)


def _record(parsed: argparse.Namespace, trial: int) -> int:
    from orchestrator.command_line.typed_results import (
        named_once,
        refuse_a_value,
        with_curves,
        with_its_block,
        with_its_value,
        with_unknown_derivatives,
    )
    from orchestrator.runtime.folder.begun_spec import read_spec
    from orchestrator.runtime.requests.kinds import CarryOut, Record, RecordFailure
    from orchestrator.runtime.results.usable_values import why_unusable
    from orchestrator.spec.sections.objective import BY_COMPARISON

    besides = "--extra" if parsed.extra else "--variance" if parsed.variance is not None else ""
    if parsed.failed is not None:
        if besides:
            raise UsageError(
                f"expected --failed alone, as nothing is kept beside a failure, got {besides} too"
            )
        return _decide(folder_to_look_at(parsed), RecordFailure(trial, parsed.failed, parsed.by))
    if parsed.value is not None and (complaint := why_unusable(parsed.value)):
        raise UsageError(f"{complaint}; say --failed for no value")
    value, extras, folder = parsed.value, named_once(parsed.extra), None
    if value is None or extras:
        folder = folder_to_look_at(parsed)
        spec = read_spec(folder).spec
        if value is None and spec.objective.told == BY_COMPARISON:
            if besides:
                raise UsageError(
                    f"expected the number of a trial alone, as in this run trials are compared, got {besides}"
                )
            return _decide(folder, CarryOut(trial, parsed.by))
        if spec.objective.is_computed:
            refuse_a_value(value, extras, spec.objective.name, spec.outcomes)
            extras = with_curves(extras, spec.outcomes)
        else:
            value, extras = with_its_value(value, extras, spec.objective.own_name)
        extras = with_its_block(extras, parsed.extra, spec.blocks)
        extras = with_unknown_derivatives(extras, spec.derivatives_by)
    if value is not None and (complaint := why_unusable(value, parsed.variance)):
        raise UsageError(complaint)
    recorded = Record(trial, value, parsed.variance, extras=extras, by=parsed.by)
    return _record_all(folder or folder_to_look_at(parsed), [recorded], parsed)


def prefer(parsed: argparse.Namespace) -> int:
    """Say which of two trials is better, or that nobody can tell, or take that back."""
    from orchestrator.runtime.requests.kinds import Compare, TakeBack

    if not 1 <= len(parsed.targets) <= 2:
        raise UsageError(f"expected the number of one trial, got {' '.join(parsed.targets) or 'none'}")
    trial, by = _trial(parsed.targets[-1]), parsed.by
    parsed.run = parsed.targets[0] if len(parsed.targets) == 2 else None
    said: list[Decision] = [Compare(trial, other, by=by) for other in parsed.over]
    said += [Compare(trial, other, alike=True, by=by) for other in parsed.like]
    said += [TakeBack(trial, other, by) for other in parsed.take_back]
    if not said:
        raise UsageError("expected --over TRIAL, --like TRIAL or --take-back TRIAL, got none")
    if len({one.other for one in said if isinstance(one, Compare | TakeBack)}) < len(said):
        raise UsageError("expected each other trial once")
    return _decide(folder_to_look_at(parsed), *said)


def _record_all(folder: RunFolder, decisions: Sequence[Decision], parsed: argparse.Namespace) -> int:
    """What corrects something goes before the rest, so that nothing is recorded where it cannot be."""
    from orchestrator.report.following.run_so_far import run_so_far
    from orchestrator.runtime.requests.corrected_records import correcting, is_correction
    from orchestrator.runtime.requests.decisions import is_so_already
    from orchestrator.runtime.requests.kinds import Record

    if not parsed.correct:
        return _decide(folder, *decisions)
    run = run_so_far(folder)
    settled = [one for one in decisions if isinstance(one, Record) and is_correction(one, run.state)]
    anew = [one for one in settled if not is_so_already(one, run.spec, run.state)]
    code = _amend(folder, lambda run: correcting(anew, run.spec, run.state, parsed.by)) if anew else DONE
    others = [one for one in decisions if one not in anew]
    if others and code != DONE:
        say(
            "nothing else is recorded, either: once that is put right, have all of it read again\n",
            sys.stderr,
        )
        return code
    return _decide(folder, *others) if others else code


def _record_results(parsed: argparse.Namespace) -> int:
    from orchestrator.command_line.recorded_results import RunAsItStands, results_to_record
    from orchestrator.report.following.run_so_far import run_so_far
    from orchestrator.report.words.wording import counted
    from orchestrator.runtime.requests.desk import Desk

    if len(parsed.targets) > 1 or parsed.variance is not None or parsed.extra:
        raise UsageError("expected --results FILE with at most a RUN beside it: all else is in the file")
    parsed.run = parsed.targets[0] if parsed.targets else None
    folder = folder_to_look_at(parsed)
    run = run_so_far(folder)
    left = [waiting.request for waiting in Desk(folder).waiting()]
    stands = RunAsItStands(run.spec, run.state, folder.holder() is not None, left)
    found = results_to_record(parsed.results, stands, replicates=parsed.replicates, correct=parsed.correct)
    say_remarks(found.remarks)
    code = _record_all(folder, found.decisions_by(parsed.by), parsed) if found.decisions else DONE
    over = {
        "not measured": found.unmeasured,
        "recorded before": found.known,
        "without the number of a trial": found.of_no_trial,
    }
    rows = ", ".join(f"{counted(count, 'row')} {why}" for why, count in over.items() if count)
    results = counted(len(found.decisions), "result")
    say(f"{parsed.results}: {results}{rows and f'; passed over: {rows}'}\n", sys.stderr)
    return code


def amend(parsed: argparse.Namespace) -> int:
    """Change a run that has begun."""
    from orchestrator.command_line.amend_options import request_from
    from orchestrator.command_line.amended_values import with_values_told
    from orchestrator.command_line.named_points import points_by_name
    from orchestrator.command_line.retried_trials import with_retries
    from orchestrator.runtime.requests.kinds import Amend

    folder = folder_to_look_at(parsed)

    def asked(run: RunSoFar) -> Amend | None:
        told = with_retries(parsed, run.spec, run.state)
        request = request_from(told, run.spec, run.state, points_by_name(run, told.points))
        request = with_values_told(request, told, run.spec, run.state, folder.path)
        has_nothing_new = parsed.known and request == Amend(by=parsed.by, reason=parsed.reason)
        return None if has_nothing_new else request

    return _amend(folder, asked, dry_run=parsed.dry_run)


def _amend(folder: RunFolder, asked: Callable[[RunSoFar], Amend | None], *, dry_run: bool = False) -> int:
    """Have a run amended as is ``asked`` of it as it is; None: by nothing. ``dry_run``: only say it."""
    from orchestrator.report.following.run_so_far import run_so_far
    from orchestrator.report.words.values_anew import best_before_and_after
    from orchestrator.runtime.requests.amendments import decide_amendment
    from orchestrator.runtime.requests.desk import Desk
    from orchestrator.runtime.requests.left_amendments import foresee
    from orchestrator.runtime.requests.lost_records import refuse_to_lose
    from orchestrator.runtime.requests.next_life import sentence_when_resumed
    from orchestrator.runtime.requests.spent_budgets import what_to_amend
    from orchestrator.runtime.unattended import ends_at_once

    held = folder.holder() is not None
    # Whoever works on it answers one after the other.
    with nullcontext() if held else Desk(folder).alone():
        run = run_so_far(folder)
        if not held:
            foresee(folder, run.spec, run.scheduler)
        request = asked(run)
        if request is None:
            return DONE
        # Nonsense is refused here and now, even where nobody works on the run.
        decided = decide_amendment(request, run.spec, run.state, run.now(held), name="")
        sentence = decided.sentence
        if not held:
            refuse_to_lose(folder, run.scheduler, decided.events)
            sentence = sentence_when_resumed(request, run.spec, run.scheduler, run.now(held), sentence)
        values = best_before_and_after(run.spec, run.scheduler, decided.events)
        if dry_run:
            say(f"it would be so: {sentence}\n{values}nothing is changed\n", sys.stderr)
            return DONE
        if values:
            say(values, sys.stderr)
        if not held and not decided.events:
            say(f"{sentence}\n", sys.stderr)
            return DONE
        code = _ask_for(folder, request)
    # It may have been resumed meanwhile.
    if not held and folder.holder() is None:
        for event in decided.events:
            run.scheduler.handle(event)
        further = f"continue: {shell_line('resume', folder.path)}"
        if over := ends_at_once(run.state, datetime.now().astimezone()):
            more = f"{shell_line('amend', folder.path)} {what_to_amend(run.state)}"
            further = f"resumed, it would end at once: {over}. For it to go on, besides: {more}"
        say(f"{sentence}\n{further}\n", sys.stderr)
    return code


def _decide(folder: RunFolder, *decisions: Decision) -> int:
    from orchestrator.report.following.run_so_far import run_so_far
    from orchestrator.runtime.requests.desk import Desk
    from orchestrator.runtime.requests.left_decisions import left_to_be_replaced, refuse_in_vain

    held = folder.holder() is not None
    # Whoever works on it answers one after the other.
    with nullcontext() if held else Desk(folder).alone():
        if not held:
            # Whoever is refused when the run goes on may not be there to see it; so nothing is left in vain.
            run = run_so_far(folder)
            done = refuse_in_vain(decisions, folder, run.spec, run.scheduler)
            for _, sentence in done:
                say(f"{sentence}\n", sys.stderr)
            so_already = [decision for decision, _ in done]
            decisions = tuple(one for one in decisions if one not in so_already)
            if not decisions:
                return DONE
        replaced = [] if held else left_to_be_replaced(decisions, folder)
        return _ask_for(folder, *decisions, replaced=replaced)


def _ask_for(folder: RunFolder, *requests: Request, replaced: Sequence[Waiting] = ()) -> int:
    from orchestrator.report.words.left_requests import request_words
    from orchestrator.runtime.requests.desk import Desk

    desk = Desk(folder)
    paths = [desk.leave(request) for request in requests]
    for waiting in replaced:
        # Not before the others are on disk, so that at no time nothing is.
        desk.withdraw(waiting.path)
        if waiting.request is not None:
            say(f"no longer: {request_words(waiting.request)}\n", sys.stderr)
    if folder.holder() is None:
        say(f"nobody works on {folder.name} now; this is taken up when it is resumed\n", sys.stderr)
        return DONE
    return _say_answers(requests, [_answer(folder, desk, path) for path in paths], folder)


def _say_answers(requests: Sequence[Request], replies: Sequence[Verdict | None], folder: RunFolder) -> int:
    """What was done; of a file's results, how many were recorded."""
    from orchestrator.runtime.requests.kinds import Record

    answered = [(one, reply) for one, reply in zip(requests, replies, strict=True) if reply is not None]
    recorded = [one for one, reply in answered if reply.accepted and isinstance(one, Record)]
    if len(recorded) > 1:
        say(f"{len(recorded):,} results are recorded\n", sys.stderr)
    for one, reply in answered:
        if len(recorded) <= 1 or one not in recorded:
            say(f"{reply.sentence}\n", sys.stderr)
    if len(answered) < len(replies):
        say(f"nobody works on {folder.name} any more; this is taken up when it is resumed\n", sys.stderr)
    return DONE if all(reply.accepted for _, reply in answered) else FAILED


def _answer(folder: RunFolder, desk: Desk, path: Path) -> Verdict | None:
    """None: nobody works on the run any more."""
    reply = desk.await_answer(path, ANSWER_WITHIN_S)
    if reply is None and folder.holder() is None:
        return None
    if reply is None:
        raise OrchestratorError(
            f"expected an answer within {ANSWER_WITHIN_S:g} s, got none. The request is kept in {path} and "
            "taken up when the run can write again"
        )
    return reply


def keys(parsed: argparse.Namespace) -> int:
    """Make, list and revoke keys of workers."""
    from orchestrator.report.tables.table import Table
    from orchestrator.runtime.connections.keyring import Keyring

    keyring = Keyring(parsed.keys)
    if parsed.action == "list":
        if parsed.name is not None:
            raise UsageError(f"expected `orchestrator keys list` alone, got {parsed.name} behind it")
        rows = [(key.name, key.public, key.state) for key in keyring.known()]
        return write_table(Table(("name", "public", "state"), rows), parsed)
    if parsed.format != "table" or parsed.output is not None:
        raise UsageError(
            "expected --format and --output beside `orchestrator keys list`, which they are for; got them "
            f"with {parsed.action}"
        )
    if parsed.name is None:
        raise UsageError(f"expected the name of a worker: orchestrator keys {parsed.action} NAME")
    if parsed.action == "revoke":
        keyring.revoke(parsed.name)
        say(f"{parsed.name} is revoked: none of its messages counts from now on\n", sys.stderr)
        return DONE
    path = keyring.new_worker(parsed.name)
    say(
        f"Carry {path} to {parsed.name}'s machine, and delete it here, unless that sees this disk, as a"
        " cluster's nodes do. There:\n"
        f"  orchestrator worker --connect ADDRESS --key {path.name} --evaluator MODULE:FUNCTION\n"
        "  (or, at the end of the line, --command PROGRAM ARGUMENTS, as in the spec)\n"
        f"In the spec: workers: {{listen: ADDRESS, keys: {parsed.keys}}}\n"
        f"Or as a node: orchestrator node --connect ADDRESS --key {path.name}, and nodes: {{listen: ADDRESS, "
        f"keys: {parsed.keys}}} among the algorithm's options\n",
        sys.stderr,
    )
    return write(f"{path}\n", None)
