"""How a process ended, in words that a person can act on."""

from __future__ import annotations

import signal


def exit_words(code: int | None) -> str:
    """``exit code 3``, or by which signal it was killed; ``code`` is as `subprocess` has it, None where it is
    not known.
    """
    if code is None or code >= 0:
        return f"exit code {'unknown' if code is None else code}"
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"signal {-code}"
    hint = ", often the kernel, when memory runs out" if code == -signal.SIGKILL else ""
    return f"killed by {name}{hint}"
