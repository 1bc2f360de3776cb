"""The command line, to which a signal comes at a moment that chance would hardly find.

python signalled_command.py before-the-first-event SIGNAL ARGUMENTS: as a run is about to make it safe
python signalled_command.py with-any-default SIGNAL ARGUMENTS: whenever, from then on, that signal is given a
    handler that is not a run's own
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from typing import Any

from orchestrator.__main__ import main
from orchestrator.runtime.requests.desk import Desk, Waiting

NOT_A_RUNS_OWN = (signal.SIG_DFL, signal.SIG_IGN, signal.default_int_handler)


def before_the_first_event(do: Callable[[], None]) -> None:
    """Have something done once, as what was left for the run is looked for."""
    waiting, done = Desk.waiting, list[bool]()

    def preceded(desk: Desk) -> list[Waiting]:
        if not done:
            done.append(True)
            do()
        return waiting(desk)

    Desk.waiting = preceded  # type: ignore[method-assign]


def signal_with_any_default(number: int) -> None:
    handle = signal.signal

    def handled(told: int, handler: Any) -> Any:
        before = handle(told, handler)
        if told == number and handler in NOT_A_RUNS_OWN:
            signal.raise_signal(number)
        return before

    signal.signal = handled


if __name__ == "__main__":
    moment, name, *arguments = sys.argv[1:]
    number = getattr(signal, name)
    if moment == "before-the-first-event":
        before_the_first_event(lambda: os.kill(os.getpid(), number))
    else:
        before_the_first_event(lambda: signal_with_any_default(number))
    sys.argv[1:] = arguments
    sys.exit(main())
