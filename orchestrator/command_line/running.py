"""The commands that run experiments, and lend a run a worker or a node."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from orchestrator.command_line.files import DONE, FAILED, INTERRUPTED, folder_of, is_screen, say, say_remarks

if TYPE_CHECKING:
    from orchestrator.runtime.monitor import Monitor
    from orchestrator.runtime.run import RunOptions, RunOutcome
    from orchestrator.spec.model import Spec


def run(parsed: argparse.Namespace) -> int:
    """Start the experiment of a spec, and see it through."""
    from orchestrator.report.doctor.readiness import refuse_to_begin
    from orchestrator.runtime.run import run_experiment
    from orchestrator.spec.load import load_spec

    loaded = load_spec(parsed.spec)
    if not parsed.quiet:
        say_remarks(loaded.remarks)
    check = partial(refuse_to_begin, folder=Path(parsed.spec).parent)
    return _closed(parsed, loaded.spec, run_experiment(loaded, _options(parsed, check)))


def resume(parsed: argparse.Namespace) -> int:
    """See a run through that was stopped, killed or unplugged."""
    from orchestrator.report.doctor.readiness import refuse_to_begin
    from orchestrator.report.following.last_standing import why_cut_short
    from orchestrator.runtime.folder.begun_spec import read_spec
    from orchestrator.runtime.run import resume_experiment

    folder = folder_of(parsed)
    # Not after: the folder may have another name by then.
    spec = read_spec(folder).spec

    def check(resumed: Spec) -> None:
        refuse_to_begin(resumed)
        if cut_short := why_cut_short(folder):
            say(
                f"note: {folder.journal} is cut short: {cut_short}. What is missing is not in the file, and "
                "this goes on without; if there is a copy, stop (Ctrl-C), put it back, and resume again\n",
                sys.stderr,
            )

    return _closed(parsed, spec, resume_experiment(folder, _options(parsed, check)))


def worker(parsed: argparse.Namespace) -> int:
    """Evaluate for a run, until it has no more to do."""
    from evaluators.worker_process.command_line import run_worker
    from evaluators.worker_process.options import options_from

    return run_worker(options_from(parsed))


def node(parsed: argparse.Namespace) -> int:
    """Choose points together with a run, until it has no more to choose."""
    from orchestrator.runtime.nodes.options import options_from
    from orchestrator.runtime.threads import environment_for

    options = options_from(parsed)
    # As in the optimiser's own process, and before numpy is there: with another number of threads the same
    # sum is rounded otherwise.
    os.environ.update(environment_for(os.cpu_count() or 1))
    from orchestrator.runtime.nodes.process import run_node

    return run_node(options)


def _options(parsed: argparse.Namespace, check: Callable[[Spec], None]) -> RunOptions:
    from orchestrator.runtime.run import RunOptions

    return RunOptions(_monitor(parsed), parsed.logs, check=check, process_ends=True)


def _monitor(parsed: argparse.Namespace) -> Monitor:
    from orchestrator.report.following.standing_monitor import StandingMonitor

    return StandingMonitor(_face(parsed))


def _face(parsed: argparse.Namespace) -> Monitor:
    if parsed.json:
        from orchestrator.report.monitors.json_lines import JsonLinesMonitor

        return JsonLinesMonitor(sys.stdout, _say_unwritten)
    if parsed.quiet:
        from orchestrator.report.monitors.quiet import QuietMonitor

        return QuietMonitor(sys.stderr)
    if parsed.plain or not is_screen(sys.stderr):
        from orchestrator.report.monitors.plain import PlainMonitor

        return PlainMonitor(sys.stderr)
    from rich.console import Console

    from orchestrator.report.terminal.live import LiveMonitor

    return LiveMonitor(Console(stderr=True))


def _say_unwritten(complaint: str) -> None:
    say(
        f"note: expected to write the events to standard output, got: {complaint}. The run goes on without; "
        "orchestrator watch --json tells them from the beginning\n",
        sys.stderr,
    )


def _closed(parsed: argparse.Namespace, spec: Spec, outcome: RunOutcome) -> int:
    from orchestrator.runtime.interrupts import ignore_interrupts

    # Up to the end of the process, which is near.
    ignore_interrupts()
    from orchestrator.report.closing import closing_words, fruitless, why_fruitless

    if parsed.quiet:
        say(f"{outcome.folder}\n", sys.stdout)
        if outcome.failed:
            say(f"{outcome.message}\n", sys.stderr)
        elif fruitless(outcome):
            say(f"{why_fruitless(outcome)}\n", sys.stderr)
    elif not parsed.json:
        say(closing_words(spec, outcome), sys.stderr)
    if outcome.failed:
        return FAILED
    if outcome.interrupted and outcome.state.resumable:
        return INTERRUPTED
    return FAILED if fruitless(outcome) else DONE
