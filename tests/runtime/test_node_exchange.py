"""Nodes in real processes: the same point as in one process, and a clear error when one of them is lost."""

import itertools
import os
import signal
import subprocess
import sys

import msgspec
import numpy as np
import pytest
import zmq
from node_lab import DOMAIN, GRAPH, QUICK, factors

from orchestrator.errors import AddressError, OptimiserError
from orchestrator.maximisers.factors.factor_description import write_description
from orchestrator.maximisers.message_passing.exchange import InProcessExchange, NodeError
from orchestrator.maximisers.message_passing.exchange_objective import ExchangeObjective
from orchestrator.maximisers.sums.max_sum import MaxSum
from orchestrator.numerics.rng import stream
from orchestrator.runtime.nodes import hub as node_hub
from orchestrator.runtime.nodes import team as node_team
from orchestrator.runtime.nodes.frames import (
    PART_LIMIT,
    Deliver,
    Finish,
    MalformedFrame,
    NodeFault,
    NodeReport,
    NodeResults,
    Phase,
    Start,
    decode_from_asker,
    decode_from_node,
    encode_frame,
    read_arrays,
    write_arrays,
)
from orchestrator.runtime.nodes.hub import HubSettings, NodeHub
from orchestrator.runtime.nodes.session import NodeSession
from orchestrator.runtime.nodes.team import NodeTeam, TeamSettings
from orchestrator.surrogates.decompositions.factor_graph import FactorGraph


@pytest.fixture(scope="module")
def team():
    """Shared: starting three processes takes longer than all that they are asked."""
    with NodeTeam(TeamSettings(HubSettings(silence_s=20.0))) as shared:
        yield shared


def node_command(address, *more):
    return [sys.executable, "-m", "orchestrator", "node", "--connect", address, *more]


def test_admm_in_processes_chooses_the_same_point_to_the_bit(team):
    given = factors(coupled=True)
    here = QUICK.maximise(InProcessExchange(GRAPH, given, True), DOMAIN, stream(1, "admm"))
    exchange = team(GRAPH, given, True)
    assert len(team.process_ids) == GRAPH.size
    there = QUICK.maximise(exchange, DOMAIN, stream(1, "admm"))
    np.testing.assert_array_equal(here.point, there.point)
    assert (here.value, here.report) == (there.value, there.report)


def test_max_sum_in_processes_chooses_the_same_point_to_the_bit(team):
    given = factors(coupled=False)
    maximiser = MaxSum(levels=1, table=300, passes=20)
    here = maximiser.maximise(InProcessExchange(GRAPH, given), DOMAIN, stream(1, "max-sum"))
    there = maximiser.maximise(team(GRAPH, given), DOMAIN, stream(1, "max-sum"))
    np.testing.assert_array_equal(here.point, there.point)
    assert (here.value, here.report) == (there.value, there.report)


def test_the_same_processes_serve_the_next_ask_with_new_factors(team):
    X = DOMAIN.sample(5, stream(2, "points"))
    before = list(team.process_ids)
    for n in (10, 40):
        given = factors(coupled=True, values=n)
        expected = ExchangeObjective(InProcessExchange(GRAPH, given, True)).values(X)
        np.testing.assert_array_equal(ExchangeObjective(team(GRAPH, given, True)).values(X), expected)
    assert set(before) <= set(team.process_ids)


def test_more_factors_than_a_machine_bears_processes_share_them_and_choose_the_same_point(monkeypatch):
    monkeypatch.setattr(node_team, "MOST_PROCESSES", 2)
    given = factors(coupled=True)
    here = QUICK.maximise(InProcessExchange(GRAPH, given, True), DOMAIN, stream(1, "admm"))
    with NodeTeam() as team:
        team(FactorGraph(((0, 1),), 2), given[:1])
        (first,) = team.process_ids
        there = QUICK.maximise(team(GRAPH, given, True), DOMAIN, stream(1, "admm"))
        assert len(team.process_ids) == 2
        assert first in team.process_ids, "who held one factor takes on more"
    np.testing.assert_array_equal(here.point, there.point)
    assert (here.value, here.report) == (there.value, there.report)


