"""Each factor's node in a process of its own, here or on other hosts, choosing points together over ZeroMQ.

The asker passes letters on and adds up the values of whole points; it computes nothing of any factor. With
the same factors the answer is the one of `InProcessExchange`: the nodes are the same, and numbers cross
exactly.
"""

from __future__ import annotations

import itertools
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType

from orchestrator.maximisers.exchange import NodeError, Outcome
from orchestrator.maximisers.factor_description import FactorDescription, write_description
from orchestrator.maximisers.nodes import (
    Message,
    Settings,
    factor_name,
    factor_places,
    variable_name,
    variable_places,
)
from orchestrator.maximisers.programs import program_called
from orchestrator.runtime.node_frames import (
    Assign,
    AssignedFactor,
    Deliver,
    Finish,
    FromAsker,
    FromNode,
    Letters,
    NodeAssigned,
    NodeReport,
    NodeResults,
    Phase,
    Start,
    read_arrays,
    write_arrays,
)
from orchestrator.runtime.node_hub import NodeHub, Peer, Secure
from orchestrator.surrogates.factor_graph import FactorGraph

SECONDS_TO_END = 5.0


@dataclass(frozen=True, slots=True)
class TeamSettings:
    """Where nodes are found, and how long they may take.

    ``local``: start a process here for every factor; otherwise wait for ``expected`` of them to dial in from
    anywhere, and share the factors out if there are more. ``silence_s`` bounds an answer, ``join_s`` the
    coming of all nodes.
    """

    address: str = "tcp://127.0.0.1:*"
    local: bool = True
    expected: int = 1
    silence_s: float = 30.0
    join_s: float = 60.0
    secure: Secure | None = None
    open_to_strangers: bool = False


