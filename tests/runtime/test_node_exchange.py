"""Nodes in real processes: the same point as in one process, and a clear error when one of them is lost."""

import os
import signal
import subprocess
import sys

import numpy as np
import pytest
import zmq

from orchestrator.domain import Coordinate, Domain
from orchestrator.errors import AddressError
from orchestrator.maximisers.admm import Admm
from orchestrator.maximisers.exchange import InProcessExchange, NodeError, total_values
from orchestrator.maximisers.gaussian_factor import gaussian_factors
from orchestrator.maximisers.max_sum import MaxSum
from orchestrator.numerics.rng import stream
from orchestrator.runtime.node_exchange import NodeTeam, TeamSettings
from orchestrator.runtime.node_frames import (
    Deliver,
    Finish,
    MalformedFrame,
    NodeReport,
    Phase,
    Start,
    decode_from_asker,
    decode_from_node,
    encode_frame,
    read_arrays,
    write_arrays,
)
from orchestrator.runtime.node_process import NodeSession
from orchestrator.surrogates.additive import AdditiveGP
from orchestrator.surrogates.additive_hyperparameters import AdditiveHyperparameters
from orchestrator.surrogates.factor_graph import FactorGraph
from orchestrator.surrogates.kernels import MATERN_52

DOMAIN = Domain((Coordinate(), Coordinate("categorical", (0.0, 0.5, 1.0)), Coordinate(), Coordinate()))
GRAPH = FactorGraph(((0, 1), (1, 2), (2, 3, 0)), 4)
QUICK = Admm(restarts=6, iterations=8, polish=15)


def factors(coupled, values=30):
    hyperparameters = AdditiveHyperparameters(GRAPH.factors, (0.4, 0.5, 0.6, 0.7), (0.3, 0.4, 0.3), 1e-3)
    posterior = AdditiveGP(DOMAIN, GRAPH, MATERN_52, hyperparameters)
    rng = stream(0, "values", values)
    X = DOMAIN.sample(values, rng)
    posterior.append(X, np.sin(5 * X).sum(axis=1) + 0.1 * rng.standard_normal(values))
    return gaussian_factors(posterior, [1.0, 1.2, 1.4], coupled)


@pytest.fixture(scope="module")
def team():
    """Shared: starting three processes takes longer than all that they are asked."""
    with NodeTeam(TeamSettings(silence_s=20.0)) as shared:
        yield shared


def node_command(address):
    return [sys.executable, "-m", "orchestrator.runtime.node_process", "--connect", address]


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
        expected = total_values(InProcessExchange(GRAPH, given, True), X)
        np.testing.assert_array_equal(total_values(team(GRAPH, given, True), X), expected)
    assert set(before) <= set(team.process_ids)


def test_a_killed_node_is_a_clear_error_and_the_next_ask_has_it_again(team):
    given = factors(coupled=True)
    exchange = team(GRAPH, given, True)
    victim = team.process_ids[1]
    os.kill(victim, signal.SIGKILL)
    with pytest.raises(NodeError, match=rf"factor \d \(process {victim} on .*\) was ended by signal 9"):
        QUICK.maximise(exchange, DOMAIN, stream(1, "admm"))
    X = DOMAIN.sample(3, stream(3, "points"))
    expected = total_values(InProcessExchange(GRAPH, given, True), X)
    np.testing.assert_array_equal(total_values(team(GRAPH, given, True), X), expected)


def test_a_node_that_fails_says_why_and_lives_on(team):
    exchange = team(GRAPH, factors(coupled=True), True)
    with pytest.raises(NodeError, match="failed: KeyError: 'points'"):
        exchange.run("values", {}, {})
    X = DOMAIN.sample(3, stream(4, "points"))
    assert np.isfinite(total_values(exchange, X)).all()


def test_a_stopped_node_is_named_after_its_silence():
    # One process for all three factors, started as it would be on another host.
    settings = TeamSettings(local=False, expected=1, silence_s=1.0)
    with NodeTeam(settings) as team, subprocess.Popen(node_command(team.hub.address)) as process:
        try:
            exchange = team(GRAPH, factors(coupled=True), True)
            X = DOMAIN.sample(3, stream(5, "points"))
            expected = total_values(InProcessExchange(GRAPH, factors(coupled=True), True), X)
            np.testing.assert_array_equal(total_values(exchange, X), expected)
            os.kill(process.pid, signal.SIGSTOP)
            with pytest.raises(NodeError, match=r"factors 0, 1, 2 \(process .* said nothing for 1 s"):
                total_values(exchange, X)
        finally:
            process.kill()


def test_too_few_nodes_within_the_bound_is_an_error_that_says_how_to_start_them():
    settings = TeamSettings(local=False, expected=2, join_s=0.2)
    with NodeTeam(settings) as team, pytest.raises(NodeError, match=r"2 node processes .* --connect tcp"):
        team(GRAPH, factors(coupled=True), True)


def test_local_processes_end_with_their_team():
    with NodeTeam() as team:
        team(FactorGraph(((0, 1, 2, 3),), 4), factors(coupled=True)[2:], False)
        processes = list(team._processes.values())
    assert [process.poll() for process in processes] == [0]


def test_strangers_are_not_listened_to_without_keys():
    with pytest.raises(AddressError, match="loopback"):
        NodeTeam(TeamSettings(address="tcp://0.0.0.0:*"))


def test_garbage_from_a_stranger_changes_nothing(team):
    exchange = team(GRAPH, factors(coupled=True), True)
    context = zmq.Context()
    stranger = context.socket(zmq.DEALER)
    stranger.connect(team.hub.address)
    for garbage in (b"", b"\xff\x00", b"[1, 2", b'{"type": "results", "run": 7}', b'{"type": "cat"}'):
        stranger.send(garbage)
    X = DOMAIN.sample(3, stream(6, "points"))
    expected = total_values(InProcessExchange(GRAPH, factors(coupled=True), True), X)
    np.testing.assert_array_equal(total_values(exchange, X), expected)
    context.destroy(linger=0)


def test_an_address_that_is_none_is_said_to_be():
    ended = subprocess.run(node_command("nowhere"), capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode == 1
    assert "expected an address to dial" in ended.stderr


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
