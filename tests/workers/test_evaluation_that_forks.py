"""An evaluation that forks gives one answer, and the copy none: it ends where it would have answered."""

from __future__ import annotations

import pytest
from worker_lab import Lab, result


@pytest.mark.parametrize(("copy", "code"), [("returns", 0), ("raises", 1), ("exits", 7)])
def test_a_copy_that_comes_back_ends_and_answers_nothing(lab: Lab, copy: str, code: int) -> None:
    wire = lab.orchestrator()
    lab.start(wire.address)
    wire.greet()
    wire.evaluate("forks", {"how": "fork", "copy": copy})
    forked = result(wire, "forks")
    assert (forked.value, forked.extras["code"]) == (1.0, code)
    wire.evaluate("after", {"how": "well"})
    assert result(wire, "after").value == forked.extras["process"]
