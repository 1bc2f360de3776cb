"""A worker may have more slots than `select` knows descriptors for: three pipes each."""

from __future__ import annotations

import resource

import pytest
from worker_lab import PATIENCE_S, Lab, result
from worker_with_many_descriptors import BEYOND_SELECT

from orchestrator.wire.messages import Drain, Goodbye, Heartbeat


@pytest.mark.skipif(
    resource.getrlimit(resource.RLIMIT_NOFILE)[1] < 2 * BEYOND_SELECT, reason="too few files may be open here"
)
def test_its_last_slots_evaluate_as_its_first_do_and_it_leaves_in_order(lab: Lab) -> None:
    wire = lab.orchestrator()
    process = lab.start(wire.address, module="worker_with_many_descriptors")
    wire.greet()
    wire.evaluate("L1", {"how": "well"})
    result(wire, "L1")
    wire.send(Drain())
    wire.expect(Goodbye, passing_over=(Heartbeat,))
    assert process.wait(PATIENCE_S) == 0
    assert "Traceback" not in lab.said()
