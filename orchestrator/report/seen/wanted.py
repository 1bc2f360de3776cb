"""What a person sees of what a run waits for them to do."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import Literal, TypeAlias

from orchestrator.system.shell_lines import shell_line

Errand: TypeAlias = Literal["approve", "record", "compare"]
"""What a person is to do about a trial."""


@dataclass(frozen=True, slots=True)
class Expected:
    """A trial that waits for a person: to approve it, or to try it and record its result and outcomes, or to
    compare it with the trial ``against``.

    ``failed`` is how its last attempt did, if there was one; ``run`` the folder, if it is known.
    ``of_python``: a program says how it compares, and no command. ``changes`` says which settings of the
    machine are changed for it, and how long that takes.
    """

    what: Errand
    trial: int
    parameters: tuple[tuple[str, str], ...]
    outcomes: tuple[str, ...] = ()
    failed: str = ""
    against: int | None = None
    has_no_value: bool = False
    run: str = ""
    of_python: bool = False
    changes: str = ""

    @property
    def command(self) -> str:
        """What is to be typed."""
        run = [self.run] if self.run else []
        if self.against is None:
            return f"{shell_line(self.what, *run, self.trial)}{self.hint}"
        one, other = self.trial, self.against
        if self.of_python:
            return f"in its program: `prefer({one}, over={other})`, or the other way round"
        prefer = shell_line("prefer", *run, one, "--over", other)
        return f"{prefer}, or {other} --over {one}, or {one} --like {other}"

    @property
    def hint(self) -> str:
        """What is to be typed behind the number of a trial, where that is not all."""
        if self.what != "record" or self.has_no_value:
            return ""
        return " --value ..." + "".join(f" --extra {shlex.quote(name)}=..." for name in self.outcomes)


@dataclass(frozen=True, slots=True)
class Wanted:
    """``expected`` are the first trials that wait for a person, of ``in_all``; ``to_compare`` are all that
    wait to be compared, each with the one that it is best compared with.
    """

    expected: tuple[Expected, ...]
    in_all: int
    to_compare: tuple[tuple[int, int | None], ...]
