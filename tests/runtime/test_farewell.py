"""Cleanup that does not return is given up on."""

import threading

import pytest
import zmq

from orchestrator.runtime.farewell import let_go


def test_what_returns_is_waited_for():
    closed = []
    assert let_go(lambda: closed.append(True))
    assert closed == [True]


def test_a_context_whose_socket_is_held_open_does_not_hold_up_the_end():
    context = zmq.Context()
    socket = context.socket(zmq.PAIR)
    assert not let_go(context.term, seconds=0.05)
    socket.close()
    ending = [thread for thread in threading.enumerate() if thread.name == "farewell"]
    for thread in ending:
        thread.join(60.0)
        assert not thread.is_alive()


def test_what_goes_wrong_in_time_is_said():
    def close():
        raise zmq.ZMQError(zmq.ETERM)

    with pytest.raises(zmq.ZMQError):
        let_go(close)
