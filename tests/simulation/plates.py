"""Of some seeds: results come in blocks, and somebody says which plate lies there from now on.

What these seeds draw beyond the others is drawn from a stream of its own.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from apart_stream import apart

from orchestrator.runtime.requests.kinds import Amend
from orchestrator.spec.model import Spec

if TYPE_CHECKING:
    from laboratory import Laboratory


def stream(seed: int) -> Random | None:
    """Of a seed whose results come in blocks; None of any other."""
    return apart("plates", seed)


def in_plates(spec: Spec) -> Spec:
    """The same, whose results differ by an offset from plate to plate."""
    return spec.model_copy(update={"blocks": "plate"})


def another_plate_lies_there(lab: Laboratory) -> None:
    """The next one, or the one that lies there already."""
    chance = lab.plating
    assert chance is not None
    lab.desk.leave(Amend(block=str(chance.randint(1, 3)), by="Ada"))
