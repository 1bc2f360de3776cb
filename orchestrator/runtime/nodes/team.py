"""The nodes of one who asks: those that dial in, those started here, and who holds which factor.

A factor without a node is waited for, for a bounded time, and then held by a process of this machine; as the
nodes are the same wherever they live, the point chosen is the same too.
"""

from __future__ import annotations

import itertools
import math
import os
import secrets
import socket
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Literal

from orchestrator.algorithms.additive.node_places import Say
from orchestrator.algorithms.additive.remote_nodes import RemoteNodes
from orchestrator.maximisers.factors.factor_description import FactorDescription, write_description
from orchestrator.maximisers.message_passing.exchange import NodeError
from orchestrator.maximisers.message_passing.nodes import factor_places, variable_places
from orchestrator.runtime.connections.refusals import Refusals
from orchestrator.runtime.nodes.exchange import ProcessExchange
from orchestrator.runtime.nodes.frames import Assign, AssignedFactor, NodeAssigned, Request
from orchestrator.runtime.nodes.holdings import FactorWords, deal_out, holdings
from orchestrator.runtime.nodes.hub import HubSettings, NodeHub, Peer
from orchestrator.runtime.nodes.local import MOST_PROCESSES, LocalNodes
from orchestrator.surrogates.decompositions.factor_graph import FactorGraph
from orchestrator.system.refused_start import START_AGAIN_AFTER_S, could_not_be_started
from orchestrator.wire.addresses import from_elsewhere

SECONDS_TO_START = 60.0
AT_ONCE_S = 0.2
LOOK_EVERY_S = 1.0


def _silent(sentence: str, *, waiting: bool = False) -> None:
    del sentence, waiting


@dataclass(frozen=True, slots=True)
class TeamSettings:
    """Where nodes come from, and how long they may take.

    ``local``: processes here for ``every`` factor, or only for those ``missing`` a node ``wait_s`` after that
    was first found; `MOST_PROCESSES` at most, which share the factors.
    """

    hub: HubSettings = field(default_factory=HubSettings)
    local: Literal["every", "missing"] = "every"
    wait_s: float = 60.0


