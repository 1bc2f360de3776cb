"""The optimiser's end of a run in this process: the server's own code on the real algorithm."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from orchestrator.algorithms.base import ForeseesGain
from orchestrator.runtime.optimiser.beginnings import first_beginning, rebuilder
from orchestrator.runtime.optimiser.messages import (
    GainEstimated,
    RefitDone,
    Reply,
    decode_reply,
    decode_request,
    encode_reply,
    encode_request,
)
from orchestrator.runtime.optimiser.server import OptimiserServer
from orchestrator.scheduler.commands import Ask, OptimiserCommand
from orchestrator.spec.model import Spec
from orchestrator.spec.sections.parameters import in_use_among
from orchestrator.values.over import EACH


class ServedHere:
    """The optimiser's end of a run, whose replies are caught instead of written."""

    def __init__(self, spec: Spec) -> None:
        each = spec.objective.over == EACH
        self.replies: list[Reply] = []
        self._server = OptimiserServer(
            rebuilder(spec),
            first_beginning(spec),
            output=-1,
            says_best=spec.clock is not None or (bool(in_use_among(spec.parameters)) and not each),
        )
        self._server._send = self.replies.append  # type: ignore[method-assign]

    def take(self, command: OptimiserCommand) -> None:
        """As it comes out of the pipe; nobody waits for refits here."""
        if isinstance(command, Ask):
            command = replace(command, patience_s=0.0)
        self._server._take(decode_request(encode_request(command).rstrip(b"\n")))

    def refit(self) -> RefitDone | None:
        """The refit that is due, computed here and now, as it comes out of the pipe and of the journal."""
        number = self._server._refits.due(self._server._told)
        if number is None:
            return None
        refit = self._server._algorithm.compute_refit(number)
        done = RefitDone(refit.number, refit.observations, refit.payload, 0.0, self._server._model)
        return cast(RefitDone, decode_reply(encode_reply(done).rstrip(b"\n")))

    def gain(self) -> GainEstimated | None:
        """What is left to gain, where that is wanted, computed here and now, as it comes out of the pipe."""
        beside, algorithm = self._server._gain, self._server._algorithm
        if beside.wanted is None or not isinstance(algorithm, ForeseesGain):
            return None
        wanted, beside.wanted = beside.wanted, None
        if (gain := algorithm.remaining_gain()) is None:
            return None
        said = GainEstimated(wanted, gain.observations, gain.draws, 0.0, self._server._model)
        return cast(GainEstimated, decode_reply(encode_reply(said).rstrip(b"\n")))

    def taken(self) -> list[Reply]:
        """The replies since the last time, as they come out of the pipe."""
        replies = [decode_reply(encode_reply(reply).rstrip(b"\n")) for reply in self.replies]
        self.replies.clear()
        return replies
