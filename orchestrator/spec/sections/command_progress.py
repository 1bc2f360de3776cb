"""What of a command's lines says how it stands, as a spec has it: JSON, or a pattern with named groups."""

from __future__ import annotations

import re

from orchestrator.spec.document.section import refuse, shown
from orchestrator.spec.sections.trial_files import beside_the_trial

STEP = "step"
"""The group, or the key, that says how far it is; all others are quantities."""
NO_PATTERN = (re.error, OverflowError, RecursionError)
"""What `re` raises of a pattern: the others of a number of repetitions, or a nesting, that is beyond it."""


def read_progress(value: object) -> object:
    """`json`, {"pattern": ...}, {"file": ...} or both of these, from what was written.

    Raises an error of pydantic's with a sentence.
    """
    if isinstance(value, str) and "(" in value:
        value = {"pattern": value}
    match value:
        case "json":
            return value
        case {"pattern": str(pattern), **rest} if not rest:
            _check(pattern)
            return value
        case {"file": str(name), **rest} if not rest:
            return {"file": beside_the_trial(name)}
        case {"file": str(name), "pattern": str(pattern), **rest} if not rest:
            _check(pattern)
            return {"file": beside_the_trial(name), "pattern": pattern}
    raise refuse(
        "expected `json` (lines that are JSON objects with a `step`) or {pattern: a regular expression with a"
        " named group for each quantity}, or {file: the name of a file that is written}, alone or with a"
        f" pattern, got {shown(value)}"
    )


def quantities_of(progress: object) -> list[str] | None:
    """The names that reports can have; None where any may come."""
    if not isinstance(progress, dict) or "pattern" not in progress:
        return None
    return [name for name in re.compile(progress["pattern"]).groupindex if name != STEP]


def _check(pattern: str) -> None:
    try:
        groups = re.compile(pattern).groupindex
    except NO_PATTERN as error:
        # As other languages have it.
        hint = "; a named group is `(?P<name>...)`" if re.search(r"\(\?<\w", pattern) else ""
        raise refuse(f"expected a regular expression, got {shown(pattern)}: {error}{hint}") from None
    if not set(groups) - {STEP}:
        beside = f" beside `{STEP}`" if groups else ""
        raise refuse(
            f"expected a regular expression with a named group for each quantity{beside}, as in"
            rf" `loss (?P<loss>\S+)`, got {shown(pattern)}"
        )
