"""The Python interface: ask, tell, best, in the parameters' own units and sense."""

import math
import sys

import numpy as np
import pytest
from priced_parameters import PARAMETERS, cost
from quick_options import quick_options

from orchestrator import Optimiser, Plan
from orchestrator.algorithms import registry
from orchestrator.errors import SpecError, UsageError


def test_the_loop_of_the_documentation_runs_and_finds_the_minimum():
    optimiser = Optimiser(PARAMETERS, goal="minimise", seed=1)
    for _ in range(7):
        for asked in optimiser.ask(4):
            assert asked.parameters["steps"] == 7
            optimiser.tell(asked.trial, cost(asked.parameters))
    best = optimiser.best()
    assert best.parameters["kind"] == "a"
    assert best.parameters["x2"] == 6
    assert best.value == cost(best.parameters) < 0.01


def test_it_says_in_a_line_how_it_stands():
    optimiser = Optimiser(PARAMETERS, goal="minimise", algorithm="random")
    words = "<Optimiser: minimise over 3 parameters by random; 0 results told, 0 pending>"
    assert repr(optimiser) == words
    first, second, _ = optimiser.ask(3)
    optimiser.tell(first.trial, 0.25)
    optimiser.tell(second.trial, None)
    assert repr(optimiser).endswith("; 2 results told, 1 pending, best 0.25>")
    traded = Optimiser({"x": (0, 1)}, objectives={"lift": "maximise"})
    traded.learn({"x": 0.5}, 1.0, outcomes={"lift": 2.0})
    assert repr(traded).endswith(", front of 1>")


def test_what_is_optimised_is_told_by_name_but_for_the_parameters():
    with pytest.raises(TypeError, match="positional"):
        Optimiser(PARAMETERS, "minimise")


def test_predictions_are_in_the_sense_that_was_asked_for():
    optimiser = Optimiser({"x": (0.0, 1.0)}, goal="minimise")
    for i in range(12):
        optimiser.learn({"x": i / 11}, 5 + (i / 11 - 0.4) ** 2)
    (asked,) = optimiser.ask()
    assert asked.predicted.mean == pytest.approx(5 + (asked.parameters["x"] - 0.4) ** 2, abs=0.05)
    assert asked.predicted.deviation > 0


def test_results_known_from_elsewhere_count():
    optimiser = Optimiser({"x": (0.0, 1.0)})
    for i in range(12):
        optimiser.learn({"x": i / 11}, math.sin(3 * i / 11))
    assert optimiser.best().trial is None
    (asked,) = optimiser.ask()
    assert asked.why["source"] == "model"
    with pytest.raises(SpecError, match=r"parameter `x`: expected a number in \[0, 1\], got 3"):
        optimiser.learn({"x": 3}, 1.0)


def test_what_each_factor_gave_is_learned_from_with_known_results():
    optimiser = Optimiser({"x": (0.0, 1.0), "y": (0.0, 1.0)}, algorithm="dumbo", factors=[["x"], ["y"]])
    for i in range(12):
        x, y = i / 11, (7 * i % 12) / 11
        parts = [math.sin(3 * x), -((y - 0.5) ** 2)]
        optimiser.learn({"x": x, "y": y}, sum(parts), factors=parts)
    optimiser.ask()
    assert "each factor is learned from its own output" in optimiser.insight().notes


def test_the_same_seed_asks_the_same_and_another_does_not():
    runs = []
    for seed in (3, 3, 4):
        optimiser = Optimiser(PARAMETERS, seed=seed)
        asked = []
        for _ in range(12):
            (one,) = optimiser.ask()
            asked.append(one.parameters)
            optimiser.tell(one.trial, -cost(one.parameters))
        runs.append(asked)
    assert runs[0] == runs[1] != runs[2]


@pytest.mark.parametrize("value", [math.nan, math.inf, "0.5", True, 10**400])
def test_a_value_that_is_no_finite_number_is_refused_and_the_trial_still_waits(value):
    optimiser = Optimiser({"x": (0.0, 1.0)}, algorithm="random")
    (asked,) = optimiser.ask()
    with pytest.raises(UsageError, match="expected a finite number"):
        optimiser.tell(asked.trial, value)
    assert optimiser.pending == (asked.trial,)
    optimiser.tell(asked.trial, None)
    assert optimiser.pending == ()


def test_trials_are_told_once_and_only_if_asked():
    optimiser = Optimiser({"x": (0.0, 1.0)}, algorithm="sobol")
    first, second = optimiser.ask(2)
    optimiser.tell(first.trial, 1.0)
    with pytest.raises(
        UsageError, match=rf"pending \({second.trial}\), got {first.trial}, which is told already"
    ):
        optimiser.tell(first.trial, 1.0)
    with pytest.raises(UsageError, match="got 99, which was never asked"):
        optimiser.tell(99, 1.0)


