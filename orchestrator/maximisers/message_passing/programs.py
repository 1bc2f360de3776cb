"""The message-passing programs, by the names that cross the wire."""

from __future__ import annotations

from orchestrator.maximisers.message_passing.admm_nodes import AdmmProgram
from orchestrator.maximisers.message_passing.max_sum_nodes import MaxSumProgram
from orchestrator.maximisers.message_passing.nodes import Program
from orchestrator.maximisers.message_passing.value_nodes import ValueProgram

PROGRAMS: dict[str, Program] = {
    "admm": AdmmProgram(),
    "gradients": ValueProgram(gradients=True),
    "max-sum": MaxSumProgram(),
    "values": ValueProgram(),
}


def program_called(name: str) -> Program:
    """The program of that name. Raises ValueError if there is none."""
    try:
        return PROGRAMS[name]
    except KeyError:
        known = ", ".join(sorted(PROGRAMS))
        raise ValueError(f"expected the name of a message-passing program ({known}), got {name!r}") from None
