"""The Python interface put away, taken up elsewhere, and shared by threads."""

import copy
import pickle
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from priced_parameters import PARAMETERS, cost
from quick_options import quick_options

from orchestrator import Optimiser
from orchestrator.algorithms import registry
from orchestrator.errors import UsageError


@pytest.mark.parametrize("name", ["auto", "dumbo", "egp-ts", "gp-ei", "random", "turbo"])
def test_one_that_is_pickled_goes_on_as_the_other_would_have(name):
    optimiser = Optimiser(PARAMETERS, goal="minimise", algorithm=name, options=quick_options(name))
    for asked in optimiser.ask(6)[:5]:
        optimiser.tell(asked.trial, cost(asked.parameters))
    kept = pickle.loads(pickle.dumps(optimiser))
    for one in (optimiser, kept):
        one.tell(6, 0.5)
    for _ in range(8):
        (asked,), (again,) = optimiser.ask(), kept.ask()
        assert again.parameters == asked.parameters
        for one in (optimiser, kept):
            one.tell(asked.trial, cost(asked.parameters))
    assert kept.best() == optimiser.best()


@pytest.mark.parametrize("name", ["boo", "bamsoo", "imgpo", "soo", "direct"])
def test_a_tree_search_which_is_in_the_middle_of_its_rule_says_that_it_cannot_be_pickled(name):
    with pytest.raises(UsageError, match=rf"`{name}` cannot be pickled .*generator.* `learn`"):
        pickle.dumps(Optimiser({"x": (0.0, 1.0)}, algorithm=name))


def test_one_that_another_version_pickled_says_so():
    kept = pickle.dumps(Optimiser({"x": (0.0, 1.0)}, algorithm="random"))
    elsewhere = kept.replace(b"orchestrator.algorithms.history", b"orchestrator.algorithms.earlier")
    with pytest.raises(UsageError, match=r"`random` was pickled by another version .* `results\(\)`"):
        pickle.loads(elsewhere)


def test_what_a_copy_is_told_is_nothing_to_the_other():
    optimiser = Optimiser({"x": (0.0, 1.0)}, algorithm="random")
    for asked in optimiser.ask(3):
        optimiser.tell(asked.trial, asked.parameters["x"])
    other = copy.copy(optimiser)
    other.tell(other.ask()[0].trial, 5.0)
    assert other.best().value == 5.0
    assert optimiser.best().value < 1.0
    assert other.sensitivity().results == 4
    with pytest.raises(UsageError, match="or more, got 3"):
        optimiser.sensitivity()


class Visited:
    """An algorithm that notices when two of its callers are inside at a time."""

    def __init__(self, algorithm):
        self._algorithm = algorithm
        self._inside = threading.Lock()
        self.crowded = False

    def __getattr__(self, name):
        def call(*given):
            alone = self._inside.acquire(blocking=False)
            self.crowded |= not alone
            time.sleep(0.001)
            answer = getattr(self._algorithm, name)(*given)
            if alone:
                self._inside.release()
            return answer

        return call


def test_threads_that_ask_and_tell_take_turns(monkeypatch):
    build = registry.build
    monkeypatch.setattr(registry, "build", lambda *given: Visited(build(*given)))
    optimiser = Optimiser({"x": (0.0, 1.0)}, algorithm="random")

    def evaluate(worker):
        for _ in range(5):
            for asked in optimiser.ask(2):
                optimiser.tell(asked.trial, asked.parameters["x"])
        optimiser.learn({"x": 0.5}, 0.5)
        optimiser.insight()

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(evaluate, range(4)))
    assert isinstance(optimiser._algorithm, Visited)
    assert not optimiser._algorithm.crowded
    assert optimiser.pending == ()
