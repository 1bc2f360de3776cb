"""`orchestrator report --follow`: which run, where its page goes, and how often."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from orchestrator.command_line.files import folder_to_look_at, say, write
from orchestrator.command_line.named_numbers import duration_typed
from orchestrator.errors import OrchestratorError, UsageError

EVERY_S = 30.0
"""Unless more is said."""


def follow_page(parsed: argparse.Namespace) -> int:
    """Write the page anew until the run has ended. Raises UsageError for what is at odds with that."""
    from orchestrator.report.html.followed_page import FollowedPage

    for name in ("picture", "charts", "trial", "sensitivity", "posterior", "places"):
        if getattr(parsed, name):
            raise UsageError(
                f"expected --follow without --{name}, which is of the run as it is now; got both:"
                f" give the command once more for --{name}"
            )
    every_s = every_seconds(parsed)
    folder = folder_to_look_at(parsed)
    path = parsed.output or folder.report
    followed = FollowedPage(folder, path, every_s, lambda sentence: say(f"{sentence}\n", sys.stderr))
    with or_elsewhere(parsed):
        followed.follow()
    return write(f"{path}\n", None)


@contextmanager
def or_elsewhere(parsed: argparse.Namespace) -> Iterator[None]:
    """What to do is said where a page cannot be written."""
    from orchestrator.report.html.followed_page import UNREADABLE

    try:
        yield
    except UNREADABLE:
        raise
    except OrchestratorError as error:
        further = "" if parsed.output else "; --output FILE writes it elsewhere"
        raise OrchestratorError(f"{error}{further}") from None


def every_seconds(parsed: argparse.Namespace) -> float:
    """At most how often a page is written. Raises UsageError for what is no duration."""
    return EVERY_S if parsed.every is None else duration_typed(parsed.every, "--every")
