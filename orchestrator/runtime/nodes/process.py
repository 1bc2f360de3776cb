"""A node's process: it dials the optimiser, is given factors, and takes part in choosing points.

`orchestrator node --connect tcp://HOST:PORT` on any machine that reaches the optimiser; a run starts its own
as `python -m orchestrator.runtime.nodes.process`. Standard input aside, it waits in one place.
"""

from __future__ import annotations

import argparse
import math
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Sequence

import zmq

from orchestrator.errors import OrchestratorError, UsageError
from orchestrator.runtime.interrupts import stop_signals
from orchestrator.runtime.nodes.frames import (
    NODE_FRAME_LIMIT,
    NODE_PROTOCOL,
    Assign,
    FromNode,
    Leave,
    MalformedFrame,
    NodeFault,
    NodeGoodbye,
    NodeHello,
    NodeRefused,
    NodeWelcome,
    Probe,
    Request,
    Start,
    decode_from_asker,
    encode_frame,
    in_parts,
)
from orchestrator.runtime.nodes.options import NodeOptions, add_arguments, options_from
from orchestrator.runtime.nodes.session import NodeSession
from orchestrator.runtime.nodes.version import node_version
from orchestrator.system.standard_streams import speaker
from orchestrator.wire.dealer import Caller, Dealer
from orchestrator.wire.reached import dialling_on
from orchestrator.wire.unanswered import Unanswered

DONE = 0
INTERRUPTED = 130
STANDARD_INPUT = 0

HELLO_AGAIN_S = 5.0
"""After a welcome: an optimiser that took the node for lost has it back."""
ASK_AGAIN_S = 1.0
"""After a refusal that may not be for ever."""
UNSENT_AGAIN_S = 0.05
SEND_WITHIN_S = 5.0

Say = Callable[[str], None]


