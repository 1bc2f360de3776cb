"""The lease that a broken frame is about, so that its sender can be told which outcome not to send again."""

from __future__ import annotations

import re

TOKENS_LIMIT = 20_000
"""So much of a frame is looked at: whoever sends nonsense must not keep the loop from others."""

# Strings are passed over whole, so that neither a bracket nor a name inside one counts.
_TOKEN = re.compile(
    rb'"(?P<key>type|lease)"\s*+:\s*+"(?P<name>[^"\\]{1,40})"'
    rb'|"[^"\\]*+(?:\\.[^"\\]*+)*+"?'
    rb'|(?P<open>[\[{]++)|(?P<close>[\]}]++)|[^"\[\]{}]++',
    re.DOTALL,
)


def lease_of_outcome(frame: bytes) -> str:
    """The lease that a result or failure names, though it is no message otherwise; empty if there is none."""
    told: dict[bytes, bytes] = {}
    depth = 0
    for _, token in zip(range(TOKENS_LIMIT), _TOKEN.finditer(frame), strict=False):
        if (opened := token["open"]) is not None:
            depth += len(opened)
        elif (closed := token["close"]) is not None:
            depth -= len(closed)
        elif depth == 1 and token["key"] is not None:
            told[token["key"]] = token["name"]
        if len(told) == 2:
            break
    if told.get(b"type") not in (b"result", b"failure"):
        return ""
    return told.get(b"lease", b"").decode("ascii", errors="ignore")
