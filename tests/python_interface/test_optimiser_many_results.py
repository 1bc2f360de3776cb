"""Earlier results, told to the Python interface in one call, and handed out again."""

import math
import pickle

import numpy as np
import pytest

from orchestrator import Optimiser
from orchestrator.errors import SpecError, UsageError

OVEN = {
    "heat": (0.0, 1.0),
    "shelf": {"type": "int", "bounds": [1, 4]},
    "fan": {"type": "choice", "values": ["on", "off"]},
    "speed": {"type": "float", "bounds": [0.0, 1.0], "when": {"fan": "on"}, "otherwise": 0.0},
}
ROWS = [
    {"heat": 0.1, "shelf": 1, "fan": "on", "speed": 0.5, "value": 1.0, "crust": 0.2, "note": "pale"},
    {"heat": 0.9, "shelf": 2, "fan": "off", "value": 3.0, "crust": 0.9, "variance": 0.01},
    {"heat": 0.5, "shelf": 3, "fan": "off", "value": None, "note": "burnt"},
    {"heat": 0.4, "shelf": 4, "fan": "off", "value": 2.0, "crust": 0.4},
]


class Frame:
    """As pandas and polars have them: what is missing is NaN."""

    def __init__(self, rows):
        self.columns = list(dict.fromkeys(name for row in rows for name in row))
        self._rows = rows

    def __getitem__(self, name):
        return [math.nan if row.get(name) is None else row[name] for row in self._rows]


class LazyFrame:
    """As polars has it: it can say its columns, and nothing of them before it is collected."""

    def __init__(self, rows):
        self._rows = rows

    @property
    def columns(self):
        raise AssertionError("to look at them may take long")

    def __getitem__(self, _):
        raise TypeError("LazyFrame is not subscriptable (aside from slicing)")

    def collect(self):
        return Frame(self._rows)


class NAType:
    """As pandas has it: nobody can say whether it is anything."""

    def __ne__(self, _):
        return self

    def __bool__(self):
        raise TypeError("boolean value of NA is ambiguous")


def oven(**more):
    return Optimiser(OVEN, **{"outcomes": ["crust"], "constraints": ["crust <= 0.5"], "seed": 3, **more})


def columns(rows):
    frame = Frame(rows)
    return {name: np.array(frame[name], dtype=object) for name in frame.columns}


def one_by_one():
    optimiser = oven()
    for row in ROWS:
        where = {name: row[name] for name in OVEN if name in row}
        outcomes = {"crust": row["crust"]} if "crust" in row else None
        optimiser.learn(where, row["value"], row.get("variance"), outcomes=outcomes)
    return optimiser


@pytest.mark.parametrize("form", [list, iter, tuple, Frame, columns])
def test_they_are_learned_as_one_after_the_other_would_be(form):
    at_once = oven()
    assert at_once.learn_all(form(ROWS)) == 4
    assert at_once.results() == one_by_one().results()
    assert at_once.best() == one_by_one().best()
    assert (at_once.best().value, at_once.best().trial) == (2.0, None)


def test_what_is_asked_after_them_is_what_would_have_been():
    each, at_once = one_by_one(), oven()
    at_once.learn_all(ROWS)
    for _ in range(8):
        (asked,), (again,) = each.ask(), at_once.ask()
        assert asked.parameters == again.parameters
        for optimiser in (each, at_once):
            optimiser.tell(asked.trial, asked.parameters["heat"], outcomes={"crust": 0.1})


def test_all_are_learned_or_none_and_every_row_that_is_wrong_is_named():
    optimiser = oven()
    wrong = [
        ROWS[0],
        {**ROWS[0], "heat": 3.0},
        {**ROWS[0], "value": math.inf},
        {**ROWS[0], "crust": "dark"},
        {**ROWS[0], "variance": -1.0},
        {**ROWS[0], "fan": "of"},
        {**ROWS[0], "shelf": None},
        {**ROWS[0], "shelf": 4.5},
    ]
    with pytest.raises(UsageError) as refused:
        optimiser.learn_all(wrong)
    assert str(refused.value).splitlines() == [
        "row 1: parameter `heat`: expected a number in [0, 1], got 3.0",
        "row 2: value: expected a finite number, got inf; tell None for a failed evaluation",
        "row 3: outcomes: expected finite numbers, got 'dark' for `crust`",
        "row 4: expected a variance of 0 or more, got -1.0",
        "row 5: parameter `fan`: expected one of 'on', 'off', got 'of' (did you mean `off`?)",
        "and 2 more",
    ]
    assert optimiser.results() == []
    assert optimiser.front() == []