def test_of_many_that_are_pending_a_few_are_named():
    optimiser = Optimiser({"x": (0.0, 1.0)}, algorithm="random")
    optimiser.ask(300)
    with pytest.raises(UsageError, match=r"pending \(1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 290 more\), got 999,"):
        optimiser.tell(999, 1.0)


def test_a_value_is_told_without_a_look_at_all_that_is_pending():
    class Unlisted(dict):
        def __iter__(self):
            raise AssertionError("every trial that is pending was looked at")

    optimiser = Optimiser({"x": (0.0, 1.0)}, algorithm="sobol")
    asked = optimiser.ask(3)
    optimiser._trials.pending = Unlisted(optimiser._trials.pending)
    for suggestion in asked:
        optimiser.tell(suggestion.trial, 1.0)
    assert optimiser.best().value == 1.0


def test_there_is_no_best_before_a_value():
    optimiser = Optimiser({"x": (0.0, 1.0)}, algorithm="random")
    with pytest.raises(UsageError, match="no value has been told"):
        optimiser.best()
    (asked,) = optimiser.ask()
    optimiser.tell(asked.trial, None)
    with pytest.raises(UsageError, match="no value has been told"):
        optimiser.best()


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"algorithm": "egp"}, "did you mean `egp-ts`?"),
        ({"algorithm": "egp-ts", "options": {"feature": 3}}, "did you mean `features`?"),
        ({"goal": "maximal"}, "expected the goal maximise or minimise, got 'maximal'"),
        ({"seed": -1}, "expected a seed"),
        ({"factors": [["x1", "kinds"]]}, "got `kinds` (did you mean `kind`?)"),
        ({"factors": ["x1"]}, "a list of parameter names, got 'x1'"),
        (
            {"factors": [["x1"]]},
            "no factor has `x2` and `kind`; add them to a factor, or to one of their own",
        ),
        ({"factors": [["x1", "x1"], ["x2", "kind"]]}, "factor 0 names `x1` twice"),
        ({"factors": [["x1"], []]}, "factor 1 is empty"),
        ({"factors": [["x1", "x2", "kind"], ["steps"]]}, "factor 1 has only fixed parameters"),
        (
            {"factors": [["x1"], ["x1", "x2"]]},
            "no factor has `kind`; add it to a factor, or to one of its own",
        ),
        ({"factors": []}, "expected at least one factor, or None for no known structure"),
        ({"factors": 3}, 'expected factors as lists of parameter names, as [["x", "y"], ["z"]], got 3'),
        ({"factors": np.array(3)}, 'as [["x", "y"], ["z"]], got 3'),
        ({"factors": np.array([[0, 1]])}, "expected the name of a parameter (x1, x2, kind), got 0"),
        ({"factors": [3]}, "a list of parameter names, got 3"),
        ({"factors": [[0, 1]]}, "expected the name of a parameter (x1, x2, kind), got 0"),
        ({"goal": ["maximise"]}, "expected the goal maximise or minimise, got ['maximise']"),
        ({"algorithm": None}, "expected the name of an algorithm, as text, got None"),
        ({"algorithm": dict}, "got <class 'dict'>; one of your own goes by the name of its entry point"),
        ({"options": "features"}, "expected options as a mapping of their names to values, got 'features'"),
        ({"options": [("features", 3)]}, "expected options as a mapping"),
        ({"noise": np.array([0.1, 0.2])}, "expected noise that is `unknown`, `reported`"),
        ({"plan": {"trials": 30}}, "expected a Plan, as Plan(trials=80, parallel=4), got {'trials': 30}"),
        ({"plan": 30}, "expected a Plan, as Plan(trials=80, parallel=4), got 30"),
    ],
)
def test_what_is_wrong_at_the_start_is_said_at_the_start(changes, sentence):
    with pytest.raises((SpecError, UsageError)) as refused:
        Optimiser(PARAMETERS, **changes)
    assert sentence in str(refused.value)


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        (
            [("x", 0, 1)],
            "expected parameters as a mapping of their names to what they are, got [('x', 0, 1)]",
        ),
        (None, "expected parameters as a mapping"),
        ({1: (0.0, 1.0)}, "expected names of parameters as text, got 1"),
        ({"": (0.0, 1.0)}, "expected names of parameters as text, got ''"),
        (
            {"x": {"type": "choice", "values": [math.nan, 1]}},
            "parameter `x`: expected values that equal them",
        ),
        (
            {"x": {"type": "choice", "values": [np.zeros(2), np.ones(2)]}},
            "parameter `x`: expected values that",
        ),
    ],
)
def test_parameters_that_are_none_are_refused_in_a_sentence(parameters, sentence):
    with pytest.raises(SpecError) as refused:
        Optimiser(parameters, algorithm="random")
    assert str(refused.value).startswith(sentence)