class NodeTeam:
    """The nodes of an asker, for as many asks as it likes; a context manager.

    Called with a graph, its factors and ``coupled`` it makes an `Exchange`, as `InProcessExchange` does.
    ``say`` takes sentences for people; ``names`` are the parameters'.
    """

    def __init__(
        self, settings: TeamSettings = TeamSettings(), say: Say = _silent, names: Sequence[str] = ()
    ) -> None:
        """Raises `AddressError` and `KeyFileError`, see `NodeHub`."""
        self._settings = settings
        self._say = say
        self._names = names
        self._local = LocalNodes()
        self.hub = NodeHub(settings.hub, self._local.death)
        # Unlike those of an asker before this one, whose answers may still be under way.
        self._numbers = itertools.count(secrets.randbits(48))
        # Nodes may take their time from when they can dial.
        self._missed_since: float | None = time.monotonic()
        self._held: dict[str, list[int]] = {}
        self._alone = False
        self._greeted: set[str] = set()
        self._said_of_holders = ""
        self._notes: list[str] = []
        self._refusals = None if self.hub.keyring is None else Refusals("node", self.hub.keyring)
        self._waiting_for: list[int] | None = None

    @property
    def process_ids(self) -> list[int]:
        """Of the local processes that live, in the order of their start."""
        return self._local.process_ids

    @property
    def descriptor(self) -> int:
        """Becomes readable when `attend` has something to do."""
        return self.hub.descriptor

    @property
    def notes(self) -> list[str]:
        """Who held what at the last choice, in words; nothing where it could be nobody else."""
        return list(self._notes)

    def __call__(
        self, graph: FactorGraph, factors: Sequence[FactorDescription], coupled: bool = False
    ) -> ProcessExchange:
        """Give each factor to a node and be ready to run programs. Never hangs.

        Raises NodeError where a node is lost, OptimiserError where a factor has too many results to be sent.
        """
        if len(factors) != graph.size:
            raise ValueError(
                f"expected {graph.size} factors, one for each of the graph's; got {len(factors)}"
            )
        words = FactorWords(graph, self._names)
        owner = self._gather(graph.size, words)
        held = holdings(owner)
        self.hub.set_duties({peer: words.numbers(own) for peer, own in held.items()})
        places = factor_places(graph, coupled)
        variables = variable_places(graph)
        assignment = next(self._numbers)
        # Each node's first factor, then each one's second, and so on: none waits for another's.
        for next_ones in itertools.zip_longest(*held.values()):
            questions: dict[Peer, Request] = {
                peer: Assign(
                    assignment=assignment,
                    factor=AssignedFactor(places[i], write_description(factors[i])),
                    # A parameter's node lives with the first factor that sees it.
                    variables=[place for place in variables if place.factors[0] == i],
                )
                for peer, i in zip(held, next_ones, strict=True)
                if i is not None
            }
            self.hub.ask(
                questions, assignment, lambda a: isinstance(a, NodeAssigned) and a.assignment == assignment
            )
        return ProcessExchange(graph, coupled, self.hub, owner, self._numbers)

    def attend(self) -> None:
        """Welcome those that dial and miss those that are gone. Returns at once."""
        self.hub.attend()
        self._say_who_came()

    def mend(self, error: NodeError, *, alone: bool) -> None:
        """Something was lost in the middle of a choice, which is about to be made again.

        ``alone``: with processes of this machine only.
        """
        where = ", on this machine alone" if alone and self._settings.local == "missing" else ""
        self._tell(f"{error}; the point is chosen again{where}")
        # Whichever of ours it was, it may hang; they are quick to start.
        self._local.end(AT_ONCE_S)
        self._alone = alone
        self.attend()

    def dismiss(self) -> None:
        """Nothing more will be chosen: tell all nodes to leave, then `close`."""
        # Those that dialled just now included.
        self.hub.attend()
        self.hub.dismiss_all()
        self.close()

    def close(self) -> None:
        """Stop listening, and end the local processes. Nodes elsewhere dial on, for whoever listens next."""
        self.hub.close()
        self._local.end()

    def __enter__(self) -> NodeTeam:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.dismiss()

    # -- who holds what ---------------------------------------------------------------------------------

    @property
    def _guests(self) -> list[Peer]:
        """Nodes that dialled in by themselves, in the order of their names."""
        return sorted((p for p in self.hub.peers if not self._local.has(p)), key=lambda peer: peer.name)

    def _gather(self, factors: int, words: FactorWords) -> list[Peer]:
        self.attend()
        alone, self._alone = self._alone or self._settings.local == "every", False
        if not alone:
            self._wait_for_guests(factors, words)
        guests = [] if alone else self._guests
        owner = deal_out(factors, guests, self._held)
        missing = [factor for factor, peer in enumerate(owner) if peer is None]
        locals_here = self._help_out(len(missing)) if missing else []
        for factor, peer in zip(missing, deal_out(len(missing), locals_here), strict=True):
            owner[factor] = peer
        holders = [peer for peer in owner if peer is not None]
        if self._settings.local == "missing":
            held = {p.name: own for p, own in holdings(holders).items() if p in guests}
            self._held |= held
            told = [f"{words.numbers(own)} with {name}" for name, own in held.items()]
            if missing:
                told.append(f"{words.numbers(missing)} with this machine")
            self._notes = [f"nodes: {', '.join(told)}"]
            if not alone:
                self._say_who_holds(missing, words)
                if not missing:
                    self._local.end()
        return holders

    def _wait_for_guests(self, factors: int, words: FactorWords) -> None:
        def missing() -> list[int]:
            owner = deal_out(factors, self._guests, self._held)
            return [factor for factor, peer in enumerate(owner) if peer is None]

        while lacking := missing():
            now = time.monotonic()
            if self._missed_since is None:
                self._missed_since = now
            left = self._missed_since + self._settings.wait_s - now
            if left <= 0.0:
                return
            if lacking != self._waiting_for:
                verb = "has" if len(lacking) == 1 else "have"
                self._tell(
                    f"{words.some(lacking)} {verb} no node: waiting up to {math.ceil(left)} s for one "
                    f"({self._how_to_start_one})",
                    waiting_for=lacking,
                )
            self.hub.wait_for(lambda: missing() != lacking, min(left, LOOK_EVERY_S))
            self.attend()
        self._missed_since = None

    def _help_out(self, factors: int) -> list[Peer]:
        """Local processes among which so many factors are dealt: one each, as far as the machine bears it."""
        most = MOST_PROCESSES if self._settings.local == "every" else min(os.cpu_count() or 1, MOST_PROCESSES)
        processes = min(factors, most)

        def here() -> list[Peer]:
            ours = [peer for peer in self.hub.peers if self._local.has(peer)]
            return [peer for peer in ours if self._local.death(peer) is None]

        refused = self._start_locals(processes - len(here()))
        self.hub.wait_for(
            lambda: len(here()) >= processes or len(self.process_ids) < processes, SECONDS_TO_START
        )
        found = here()
        if len(found) < processes:
            raise NodeError(
                f"expected {processes} node processes of this machine within {SECONDS_TO_START:g} s, "
                f"{len(found)} came" + (f" ({refused})" if refused else "")
            )
        return found

    def _start_locals(self, count: int) -> str:
        """So many more, as soon as the system has a process for each; why it has none for the next, if so."""
        until = time.monotonic() + SECONDS_TO_START
        said = False
        while count > 0:
            try:
                self._local.start(self.hub)
                count -= 1
            except OSError as error:
                if time.monotonic() >= until:
                    return error.strerror or str(error)
                if not said:
                    said = True
                    self._tell(could_not_be_started("a process for a node", error))
                # Those that are started already, and those elsewhere, are heard meanwhile.
                self.hub.wait_for(lambda: False, START_AGAIN_AFTER_S)
        return ""

    # -- what is said -----------------------------------------------------------------------------------

    def _tell(self, sentence: str, waiting_for: list[int] | None = None) -> None:
        """``waiting_for`` these factors' nodes, until something else is said."""
        self._waiting_for = waiting_for
        self._say(sentence, waiting=waiting_for is not None)

    @property
    def _how_to_start_one(self) -> str:
        key = "" if self.hub.keyring is None else " --key FILE"
        return f"orchestrator node --connect {from_elsewhere(self.hub.address, socket.gethostname())}{key}"

    def _say_who_holds(self, missing: Sequence[int], words: FactorWords) -> None:
        sentence = ""
        if missing:
            verb = "has" if len(missing) == 1 else "have"
            whose = "is" if len(missing) == 1 else "are"
            sentence = (
                f"{words.some(missing)} {verb} no node and {whose} served by this machine until one comes "
                f"({self._how_to_start_one}); the points chosen are the same"
            )
        if sentence != self._said_of_holders:
            self._said_of_holders = sentence
            self._tell(sentence or "every factor has a node")

    def _say_who_came(self) -> None:
        if self._settings.local == "every":
            return
        guests = {str(peer) for peer in self._guests}
        for name in sorted(guests - self._greeted):
            self._tell(f"node {name} is here")
        for name in sorted(self._greeted - guests):
            self._tell(f"node {name} is gone")
        self._greeted = guests
        self._say_who_was_refused()

    def _say_who_was_refused(self) -> None:
        if self._refusals is None:
            return
        for sentence in self._refusals.to_be_said(self.hub.refused, self.hub.keyless()):
            self._tell(f"at {self.hub.address} {sentence}", self._waiting_for)


def local_team(say: Say, names: Sequence[str]) -> NodeTeam:
    """Processes of this machine for every factor."""
    return NodeTeam(TeamSettings(), say, names)


def remote_team(nodes: RemoteNodes, say: Say, names: Sequence[str]) -> NodeTeam:
    """Nodes that dial in, as a spec has it."""
    keys = None if nodes.keys is None else Path(nodes.keys)
    hub = HubSettings(nodes.listen, nodes.silence_s, keys, open_to_strangers=nodes.insecure)
    return NodeTeam(TeamSettings(hub, "missing", nodes.wait_s), say, names)