def test_no_message_grows_with_how_many_factors_a_node_holds(monkeypatch):
    monkeypatch.setattr(node_team, "MOST_PROCESSES", 1)
    given = factors(coupled=True, values=100)
    sent = []

    def encode(frame):
        sent.append(encode_frame(frame))
        return sent[-1]

    monkeypatch.setattr(node_hub, "encode_frame", encode)
    with NodeTeam() as team:
        X = DOMAIN.sample(5, stream(2, "points"))
        expected = ExchangeObjective(InProcessExchange(GRAPH, given, True)).values(X)
        np.testing.assert_array_equal(ExchangeObjective(team(GRAPH, given, True)).values(X), expected)
    alone = max(len(msgspec.json.encode(write_description(factor))) for factor in given)
    assert alone < max(map(len, sent)) < 1.2 * alone


def test_what_is_long_goes_in_parts_both_ways_so_that_a_slow_line_is_no_cut_one(team, monkeypatch):
    """Where each is given two seconds of a slow line, ZeroMQ hears in time that the other side is there."""
    sent, came = [], []
    send, receive = zmq.Socket.send_multipart, zmq.Socket.recv_multipart

    def sending(socket, parts, *more, **further):
        sent.append([len(part) for part in parts[1:]])
        return send(socket, parts, *more, **further)

    def receiving(socket, *more, **further):
        parts = receive(socket, *more, **further)
        came.append([len(part) for part in parts[1:]])
        return parts

    monkeypatch.setattr(zmq.Socket, "send_multipart", sending)
    monkeypatch.setattr(zmq.Socket, "recv_multipart", receiving)
    given = factors(coupled=True, values=100)
    X = DOMAIN.sample(1_000, stream(2, "points"))
    expected = ExchangeObjective(InProcessExchange(GRAPH, given, True)).values(X)
    np.testing.assert_array_equal(ExchangeObjective(team(GRAPH, given, True)).values(X), expected)
    for messages in (sent, came):
        assert max(map(len, messages)) > 1
        assert max(itertools.chain(*messages)) <= PART_LIMIT


def test_a_factor_too_large_for_one_message_is_refused_in_words_and_not_asked_again(team, monkeypatch):
    monkeypatch.setattr(node_hub, "NODE_FRAME_LIMIT", 1 << 17)
    team(GRAPH, factors(coupled=True, values=10), True)
    refusal = (
        r"at most 0.125 MiB for the node of factor 1 \(.*\), got one of 0\.\d+ MiB: .*`nodes: in-process`"
    )
    with pytest.raises(OptimiserError, match=refusal) as error:
        team(GRAPH, factors(coupled=True, values=200), True)
    assert not isinstance(error.value, NodeError)


def test_a_killed_node_is_a_clear_error_and_the_next_ask_has_it_again(team):
    given = factors(coupled=True)
    exchange = team(GRAPH, given, True)
    victim = team.process_ids[1]
    os.kill(victim, signal.SIGKILL)
    # Its connection may be gone a moment before its process is.
    how = "was ended by signal 9|cannot be reached any more|is gone: its connection was closed"
    with pytest.raises(NodeError, match=rf"factor \d \(local-.*, process {victim} on .*\) ({how})"):
        QUICK.maximise(exchange, DOMAIN, stream(1, "admm"))
    X = DOMAIN.sample(3, stream(3, "points"))
    expected = ExchangeObjective(InProcessExchange(GRAPH, given, True)).values(X)
    np.testing.assert_array_equal(ExchangeObjective(team(GRAPH, given, True)).values(X), expected)


def test_a_node_that_fails_says_why_and_lives_on(team):
    exchange = team(GRAPH, factors(coupled=True), True)
    with pytest.raises(NodeError, match=r"the node of factor 1 \(.*\) failed: \w+Error"):
        exchange.run("values", {}, {"factor:0": {"points": np.zeros(())}})
    X = DOMAIN.sample(3, stream(4, "points"))
    assert np.isfinite(ExchangeObjective(exchange).values(X)).all()


def test_a_stopped_node_is_named_after_its_silence():
    # One process for all three factors, started as it would be on another host.
    settings = TeamSettings(HubSettings(silence_s=20.0), "missing")
    with (
        NodeTeam(settings) as team,
        subprocess.Popen(node_command(team.hub.address, "--factors", "3")) as process,
    ):
        try:
            exchange = team(GRAPH, factors(coupled=True), True)
            X = DOMAIN.sample(3, stream(5, "points"))
            expected = ExchangeObjective(InProcessExchange(GRAPH, factors(coupled=True), True)).values(X)
            np.testing.assert_array_equal(ExchangeObjective(exchange).values(X), expected)
            os.kill(process.pid, signal.SIGSTOP)
            team.hub._silence_s = 1.0
            with pytest.raises(NodeError, match=r"factors 1, 2, 3 \(.*, process .* said nothing for 1 s"):
                ExchangeObjective(exchange).values(X)
        finally:
            process.kill()


