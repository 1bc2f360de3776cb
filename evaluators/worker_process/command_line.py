"""A worker from its command line to its exit code."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from evaluators.worker_process.descriptors import refuse_too_few
from evaluators.worker_process.loop import WorkerLoop
from evaluators.worker_process.options import WorkerOptions, add_arguments, options_from
from orchestrator.errors import OrchestratorError
from orchestrator.system.standard_streams import leave_streams, open_closed_streams, speaker
from orchestrator.system.waitable_children import refuse_unwaitable


def run_worker(options: WorkerOptions) -> int:
    """Work until told to stop; the process's exit code.

    0: drained, or the parent is gone. 1: the machine does not let it work. 2: it makes no sense to go on
    (wrong protocol, evaluator or arguments). 130: interrupted twice. Must be called in the main thread.
    What people should know is said on standard error.
    """
    say = speaker(f"worker {options.worker_name}")
    try:
        options.check()
        refuse_unwaitable()
        refuse_too_few(options.slots)
        with WorkerLoop(options, say) as loop:
            return loop.run()
    except OrchestratorError as error:
        say(str(error))
        return error.exit_code
    except OSError as error:
        say(f"cannot go on: {error}")
        return 1


def main(arguments: Sequence[str] | None = None) -> int:
    """``python -m evaluators.worker``; the exit code. argparse itself exits with 2 for a wrong line."""
    open_closed_streams()
    parser = argparse.ArgumentParser(
        prog="python -m evaluators.worker",
        description="Evaluate trials for an orchestrator, from any terminal or machine.",
    )
    add_arguments(parser)
    try:
        options = options_from(parser.parse_args(arguments))
    except OrchestratorError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    code = run_worker(options)
    leave_streams()
    return code
