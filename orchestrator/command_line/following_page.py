"""`orchestrator report --follow`: which run, where its page goes, and how often."""

from __future__ import annotations

import argparse
import sys

from orchestrator.command_line.files import DONE, folder_to_look_at, say, write
from orchestrator.errors import OrchestratorError, UsageError

EVERY_S = 30.0
"""Unless more is said."""


def follow_page(parsed: argparse.Namespace) -> int:
    """Write the page anew until the run has ended. Raises UsageError for what is at odds with that."""
    from orchestrator.report.html.followed_page import UNREADABLE, FollowedPage

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
    try:
        followed.follow()
    except UNREADABLE:
        raise
    except OrchestratorError as error:
        raise OrchestratorError(f"{error}{elsewhere(parsed)}") from None
    write(f"{path}\n", None)
    return DONE


def elsewhere(parsed: argparse.Namespace) -> str:
    """What to do where a page cannot be written."""
    return "" if parsed.output else "; --output FILE writes it elsewhere"


def every_seconds(parsed: argparse.Namespace) -> float:
    """At most how often a page is written. Raises UsageError for what is no duration."""
    return EVERY_S if parsed.every is None else _seconds(parsed.every)


def _seconds(text: str) -> float:
    from pydantic_core import PydanticCustomError

    from orchestrator.spec.document.yaml_tree import scalar
    from orchestrator.spec.sections.durations import seconds

    try:
        return seconds(scalar(text))
    except PydanticCustomError as error:
        raise UsageError(f"--every: {error.message()}") from None