class NodeProcess:
    """One node at work, in the main thread. `run` it once."""

    def __init__(self, options: NodeOptions, say: Say) -> None:
        """Dials; an optimiser that is not there yet is no error. Raises `UsageError` for no address."""
        self._options = options
        self._say = say
        self._said: set[str] = set()
        identity = f"{options.node_name}-{os.urandom(8).hex()}".encode()
        self._dealer = Dealer(
            options.connect, options.credentials, Caller("node", NODE_FRAME_LIMIT, identity)
        )
        self._unanswered = Unanswered(options.connect, time.monotonic())
        self._session = NodeSession()
        self._version = node_version()
        self._held: tuple[int, ...] = ()
        self._welcome_over = 0
        self._hello_at = math.inf

    def run(self) -> int:
        """Serve until the run ends, the parent does, or somebody interrupts; the exit code."""
        poller = zmq.Poller()
        poller.register(self._dealer.socket, zmq.POLLIN)
        poller.register(self._dealer.monitor, zmq.POLLIN)
        if self._options.exit_with_parent:
            poller.register(STANDARD_INPUT, zmq.POLLIN)
        code: int | None = None
        try:
            while code is None:
                self._introduce_if_due()
                if sentence := self._unanswered.on_time(time.monotonic()):
                    self._say(dialling_on(sentence))
                self._dealer.on_time(time.monotonic())
                due_at = min(self._hello_at, self._unanswered.due, self._dealer.due)
                due = max(0.0, due_at - time.monotonic())
                for source, _ in poller.poll(None if due == math.inf else math.ceil(1000 * due)):
                    if source is self._dealer.monitor:
                        self._on_connections()
                    elif source is self._dealer.socket:
                        code = self._take() if code is None else code
                    elif not os.read(STANDARD_INPUT, 4096):
                        code = DONE
        except KeyboardInterrupt:
            code = INTERRUPTED
            if self._dealer.send(encode_frame(NodeGoodbye())):
                self._say("interrupted; the optimiser was told")
        finally:
            self._dealer.hang_up(linger=code in (DONE, INTERRUPTED))
        return code

    def _on_connections(self) -> None:
        before = self._dealer.connections, self._dealer.connected
        for sentence in self._dealer.refusals():
            self._unanswered.refused(time.monotonic())
            self._say_once(dialling_on(sentence))
        self._unanswered.connected(self._dealer.connected, time.monotonic())
        if self._dealer.connections != before[0]:
            # A restarted optimiser knows nobody.
            self._hello_at = time.monotonic()
        if before[1] and not self._dealer.connected:
            self._hello_at = math.inf
            self._say("the connection is gone; dialling on")

    def _introduce_if_due(self) -> None:
        if time.monotonic() < self._hello_at:
            return
        hello = NodeHello(
            protocol=NODE_PROTOCOL,
            version=self._version,
            name=self._options.node_name,
            factors=self._options.factors,
            host=socket.gethostname(),
            pid=os.getpid(),
            connection=self._dealer.connections,
        )
        sent = self._dealer.send(encode_frame(hello))
        # Not again before it is answered: an optimiser that computes must not find a thousand of them.
        self._hello_at = math.inf if sent else time.monotonic() + UNSENT_AGAIN_S

    def _take(self) -> int | None:
        """Whatever has come, one message; the exit code if it is the last."""
        parts = self._dealer.receive()
        if not parts:
            return None
        try:
            frame = decode_from_asker(b"".join(parts))
        except MalformedFrame as error:
            self._send(NodeFault(reason=f"{type(error).__name__}: {error}"))
            return None
        match frame:
            case Leave():
                self._dealer.send(encode_frame(NodeGoodbye()))
                self._say("the run has ended")
                return DONE
            case NodeRefused():
                self._refused(frame)
            case NodeWelcome():
                self._welcomed()
            case Probe():
                pass
            case _:
                answer = self._answer(frame)
                if answer is not None:
                    self._send(answer)
        return None

    def _answer(self, frame: Request) -> FromNode | None:
        try:
            answer = self._session.answer(frame)
        except (ValueError, ArithmeticError, LookupError, TypeError, OrchestratorError) as error:
            # Whatever goes wrong with one request is the asker's to report; the next may be well.
            about = frame.assignment if isinstance(frame, Assign) else frame.run
            return NodeFault(reason=f"{type(error).__name__}: {error}", about=about)
        # Factors come one by one: when a program begins, all are there.
        if isinstance(frame, Start) and self._session.held != self._held:
            self._held = self._session.held
            numbers = ", ".join(str(index + 1) for index in self._held)
            self._say(f"holds factor{'s' if len(self._held) > 1 else ''} {numbers or 'none'}")
        return answer

    def _welcomed(self) -> None:
        self._hello_at = time.monotonic() + HELLO_AGAIN_S
        if self._welcome_over != self._dealer.connections:
            self._welcome_over = self._dealer.connections
            self._say(f"welcome at {self._options.connect}")

    def _refused(self, frame: NodeRefused) -> None:
        if frame.final:
            raise UsageError(frame.reason)
        self._say_once(f"{frame.reason}; asking again")
        self._hello_at = time.monotonic() + ASK_AGAIN_S

    def _send(self, answer: FromNode) -> None:
        """What cannot be sent for some seconds is dropped: the asker has started anew by then."""
        parts = in_parts(encode_frame(answer))
        until = time.monotonic() + SEND_WITHIN_S
        while not self._dealer.send_in_parts(parts) and time.monotonic() < until:
            self._dealer.socket.poll(100, zmq.POLLOUT)

    def _say_once(self, sentence: str) -> None:
        if sentence not in self._said:
            self._said.add(sentence)
            self._say(sentence)


def run_node(options: NodeOptions, say: Say | None = None) -> int:
    """Serve until told to stop; the process's exit code. Must be called in the main thread.

    0: the run ended, or the parent is gone. 2: it makes no sense to go on (no address, or nodes of another
    version). 130: interrupted. What people should know is said on standard error.
    """
    # All leave in order, by what is raised where the node waits or computes.
    for number in stop_signals():
        signal.signal(number, signal.default_int_handler)
    say = say or speaker(f"node {options.node_name}")
    try:
        return NodeProcess(options, say).run()
    except OrchestratorError as error:
        say(str(error))
        return error.exit_code


def _silent(sentence: str) -> None:
    del sentence


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line of a run's own nodes, of which the run speaks. A wrong line exits with 2."""
    parser = argparse.ArgumentParser(
        prog="python -m orchestrator.runtime.nodes.process",
        description="One of a run's own nodes; for those elsewhere: orchestrator node.",
    )
    add_arguments(parser)
    try:
        options = options_from(parser.parse_args(arguments))
    except OrchestratorError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    return run_node(options, _silent if options.exit_with_parent else None)


if __name__ == "__main__":
    sys.exit(main())
