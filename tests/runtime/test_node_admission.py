"""Who may serve as a node and who may not, as really started processes that dial over TCP."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
import pytest
import zmq
from node_lab import GRAPH, NodeLab, choice, factors
from run_lab import eventually

from orchestrator import __version__
from orchestrator.errors import AddressError
from orchestrator.maximisers.message_passing.exchange import InProcessExchange
from orchestrator.runtime.connections.keyring import Keyring
from orchestrator.runtime.nodes.frames import (
    NODE_PROTOCOL,
    NodeHello,
    NodeRefused,
    decode_from_asker,
    decode_from_node,
    encode_frame,
)
from orchestrator.wire.credentials import Credentials, write_secret
from orchestrator.wire.dealer import Dealer


@pytest.fixture
def keys(tmp_path: Path) -> Keyring:
    ring = Keyring(tmp_path / "keys")
    ring.new_worker("robot")
    return ring


def test_with_a_key_a_node_is_let_in_and_so_are_the_stand_ins(node_lab: NodeLab, keys: Keyring) -> None:
    node_lab.node("robot", "--key", str(keys.path / "robot.json"))
    team = node_lab.team(keys=keys.path, wait_s=0.0)
    node_lab.await_peers(team, "robot")
    assert choice(team(GRAPH, factors(True), True)) == choice(InProcessExchange(GRAPH, factors(True), True))
    assert team.notes == ["nodes: factor 1 with robot, factors 2, 3 with this machine"]


def test_a_wrong_key_is_refused_and_both_sides_say_so(
    node_lab: NodeLab, keys: Keyring, tmp_path: Path
) -> None:
    public, secret = (key.decode() for key in zmq.curve_keypair())
    wrong = Credentials("robot", public, secret, keys.server().public)
    write_secret(tmp_path / "wrong.json", msgspec.json.encode(wrong))
    stranger = node_lab.node("stranger", ORCHESTRATOR_KEY_FILE=str(tmp_path / "wrong.json"))
    without = node_lab.node("without")
    team = node_lab.team(keys=keys.path)
    node_lab.attend_until(
        team,
        lambda: (
            "refused this node's key: it is unknown or revoked" in stranger.said
            and "start the node with --key FILE" in without.said
            and node_lab.has_said(f"for a key that is not known here, {public[:8]}…; make another")
        ),
    )
    assert team.hub.peers == []


def test_whoever_comes_without_a_key_is_counted_and_told_of(node_lab: NodeLab, keys: Keyring) -> None:
    team = node_lab.team(keys=keys.path)

    def told() -> bool:
        # Where a node hangs up first, the hub does not learn what it came with: it dials anew.
        dealer = Dealer(node_lab.address, None)
        eventually(dealer.refusals)
        dealer.hang_up(linger=False)
        return node_lab.has_said("for having no key, or one for another orchestrator; if it was a node")

    node_lab.attend_until(team, told)


def test_a_revoked_node_is_no_node_any_more(node_lab: NodeLab, keys: Keyring) -> None:
    node_lab.node("robot", "--key", str(keys.path / "robot.json"))
    team = node_lab.team(keys=keys.path)
    node_lab.await_peers(team, "robot")
    keys.revoke("robot")
    node_lab.await_peers(team)
    node_lab.attend_until(team, lambda: node_lab.has_said("for the key of robot, which was revoked"))


def test_without_keys_only_this_machine_is_listened_to(node_lab: NodeLab) -> None:
    node_lab.address = node_lab.address.replace("127.0.0.1", "0.0.0.0")
    with pytest.raises(AddressError, match="loopback"):
        node_lab.team()


def test_a_port_that_is_taken_is_said_to_be(node_lab: NodeLab) -> None:
    node_lab.team()
    with pytest.raises(AddressError, match=r"the port is taken.*algorithm\.options\.nodes\.listen"):
        node_lab.team()


def test_two_nodes_of_one_name_are_told_apart_by_who_came_first(node_lab: NodeLab) -> None:
    team = node_lab.team()
    first = node_lab.node("twin")
    node_lab.await_peers(team, "twin")
    second = node_lab.node("twin")
    node_lab.attend_until(team, lambda: "expected a name that no other node has, got twin" in second.said)
    first.kill()
    node_lab.attend_until(team, lambda: [peer.pid for peer in team.hub.peers] == [second.process.pid])


@pytest.mark.parametrize("version", ["0.0.0", __version__], ids=["an older one", "the same, of other code"])
def test_a_node_of_another_version_is_refused_for_good(node_lab: NodeLab, version: str) -> None:
    team = node_lab.team()
    context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
    stranger = context.socket(zmq.DEALER)
    try:
        stranger.connect(node_lab.address)
        hello = NodeHello(
            protocol=NODE_PROTOCOL,
            version=version,
            name="old",
            factors=1,
            host="h",
            pid=os.getpid(),
            connection=1,
        )
        stranger.send(encode_frame(hello))
        node_lab.attend_until(team, lambda: bool(stranger.poll(0)))
        answer = decode_from_asker(stranger.recv())
        assert isinstance(answer, NodeRefused)
        assert answer.final
        assert f"got one of {version}" in answer.reason
        assert team.hub.peers == []
    finally:
        context.destroy(linger=0)


def test_a_node_that_is_refused_for_good_ends_and_says_why(node_lab: NodeLab) -> None:
    context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
    asker = context.socket(zmq.ROUTER)
    try:
        asker.bind(node_lab.address)
        node = node_lab.node("unwanted")
        assert asker.poll(60_000)
        identity, hello = asker.recv_multipart()
        assert isinstance(decode_from_node(hello), NodeHello)
        asker.send_multipart([identity, encode_frame(NodeRefused(reason="expected another", final=True))])
        node.ends(2)
        assert node.said.rstrip().endswith("node unwanted: expected another")
    finally:
        context.destroy(linger=0)