def test_local_processes_end_with_their_team():
    with NodeTeam() as team:
        team(FactorGraph(((0, 1, 2, 3),), 4), factors(coupled=True)[2:], False)
        (process,) = team.process_ids
    assert team.process_ids == []
    assert not os.path.exists(f"/proc/{process}")


def test_strangers_are_not_listened_to_without_keys():
    with pytest.raises(AddressError, match="loopback"):
        NodeTeam(TeamSettings(HubSettings("tcp://0.0.0.0:*")))


def test_garbage_from_a_stranger_changes_nothing(team):
    exchange = team(GRAPH, factors(coupled=True), True)
    context = zmq.Context()
    stranger = context.socket(zmq.DEALER)
    stranger.connect(team.hub.address)
    for garbage in (b"", b"\xff\x00", b"[1, 2", b'{"type": "results", "run": 7}', b'{"type": "cat"}'):
        stranger.send(garbage)
    X = DOMAIN.sample(3, stream(6, "points"))
    expected = ExchangeObjective(InProcessExchange(GRAPH, factors(coupled=True), True)).values(X)
    np.testing.assert_array_equal(ExchangeObjective(exchange).values(X), expected)
    context.destroy(linger=0)


def test_a_stranger_that_sends_without_a_pause_keeps_the_asker_from_nothing():
    class Flooded:
        thrown = 0

        def poll(self, timeout: int) -> bool:
            del timeout
            return True

        def recv_multipart(self) -> list[bytes]:
            self.thrown += 1
            assert self.thrown < 50_000, "nothing was done but listening"
            return [b"stranger", b"noise"]

    hub = NodeHub(HubSettings(), death=lambda _: None)
    listening, hub._socket = hub._socket, Flooded()
    try:
        hub.attend()
        hub.wait_for(lambda: False, 0.05)
    finally:
        hub._socket = listening
        hub.close()


def test_a_socket_in_a_file_is_not_taken_from_another_hub(tmp_path, monkeypatch):
    # A short path, wherever temporary files lie: the names of such sockets may have 107 characters.
    monkeypatch.chdir(tmp_path)
    settings = HubSettings("ipc://nodes")
    first = NodeHub(settings, death=lambda _: None)
    with pytest.raises(AddressError, match="taken, by another program"):
        NodeHub(settings, death=lambda _: None)
    first.close()
    NodeHub(settings, death=lambda _: None).close()


def test_what_a_node_says_of_its_fault_is_passed_on_up_to_a_length(team, monkeypatch):
    exchange = team(GRAPH, factors(coupled=True), True)

    def endless():
        identity, answer = receive()
        if isinstance(answer, NodeResults):
            answer = NodeFault(reason="oh " * 1_000_000)
        return identity, answer

    receive = team.hub._receive
    monkeypatch.setattr(team.hub, "_receive", endless)
    with pytest.raises(NodeError, match=r"failed: oh oh") as caught:
        ExchangeObjective(exchange).values(DOMAIN.sample(3, stream(8, "points")))
    assert len(str(caught.value)) < 2_500


def test_an_address_that_is_none_is_said_to_be():
    ended = subprocess.run(node_command("nowhere"), capture_output=True, text=True, timeout=120, check=False)
    assert ended.returncode == 2
    assert "expected an address such as tcp://" in ended.stderr


def test_arrays_cross_exactly_and_what_is_not_finite_does_not():
    rng = stream(7, "arrays")
    message = {"a": rng.standard_normal((3, 4)) * 10.0 ** rng.integers(-300, 300, (3, 4)), "b": np.array(0.1)}
    frame = Deliver(run=1, step=2, letters={"factor:0": {"variable:1": write_arrays(message)}})
    crossed = decode_from_asker(encode_frame(frame))
    assert isinstance(crossed, Deliver)
    for name, array in read_arrays(crossed.letters["factor:0"]["variable:1"]).items():
        np.testing.assert_array_equal(array, message[name])
    with pytest.raises(ValueError, match="finite"):
        write_arrays({"x": np.array([1.0, np.nan])})


def test_frames_of_a_run_given_up_are_not_answered():
    session = NodeSession()
    started = session.answer(Start(run=5, program="values", settings={}, inputs={}))
    assert isinstance(started, NodeReport)
    assert session.answer(Phase(run=4, step=1, phase=0)) is None
    assert session.answer(Finish(run=4)) is None
    assert isinstance(session.answer(Phase(run=5, step=1, phase=0)), NodeReport)


def test_what_is_no_frame_is_malformed():
    with pytest.raises(MalformedFrame):
        decode_from_node(b"{}")


def spoil(team, monkeypatch, spoilt):
    """Have nodes' results replaced by what ``spoilt`` makes of a node's name and result; None: kept back."""
    ask = team.hub.ask

    def results(answer):
        made = {name: spoilt(name, found) for name, found in answer.results.items()}
        return NodeResults(
            run=answer.run, results={n: found for n, found in made.items() if found is not None}
        )

    def asked(questions, about, is_answer):
        answers = ask(questions, about, is_answer)
        return {p: results(a) if isinstance(a, NodeResults) else a for p, a in answers.items()}

    monkeypatch.setattr(team.hub, "ask", asked)


def test_results_that_a_node_keeps_to_itself_are_its_fault_and_nobody_else_s(team, monkeypatch):
    exchange = team(GRAPH, factors(coupled=True), True)
    spoil(team, monkeypatch, lambda _, __: None)
    with pytest.raises(NodeError, match=r"local-.* said nothing of factor:0, factor:1, factor:2"):
        ExchangeObjective(exchange).values(DOMAIN.sample(3, stream(8, "points")))


@pytest.mark.parametrize(
    ("plain", "complaint"),
    [
        pytest.param("rubbish", "no array of numbers", id="words"),
        pytest.param([[1.0, 2.0], [3.0]], "no array of numbers", id="ragged"),
        pytest.param([1.0] * 4, r"of factor:0, with plain \(3,\), .*; got plain \(4,\)", id="too many"),
        pytest.param([1.0, None, 3.0], "finite numbers as results of factor:0", id="null"),
    ],
)
def test_results_that_a_node_garbles_are_its_fault(team, monkeypatch, plain, complaint):
    exchange = team(GRAPH, factors(coupled=True), True)
    spoil(team, monkeypatch, lambda _, found: found | {"plain": plain})
    with pytest.raises(NodeError, match=rf"local-.*{complaint}"):
        ExchangeObjective(exchange).values(DOMAIN.sample(3, stream(8, "points")))


def test_what_admm_s_nodes_found_is_named_where_it_is_missing(team, monkeypatch):
    exchange = team(GRAPH, factors(coupled=True), True)
    spoil(team, monkeypatch, lambda name, found: {} if name.startswith("variable") else found)
    wanted = r"expected results of variable:\d, with position \(6,\), residual \(6,\); got nothing"
    with pytest.raises(NodeError, match=wanted):
        QUICK.maximise(exchange, DOMAIN, stream(1, "alone"))


def test_what_max_sum_s_nodes_decided_is_named_where_it_is_missing(team, monkeypatch):
    exchange = team(GRAPH, factors(coupled=False))
    spoil(team, monkeypatch, lambda name, found: {} if name.startswith("variable") else found)
    maximiser = MaxSum(levels=1, table=300, passes=20)
    with pytest.raises(NodeError, match=r"expected results of variable:\d, with decided \(\); got nothing"):
        maximiser.maximise(exchange, DOMAIN, stream(1, "undecided"))


@pytest.mark.parametrize("at", [99.0, -1.0, 0.5, 1e30])
def test_a_position_that_max_sum_s_nodes_do_not_have_is_a_choice_that_failed(team, monkeypatch, at):
    exchange = team(GRAPH, factors(coupled=False))
    spoil(team, monkeypatch, lambda _, found: {"decided": at} if "decided" in found else found)
    maximiser = MaxSum(levels=1, table=300, passes=20)
    with pytest.raises(NodeError, match=r"variable:0 to decide for one of \d+ positions.*got"):
        maximiser.maximise(exchange, DOMAIN, stream(1, "nowhere"))
