"""A worker: dials out to an orchestrator, evaluates in child processes, keeps results until acknowledged.

    python -m evaluators.worker --connect tcp://host:5555 --evaluator simulators.wing:drag
    python -m evaluators.worker --connect tcp://host:5555 --command ./wing --span {span} --seed {seed}

SIGTERM or SIGINT once: finish what runs, say goodbye, exit 0. Twice: kill what runs, say goodbye, exit 130.
A terminal that is closed (SIGHUP) is the first, and never the second; `nohup` keeps the worker from it.
"""

from __future__ import annotations

import sys


def main(arguments: list[str] | None = None) -> int:
    """``python -m evaluators.worker``; the exit code. argparse itself exits with 2 for a wrong line."""
    # Imported here because it is slow: who interrupts a worker before it is there need not be told where.
    from evaluators.worker_process.command_line import main as command_line

    return command_line(arguments)


if __name__ == "__main__":
    import gc
    import signal

    # Until the worker listens to it; not where it is ignored, as of a job in the background.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    ended = main()
    # The process ends: what is garbage of all that it imported need not be looked for.
    gc.freeze()
    sys.exit(ended)
