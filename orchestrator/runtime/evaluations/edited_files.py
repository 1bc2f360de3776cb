"""Files that evaluations are made with, and that somebody edits while a run goes on.

A program, a template or a module is nothing that an evaluation writes. What else a command names may be, as a
log: it is taken for data once it outlasted some evaluations.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from orchestrator.runtime.evaluations.evaluating_files import checksum_of, programs_among
from orchestrator.spec.model import Spec

LOOKS_EVERY_S = 5.0
OUTLASTED = 3
"""Evaluations: what each of them wrote would have changed."""


class EditedFiles:
    """Looks at them from its making on. ``known`` are their checksums then, by their paths."""

    def __init__(self, spec: Spec, known: Mapping[str, str]) -> None:
        self._programs = programs_among(spec, known)
        self._looks = {path: _look(path) for path in known}
        self._as_begun = set(known)
        self._written = set[str]()
        self._moving = set[str]()

    def edited(self, known: Mapping[str, str], evaluated: int) -> dict[str, str]:
        """Those that are others than ``known``, with their checksums, each once it has stayed as it is from
        one look to the next. ``evaluated`` counts the evaluations that came to an end since its making.
        """
        found: dict[str, str] = {}
        for path in [path for path in self._looks if path not in self._written]:
            look = _look(path)
            if look != self._looks[path]:
                self._looks[path] = look
                self._moved(path)
            elif path in self._moving:
                self._moving.discard(path)
                if (checksum := checksum_of(path)) and checksum != known.get(path):
                    found[path] = checksum
            if evaluated >= OUTLASTED and path in self._as_begun:
                self._as_begun.discard(path)
                self._programs.add(path)
        return found

    def _moved(self, path: str) -> None:
        self._as_begun.discard(path)
        (self._moving if path in self._programs else self._written).add(path)


def _look(path: str) -> tuple[int, int, int] | None:
    """What differs where a file was written; None where there is none to be seen."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino
