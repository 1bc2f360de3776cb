"""A search holds the linear algebra of its process to one thread, and gives back what it found."""

import threading

import pytest
import scipy.linalg  # noqa: F401  # brings the libraries whose threads these are, before any story
from threadpoolctl import threadpool_info, threadpool_limits

from orchestrator.algorithms.base import AskKey
from orchestrator.algorithms.sobol import Sobol
from orchestrator.python_interface.optimiser import Optimiser
from orchestrator.system.blas_threads import VARIABLES, one_thread


def threads():
    """Of the libraries that are loaded."""
    return {library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"}


@pytest.fixture(autouse=True)
def two_threads():
    with threadpool_limits(2, "blas"):
        assert threads() == {2}
        yield


def test_there_is_one_inside_and_as_many_as_before_outside():
    for _ in range(2):
        with one_thread({}):
            assert threads() == {1}
        assert threads() == {2}


def test_whoever_raises_inside_gives_them_back():
    with pytest.raises(ZeroDivisionError), one_thread({}):
        _ = 1 / 0
    assert threads() == {2}


def test_whoever_comes_while_another_is_inside_neither_waits_nor_gives_back_too_few():
    entered, leave = threading.Event(), threading.Event()

    def other():
        with one_thread({}):
            entered.set()
            leave.wait(300.0)

    beside = threading.Thread(target=other)
    with one_thread({}):
        beside.start()
        assert entered.wait(300.0)
        assert threads() == {1}
    assert threads() == {2}
    leave.set()
    beside.join()
    assert threads() == {2}


@pytest.mark.parametrize("variable", VARIABLES)
def test_a_person_who_says_how_many_is_believed(variable):
    with one_thread({variable: "2"}):
        assert threads() == {2}


def test_an_optimiser_suggests_with_one_and_leaves_the_process_as_it_was(monkeypatch):
    for variable in VARIABLES:
        monkeypatch.delenv(variable, raising=False)
    seen = []

    def ask(self, n, pending, key: AskKey):
        seen.append(threads())
        return suggest(self, n, pending, key)

    suggest = Sobol.ask
    monkeypatch.setattr(Sobol, "ask", ask)
    Optimiser({"x": (0.0, 1.0)}, algorithm="sobol").ask()
    assert seen == [{1}]
    assert threads() == {2}
