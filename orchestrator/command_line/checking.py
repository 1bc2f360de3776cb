"""The commands that say whether something is sound: a journal, a spec, this machine."""

from __future__ import annotations

import argparse
import os
import sys
from contextlib import ExitStack
from pathlib import Path

from orchestrator.command_line.files import DONE, FAILED, folder_to_look_at, say, say_remarks, write
from orchestrator.errors import SpecError, UsageError
from orchestrator.system.shell_lines import shell_line


def fsck(parsed: argparse.Namespace) -> int:
    """What is damaged in a run's journal and what can be saved; mends it if asked to."""
    from datetime import datetime

    from orchestrator.report.following.last_standing import amended_no_more, had_begun, why_cut_short
    from orchestrator.report.words.fsck import examination_words, plan_words
    from orchestrator.report.words.left_requests import request_words
    from orchestrator.report.words.without_best import why_no_best
    from orchestrator.runtime.recovery.fsck import examine
    from orchestrator.runtime.recovery.repair import plan_repair, repair
    from orchestrator.runtime.requests.desk import Desk
    from orchestrator.runtime.requests.left_of_moved import refuse_of_moved

    folder = folder_to_look_at(parsed)
    with ExitStack() as held:
        if parsed.repair:
            held.enter_context(folder.lock())
            held.enter_context(folder.hold_journal())
        found = examine(folder.journal)
        before = None if found.begun or found.damaged else had_begun(folder)
        emptied_of = None if before is None else before.view.trials.completed
        cut_short = why_cut_short(folder) if found.begun and not found.damaged else ""
        write(examination_words(found, emptied_of, cut_short), None)
        if emptied_of is not None or cut_short:
            return FAILED
        if not found.damaged and not (found.torn and parsed.repair):
            return DONE
        plan = plan_repair(folder, found, datetime.now().astimezone())
        known = [f"by standing.json, {line}" for line in amended_no_more(folder, plan.after)]
        plan = plan.with_lost_amendments(known)
        write(plan_words(plan), None)
        if not parsed.repair:
            say(f"nothing was changed; to do so: {shell_line('fsck', folder.path, '--repair')}\n", sys.stderr)
            return FAILED
        kept = repair(plan)
        if found.hole:
            for waiting, why in refuse_of_moved(Desk(folder), plan.saved.moved_from, plan.after):
                assert waiting.request is not None
                say(f"not taken up: {request_words(waiting.request)}: {why}\n", sys.stderr)
        resume = shell_line("resume", folder.path)
        further = f"the run has ended: {plan.ending}" if plan.ending else f"continue: {resume}"
        if plan.ending and why_no_best(plan.after) == "not weighed":
            further += f"; to have it said which trial is preferred by what is left: {resume}"
        say(f"mended; the damaged journal is kept as {kept}\n{further}\n", sys.stderr)
        return DONE


def validate(parsed: argparse.Namespace) -> int:
    """Whether a spec is valid, with every error at its place, and what it would lack if it were run here."""
    from orchestrator.report.doctor.readiness import jobs_lacking, what_is_lacking
    from orchestrator.report.doctor.taken_parameters import parameters_amiss
    from orchestrator.report.words.spec import spec_words
    from orchestrator.spec.load import load_spec

    loaded = load_spec(parsed.spec)
    if amiss := parameters_amiss(loaded.spec):
        raise SpecError(f"{parsed.spec}: {amiss}")
    say_remarks(loaded.remarks)
    done = write(f"{parsed.spec} is valid: {spec_words(loaded.spec)}\n", None)
    lacking = [what_is_lacking(loaded.spec, Path(parsed.spec).parent), jobs_lacking(loaded.spec)]
    keys = loaded.spec.workers.keys
    if keys is not None and not os.path.exists(os.path.join(keys, "server.json")):
        lacking.append(f"keys, one a worker: {shell_line('keys', 'new', 'NAME', '--keys', keys)}")
    say_remarks(f"here `orchestrator run` would not begin it; it lacks {one}" for one in lacking if one)
    return done


def doctor(parsed: argparse.Namespace) -> int:
    """Which workloads can run here, or whether one of them, or a connection, can."""
    from orchestrator.report.doctor.findings import (
        doctor_table,
        doctor_words,
        examine,
        examine_queue,
        examine_spec,
    )

    if parsed.key is not None and parsed.connect is None:
        raise UsageError("expected --key beside --connect, for which it is; got it alone")
    asked = parsed.spec is not None or parsed.connect is not None
    findings = [] if asked else examine()
    if parsed.spec is not None:
        from orchestrator.spec.load import load_spec

        spec = load_spec(parsed.spec).spec
        findings += filter(None, [examine_spec(spec, Path(parsed.spec).parent), examine_queue(spec)])
    if parsed.connect is not None:
        from orchestrator.report.doctor.reachability import examine_connection
        from orchestrator.wire.credentials import credentials_given

        findings.append(examine_connection(parsed.connect, credentials_given(parsed.key)))
    if parsed.format == "json":
        write(doctor_table(findings).written("json"), parsed.output)
    else:
        write(doctor_words(findings), parsed.output)
    # Somebody who asks about one thing wants to know; the list of all is no failure.
    return DONE if not asked or all(finding.ready for finding in findings) else FAILED


def schema(parsed: argparse.Namespace) -> int:
    """The JSON Schema of specs."""
    import json

    from orchestrator.spec.schema import spec_schema

    return write(json.dumps(spec_schema(), indent=2) + "\n", parsed.output)