@pytest.mark.parametrize(
    ("results", "sentence"),
    [
        (None, "expected results as a table, as columns by their names, or as a list of mappings, got None"),
        ("results.csv", "or as a list of mappings, got 'results.csv'"),
        ([ROWS[0], 5.0], 'row 1: expected a mapping, as {"x": 0.5, "value": 1.5}, got 5.0'),
        ([ROWS[0], [0.5, 1.0]], "row 1: expected a mapping"),
        (ROWS[0], "expected a column of values as `heat`, got 0.1; a single result is told as learn("),
        ({**ROWS[0], "heat": np.array(0.1)}, "expected a column of values as `heat`, got array(0.1)"),
        ({"heat": [0.1, 0.2], "shelf": [1], "fan": ["on"], "value": [1.0]}, "got 2 of `heat`, 1 of `shelf`"),
        (
            [{"heta": 0.1, "shelf": 1, "fan": "on"}],
            "a column for the parameter `heat`, got none (did you mean",
        ),
        (
            [{"heat": 0.1, "shelf": 1, "fan": "on", "Value": 2}],
            'expected a column `value`, got none (did you mean `Value`?); say which it is, as `value="loss"`',
        ),
    ],
)
def test_what_are_no_results_is_refused_in_a_sentence(results, sentence):
    with pytest.raises(UsageError) as refused:
        oven().learn_all(results)
    assert sentence in str(refused.value)


def test_a_table_that_is_yet_to_be_computed_is_to_be_collected_first():
    lazy, optimiser = LazyFrame(ROWS), oven()
    with pytest.raises(UsageError, match=r"got a LazyFrame, .*: give what its `\.collect\(\)` returns"):
        optimiser.learn_all(lazy)
    assert optimiser.learn_all(lazy.collect()) == len(ROWS)


def test_a_column_that_is_there_twice_is_refused():
    frame = Frame(ROWS)
    frame.columns.append("heat")
    with pytest.raises(UsageError, match="expected each column once, got `heat` 2 times"):
        oven().learn_all(frame)


def test_what_pandas_says_of_nothing_is_nothing():
    optimiser = oven()
    assert optimiser.learn_all([{**ROWS[1], "speed": NAType(), "value": NAType(), "variance": NAType()}]) == 1
    assert optimiser.results()[0]["state"] == "failed"


def test_bounds_that_single_precision_puts_beyond_are_those_bounds():
    optimiser = Optimiser(
        {"x": (-0.7, 0.1), "rate": {"type": "float", "bounds": [1e-3, 0.1], "scale": "log"}}
    )
    xs, rates = np.array([0.1, -0.7], dtype=np.float32), np.array([0.1, 0.01], dtype=np.float32)
    assert optimiser.learn_all({"x": xs, "rate": rates, "value": [1.0, 2.0]}) == 2
    first, second = optimiser.results()
    assert (first["x"], first["rate"]) == (0.1, 0.1)
    assert (second["x"], second["rate"]) == (float(xs[1]), float(rates[1]))


@pytest.mark.parametrize("form", [list, Frame], ids=["mappings", "a frame"])
@pytest.mark.parametrize(
    ("column", "meant"), [("varience", "variance"), ("Crust", "crust"), ("sped", "speed")]
)
def test_a_column_that_is_nearly_one_that_need_not_be_there_is_told_of(form, column, meant):
    rows = [{"heat": 0.1, "shelf": 1, "fan": "off", "value": 1.0, "note": "pale", column: 0.2}]
    with pytest.warns(RuntimeWarning) as said:
        oven().learn_all(form(rows))
    assert [str(one.message) for one in said] == [
        f"the column `{column}` is left alone; if it is `{meant}`, rename it"
    ]
    assert said[0].filename == __file__


