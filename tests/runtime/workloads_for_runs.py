"""Evaluators of the runs under test: at once, after a while, when a gate opens, or not as they should."""

from __future__ import annotations

import os
import random
import sys
import time
from pathlib import Path
from typing import Any

from evaluators.context import Context


def quick(parameters: dict[str, float]) -> float:
    return _hill(parameters)


def counts_on(parameters: dict[str, float], *, seconds: float = 0.0, context: Context) -> dict[str, float]:
    """Comes nearer to its value with each step, from the state that another left which did fewer; how many it
    did itself is ``done``.
    """
    time.sleep(seconds)
    before = context.continued_from
    state, done = 0, 0
    if before is not None:
        state = int((before / "state").read_text())
    while state < parameters["steps"]:
        state, done = state + 1, done + 1
    (context.directory / "state").write_text(str(state))
    return {"value": _hill(parameters) - 1.0 / state, "done": done}


def trained(parameters: dict[str, float], *, seconds: float = 0.0, context: Context) -> float:
    """A loss that falls from 1 on, from where another left it, by a rate that may be another now."""
    time.sleep(seconds)
    loss, done = 1.0, 0
    if context.continued_from is not None:
        kept = (context.continued_from / "state").read_text().split()
        loss, done = float(kept[0]), int(kept[1])
    while done < parameters["epochs"]:
        loss, done = loss * (1.0 - 0.3 * parameters["rate"] * (1.0 - loss * done / 40.0)), done + 1
    (context.directory / "state").write_text(f"{loss!r} {done}")
    return loss


def slow(parameters: dict[str, float], *, seconds: float) -> float:
    time.sleep(seconds)
    return _hill(parameters)


def at_its_own_pace(parameters: dict[str, float], *, seconds: float) -> float:
    """After up to so many seconds, another time each time."""
    time.sleep(random.SystemRandom().uniform(0.0, seconds))
    return _hill(parameters)


def noted(parameters: dict[str, float], *, note: str, seconds: float, context: Context) -> float:
    """Leaves a line in a file for each evaluation that begins."""
    _append(note, f"{context.trial}\n")
    time.sleep(seconds)
    return _hill(parameters)


def voluminous(parameters: dict[str, float], *, numbers: int, table: str) -> dict[str, Any]:
    """Is told much, and returns much."""
    return {"value": _hill(parameters) + len(table), "curve": [parameters["x"] + i for i in range(numbers)]}


def gated(parameters: dict[str, float], *, folder: str, context: Context) -> float:
    """Leaves a file named for the trial and the attempt, and waits for one called ``open``.

    One called ``open-`` and the trial's number will do as well.
    """
    _write_whole(Path(folder, f"{context.trial}.{context.attempt}"), str(os.getpid()))
    while not any(Path(folder, name).exists() for name in ("open", f"open-{context.trial}")):
        time.sleep(0.005)
    return _hill(parameters)


def gated_on_an_arm(parameters: dict[str, float], *, folder: str, context: Context) -> dict[str, Any]:
    """As `gated`, on the arm of its worker, whose port is left in a file first."""
    Path(folder, f"{context.trial}.{context.attempt}.port").write_text(os.environ["ARM_PORT"])
    return {"value": gated(parameters, folder=folder, context=context), "port": os.environ["ARM_PORT"]}


def gated_after_a_failure(parameters: dict[str, float], *, folder: str, context: Context) -> float:
    """The first trial fails, the others wait as in `gated`."""
    return _raise() if context.trial == 1 else gated(parameters, folder=folder, context=context)


def rising(parameters: dict[str, float], *, context: Context) -> float:
    """Rises to its value in three steps. What will come to less than 0.6 takes a fourth, and has no end."""
    height = _hill(parameters)
    for step in (1, 2, 3) if height >= 0.6 else (1, 2, 3, 4):
        context.report(step, height=height - 1.0 / step)
    while height < 0.6:
        time.sleep(0.005)
    return height


def branched(parameters: dict[str, Any], *, seconds: float = 0.0) -> float:
    """1 where it is flat; on the hill, of which y is a part from the middle on, 2 at its top. Given anything
    that does not count, it fails.
    """
    time.sleep(seconds)
    if parameters["kind"] == "flat":
        assert parameters == {"kind": "flat", "y": -1}, parameters
        return 1.0
    x, y = parameters["x"], parameters["y"]
    assert (y == -1) == (x <= 0.5), parameters
    return 2.0 - (x - 0.8) ** 2 - (0.0 if x <= 0.5 else (y - 0.8) ** 2)


def counted(parameters: dict[str, float], *, context: Context) -> float:
    """Worse with every trial."""
    return -float(context.trial)


def meshed(parameters: dict[str, float], *, mesh: str) -> float:
    """Reads a file that may not be there yet."""
    return _hill(parameters) + 0.0 * len(Path(mesh).read_text())


def heated(
    parameters: dict[str, float], *, cold: int = 0, hottest: int = 0, seconds: float = 0.0, context: Context
) -> Any:
    """The higher, the hotter; of the trial numbered ``cold`` nobody measured how hot, and the ``hottest`` is
    beyond any float.
    """
    time.sleep(seconds)
    heat = 10**400 if context.trial == hottest else 100.0 * parameters["x"]
    returned = {"value": parameters["x"] + parameters["y"], "heat": heat, "note": "fine"}
    return {k: v for k, v in returned.items() if k != "heat" or context.trial != cold}


def looked_at(parameters: dict[str, float], *, seconds: float = 0.0) -> float:
    """The fewer cells, the higher it seems, and the sooner that is known."""
    time.sleep(seconds * parameters["cells"] / 16)
    return 1.0 - (parameters["x"] - 0.5) ** 2 + 1.0 / parameters["cells"]


def traded(parameters: dict[str, float]) -> Any:
    """The higher, the hotter and the heavier."""
    x, y = parameters["x"], parameters["y"]
    return {"value": x + y, "heat": 100.0 * x, "mass": 3.0 - x + 2.0 * y}


def traded_by_name(parameters: dict[str, float]) -> Any:
    """As `traded`, the height called so."""
    told = traded(parameters)
    return {"height": told.pop("value"), **told}


def as_told(parameters: dict[str, Any]) -> Any:
    """Whatever ``how`` says."""
    return _BEHAVIOURS[parameters["how"]]()


def _hill(parameters: dict[str, float]) -> float:
    return 1.0 - (parameters["x"] - 0.3) ** 2 - (parameters["y"] - 0.6) ** 2


def _write_whole(path: Path, text: str) -> None:
    """So that whoever finds the file finds all of it."""
    draft = path.with_name(f"draft-{path.name}")
    draft.write_text(text)
    draft.rename(path)


def _append(path: str, text: str) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.write(descriptor, text.encode())
    os.close(descriptor)


def _raise() -> float:
    raise ValueError("the mesh does not converge")


def _print_binary() -> float:
    sys.stdout.buffer.write(bytes(range(256)) * 10)
    sys.stdout.buffer.flush()
    return 1.0


_BEHAVIOURS = {
    "well": lambda: 1.0,
    "raises": _raise,
    "text": lambda: "fast",
    "none": lambda: None,
    "nan": lambda: float("nan"),
    "infinity": lambda: float("inf"),
    "hangs": lambda: time.sleep(600),
    "exits": lambda: os._exit(3),
    "calls exit": lambda: sys.exit(0),
    "prints binary": _print_binary,
}