class NodeTeam:
    """The node processes of an asker, for as many asks as it likes; a context manager.

    Called with a graph, its factors and ``coupled`` it makes an `Exchange`, as `InProcessExchange` does.
    """

    def __init__(self, settings: TeamSettings = TeamSettings()) -> None:
        self._settings = settings
        self._processes: dict[int, subprocess.Popen[bytes]] = {}
        self.hub = NodeHub(
            settings.address,
            settings.silence_s,
            self._death,
            settings.secure,
            settings.open_to_strangers,
        )
        self._numbers = itertools.count(1)

    @property
    def process_ids(self) -> list[int]:
        """Of the local processes that live, in the order of their start."""
        return [pid for pid, process in self._processes.items() if process.poll() is None]

    def __call__(
        self, graph: FactorGraph, factors: Sequence[FactorDescription], coupled: bool = False
    ) -> ProcessExchange:
        """Give each factor to a node and be ready to run programs. Raises NodeError, never hangs."""
        if len(factors) != graph.size:
            raise ValueError(
                f"expected {graph.size} factors, one for each of the graph's; got {len(factors)}"
            )
        peers = self._gather(graph.size)
        owner = [peers[i % len(peers)] for i in range(graph.size)]
        places = factor_places(graph, coupled)
        held = {peer: [str(i) for i, mine in enumerate(owner) if mine == peer] for peer in owner}
        self.hub.set_duties(
            {p: f"factor{'s' if len(own) > 1 else ''} {', '.join(own)}" for p, own in held.items()}
        )
        assignment = next(self._numbers)
        questions: dict[Peer, FromAsker] = {
            peer: Assign(
                assignment=assignment,
                factors=[
                    AssignedFactor(place, write_description(factors[place.index]))
                    for place in places
                    if owner[place.index] == peer
                ],
                # A parameter's node lives with the first factor that sees it.
                variables=[place for place in variable_places(graph) if owner[place.factors[0]] == peer],
            )
            for peer in dict.fromkeys(owner)
        }
        self.hub.ask(
            questions, assignment, lambda a: isinstance(a, NodeAssigned) and a.assignment == assignment
        )
        return ProcessExchange(graph, coupled, self.hub, owner, self._numbers)

    def close(self) -> None:
        """Tell the nodes to leave, and end the local ones whatever they do."""
        self.hub.close()
        for process in self._processes.values():
            assert process.stdin is not None
            process.stdin.close()
        for process in self._processes.values():
            try:
                process.wait(SECONDS_TO_END)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def __enter__(self) -> NodeTeam:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _gather(self, factors: int) -> list[Peer]:
        for peer in self.hub.peers:
            if self._death(peer) is not None:
                self.hub.forget(peer)
        wanted = factors if self._settings.local else min(factors, self._settings.expected)
        if self._settings.local:
            for _ in range(wanted - len(self.process_ids)):
                self._start_process()
        self.hub.wait_for(
            lambda: len(self.hub.peers) >= wanted or self._all_dead(wanted), self._settings.join_s
        )
        peers = self.hub.peers
        if len(peers) < wanted:
            raise NodeError(
                f"expected {wanted} node processes at {self.hub.address} within {self._settings.join_s:g} s, "
                f"{len(peers)} came. Start the others with `python -m orchestrator.runtime.node_process "
                f"--connect {self.hub.address}`, from wherever they reach it"
            )
        return peers

    def _all_dead(self, wanted: int) -> bool:
        return self._settings.local and len(self.process_ids) < wanted

    def _start_process(self) -> None:
        process = subprocess.Popen(
            [
                *(sys.executable, "-m", "orchestrator.runtime.node_process"),
                *("--connect", self.hub.address, "--exit-with-parent"),
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
        )
        self._processes[process.pid] = process

    def _death(self, peer: Peer) -> str | None:
        process = self._processes.get(peer.pid)
        here = peer.host == socket.gethostname()
        code = process.poll() if process is not None and here else None
        if code is None:
            return None
        return f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"


class ProcessExchange:
    """An `Exchange` whose nodes live with peers; made by a `NodeTeam`, good until it makes the next one."""

    def __init__(
        self,
        graph: FactorGraph,
        coupled: bool,
        hub: NodeHub,
        owner: Sequence[Peer],
        numbers: itertools.count[int],
    ) -> None:
        self.graph = graph
        self.coupled = coupled
        self._hub = hub
        self._peers = list(dict.fromkeys(owner))
        self._numbers = numbers
        self._peer_of = {factor_name(i): peer for i, peer in enumerate(owner)}
        for place in variable_places(graph):
            self._peer_of[variable_name(place.index)] = owner[place.factors[0]]

    def run(self, program: str, settings: Settings, inputs: Mapping[str, Message]) -> Outcome:
        """See `Exchange.run`."""
        limits = program_called(program).limits(settings)
        run = next(self._numbers)
        step, rounds = 0, 0
        given: dict[Peer, dict[str, dict[str, object]]] = {peer: {} for peer in self._peers}
        for name, message in inputs.items():
            if name in self._peer_of:
                given[self._peer_of[name]][name] = write_arrays(message)
        self._report(
            {
                peer: Start(run=run, program=program, settings=dict(settings), inputs=arrays)
                for peer, arrays in given.items()
            },
            run,
            step,
        )
        for phase, limit in enumerate(limits):
            step += 1
            reports = self._report(
                {peer: Phase(run=run, step=step, phase=phase) for peer in self._peers}, run, step
            )
            for _ in range(limit):
                step += 1
                rounds += 1
                reports = self._report(self._deliveries(run, step, reports), run, step)
                if all(report.finished for report in reports):
                    break
        answers = self._hub.ask(
            {peer: Finish(run=run) for peer in self._peers},
            run,
            lambda answer: isinstance(answer, NodeResults) and answer.run == run,
        )
        results: dict[str, Message] = {}
        for answer in answers.values():
            assert isinstance(answer, NodeResults)
            results.update({name: read_arrays(found) for name, found in answer.results.items()})
        return Outcome(results, rounds)

    def _deliveries(self, run: int, step: int, reports: Sequence[NodeReport]) -> dict[Peer, FromAsker]:
        bags: dict[Peer, Letters] = {peer: {} for peer in self._peers}
        for report in reports:
            for recipient, mail in report.letters.items():
                peer = self._peer_of.get(recipient)
                if peer is None:
                    raise NodeError(f"a node wrote to {recipient!r}, who is nobody in this factor graph")
                bags[peer].setdefault(recipient, {}).update(mail)
        return {peer: Deliver(run=run, step=step, letters=letters) for peer, letters in bags.items()}

    def _report(self, questions: Mapping[Peer, FromAsker], run: int, step: int) -> list[NodeReport]:
        def is_answer(answer: FromNode) -> bool:
            return isinstance(answer, NodeReport) and answer.run == run and answer.step == step

        answers = self._hub.ask(questions, run, is_answer)
        return [answer for answer in answers.values() if isinstance(answer, NodeReport)]