def test_whole_numbers_and_arrays_of_numpy_are_what_python_has():
    described = {
        "width": {"type": "float", "bounds": np.array([0.0, 2.0])},
        "layers": {"type": "int", "bounds": [np.int64(1), np.int64(3)]},
        "batch": {"type": "choice", "values": 2 ** np.arange(4, 7)},
        "height": np.array([0.0, 1.0]),
    }
    optimiser = Optimiser(described, seed=np.int64(3), noise=np.float32(0.5), plan=Plan(trials=np.int64(9)))
    (asked, other) = optimiser.ask(np.int64(2))
    assert type(asked.parameters["layers"]) is type(asked.parameters["batch"]) is int
    optimiser.tell(np.int64(asked.trial), np.float32(0.5), variance=np.float64(0.1))
    optimiser.learn({**other.parameters, "layers": np.int64(2), "batch": np.int64(32)}, 0.25)
    assert type(optimiser.best().trial) is int
    same = Optimiser({**described, "layers": {"type": "int", "bounds": [1, 3]}}, seed=3)
    assert same.ask()[0].parameters == asked.parameters


@pytest.mark.parametrize("trial", [[0], True, None, "0", 0.0])
def test_a_trial_is_told_by_its_number(trial):
    optimiser = Optimiser({"x": (0.0, 1.0)}, algorithm="random")
    optimiser.ask(2)
    with pytest.raises(UsageError) as refused:
        optimiser.tell(trial, 1.0)
    assert str(refused.value) == f"expected the number of a trial that is pending (1, 2), got {trial!r}"
    with pytest.raises(UsageError, match=r"the number of a trial .*, as suggestion\.trial is, got Asked"):
        optimiser.tell(optimiser.ask()[0], 1.0)


@pytest.mark.parametrize(
    ("beside", "sentence"),
    [
        ({"factors": 3.0}, "expected factors as a list or an array with one value a factor, got 3.0"),
        ({"factors": "ab"}, "expected factors as a list or an array with one value a factor, got 'ab'"),
        (
            {"factors": np.ones((1, 2))},
            "expected factors as a list or an array with one value a factor, got array([[1., 1.]])",
        ),
        (
            {"factors": {"a": 1.0}},
            "expected factors as a list or an array with one value a factor, got {'a': 1.0}",
        ),
        (
            {"factors": [1.0, math.nan]},
            "factors: expected finite numbers, got nan; leave them out if not known",
        ),
        (
            {"variance": math.nan},
            "variance: expected a finite number, got nan; leave it out if it is not known",
        ),
        (
            {"variance": [0.1]},
            "variance: expected a finite number, got [0.1]; leave it out if it is not known",
        ),
        ({"seconds": 0}, "expected seconds above 0, got 0; leave it out if it is not known"),
        (
            {"seconds": "2 min"},
            "seconds: expected a finite number, got '2 min'; leave it out if it is not known",
        ),
    ],
)
def test_what_comes_beside_a_value_is_refused_in_a_sentence_of_its_own(beside, sentence):
    optimiser = Optimiser({"x": (0.0, 1.0)}, algorithm="random")
    trial = optimiser.ask()[0].trial
    with pytest.raises(UsageError) as refused:
        optimiser.tell(trial, 1.0, **beside)
    assert str(refused.value) == sentence
    assert optimiser.pending == (trial,)


@pytest.mark.parametrize("known", [None, "x", [0.5]])
def test_known_results_are_learned_by_the_names_of_parameters(known):
    with pytest.raises(SpecError, match="expected parameters as a mapping of their names to values, got"):
        Optimiser({"x": (0.0, 1.0)}, algorithm="random").learn(known, 1.0)


def test_an_array_is_no_choice():
    optimiser = Optimiser({"c": {"type": "choice", "values": ["relu", "tanh"]}}, algorithm="random")
    with pytest.raises(SpecError, match="parameter `c`: expected one of 'relu', 'tanh', got array"):
        optimiser.learn({"c": np.array(["relu", "tanh"])}, 1.0)


def test_a_factor_may_name_what_is_held_still():
    """As in a spec: a constant is nothing that a model has to know."""
    optimiser = Optimiser(PARAMETERS, algorithm="dumbo", factors=[["x1", "steps"], ["x2", "kind"]])
    assert len(optimiser.ask(2)) == 2


