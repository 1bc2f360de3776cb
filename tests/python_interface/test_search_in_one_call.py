"""A whole search in one call: what is evaluated, by whom, and what becomes of failures and interrupts."""

import math
import signal
import subprocess
import sys
import threading
import warnings
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool

import numpy as np
import pytest

from orchestrator import Optimiser, Plan, maximise, minimise
from orchestrator.errors import SpecError, UsageError

BOX = {"x": (0.0, 1.0), "n": {"type": "int", "bounds": [1, 5]}}


def bowl(parameters):
    return (parameters["x"] - 0.3) ** 2 + abs(parameters["n"] - 3)


def of_their_names(x, n):
    return bowl({"x": x, "n": n})


@pytest.fixture(autouse=True)
def interrupts_count():
    """What is started in the background ignores them."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_it_finds_the_least_and_the_most_of_a_function():
    found = minimise(bowl, BOX, 15)
    assert found.best().parameters["n"] == 3
    assert found.best().value == bowl(found.best().parameters) < 1e-3
    assert len(found.results()) == 15
    assert found.pending == ()
    assert maximise(lambda parameters: -bowl(parameters), BOX, 15).results()[0]["value"] < 0.0


def test_an_algorithm_that_weighs_durations_is_told_them():
    found = minimise(bowl, BOX, 12, options={"weigh_duration": True})
    assert found.ask(1)[0].why["seconds"] > 0.0
    silent = Optimiser(BOX, options={"weigh_duration": True})
    silent.learn_all([{**row, "seconds": None} for row in found.results()])
    assert "seconds" not in silent.ask(1)[0].why
    knowing = Optimiser(BOX, options={"weigh_duration": True})
    knowing.learn_all(found.results())
    assert knowing.ask(1)[0].why["seconds"] > 0.0


def test_it_evaluates_what_a_loop_of_one_s_own_would_have_asked_for():
    optimiser = Optimiser(BOX, goal="minimise", seed=5, algorithm="gp-ei", plan=Plan(trials=14))
    for _ in range(14):
        (asked,) = optimiser.ask()
        optimiser.tell(asked.trial, bowl(asked.parameters))
    assert minimise(bowl, BOX, 14, seed=5, algorithm="gp-ei").results() == optimiser.results()


def test_it_goes_on_with_an_optimiser_that_is_handed_over():
    optimiser = Optimiser(BOX, goal="minimise", algorithm="random", constraints=["x <= 0.5"])
    (waits,) = optimiser.ask()
    assert minimise(bowl, optimiser, 5) is optimiser
    assert [row["trial"] for row in minimise(bowl, optimiser, 2).results()] == [2, 3, 4, 5, 6, 7, 8]
    assert optimiser.pending == (waits.trial,)
    with pytest.raises(UsageError, match="expected an Optimiser that is to minimise, got one to maximise"):
        minimise(bowl, Optimiser(BOX), 2)
    with pytest.raises(UsageError, match="are told to the Optimiser that is handed over, got `seed`"):
        minimise(bowl, optimiser, 2, seed=3)


def test_a_function_may_return_what_an_evaluator_does():
    def wing(parameters):
        x = parameters["x"]
        return {"value": x, "variance": 0.01, "lift": x**2, "heat": 100 * x, "note": "fine"}

    traded = minimise(wing, BOX, 6, algorithm="random", objectives={"lift": "maximise"}, noise="reported")
    assert len(traded.front()) == 6
    assert traded.results()[0]["variance"] == 0.01
    cool = maximise(wing, BOX, 12, algorithm="random", outcomes=["heat"], constraints=["heat <= 50"])
    assert cool.best().value == max(row["x"] for row in cool.results() if row["x"] <= 0.5)


@pytest.mark.parametrize(
    "nothing", [None, math.nan, "much", [1.0, 2.0], {"loss": 1.0}, ZeroDivisionError("by 0")]
)
def test_once_an_evaluation_succeeded_others_may_fail_and_are_told_so(nothing):
    def fragile(parameters):
        if parameters["n"] != 1 or len(seen) == 0:
            seen.append(parameters)
            return 1.0
        if isinstance(nothing, Exception):
            raise nothing
        return nothing

    seen = []
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        found = minimise(fragile, BOX, 20, algorithm="random")
    # What another test left open may be collected, and warned of, meanwhile.
    said = [one for one in warned if one.category is RuntimeWarning]
    failed = [row for row in found.results() if row["state"] == "failed"]
    assert {row["n"] for row in failed} == {1}
    assert len(said) == (0 if nothing is None else len(failed))
    if said:
        assert said[0].filename == __file__
        assert str(said[0].message).startswith(f"trial {failed[0]['trial']} failed: ")


def test_a_function_whose_first_value_is_none_may_lack_a_return_which_is_said_once():
    def forgetful(parameters):
        parameters["x"] ** 2

    with pytest.warns(RuntimeWarning, match="trial 1 returned None, .* a `return`") as said:
        minimise(forgetful, BOX, 5, algorithm="random")
    assert [one.filename for one in said if one.category is RuntimeWarning] == [__file__]


@pytest.mark.parametrize(
    ("wrong", "kind", "sentence"),
    [
        (lambda parameters: parameters["y"], KeyError, "y"),
        (lambda _: "much", UsageError, "expected a finite number, got 'much'"),
        (lambda _: {"loss": 1.0}, UsageError, "a mapping with `value`, as {'value': 1.5}, got {'loss'"),
        (
            lambda _: (1.0, 0.1),
            UsageError,
            r"expected a number, or a mapping with `value`.* got \(1.0, 0.1\)",
        ),
    ],
)
def test_as_long_as_none_has_succeeded_what_a_function_raises_is_raised(wrong, kind, sentence):
    optimiser = Optimiser(BOX, goal="minimise", algorithm="random")
    with pytest.raises(kind, match=sentence) as raised:
        minimise(wrong, optimiser, 5)
    assert "no evaluation has succeeded yet" in raised.value.__notes__[0]
    assert "The function was given {'x': " in raised.value.__notes__[0]
    assert optimiser.pending == ()
    assert optimiser.results() == []


def test_what_was_found_before_an_interrupt_is_returned():
    def interrupted(parameters):
        seen.append(parameters)
        if len(seen) == 4:
            signal.raise_signal(signal.SIGINT)
        return bowl(parameters)

    seen = []
    with pytest.warns(RuntimeWarning, match="interrupted after 3 of 10 trials"):
        found = minimise(interrupted, BOX, 10, algorithm="random")
    assert len(found.results()) == 3
    assert found.pending == ()
    assert len(minimise(bowl, found, 7).results()) == 10


@pytest.mark.parametrize(
    ("returned", "came"),
    [(1.0, "1.0"), ({"value": 1.0, "haet": 2}, "{'value': 1.0, 'haet': 2} (is it `haet`?)")],
)
def test_a_value_without_its_outcomes_is_answered_by_what_a_function_returns(returned, came):
    with pytest.raises(UsageError) as raised:
        minimise(lambda _: returned, BOX, 5, outcomes=["heat"], constraints=["heat <= 3"])
    example = "{'value': 1.5, 'heat': 0.5}"
    assert str(raised.value) == f"expected a mapping with `value` and `heat`, as {example}, got {came}"


def test_an_interrupt_before_anything_was_found_is_one():
    def interrupted(_):
        signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        minimise(interrupted, BOX, 10, algorithm="random")


def test_threads_evaluate_as_many_at_a_time_as_there_are():
    together = threading.Barrier(3)

    def waits_for_two_others(parameters):
        together.wait(300)
        return bowl(parameters)

    with ThreadPoolExecutor(3) as threads:
        found = minimise(waits_for_two_others, BOX, 9, executor=threads, algorithm="random")
    assert sorted(row["trial"] for row in found.results()) == list(range(1, 10))


def test_processes_evaluate_too():
    with ProcessPoolExecutor(2) as processes:
        found = minimise(bowl, BOX, 8, executor=processes, algorithm="random")
        assert len(found.results()) == 8
        with pytest.raises(Exception, match=r"pickle|local object") as raised:
            minimise(lambda _: 1.0, BOX, 8, executor=processes, algorithm="random")
    assert "Processes import the function from its module" in raised.value.__notes__[-1]


UNGUARDED = """
import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from orchestrator import minimise

