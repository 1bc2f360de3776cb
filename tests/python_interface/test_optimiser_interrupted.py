"""Ctrl-C, or the stop button of a notebook, in the middle of a call of the Python interface."""

import signal
import threading

import pytest
from priced_parameters import PARAMETERS, cost
from quick_options import quick_options

from orchestrator import Optimiser
from orchestrator.algorithms import registry
from orchestrator.parameters.space import Space


class Interrupted:
    """An algorithm that gets one Ctrl-C in the middle of what is named, and notices what was cut in two."""

    def __init__(self, algorithm, where):
        self._algorithm = algorithm
        self._where = where
        self.cut = []

    def __getattr__(self, name):
        def call(*given):
            self.cut.append(name)
            if name == self._where:
                self._where = None
                signal.raise_signal(signal.SIGINT)
            answer = getattr(self._algorithm, name)(*given)
            self.cut.remove(name)
            return answer

        return call


@pytest.fixture(autouse=True)
def interrupts_count():
    """What is started in the background ignores them."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def made(monkeypatch):
    build = registry.build

    def make(where=None):
        monkeypatch.setattr(registry, "build", lambda *given: Interrupted(build(*given), where))
        return Optimiser(PARAMETERS, goal="minimise", algorithm="gp-ei", options=quick_options("gp-ei"))

    return make


def test_a_result_that_is_being_told_is_told_whole(made):
    optimiser = made("tell")
    (asked,) = optimiser.ask()
    with pytest.raises(KeyboardInterrupt):
        optimiser.tell(asked.trial, 0.5)
    assert optimiser.pending == ()
    assert optimiser.best().value == 0.5
    assert not optimiser._algorithm.cut


def test_so_is_one_that_is_known_from_elsewhere(made):
    optimiser = made("tell")
    with pytest.raises(KeyboardInterrupt):
        optimiser.learn({"x1": 0.5, "x2": 3, "kind": "a"}, 0.5)
    assert optimiser.best().value == 0.5
    assert not optimiser._algorithm.cut


@pytest.mark.parametrize(("where", "cut"), [("compute_refit", True), ("adopt", False), ("ask", True)])
def test_what_takes_seconds_ends_at_once_and_what_changes_the_model_does_not(made, where, cut):
    """And what is asked for again is what would have been asked."""

    def asked(optimiser):
        points = []
        while len(points) < 8:
            try:
                (one,) = optimiser.ask()
            except KeyboardInterrupt:
                points.append("interrupted")
                continue
            points.append(one.parameters)
            optimiser.tell(one.trial, cost(one.parameters))
        return points

    optimiser = made(where)
    points = asked(optimiser)
    assert optimiser._algorithm.cut == ([where] if cut else [])
    points.remove("interrupted")
    assert points == asked(made())[:7]


def test_of_points_that_nobody_was_given_none_is_pending(made, monkeypatch):
    """An interrupt once the algorithm has answered left trials that would never be told."""
    undisturbed = made().ask(3)
    optimiser = made()
    given, calls = Space.given, []

    def interrupted(*told):
        calls.append(told)
        if len(calls) == 2:
            signal.raise_signal(signal.SIGINT)
        return given(*told)

    monkeypatch.setattr(Space, "given", interrupted)
    with pytest.raises(KeyboardInterrupt):
        optimiser.ask(3)
    assert optimiser.pending == ()
    assert optimiser.ask(3) == undisturbed


def test_what_is_made_of_an_interrupt_is_as_before(made):
    came = []
    before = signal.signal(signal.SIGINT, lambda *given: came.append(given[0]))
    try:
        optimiser = made("tell")
        optimiser.tell(optimiser.ask()[0].trial, 0.5)
        assert came == [signal.SIGINT]
        signal.raise_signal(signal.SIGINT)
        assert came == [signal.SIGINT, signal.SIGINT]
    finally:
        signal.signal(signal.SIGINT, before)


def test_a_thread_tells_though_interrupts_are_not_its_own(made):
    optimiser = made()
    trial = optimiser.ask()[0].trial
    thread = threading.Thread(target=optimiser.tell, args=(trial, 0.5))
    thread.start()
    thread.join()
    assert optimiser.pending == ()
