"""The files of one evaluation that a program reads the parameters from, and writes."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

from evaluators.errors import EvaluationError, not_written
from evaluators.programs.progress_lines import ProgressForm
from orchestrator.programs.trial_files import (
    another_than,
    failing_file,
    file_of,
    parameters_file,
    result_files,
)

Output: TypeAlias = Literal["json"] | dict[Literal["pattern", "patterns", "key", "file", "fails"], Any]
Input: TypeAlias = Literal["arguments"] | dict[Literal["file", "templates"], Any]


@dataclass(frozen=True, slots=True)
class EvaluationFiles:
    """Those that the program reads the parameters from, writes its result to and says in how it stands."""

    parameters: Path | None
    results: Mapping[str, Path]
    """By the names that ``output`` has for them."""
    followed: Path | None
    failing: Mapping[str, Path]
    """What alone says that it failed, by its name, if there is such a file."""

    @classmethod
    def of(
        cls,
        directory: Path,
        input: Input,
        output: Output,
        progress: ProgressForm | None,
        named: Collection[str],
    ) -> EvaluationFiles:
        """Raises `EvaluationError` for one outside the directory, or one that is two of these."""
        read, followed = parameters_file(input, named), file_of(progress)
        failing = failing_file(output)
        files = cls(
            None if read is None else _inside(directory, read),
            {name: _inside(directory, name) for name in result_files(output, named)},
            None if followed is None else _inside(directory, followed),
            {} if failing is None else {failing: _inside(directory, failing)},
        )
        if files.parameters is not None and files.parameters in files.written:
            name = files.parameters.relative_to(directory)
            raise EvaluationError("error", f"{another_than(str(name))}, for what it writes")
        return files

    @property
    def result(self) -> Path | None:
        """The first that its result is in; None where that is printed."""
        return next(iter(self.results.values()), None)

    @property
    def written(self) -> tuple[Path, ...]:
        """All that the program may write."""
        return tuple(filter(None, (*self.results.values(), *self.failing.values(), self.followed)))

    def make_ready(self, parameters: dict[str, Any]) -> None:
        """Write the parameters where the program reads them, and leave nothing that an earlier attempt
        wrote.
        """
        try:
            for written in self.written:
                written.unlink(missing_ok=True)
                written.parent.mkdir(parents=True, exist_ok=True)
            if self.parameters is not None:
                self.parameters.parent.mkdir(parents=True, exist_ok=True)
                text = json.dumps(parameters, indent=2, ensure_ascii=False)
                self.parameters.write_text(text + "\n", "utf-8")
        except OSError as error:
            # Of a file that is open the system names none.
            where = f"{error.strerror}, {error.filename or self.parameters}"
            raise not_written(f"write the evaluation's files: {where}", error) from None


def _inside(directory: Path, name: str) -> Path:
    # The name comes over the wire: a worker that offers one command offers no more than that.
    path = (directory / name).resolve()
    if not path.is_relative_to(directory):
        raise EvaluationError("error", f"expected a file inside the trial's directory, got `{name}`")
    return path
