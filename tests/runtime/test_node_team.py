"""Nodes elsewhere, as really started processes that dial over TCP: same point, whoever comes or goes."""

from __future__ import annotations

import re
import signal
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pytest
from node_lab import DOMAIN, GRAPH, QUICK, NodeLab, choice, factors
from run_lab import eventually

from orchestrator.algorithms.additive.decentralised_choice import ATTEMPTS, DecentralisedChoice
from orchestrator.algorithms.additive.factor_functions import FactorFunctions
from orchestrator.algorithms.additive.remote_nodes import RemoteNodes
from orchestrator.arrays import FloatArray
from orchestrator.maximisers.maximum import Maximum
from orchestrator.maximisers.message_passing.exchange import Exchange, InProcessExchange, NodeError, Outcome
from orchestrator.maximisers.message_passing.exchange_objective import ExchangeObjective
from orchestrator.maximisers.message_passing.nodes import Message, Settings
from orchestrator.maximisers.sums.max_sum import MaxSum
from orchestrator.numerics.rng import stream
from orchestrator.runtime.nodes.frames import (
    Assign,
    Deliver,
    FromNode,
    Request,
)
from orchestrator.runtime.nodes.hub import Peer
from orchestrator.unit_cube.domain import Domain

EXPECTED = choice(InProcessExchange(GRAPH, factors(True), True))


class Interrupted:
    """An exchange to which something happens before the third program that it runs."""

    def __init__(self, inner: Exchange, happens: Callable[[], None]) -> None:
        self._inner = inner
        self._happens = happens
        self._programs = 0
        self.graph, self.coupled = inner.graph, inner.coupled

    def run(self, program: str, settings: Settings, inputs: Mapping[str, Message]) -> Outcome:
        self._programs += 1
        if self._programs == 3:
            self._happens()
        return self._inner.run(program, settings, inputs)


# -- the same point ------------------------------------------------------------------------------------------


def test_nodes_elsewhere_choose_the_same_point_to_the_bit(node_lab: NodeLab) -> None:
    node_lab.node("one")
    node_lab.node("two", "--factors", "2")
    team = node_lab.team()
    assert choice(team(GRAPH, factors(True), True)) == EXPECTED
    maximiser = MaxSum(levels=1, table=300, passes=20)
    here = maximiser.maximise(InProcessExchange(GRAPH, factors(False)), DOMAIN, stream(1, "max-sum"))
    there = maximiser.maximise(team(GRAPH, factors(False)), DOMAIN, stream(1, "max-sum"))
    assert (here.point.tolist(), here.value) == (there.point.tolist(), there.value)
    assert team.process_ids == [], "nobody of this machine was needed"
    assert team.notes == ["nodes: factor 1 with one, factors 2, 3 with two"]