def test_no_rows_are_no_results():
    optimiser = oven()
    assert optimiser.learn_all([]) == optimiser.learn_all(iter(())) == 0
    assert optimiser.learn_all({name: [] for name in (*OVEN, "value")}) == 0


def test_the_value_may_be_called_otherwise_and_names_of_ours_give_way_to_those_of_parameters():
    taken = {"value": (0.0, 1.0), "variance": (0.0, 1.0)}
    optimiser = Optimiser(taken, goal="minimise", algorithm="random")
    rows = [{"value": 0.1, "variance": 0.2, "loss": 5.0, "run.variance": 0.25}]
    with pytest.raises(
        UsageError, match="a name of its own for the column with the value, got `value`, which is a param"
    ):
        optimiser.learn_all(rows)
    assert optimiser.learn_all(rows, value="loss") == 1
    assert optimiser.best().value == 5.0
    assert optimiser.results(value="loss") == [{"trial": None, "state": "completed", **rows[0]}]
    with pytest.raises(UsageError, match=r"with the value, as text, got 3"):
        optimiser.learn_all(rows, value=3)


def test_what_has_no_value_without_having_failed_is_left_out():
    """As `orchestrator export` writes trials that still wait, were stopped, or were forgotten."""
    rows = [
        {**ROWS[0], "value": math.nan, "state": state} for state in ("queued", "completed", "failed", "FAIL")
    ]
    optimiser = oven()
    assert optimiser.learn_all(rows) == 2
    assert [row["value"] for row in optimiser.results()] == [None, None]


@pytest.mark.parametrize("form", [list, Frame], ids=["mappings", "a frame"])
def test_a_study_of_optunas_is_learned_as_it_writes_it(form):
    study = [
        {"number": 0, "value": 3.0, "params_heat": 0.1, "params_fan": "off", "state": "COMPLETE"},
        {"number": 1, "value": 0.5, "params_heat": 0.2, "params_fan": "off", "state": "PRUNED"},
        {"number": 2, "value": None, "params_heat": 0.3, "params_fan": "off", "state": "FAIL"},
        {
            "number": 3,
            "value": 1.0,
            "params_heat": 0.4,
            "params_fan": "on",
            "params_speed": 0.5,
            "state": "COMPLETE",
        },
    ]
    oven = Optimiser({**OVEN, "shelf": {"type": "fixed", "value": 2}}, goal="minimise")
    assert oven.learn_all(form(study)) == 3
    assert oven.best().parameters == {"heat": 0.4, "shelf": 2, "fan": "on", "speed": 0.5}
    assert [row["heat"] for row in oven.results()] == [0.1, 0.3, 0.4]


def test_a_column_that_is_called_as_a_parameter_is_that_and_no_other():
    optimiser = Optimiser({"x": (0.0, 1.0), "params_x": (0.0, 1.0)}, algorithm="random")
    optimiser.learn_all([{"x": 0.1, "params_x": 0.2, "params_params_x": 0.3, "value": 1.0}])
    assert optimiser.best().parameters == {"x": 0.1, "params_x": 0.2}
    with pytest.raises(UsageError, match="expected a column for the parameter `x`, got none"):
        optimiser.learn_all([{"params_x": 0.2, "value": 1.0}])


def test_the_last_value_that_was_reported_before_a_trial_was_given_up_is_none():
    """As Optuna's tables have it."""
    rows = [{"x": 0.1, "value": 9.0, "state": "PRUNED"}, {"x": 0.2, "value": 1.0, "state": "COMPLETE"}]
    optimiser = Optimiser({"x": (0.0, 1.0)}, algorithm="random")
    assert optimiser.learn_all(rows) == 1
    assert [row["value"] for row in optimiser.results()] == [1.0]


@pytest.mark.parametrize("form", [list, Frame])
def test_what_was_chosen_to_be_none_is_taken_back_as_that(form):
    network = {
        "weights": {"type": "choice", "values": [None, "balanced"]},
        "depth": {"type": "choice", "values": [None, 3], "when": {"weights": "balanced"}},
        "x": (0.0, 1.0),
    }
    optimiser = Optimiser(network, algorithm="random", seed=1)
    for asked in optimiser.ask(12):
        optimiser.tell(asked.trial, asked.parameters["x"])
    rows = optimiser.results()
    again = Optimiser(network, algorithm="random", seed=1)
    assert again.learn_all(form(rows)) == 12
    told = [(row["weights"], row.get("depth", "-")) for row in rows]
    assert [(row["weights"], row.get("depth", "-")) for row in again.results()] == told
    assert {(None, "-"), ("balanced", None), ("balanced", 3)} == set(told)


