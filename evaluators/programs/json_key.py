"""What is in JSON under a key, or under several, one within the other: `wing.drag`, `cases.0.drag`."""

from __future__ import annotations

from evaluators.errors import EvaluationError
from evaluators.programs.written_number import read_number
from orchestrator.spelling import did_you_mean


def under_key(content: object, key: str, told: str) -> object:
    """It may be anything; a text that is a number is one. The place in a list counts from 0, or from -1 at
    its end. A key that has a point in it is found as well.

    Raises `EvaluationError` (invalid) where there is none, and says which there are. ``told`` says what the
    program was to do, as to write the file.
    """
    found, rest = content, key
    while rest:
        step = _step(found, rest)
        if step is None:
            raise EvaluationError("invalid", f"expected {told} `{key}`{_instead(found, rest, key)}")
        found, rest = step
    number = read_number(found) if isinstance(found, str) else None
    return found if number is None else number


def nothing_under(key: str, told: str) -> EvaluationError:
    """Of a value that is null."""
    return EvaluationError(
        "invalid", f"expected {told} a value under `{key}`, got null, as which some programs write NaN"
    )


def _step(found: object, rest: str) -> tuple[object, str] | None:
    """What the first of the keys leads to, and those that are left; None where it leads nowhere."""
    if isinstance(found, dict):
        parts = rest.split(".")
        for count in range(len(parts), 0, -1):
            if (name := ".".join(parts[:count])) in found:
                return found[name], ".".join(parts[count:])
    if isinstance(found, list):
        first, _, others = rest.partition(".")
        try:
            return found[int(first)], others
        except (ValueError, IndexError):
            return None
    return None


def _instead(found: object, rest: str, key: str) -> str:
    where = key.removesuffix(rest).removesuffix(".")
    under = f" under `{where}`" if where else ""
    if isinstance(found, dict):
        names = [str(name) for name in found]
        listed = ", ".join(f"`{name}`" for name in names[:10]) or "nothing"
        near = did_you_mean(rest.partition(".")[0], names)
        return f", got {listed}{', …' if len(names) > 10 else ''}{under}{near}"
    what = f"a list of {len(found)}" if isinstance(found, list) else repr(found)[:60]
    what = "null" if found is None else what
    return f", got {what}{under}"
