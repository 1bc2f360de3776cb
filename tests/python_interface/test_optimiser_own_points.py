"""Points that the caller of the Python interface has evaluated beside those that are asked for."""

import pickle

import pytest

from orchestrator import Optimiser
from orchestrator.errors import SpecError, UsageError

OVEN = {
    "heat": (0.0, 1.0),
    "shelf": {"type": "int", "bounds": [1, 4]},
    "fan": {"type": "choice", "values": ["on", "off"]},
    "speed": {"type": "float", "bounds": [0.0, 1.0], "when": {"fan": "on"}, "otherwise": 0.0},
    "door": {"type": "fixed", "value": "shut"},
}
MINE = {"heat": 0.1, "shelf": 2.0, "fan": "off", "speed": 0.9}


def test_such_a_trial_is_evaluated_and_told_as_any_other() -> None:
    optimiser = Optimiser(OVEN, algorithm="random")
    (first,) = optimiser.ask()
    mine = optimiser.attach(MINE)
    assert mine.parameters == {"heat": 0.1, "shelf": 2, "fan": "off", "speed": 0.0, "door": "shut"}
    assert type(mine.parameters["shelf"]) is int
    assert mine.why == {"source": "caller"}
    assert optimiser.pending == (first.trial, mine.trial)
    (next_one,) = pickle.loads(pickle.dumps(optimiser)).ask()
    assert next_one.trial == mine.trial + 1
    optimiser.tell(first.trial, 1.0)
    optimiser.tell(mine.trial, 2.0)
    best = optimiser.best()
    assert (best.trial, best.parameters) == (mine.trial, mine.parameters)
    with pytest.raises(UsageError, match="told already"):
        optimiser.tell(mine.trial, 2.0)


def test_while_it_runs_another_is_asked_for() -> None:
    optimiser = Optimiser({"n": {"type": "int", "bounds": [1, 2]}}, algorithm="random")
    optimiser.attach({"n": 1})
    assert [asked.parameters for asked in optimiser.ask()] == [{"n": 2}]


def test_what_lies_on_a_boundary_is_judged_as_it_is() -> None:
    for tenths in range(1, 10):
        optimiser = Optimiser(
            {"x": (0.0, 1.0), "y": (0.0, 1.0)},
            algorithm="random",
            outcomes=["heat"],
            constraints=["x + y <= 1", "heat <= x"],
        )
        mine = optimiser.attach({"x": tenths / 10, "y": 1 - tenths / 10})
        optimiser.tell(mine.trial, 1.0, outcomes={"heat": tenths / 10})
        assert optimiser.best().parameters == {"x": tenths / 10, "y": 1 - tenths / 10}


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (
            {"heat": 0.9, "shelf": 4},
            "expected parameters that satisfy `heat * shelf <= 2`, got {'heat': 0.9,",
        ),
        ({"heat": 2.0}, "parameter `heat`: expected a number in [0, 1], got 2.0"),
        ({"heta": 0.2}, "got an unknown one, `heta` (did you mean `heat`?)"),
    ],
)
def test_one_that_is_none_is_refused_and_nothing_waits(wrong, sentence) -> None:
    optimiser = Optimiser(OVEN, algorithm="random", constraints=["heat * shelf <= 2"])
    with pytest.raises(SpecError) as refused:
        optimiser.attach({**MINE, **wrong})
    assert sentence in str(refused.value)
    assert optimiser.pending == ()


class Series:
    """A row, as pandas has it: nobody can say whether it is true, and it takes lines to show."""

    def to_dict(self) -> dict[str, float]:
        return {"x": 0.5}

    def __bool__(self) -> bool:
        raise ValueError("The truth value of a Series is ambiguous")


@pytest.mark.parametrize(
    "given",
    [
        lambda optimiser, row: optimiser.attach(row),
        lambda optimiser, row: optimiser.learn(row, 1.0),
        lambda optimiser, row: optimiser.ask(held=row),
    ],
    ids=["attach", "learn", "ask"],
)
def test_who_gives_a_row_of_a_table_hears_how_it_becomes_a_mapping(given) -> None:
    optimiser = Optimiser({"x": (0.0, 1.0)}, algorithm="random")
    with pytest.raises(
        SpecError, match=r"expected a mapping .*, got a Series: give what its `\.to_dict\(\)`"
    ):
        given(optimiser, Series())
    given(optimiser, Series().to_dict())


@pytest.mark.parametrize(
    "given",
    [
        lambda optimiser, row: optimiser.predict(row),
        lambda optimiser, row: optimiser.learn_all(row),
        lambda optimiser, row: optimiser.learn_all([row]),
    ],
    ids=["predict", "learn_all", "learn_all of a list"],
)
def test_so_does_who_gives_one_in_the_place_of_a_table(given) -> None:
    optimiser = Optimiser({"x": (0.0, 1.0)}, algorithm="random")
    with pytest.raises(
        UsageError, match=r"expected .*mapping.*, got a Series: give what its `\.to_dict\(\)`"
    ):
        given(optimiser, Series())


def test_who_tells_of_a_point_that_was_not_asked_for_here_hears_how() -> None:
    optimiser = Optimiser(OVEN, algorithm="random")
    with pytest.raises(UsageError, match=r"got 5, which was never asked; `learn\(parameters, value\)` takes"):
        optimiser.tell(5, 1.0)
    with pytest.raises(UsageError, match=r"\(none\), got \{'heat'.*; `learn\(parameters, value\)` takes"):
        optimiser.tell(MINE, 1.0)


def test_one_that_will_never_be_told_is_abandoned_and_says_nothing_of_its_point() -> None:
    """As where a machine was switched off: the point has not failed."""
    described = {"n": {"type": "int", "bounds": [1, 2]}}
    optimiser = Optimiser(described, algorithm="random")
    lost, other = optimiser.attach({"n": 1}), optimiser.attach({"n": 2})
    optimiser.tell(other.trial, 1.0)
    optimiser.abandon(lost.trial)
    assert optimiser.pending == ()
    assert [asked.parameters for asked in optimiser.ask()] == [{"n": 1}]
    with pytest.raises(UsageError, match=r"got 1, which is abandoned already; `learn\(parameters, value\)`"):
        optimiser.tell(lost.trial, 1.0)
    with pytest.raises(UsageError, match=r"got 2, which is told already$"):
        optimiser.abandon(other.trial)
    with pytest.raises(UsageError, match="expected the number of a trial that is pending"):
        optimiser.abandon(lost)


def test_what_comes_of_it_is_told_as_of_nobody_who_asked() -> None:
    optimiser = Optimiser(OVEN, algorithm="random")
    told = []
    optimiser._algorithm.tell = told.extend  # type: ignore[method-assign]
    optimiser.tell(optimiser.ask()[0].trial, 1.0)
    optimiser.tell(optimiser.attach(MINE).trial, 2.0)
    assert [one.attached for one in told] == [False, True]
