"""The process of one node: it dials the asker, is given its factor, and takes part in choosing points.

`python -m orchestrator.runtime.node_process --connect tcp://HOST:PORT`, on any machine that reaches the
asker. It holds its own factor's function and never sees another's.
"""

from __future__ import annotations

import argparse
import os
import socket
import sys
from collections.abc import Callable, Sequence
from typing import Any

import zmq

from orchestrator.errors import AddressError, OrchestratorError
from orchestrator.maximisers.factor_description import read_description
from orchestrator.maximisers.factor_objective import LocalObjective
from orchestrator.maximisers.nodes import FactorPlace, NodeHost, VariablePlace
from orchestrator.maximisers.programs import program_called
from orchestrator.runtime.node_frames import (
    NODE_FRAME_LIMIT,
    NODE_PROTOCOL,
    Assign,
    Finish,
    FromAsker,
    FromNode,
    Leave,
    NodeAssigned,
    NodeFault,
    NodeHello,
    NodeReport,
    NodeResults,
    Phase,
    Start,
    decode_from_asker,
    encode_frame,
    read_arrays,
    read_letters,
    write_arrays,
    write_letters,
)

HELLO_EVERY_MS = 1_000


class NodeSession:
    """What a node process does with each frame: pure, so that a test can play the asker.

    Frames of an older run than the last one started are answered with nothing.
    """

    def __init__(self) -> None:
        self._factors: list[tuple[FactorPlace, LocalObjective]] = []
        self._variables: list[VariablePlace] = []
        self._host = NodeHost([])
        self._run = 0

    def answer(self, frame: FromAsker) -> FromNode | None:
        """The reply to a frame, None for those that have none. Raises ValueError for what cannot be done."""
        if isinstance(frame, Assign):
            self._factors = [
                (given.place, read_description(given.description).local_objective())
                for given in frame.factors
            ]
            self._variables = list(frame.variables)
            return NodeAssigned(assignment=frame.assignment)
        if isinstance(frame, Start):
            self._start(frame)
            return NodeReport(run=frame.run, step=0, finished=False, letters={})
        if isinstance(frame, Leave) or frame.run != self._run:
            return None
        if isinstance(frame, Finish):
            results = {name: write_arrays(found) for name, found in self._host.results().items()}
            return NodeResults(run=self._run, results=results)
        if isinstance(frame, Phase):
            self._host.begin(frame.phase)
        else:
            self._host.deliver(read_letters(frame.letters))
        return NodeReport(
            run=self._run,
            step=frame.step,
            finished=self._host.finished,
            letters=write_letters(self._host.outgoing()),
        )

    def _start(self, frame: Start) -> None:
        program = program_called(frame.program)
        inputs = {name: read_arrays(arrays) for name, arrays in frame.inputs.items()}
        self._run = frame.run
        self._host = NodeHost(
            [
                *(
                    program.factor_node(place, local, frame.settings, inputs.get(place.name, {}))
                    for place, local in self._factors
                ),
                *(
                    program.variable_node(place, frame.settings, inputs.get(place.name, {}))
                    for place in self._variables
                ),
            ]
        )


def serve(
    address: str,
    exit_with_parent: bool = False,
    secure: Callable[[zmq.Socket[bytes]], None] | None = None,
) -> None:
    """Dial the asker and serve until it says to leave, or standard input closes if ``exit_with_parent``.

    ``secure`` sets the socket's keys before it connects. Raises AddressError for an address that is none.
    """
    context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
    dealer = context.socket(zmq.DEALER)
    dealer.setsockopt(zmq.LINGER, 0)
    dealer.setsockopt(zmq.MAXMSGSIZE, NODE_FRAME_LIMIT)
    dealer.setsockopt(zmq.IDENTITY, f"{socket.gethostname()}-{os.getpid()}-{os.urandom(4).hex()}".encode())
    if secure is not None:
        secure(dealer)
    try:
        dealer.connect(address)
    except zmq.ZMQError as error:
        context.destroy(linger=0)
        raise AddressError(
            f"expected an address to dial such as tcp://host:5556, got {address!r} ({error})"
        ) from None
    poller: Any = zmq.Poller()
    poller.register(dealer, zmq.POLLIN)
    if exit_with_parent:
        poller.register(sys.stdin.fileno(), zmq.POLLIN)
    try:
        _serve(dealer, poller)
    finally:
        context.destroy(linger=500)


def _serve(dealer: zmq.Socket[bytes], poller: Any) -> None:
    session = NodeSession()
    hello = NodeHello(protocol=NODE_PROTOCOL, host=socket.gethostname(), pid=os.getpid())
    dealer.send(encode_frame(hello))
    while True:
        events = dict(poller.poll(HELLO_EVERY_MS))
        if any(source is not dealer for source in events):
            return
        if dealer not in events:
            dealer.send(encode_frame(hello))
            continue
        answer: FromNode | None
        about: int | None = None
        try:
            frame = decode_from_asker(dealer.recv())
            if isinstance(frame, Leave):
                return
            about = frame.assignment if isinstance(frame, Assign) else frame.run
            answer = session.answer(frame)
        except (ValueError, ArithmeticError, LookupError, TypeError, OrchestratorError) as error:
            # Whatever goes wrong with one request is the asker's to report; the next may be well.
            answer = NodeFault(reason=f"{type(error).__name__}: {error}", about=about)
        if answer is not None:
            dealer.send(encode_frame(answer))


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line. Exit codes: 0 done, 1 failed, 2 usage, 130 interrupted."""
    parser = argparse.ArgumentParser(
        prog="python -m orchestrator.runtime.node_process",
        description="One node of a factor graph: holds one factor's function, helps to choose points.",
    )
    parser.add_argument("--connect", required=True, metavar="tcp://HOST:PORT", help="where the asker listens")
    parser.add_argument("--exit-with-parent", action="store_true", help="end when standard input closes")
    options = parser.parse_args(arguments)
    try:
        serve(options.connect, options.exit_with_parent)
    except OrchestratorError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
