"""The Python interface put away, taken up elsewhere, and shared by threads."""

import copy
import pickle
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields

import pytest
from priced_parameters import PARAMETERS, cost
from quick_options import quick_options

from orchestrator import Optimiser, Preferences, __version__
from orchestrator.algorithms import registry
from orchestrator.algorithms.base import Observation
from orchestrator.errors import UsageError
from orchestrator.python_interface.kept import STATE_FORMAT
from orchestrator.python_interface.reading import Reading
from orchestrator.python_interface.trials import Trials


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


SEARCHES = (
    (Optimiser, "results()` say, as another Optimiser takes by `learn_all`"),
    (Preferences, "Later versions go on with a file that keeps one, its `store`"),
)


@pytest.mark.parametrize(("kind", "instead"), SEARCHES)
def test_one_of_which_parts_lie_elsewhere_by_now_says_what_to_keep_instead(kind, instead):
    kept = pickle.dumps(kind({"x": (0.0, 1.0)}))
    for place in (b"orchestrator.python_interface.trials", b"orchestrator.parameters.space"):
        assert place in kept
        with pytest.raises(UsageError) as refused:
            pickle.loads(kept.replace(place, place[:-1] + b"x"))
        assert f"{kind.__name__} was pickled by another version of the orchestrator" in str(refused.value)
        assert instead in str(refused.value)


@pytest.mark.parametrize("kind", [Optimiser, Preferences])
def test_one_of_another_version_is_refused_before_it_is_read(kind):
    kept = pickle.dumps(kind({"x": (0.0, 1.0)}))
    version = __version__.encode()
    elder = kept.replace(version, b"9" * len(version))
    with pytest.raises(UsageError, match=rf"by version {'9' * len(version)}.*this is version {__version__}"):
        pickle.loads(elder)


@pytest.mark.parametrize(("kind", "instead"), SEARCHES)
@pytest.mark.parametrize(("came", "age"), [((), "older"), ((0,), "older"), ((STATE_FORMAT + 1,), "newer")])
def test_one_of_another_format_is_refused_before_it_is_read(kind, instead, came, age):
    read, (name, version, _, state_format) = kind({"x": (0.0, 1.0)}).__reduce__()
    assert state_format == STATE_FORMAT
    with pytest.raises(UsageError) as refused:
        read(name, version, b"nothing that could be read", *came)
    said = f"in format {STATE_FORMAT}, got format {came[0] if came else 0}: it was pickled by {age} code"
    assert said in str(refused.value)
    assert instead in str(refused.value)


HELD = {
    Optimiser: "algorithm found name options plan reading record reference_times stopping told_results"
    " trials",
    Preferences: "compared failed places problem reading record space trials",
}
"""What a state holds, of `STATE_FORMAT`."""


@pytest.mark.parametrize("kind", [Optimiser, Preferences])
def test_a_state_that_holds_something_else_has_a_format_of_its_own(kind):
    """Where this fails, give `STATE_FORMAT` another number, and say here what is held by now."""
    held = kind({"x": (0.0, 1.0)}).__getstate__()
    assert sorted(held) == [f"_{name}" for name in HELD[kind].split()]


PARTS = {
    Trials: (
        "asks following pending asked_for attached held costs continues settled stands time left machine told"
        " spent"
    ),
    Reading: "problem space wanted_as_told sign algorithm fidelity clock costs blocks begun taken levels"
    " reference",
    Observation: (
        "trial point value variance factors slacks further foreseen held seconds attached worker cost block"
        " outcomes derivatives continues began_anew"
    ),
}
"""What parts of such a state hold, of which one that was pickled before lacks what is added."""


@pytest.mark.parametrize("part", PARTS)
def test_a_part_of_a_state_that_holds_something_else_gives_the_state_a_format_of_its_own(part):
    """Where this fails, give `STATE_FORMAT` another number, and say here what is held by now."""
    assert [field.name for field in fields(part)] == PARTS[part].split()


class Own(Optimiser):
    """One of a caller's."""


def test_one_of_a_class_of_its_own_stays_of_that():
    kept = pickle.loads(pickle.dumps(Own({"x": (0.0, 1.0)}, algorithm="random")))
    assert type(kept) is Own
    assert kept.ask() == Own({"x": (0.0, 1.0)}, algorithm="random").ask()


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