def test_a_node_is_told_its_own_factors_and_what_its_neighbours_say_and_nothing_else(
    node_lab: NodeLab, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("one", "two", "three"):
        node_lab.node(name)
    team = node_lab.team()
    asked: list[tuple[Peer, Request]] = []
    ask = team.hub.ask

    def listen(
        questions: Mapping[Peer, Request], about: int, is_answer: Callable[[FromNode], bool]
    ) -> dict[Peer, FromNode]:
        asked.extend(questions.items())
        return ask(questions, about, is_answer)

    monkeypatch.setattr(team.hub, "ask", listen)
    choice(team(GRAPH, factors(True), True))
    held = {
        peer: {frame.factor.place.name} | {place.name for place in frame.variables}
        for peer, frame in asked
        if isinstance(frame, Assign)
    }
    assert sum(isinstance(frame, Assign) for _, frame in asked) == len(held) == 3
    shares = {f"variable:{j}": {f"factor:{i}" for i in near} for j, near in enumerate(GRAPH.factors_of)}
    neighbours = {f"factor:{i}": {f"factor:{k}" for k in near} for i, near in enumerate(GRAPH.neighbours)}
    letters = 0
    for peer, frame in asked:
        if isinstance(frame, Deliver):
            assert set(frame.letters) <= held[peer]
            for recipient, mail in frame.letters.items():
                for sender in mail:
                    letters += 1
                    assert (
                        sender in shares.get(recipient, ())
                        or recipient in shares.get(sender, ())
                        or sender in neighbours.get(recipient, ())
                    )
    assert letters > 100


def test_numbers_are_the_same_however_many_hold_them(node_lab: NodeLab) -> None:
    node_lab.node("all", "--factors", "3")
    team = node_lab.team()
    X = DOMAIN.sample(5, stream(2, "points"))
    expected = ExchangeObjective(InProcessExchange(GRAPH, factors(True), True)).values(X)
    np.testing.assert_array_equal(ExchangeObjective(team(GRAPH, factors(True), True)).values(X), expected)


# -- who is missing, dies, or comes late ---------------------------------------------------------------------


def test_missing_nodes_are_named_waited_for_and_then_stood_in_for(node_lab: NodeLab) -> None:
    node_lab.node("one")
    team = node_lab.team(wait_s=1.0)
    node_lab.await_peers(team, "one")
    team._missed_since = None  # As when all of them had been there before.
    assert choice(team(GRAPH, factors(True), True)) == EXPECTED
    wait, stand_in = node_lab.said[-2:]
    assert re.match(
        r"waiting: factor 2 \(tail × flap\) and factor 3 \(wing × flap × keel\) have no node: "
        r"waiting up to 1 s for one \(orchestrator node --connect tcp://127\.0\.0\.1:\d+\)$",
        wait,
    ), wait
    assert "have no node and are served by this machine until one comes" in stand_in
    assert team.notes == ["nodes: factor 1 with one, factors 2, 3 with this machine"]


def test_who_was_given_up_is_not_waited_for_again_but_is_welcome(node_lab: NodeLab) -> None:
    team = node_lab.team(wait_s=0.0)
    assert choice(team(GRAPH, factors(True), True)) == EXPECTED
    said = list(node_lab.said)
    assert not any(sentence.startswith("waiting") for sentence in said)
    assert choice(team(GRAPH, factors(True), True)) == EXPECTED
    assert node_lab.said == said, "what has not changed is not said again"
    node_lab.node("late", "--factors", "3")
    node_lab.await_peers(team, "late", *(peer.name for peer in team.hub.peers))
    assert choice(team(GRAPH, factors(True), True)) == EXPECTED
    assert node_lab.has_said("node late, process")
    assert node_lab.said[-1] == "every factor has a node"
    assert team.process_ids == [], "the stand-ins are gone"


@pytest.mark.parametrize(
    "number", [signal.SIGKILL, signal.SIGSTOP, pytest.param(signal.SIGTERM, marks=pytest.mark.long)]
)
def test_a_node_lost_in_the_middle_of_a_choice_changes_nothing_of_it(node_lab: NodeLab, number: int) -> None:
    nodes = [node_lab.node(name) for name in ("one", "two", "three")]
    team = node_lab.team(wait_s=0.0, silence_s=6.0 if number == signal.SIGSTOP else 60.0)
    node_lab.await_peers(team, "one", "two", "three")
    exchange = team(GRAPH, factors(True), True)
    assert team.process_ids == []
    how = {
        signal.SIGKILL: "cannot be reached any more|is gone: its connection was closed",
        signal.SIGSTOP: "said nothing for 6 s",
        signal.SIGTERM: "left|cannot be reached any more|is gone",
    }[signal.Signals(number)]
    lost = rf"the node of factor 3 \(two, process {nodes[1].process.pid} on .*\) ({how})"
    with pytest.raises(NodeError, match=lost) as error:
        choice(Interrupted(exchange, lambda: nodes[1].signal(number)))
    team.mend(error.value, alone=False)
    assert node_lab.has_said("; the point is chosen again")
    assert choice(team(GRAPH, factors(True), True)) == EXPECTED
    assert team.notes == ["nodes: factor 1 with one, factor 2 with three, factor 3 with this machine"]
    if number == signal.SIGSTOP:
        nodes[1].signal(signal.SIGCONT)
        node_lab.attend_until(team, lambda: "two" in {peer.name for peer in team.hub.peers})
        assert choice(team(GRAPH, factors(True), True)) == EXPECTED
        assert team.notes == ["nodes: factor 1 with one, factor 2 with three, factor 3 with two"]


class Hostile:
    """A maximiser in whose first choices a node dies each time, in the middle."""

    name = "ADMM"

    def __init__(self, node_lab: NodeLab, deaths: int) -> None:
        self._lab = node_lab
        self._deaths = deaths
        self.choices = 0
        self._node = node_lab.node("prey-0", "--factors", "3")

    def maximise(
        self,
        exchange: Exchange,
        domain: Domain,
        rng: np.random.Generator,
        incumbents: FloatArray | None = None,
    ) -> Maximum:
        self.choices += 1
        dies = self.choices <= self._deaths
        return QUICK.maximise(
            Interrupted(exchange, self._kill) if dies else exchange, domain, rng, incumbents
        )

    def _kill(self) -> None:
        self._node.kill()
        self._node = self._lab.node(f"prey-{self.choices}", "--factors", "3")


class Sum:
    """As much of `FactorFunctions` as a choice looks at."""

    graph = GRAPH
    coupled = True
    within = None

    def __init__(self) -> None:
        self.factors = factors(True)
        self.objective = type("Objective", (), {"values": staticmethod(lambda X: X)})


@pytest.mark.parametrize("deaths", [1, ATTEMPTS - 1])
def test_a_choice_survives_its_nodes_whatever_they_do(node_lab: NodeLab, deaths: int) -> None:
    chooser = DecentralisedChoice(RemoteNodes(listen=node_lab.address, wait_s=60.0), DOMAIN)
    chooser.open(node_lab._say, ())
    try:
        hostile = Hostile(node_lab, deaths)
        acquisition: FactorFunctions = Sum()  # type: ignore[assignment]
        climbed = chooser.climb(acquisition, hostile, np.zeros((0, 4)), 1)
        alone = QUICK.maximise(
            InProcessExchange(GRAPH, factors(True), True), DOMAIN, np.random.default_rng(1), np.zeros((0, 4))
        )
        np.testing.assert_array_equal(climbed.point, alone.point)
        assert hostile.choices == deaths + 1
        assert node_lab.has_said("on this machine alone") == (deaths == ATTEMPTS - 1)
    finally:
        chooser.close()


def test_a_node_outlives_the_optimiser_and_serves_the_next(node_lab: NodeLab) -> None:
    node = node_lab.node("steady", "--factors", "3")
    for _ in range(2):
        team = node_lab.team()
        assert choice(team(GRAPH, factors(True), True)) == EXPECTED
        team.close()
    assert node.process.poll() is None
    eventually(lambda: "the connection is gone; dialling on" in node.said)
    last = node_lab.team()
    node_lab.await_peers(last, "steady")
    eventually(lambda: node.said.count("welcome at") == 3, why=lambda: node.said)
    last.dismiss()
    node.ends(0)
    assert "the run has ended" in node.said


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP])
def test_ctrl_c_ends_a_node_in_order_and_so_does_a_terminal_that_is_closed(
    node_lab: NodeLab, number: signal.Signals
) -> None:
    waiting = node_lab.node("nobody-there")
    eventually(lambda: _handles(waiting.process.pid, number))
    waiting.signal(number)
    waiting.ends(130)
    node = node_lab.node("welcome")
    team = node_lab.team()
    node_lab.await_peers(team, "welcome")
    node.signal(number)
    node.ends(130)
    team.hub.wait_for(lambda: not team.hub.peers, 60.0)
    assert not team.hub.peers, "it said goodbye, and was not found missing"
    assert "Traceback" not in node.said + waiting.said


def _handles(process: int, number: int) -> bool:
    caught = re.search(r"SigCgt:\s*([0-9a-f]+)", Path(f"/proc/{process}/status").read_text())
    return (
        caught is not None
        and bool(int(caught[1], 16) >> (number - 1) & 1)
        and bool(re.search("ep_poll|poll", Path(f"/proc/{process}/wchan").read_text()))
    )