def test_factors_and_further_objectives_are_learned_with_them():
    wing = {"span": (1.0, 9.0), "sweep": (0.0, 1.0)}
    dumbo = Optimiser(wing, algorithm="dumbo", factors=[["span"], ["sweep"]])
    parts = [{"span": x, "sweep": 0.5, "value": x + 1, "factor_1": x, "factor_2": 1} for x in range(1, 9)]
    assert dumbo.learn_all(parts) == 8
    assert dumbo.results()[3]["factor_1"] == 4.0
    with pytest.raises(UsageError, match="row 0: expected 2 factor values, one a factor, got 1"):
        dumbo.learn_all([{name: told for name, told in parts[0].items() if name != "factor_2"}])
    traded = Optimiser(wing, goal="minimise", objectives={"lift": "maximise"})
    traded.learn_all({"span": [2, 3, 4], "sweep": [0, 0, 0], "value": [1.0, 2.0, 3.0], "lift": [1, 3, 2]})
    assert [(best.value, best.outcomes["lift"]) for best in traded.front()] == [(1.0, 1.0), (2.0, 3.0)]


def test_what_is_handed_out_is_taken_by_another_after_a_restart():
    optimiser = oven()
    optimiser.learn_all(ROWS[:3])
    first, second, _ = optimiser.ask(3)
    optimiser.tell(first.trial, 1.5, outcomes={"crust": 0.3})
    optimiser.tell(second.trial, None)
    rows = optimiser.results()
    assert [row["trial"] for row in rows] == [None, None, None, 1, 2]
    assert [row["state"] for row in rows] == ["completed", "completed", "failed", "completed", "failed"]
    again = oven()
    assert again.learn_all(pickle.loads(pickle.dumps(Frame(rows)))) == 5
    assert again.best().parameters == optimiser.best().parameters
    assert [row["heat"] for row in again.results()] == [row["heat"] for row in rows]
    rows[0]["heat"] = 5.0
    assert optimiser.results()[0]["heat"] == 0.1


def test_what_was_only_foreseen_is_no_result():
    optimiser = Optimiser({"x": (0.0, 1.0)}, algorithm="random")
    (asked,) = optimiser.ask()
    for none in (1, "yes", np.array([1.0, 2.0])):
        with pytest.raises(UsageError, match="expected True or False as `foreseen`, got"):
            optimiser.tell(asked.trial, 1.0, 0.1, foreseen=none)  # type: ignore[arg-type]
    optimiser.tell(asked.trial, 1.0, 0.1, foreseen=np.True_)  # type: ignore[arg-type]
    assert optimiser.results() == []


def test_results_between_a_parameters_values_are_learned_and_never_the_best() -> None:
    optimiser = Optimiser({"heat": (0.0, 1.0), "shelf": {"type": "int", "bounds": [1, 4]}})
    rows = [{"heat": 0.1, "shelf": 2.4, "value": 9.0}, {"heat": 0.2, "shelf": 3, "value": 1.0}]
    said = (
        r"1 of 2 results lies between values that `shelf` takes: learned from as at the nearest, and no best"
    )
    with pytest.warns(RuntimeWarning, match=said):
        assert optimiser.learn_all(rows) == 2
    assert optimiser.best().value == 1.0
    assert [row["shelf"] for row in optimiser.results()] == [2.4, 3]
    optimiser.learn({"heat": 0.3, "shelf": 1.5}, 8.0)
    assert optimiser.best().value == 1.0
    optimiser.tell(optimiser.ask()[0].trial, 2.0)
    assert optimiser.best().value == 2.0
    with pytest.raises(SpecError, match=r"`shelf`: expected a whole number in \[1, 4\], got 2\.4"):
        optimiser.attach({"heat": 0.1, "shelf": 2.4})
