"""What is wrong of an experiment, where a sentence shows how a spec says it, as Python says it."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from contextlib import contextmanager

from orchestrator.errors import SpecError, UsageError

_IN_A_SPEC = re.compile(r"`(type: \w+|(?:\w+: )?\{[^`]*\})`")


@contextmanager
def said_in_python(arguments: Collection[str]) -> Iterator[None]:
    """Errors of what is within, with ``{type: fixed, value: 3}`` as ``{"type": "fixed", "value": 3}``, and of
    the names of ``arguments`` what a spec has under them as ``name=...``.
    """
    try:
        yield
    except (SpecError, UsageError) as error:
        if error.args and isinstance(error.args[0], str):
            error.args = (in_python(error.args[0], arguments), *error.args[1:])
        raise


def in_python(sentence: str, arguments: Collection[str]) -> str:
    """The sentence, with what stands in backquotes as a spec has it as Python has it."""
    return _IN_A_SPEC.sub(lambda found: f"`{_written(found[1], arguments)}`", sentence)


def _written(text: str, arguments: Collection[str]) -> str:
    # Imported where it is needed: most searches are right.
    from orchestrator.spec.document.tree import plain
    from orchestrator.spec.document.yaml_tree import read_tree

    try:
        told = plain(read_tree(text, "a sentence"))
    except SpecError:
        return text
    if not isinstance(told, dict) or None in told.values():
        return text
    if text.startswith("{"):
        return _as_literal(told)
    ((name, value),) = told.items()
    if name in arguments:
        return f"{name}={_as_literal(value)}"
    # What else has a name is a parameter, or no part of an experiment from Python.
    of_parameter = name == "type" or (isinstance(value, dict) and "type" in value)
    return _as_literal(told)[1:-1] if of_parameter else text


def _as_literal(value: object) -> str:
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_as_literal(key)}: {_as_literal(one)}' for key, one in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_as_literal, value))}]"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)
