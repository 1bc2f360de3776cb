"""What came of a point that was tried apart from any run: what was printed, what is read of it."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from orchestrator.expressions.constraints import unsettled
from orchestrator.programs.trial_files import RESULT_FILE
from orchestrator.report.words.goals import units_of
from orchestrator.report.words.wording import counted, duration, first_line, number, plainly
from orchestrator.scheduler.events import FailureArrived, ResultArrived
from orchestrator.spec.model import Spec
from orchestrator.spec.sections.evaluation import Evaluation
from orchestrator.values.printable import printable
from orchestrator.wire.messages import Progress
from orchestrator.wire.partial_quantities import quantities_of

LINES, LONGEST, LOOKED_AT = 10, 300, 8_000
"""Of the end of what was printed, characters of each, and bytes that they are looked for in."""


def printed(folder: Path) -> Iterator[str]:
    """The last lines of each file that holds what an evaluation printed."""
    for path in sorted(file for file in folder.glob("attempt-1.*") if file.is_file()):
        with path.open("rb") as file:
            size = file.seek(0, 2)
            file.seek(max(0, size - LOOKED_AT))
            text = file.read().decode("utf-8", "replace")
        lines = [printable(line)[:LONGEST] for line in text.splitlines() if line.strip()]
        if lines:
            yield f"printed, in {path.name}:"
            left_out = ["…"] if len(lines) > LINES or size > LOOKED_AT else []
            yield from (f"  {line}" for line in [*left_out, *lines[-LINES:]])


def amid_the_rest(
    evaluation: Evaluation, folder: Path, told: ResultArrived | FailureArrived
) -> Iterator[str]:
    """That a value is a line amid what was printed: many a log has numbers on lines of their own."""
    path = folder / "attempt-1.stdout"
    if (
        evaluation.command is None
        or evaluation.output != "json"
        or not isinstance(told, ResultArrived)
        or told.value is None
        or told.extras
        or not path.exists()
        or any(folder.rglob(RESULT_FILE))
    ):
        return
    lines = path.read_bytes()[-LOOKED_AT:].decode("utf-8", "replace").strip().splitlines()
    last = lines[-1].strip() if lines else ""
    with suppress(ValueError, RecursionError):
        if json.loads(last) == told.value:
            return
    if not last.endswith("}"):
        yield (
            "it is the last line that is a number alone, and others follow it: if another one is meant, say"
            " `output: {pattern: ...}`"
        )


def reported(
    evaluation: Evaluation, reports: int, last: Progress | None, quantities: Collection[str]
) -> Iterator[str]:
    """How it said that it stood while it ran, and what is missed of that."""
    if last is not None:
        values = ", ".join(
            f"{printable(name)} = {number(value)}" for name, value in quantities_of(last).items()
        )
        yield f"reported {counted(reports, 'time')}, at last at step {last.step:,}: {values}"
    progress = evaluation.options.get("progress")
    if last is None and progress is not None:
        file = progress.get("file") if isinstance(progress, dict) else None
        where = "that it prints" if file is None else f"of `{file}`"
        yield f"reported nothing: no line {where} matches `progress`"
    rule = evaluation.stop_when
    if rule is not None and rule.quantity not in quantities:
        yield f"`stop_when` goes by `{rule.quantity}`, which was not reported"


def came(spec: Spec, told: ResultArrived | FailureArrived) -> Iterator[str]:
    """The value with all that came beside it, or why there is none; and how long that took."""
    if isinstance(told, FailureArrived):
        # What follows, as of a traceback, was printed.
        yield f"no value: {told.kind}: {first_line(told.message)}"
        yield f"after {duration(told.elapsed)}"
        return
    units = units_of(spec)
    deviation = "" if told.variance is None else f" ± {number(told.variance**0.5, 3)}"
    if told.value is None:
        yield f"carried out, for a person to compare: {printable(spec.objective.name)} has no value"
    else:
        yield from _named(spec.objective.name, f"{number(told.value, 8)}{deviation}", units)
    for name in spec.outcomes:
        yield from _named(name, number(told.extras[name], 8), units)
    others = {name: value for name, value in told.extras.items() if name not in spec.outcomes}
    if others:
        yield f"kept with it: {_beside(others)}"
    relative = unsettled(told.broken, ())
    if broken := [text for text in told.broken if text not in relative]:
        yield f"no best one, as it does not satisfy `{'`, `'.join(map(printable, broken))}`"
    if relative:
        yield f"what the reference has tells whether it satisfies `{'`, `'.join(map(printable, relative))}`"
    yield f"in {duration(told.elapsed)}"


def _named(name: str, text: str, units: Mapping[str, str]) -> Iterator[str]:
    yield printable(f"{name} = {text} {units.get(name, '')}".rstrip())


def _beside(extras: Mapping[str, object]) -> str:
    told = {
        name: plainly(value) if isinstance(value, list | dict) else number(value, 8)
        for name, value in extras.items()
    }
    return printable(", ".join(f"{name} = {text}" for name, text in told.items()))[:LONGEST]