def bowl(parameters):
    return parameters["x"] ** 2

with ProcessPoolExecutor(1, multiprocessing.get_context("forkserver")) as processes:
    minimise(bowl, {"x": (0.0, 1.0)}, 2, executor=processes, algorithm="random")
"""


def test_a_script_that_its_processes_would_begin_anew_is_told_where_to_search(tmp_path):
    """As Python starts processes from 3.14 on, where nothing else is said."""
    (tmp_path / "search.py").write_text(UNGUARDED)
    command = [sys.executable, "search.py"]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
    assert ended.returncode == 1
    assert "a script searches under `if __name__ ==" in ended.stderr


def leaves_in_the_upper_half(parameters):
    if parameters["x"] > 0.5:
        sys.exit(2)
    return bowl(parameters)


@pytest.mark.parametrize("kind", [ThreadPoolExecutor, ProcessPoolExecutor])
def test_an_evaluation_that_leaves_its_thread_or_process_failed_and_does_not_end_this_one(kind):
    with kind(1) as hands:
        with pytest.warns(RuntimeWarning, match=r"trial \d+ failed: .* ended with sys\.exit\(2\)"):
            found = minimise(leaves_in_the_upper_half, BOX, 8, executor=hands, algorithm="sobol")
        with pytest.raises(UsageError, match=r"the function ended with sys\.exit\(2\), and gave no value"):
            minimise(leaves_in_the_upper_half, {"x": (0.6, 1.0)}, 3, executor=hands, algorithm="sobol")
    assert {row["state"] for row in found.results()} == {"completed", "failed"}


class Breaks(Executor):
    """Evaluates, and breaks in the evaluation of a number."""

    def __init__(self, number):
        self.number = number
        self.begun = 0

    def submit(self, function, /, *given, **named):
        future = Future()
        self.begun += 1
        if self.begun == self.number:
            future.set_exception(BrokenProcessPool("a process ended abruptly"))
        else:
            future.set_result(function(*given, **named))
        return future


def test_what_was_found_before_the_executor_broke_is_returned_and_what_came_with_that():
    with pytest.warns(RuntimeWarning, match="ended after 5 of 9 trials: a process ended abruptly"):
        found = minimise(bowl, BOX, 9, executor=Breaks(4), parallel=3, algorithm="random")
    assert [row["trial"] for row in found.results()] == [1, 2, 3, 5, 6]
    assert found.pending == ()
    with pytest.raises(BrokenProcessPool) as raised:
        minimise(bowl, BOX, 9, executor=Breaks(1), parallel=1, algorithm="random")
    assert "under `if __name__ ==" in raised.value.__notes__[0]


@pytest.mark.parametrize("cancels", [True, False])
def test_what_was_found_before_the_executor_was_shut_down_is_returned(cancels):
    def shuts_down(parameters):
        seen.append(parameters)
        if len(seen) == 3:
            threads.shutdown(wait=False, cancel_futures=cancels)
        return bowl(parameters)

    seen, threads = [], ThreadPoolExecutor(1)
    with pytest.warns(
        RuntimeWarning, match=r"ended after \d of 9 trials: (trial \d was cancelled|cannot sched)"
    ):
        found = minimise(shuts_down, BOX, 9, executor=threads, parallel=4, algorithm="random")
    # The third may be about to return, from a thread that is not waited for.
    assert len(found.results()) >= 2
    assert found.pending == ()
    with pytest.raises(RuntimeError, match="cannot schedule new futures after shutdown") as raised:
        minimise(bowl, BOX, 9, executor=threads, algorithm="random")
    assert not hasattr(raised.value, "__notes__")


def test_a_failure_that_comes_together_with_the_first_success_is_one():
    def wrong_at_first(parameters):
        seen.append(parameters)
        return "much" if len(seen) == 1 else bowl(parameters)

    seen = []
    with pytest.warns(RuntimeWarning, match="trial 1 failed: UsageError: value: expected a finite number"):
        found = minimise(wrong_at_first, BOX, 4, executor=Breaks(None), parallel=2, algorithm="random")
    assert sorted(row["state"] for row in found.results()) == ["completed"] * 3 + ["failed"]


def test_whenever_results_were_told_it_can_be_looked_at_and_ended():
    told = []

    def three(optimiser):
        told.append(len(optimiser.results()))
        return np.bool_(len(told) == 3)

    found = minimise(bowl, BOX, 9, algorithm="random", until=three)
    assert told == [1, 2, 3]
    assert (len(found.results()), found.pending) == (3, ())
    assert len(minimise(bowl, BOX, 4, algorithm="random", until=told.append).results()) == 4


def test_what_still_runs_where_it_is_ended_is_told_no_more():
    with ThreadPoolExecutor(3) as threads:
        found = minimise(
            bowl, BOX, 30, executor=threads, algorithm="random", until=lambda one: len(one.results()) > 3
        )
    assert 4 <= len(found.results()) < 30
    assert found.pending == ()


def test_what_is_planned_is_how_many_there_will_be_and_how_many_at_a_time():
    with ThreadPoolExecutor(3) as threads:
        assert minimise(bowl, BOX, 5, executor=threads, algorithm="random").plan == Plan(5, 3)
    assert minimise(bowl, BOX, 4, algorithm="random").plan == Plan(4, 1)


@pytest.mark.parametrize(
    ("given", "kind", "sentence"),
    [
        ((3, BOX, 5), UsageError, "expected a function of the parameters, got 3"),
        (
            (of_their_names, BOX, 5),
            UsageError,
            "got of_their_names(x, n); `lambda parameters: of_their_names(**parameters)` makes one of",
        ),
        ((lambda x, n: x + n, BOX, 5), UsageError, "got f(x, n); `lambda parameters: f(**parameters)`"),
        ((bowl, BOX, 0), UsageError, "`trials` is a whole number above 0, got 0"),
        (
            (bowl, BOX, None),
            UsageError,
            "expected a number of trials, 1 or more, or a cost beside `fidelity`, got neither",
        ),
        ((bowl, {"x": 3}, 5), SpecError, "parameter `x`: expected a pair of bounds"),
    ],
)
def test_what_makes_no_sense_is_refused_before_anything_is_evaluated(given, kind, sentence):
    with pytest.raises(kind) as refused:
        minimise(*given)
    assert sentence in str(refused.value)


@pytest.mark.parametrize(
    "named", [{"outcomes": ["variance"]}, {"objectives": {"value": "maximise"}}], ids=["outcome", "objective"]
)
def test_so_are_outcomes_by_whose_names_the_value_is_returned(named):
    with pytest.raises(UsageError, match=r"expected other names than `value`, .*, got the outcome `va"):
        minimise(bowl, BOX, 5, **named)


def test_so_are_hands_that_nobody_has():
    with pytest.raises(UsageError, match=r"expected an executor to run 4 at a time, as .*ThreadPoolExecutor"):
        minimise(bowl, BOX, 5, parallel=4)
    for told in (0, "4", float("nan")):
        with pytest.raises(UsageError, match=r"expected `parallel` as a whole number above 0, got .{1,3}$"):
            minimise(bowl, BOX, 5, parallel=told)
    with pytest.raises(
        UsageError, match=r"expected an executor, as concurrent\.futures has them, got 4; ThreadPool"
    ):
        minimise(bowl, BOX, 5, executor=4)
    with pytest.raises(UsageError, match=r": an instance of it is one, as ThreadPoolExecutor\(4\)"):
        minimise(bowl, BOX, 5, executor=ThreadPoolExecutor)
    with pytest.raises(UsageError, match=r"how many the executor runs at a time, as `parallel=8`"):
        minimise(bowl, BOX, 5, executor=Breaks(9))
