"""What a program printed and wrote in an evaluation that is over, read once more, perhaps otherwise."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from evaluators.child_process.outcome import Outcome, read_compared, read_outcome
from evaluators.context import Context
from evaluators.output import KEPT_ON_DISK
from evaluators.programs.evaluation_files import EvaluationFiles, Input, Output
from evaluators.programs.input_files import directory_of
from evaluators.programs.program import TAIL, Ended
from evaluators.programs.program_result import read_result
from orchestrator.programs.placeholders import names_in
from orchestrator.programs.program_behind_env import program_of

_NOTHING: Final = b""


class NotKept(Exception):
    """It is not there any more, or not all of it, for a reason in words."""


@dataclass(frozen=True, slots=True)
class KeptOutput:
    """That of one attempt at a trial: ``trial`` is the trial's folder, ``objective`` and ``compared`` are as
    for `Context`.
    """

    trial: Path
    attempt: int
    command: Sequence[str]
    input: Input
    objective: str
    compared: bool

    def read(self, output: Output) -> Outcome:
        """What it says, read as ``output`` has it.

        Raises `EvaluationError` for what an evaluation would have failed by that ended with exit code 0, and
        `NotKept`.
        """
        if not self.trial.is_dir():
            raise NotKept(f"there is no {self.trial}")
        printed = self.trial / f"attempt-{self.attempt}"
        ended = Ended(0, _end_of(printed.with_suffix(".stdout")), _end_of(printed.with_suffix(".stderr")))
        named = {name for argument in self.command for name in names_in(argument)}
        files = EvaluationFiles.of(self._directory, self.input, output, None, named)
        context = Context(
            trial=0,
            attempt=self.attempt,
            seed=0,
            options={},
            directory=self.trial,
            objective=self.objective,
            compared=self.compared,
        )
        program = program_of(self.command) if self.command else "the program"
        returned = read_result(output, ended, files, program, context)
        return read_compared(returned) if self.compared else read_outcome(returned, self.objective)

    @property
    def _directory(self) -> Path:
        """Where its files lie."""
        return directory_of(self.trial.resolve(), self.attempt)


def _end_of(path: Path) -> bytes:
    """As much of the end of what was printed as is looked at; nothing where nothing was."""
    try:
        with path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            if size >= KEPT_ON_DISK:
                raise NotKept(
                    f"the end of {path} was not kept, as more was printed than {KEPT_ON_DISK:,} bytes"
                )
            file.seek(max(0, size - TAIL))
            return file.read(TAIL)
    except FileNotFoundError:
        return _NOTHING
    except OSError as error:
        raise NotKept(f"{path} cannot be read: {error.strerror}") from None
