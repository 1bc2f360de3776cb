"""``NAME=VALUE``, as it is typed."""

from __future__ import annotations

from collections.abc import Iterable


def name_and_value(text: str, names: Iterable[str]) -> tuple[str, str, str]:
    """As ``text.partition("=")``, but behind the longest of ``names`` that it begins with, if it does.

    A value may have an equals sign in it, as a path, and so may a name.
    """
    known = [name for name in names if text.startswith(f"{name}=")]
    if not known:
        return text.partition("=")
    name = max(known, key=len)
    return name, "=", text[len(name) + 1 :]