def test_factor_values_are_one_a_factor_where_factors_are_known():
    optimiser = Optimiser(
        {"a": (0.0, 1.0), "b": (0.0, 1.0)}, algorithm="dumbo", factors=[["a"], ["b"]], goal="minimise"
    )
    trial = optimiser.ask()[0].trial
    with pytest.raises(UsageError, match="expected 2 factor values, one a factor, got 3"):
        optimiser.tell(trial, 3.0, factors=[1.0, 1.0, 1.0])
    assert optimiser.pending == (trial,)
    optimiser.tell(trial, 3.0, factors=[1.0, 2.0])


@pytest.mark.parametrize("n", [0, -1, 2.0, True])
def test_the_number_asked_for_is_a_whole_number_above_nought(n):
    with pytest.raises(UsageError, match="expected the number of trials"):
        Optimiser({"x": (0.0, 1.0)}).ask(n)


@pytest.mark.parametrize("noise", [-1.0, math.nan, math.inf, True, "loud", 10**400])
def test_noise_that_is_none_is_refused_in_a_sentence(noise):
    with pytest.raises(UsageError, match="`unknown`, `reported` or a standard deviation"):
        Optimiser({"x": (0.0, 1.0)}, noise=noise)


# What is maximised is turned round before any algorithm sees it, for all alike.
@pytest.mark.parametrize(
    ("name", "goal"), [*((name, "minimise") for name in registry.OF_ANY_OBJECTIVE), ("auto", "maximise")]
)
def test_the_largest_number_there_is_may_be_a_penalty(name, goal):
    """`sys.float_info.max`, twice or more: of its square and its double there is no number."""
    optimiser = Optimiser(
        {"x": (0.0, 1.0), "y": (0.0, 1.0)}, goal=goal, algorithm=name, options=quick_options(name)
    )
    sign = 1.0 if goal == "minimise" else -1.0
    for _ in range(12):
        (asked,) = optimiser.ask()
        x, y = asked.parameters["x"], asked.parameters["y"]
        optimiser.tell(asked.trial, sign * (sys.float_info.max if x > 0.4 else (x - 0.3) ** 2 + y))
    assert abs(optimiser.best().value) < 2


@pytest.mark.parametrize("name", registry.OF_ANY_OBJECTIVE)
def test_a_variance_beyond_all_measure_is_that_of_a_value_which_says_nothing(name):
    parameters = {"x": (0.0, 1.0), "y": (0.0, 1.0)}
    optimiser = Optimiser(
        parameters, goal="minimise", algorithm=name, options=quick_options(name), noise="reported"
    )
    for trial in range(10):
        (asked,) = optimiser.ask()
        x, y = asked.parameters["x"], asked.parameters["y"]
        optimiser.tell(asked.trial, 1e-6 * ((x - 0.3) ** 2 + y), variance=1e305 if trial == 2 else 1e-14)
    optimiser.ask()


@pytest.mark.parametrize("name", registry.OF_ANY_OBJECTIVE)
def test_a_deviation_beyond_all_measure_is_that_of_values_which_say_nothing(name):
    """1e200: of its square there is no number."""
    parameters = {"x": (0.0, 1.0), "y": (0.0, 1.0)}
    optimiser = Optimiser(
        parameters, goal="minimise", algorithm=name, options=quick_options(name), noise=1e200
    )
    for _ in range(10):
        (asked,) = optimiser.ask()
        optimiser.tell(asked.trial, asked.parameters["x"])
    optimiser.ask()


def test_the_best_is_what_was_told_however_large():
    optimiser = Optimiser({"x": (0.0, 1.0)}, algorithm="gp-ei")
    for value in (1e200, -1e300, 1e250):
        (asked,) = optimiser.ask()
        optimiser.tell(asked.trial, value)
    assert optimiser.best().value == 1e250


@pytest.mark.parametrize("wrong", [{"trials": 0}, {"parallel": 0}, {"parallel": 2.0}, {"trials": True}])
def test_a_plan_that_is_none_is_refused_in_a_sentence(wrong):
    with pytest.raises(UsageError, match="a whole number above 0"):
        Plan(**wrong)


def test_with_several_at_a_time_the_model_does_not_wait_for_all_of_the_start_design():
    def asked_with_a_model(plan):
        optimiser = Optimiser({"x": (0.0, 1.0), "y": (0.0, 1.0)}, plan=plan)
        waiting = optimiser.ask(10)
        for trial in waiting[:6]:
            optimiser.tell(trial.trial, trial.parameters["x"])
        return optimiser.ask()[0].predicted is not None

    assert asked_with_a_model(Plan(parallel=5))
    assert not asked_with_a_model(None)


def test_a_notebook_shows_the_points_that_are_asked_and_not_all_of_why():
    (asked,) = Optimiser({"x": (0.0, 1.0)}, algorithm="random").ask()
    assert asked.why
    assert "why" not in repr(asked)
    assert f"parameters={asked.parameters!r}" in repr(asked)
