"""Python that is looked at warns nobody, and what warns whoever else is left as it was."""

from __future__ import annotations

import ast
import threading
import warnings

from orchestrator.values.python_text import looked_at

PASSES = 0.1
"""Seconds until who has to wait is taken to do so."""


def test_what_is_looked_at_warns_nobody() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with looked_at():
            ast.parse(r"'\d'")


def test_threads_that_look_at_the_same_time_leave_warnings_as_they_were() -> None:
    before = list(warnings.filters)
    within, may_leave = threading.Event(), threading.Event()

    def look() -> None:
        with looked_at():
            within.set()
            may_leave.wait()

    other = threading.Thread(target=look)
    with looked_at():
        other.start()
        # Who comes in between would put back, as the last to leave, that nobody is warned.
        within.wait(PASSES)
    may_leave.set()
    other.join()
    assert list(warnings.filters) == before
