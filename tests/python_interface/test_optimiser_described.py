"""How parameters and values may be told to the Python interface: as people have their numbers and names."""

import enum
import re
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from orchestrator import Optimiser
from orchestrator.errors import SpecError, UsageError
from orchestrator.parameters.space import Space


class Solver(enum.Enum):
    DIRECT = "direct"
    CG = 2


def random(parameters, **more):
    return Optimiser(parameters, algorithm="random", **more)


@pytest.mark.parametrize(
    "bounds",
    [
        [0, 2.0],
        (Fraction(0), Fraction(2)),
        (Decimal(0), Decimal("2.0")),
        np.array([0.0, 2.0]),
        range(0, 3, 2),
        (np.float32(0), np.int8(2)),
    ],
    ids=repr,
)
def test_bounds_are_what_they_say_whatever_their_numbers_are_of(bounds):
    described = {"x": bounds, "n": {"type": "int", "bounds": bounds}}
    plain = {"x": (0.0, 2.0), "n": {"type": "int", "bounds": [0, 2]}}
    asked = random(described).ask(5)
    assert [one.parameters for one in asked] == [one.parameters for one in random(plain).ask(5)]
    assert all(type(one.parameters["n"]) is int and type(one.parameters["x"]) is float for one in asked)


@pytest.mark.parametrize(
    "bounds", [[0, 2.5], [0, Fraction(5, 2)], [0, Decimal("2.5")], [0, "2"], [0, np.nan]]
)
def test_those_of_whole_numbers_are_whole(bounds):
    with pytest.raises(SpecError, match="parameter `n`: expected "):
        random({"n": {"type": "int", "bounds": bounds}})
    with pytest.raises(SpecError, match=r"whole numbers as bounds, got 2.5"):
        random({"n": {"type": "int", "bounds": [0, 2.5]}})


@pytest.mark.parametrize("listed", [[1, 2, 4], (0.1,), np.array([1, 2, 4]), ["a", "b"], range(4)], ids=repr)
def test_who_lists_values_hears_what_a_choice_is_written_like(listed):
    with pytest.raises(SpecError) as refused:
        random({"x": listed})
    assert 'to choose from values, {"type": "choice", "values": [...]}, or "ordered"' in str(refused.value)


def test_who_asks_for_a_logarithm_as_elsewhere_hears_how_it_is_asked_for_here():
    with pytest.raises(SpecError, match=r'got `log`; a logarithmic scale is `"scale": "log"`'):
        random({"x": {"type": "float", "bounds": [1e-5, 1.0], "log": True}})


@pytest.mark.parametrize("constant", [5, "adam", np.float64(0.5), True], ids=repr)
def test_who_writes_a_constant_hears_how_it_is_held_still(constant):
    with pytest.raises(SpecError) as refused:
        random({"x": (0, 1), "held": constant})
    assert f'for a constant, {{"type": "fixed", "value": {np.asarray(constant).item()!r}}}, got' in str(
        refused.value
    )
    with pytest.raises(SpecError, match=r"or a mapping with a `type`, got <object"):
        random({"x": object()})


@pytest.mark.parametrize("half", [Fraction(1, 2), Decimal("0.5"), np.array([0.5]), np.float16(0.5)], ids=repr)
def test_numbers_of_every_kind_are_where_something_was_tried(half):
    optimiser = random({"x": (0, 1), "n": {"type": "int", "bounds": [1, 4]}})
    optimiser.learn({"x": half, "n": 4 * half}, 1.0)
    optimiser.tell(optimiser.attach({"x": half, "n": 2}).trial, 0.5)
    assert optimiser.best().parameters == {"x": 0.5, "n": 2}
    assert type(optimiser.best().parameters["x"]) is float


@pytest.mark.parametrize("half", [Decimal("0.5"), np.array([0.5]), np.array([[0.5]])], ids=repr)
def test_a_value_may_come_as_the_one_element_of_an_array_or_as_a_decimal(half):
    optimiser = Optimiser({"x": (0, 1)}, outcomes=["heat"])
    optimiser.tell(optimiser.ask()[0].trial, half, half, outcomes={"heat": half})
    assert optimiser.best().value == optimiser.best().outcomes["heat"] == 0.5


class Table:
    """As pandas writes one: in lines."""

    shape = (2, 1)

    def __repr__(self):
        return "   x\n0  1\n1  2"


@pytest.mark.parametrize(
    ("told", "came"),
    [(Table(), "Table of shape (2, 1)"), (np.zeros(99), "ndarray of shape (99,)")],
    ids=["table", "array"],
)
def test_what_takes_lines_is_said_in_few_words(told, came):
    optimiser = Optimiser({"x": (0, 1)}, algorithm="random", outcomes=["heat"])
    with pytest.raises(UsageError, match=rf"got {re.escape(came)}; tell None"):
        optimiser.learn({"x": 0.5}, told)
    with pytest.raises(UsageError, match=rf"got {re.escape(came)} for `heat`"):
        optimiser.learn({"x": 0.5}, 1.0, outcomes={"heat": told})


def test_choices_are_handed_out_as_they_are():
    kinds = {
        "solver": {"type": "choice", "values": list(Solver)},
        "mesh": {"type": "choice", "values": [Path("fine.msh"), Path("coarse.msh")]},
        "steps": {"type": "int", "bounds": [1, 9], "when": {"solver": Solver.CG}, "otherwise": 0},
    }
    optimiser = random(kinds)
    for asked in optimiser.ask(8):
        assert isinstance(asked.parameters["solver"], Solver)
        assert isinstance(asked.parameters["mesh"], Path)
        assert (asked.parameters["steps"] == 0) == (asked.parameters["solver"] is Solver.DIRECT)
    optimiser.learn({"solver": Solver.CG, "mesh": Path("fine.msh"), "steps": 3}, 1.0)
    assert optimiser.best().parameters["solver"] is Solver.CG
    with pytest.raises(SpecError, match=r"expected one of <Solver.DIRECT: 'direct'>, .*, got 'cg'"):
        optimiser.learn({"solver": "cg", "mesh": Path("fine.msh")}, 1.0)


@pytest.mark.parametrize(
    ("held", "given"),
    [(np.arange(3), [0, 1, 2]), (np.float32(2), 2.0), ({"a": np.int64(1)}, {"a": 1}), (Solver.CG, Solver.CG)],
    ids=repr,
)
def test_what_is_held_still_is_what_python_has(held, given):
    """An array of numpy once made it impossible to ask: it equals nothing, itself neither."""
    optimiser = random({"x": (0, 1), "held": {"type": "fixed", "value": held}})
    (asked,) = optimiser.ask()
    assert asked.parameters["held"] == given
    assert type(asked.parameters["held"]) is type(given)
    optimiser.tell(asked.trial, 1.0)
    optimiser.learn(asked.parameters, 2.0)


def test_a_space_may_be_handed_over_and_more_constraints_with_it():
    described = {"x": (0.0, 1.0), "y": (0.0, 1.0), "z": {"type": "fixed", "value": 0.5}}
    space = Space.from_description(described, ["x + y <= 1"])
    asked = random(space, seed=4).ask(5)
    assert asked == random(described, constraints=["x + y <= 1"], seed=4).ask(5)
    wanted = {"constraints": ["x >= y", "heat <= 3"], "outcomes": ["heat"]}
    tied = Optimiser(space, algorithm="random", **wanted)
    for one in tied.ask(20):
        assert one.parameters["y"] <= one.parameters["x"] <= 1 - one.parameters["y"]
    trial = tied.ask()[0].trial
    tied.tell(trial, 1.0, outcomes={"heat": 4.0})
    assert tied.front() == []
    with pytest.raises(SpecError, match="no point within the bounds was found"):
        random(space, constraints=["x + y >= 2"])


@pytest.mark.parametrize("wrong", [5, "x <= 1", {"x <= 1"}, np.array(["x <= 1"])], ids=repr)
@pytest.mark.parametrize("outcomes", [None, ["heat"]])
def test_constraints_that_are_no_list_are_refused_in_a_sentence(wrong, outcomes):
    for parameters in ({"x": (0, 1)}, Space.from_description({"x": (0, 1)})):
        with pytest.raises(SpecError, match="expected constraints as a list of texts, as"):
            random(parameters, constraints=wrong, outcomes=outcomes)


def test_no_constraints_are_none():
    assert len(random({"x": (0, 1)}, constraints=None, outcomes=None).ask(2)) == 2


SIGNALLING = Decimal("sNaN")


@pytest.mark.parametrize(
    "described",
    [
        (SIGNALLING, 1),
        {"type": "int", "bounds": [0, SIGNALLING]},
        {"type": "float", "bounds": [0, 1], "step": SIGNALLING},
        {"type": "float", "bounds": [0, 1], "tolerance": SIGNALLING},
        {"type": "choice", "values": [1, SIGNALLING]},
        {"type": "fixed", "value": SIGNALLING},
        {"type": np.array(["float", "int"]), "bounds": [0, 1]},
        {"type": "float", "bounds": [1, 2], "scale": np.array(["log", "linear"])},
    ],
    ids=str,
)
def test_what_cannot_even_be_compared_is_refused_in_a_sentence(described):
    with pytest.raises(SpecError, match=r"parameter `y`: expected .*, got (Decimal\('sNaN'\)|\[')"):
        random({"x": (0, 1), "y": described})


def test_of_a_name_beyond_any_length_the_beginning_is_shown():
    name, optimiser = "x" * 5000, random({"x": (0.0, 1.0)})
    for wrong in (
        lambda: random({"x": {"type": "float", "bounds": [0, 1], name: 1}}),
        lambda: Optimiser({"x": (0, 1)}, algorithm=name),
        lambda: Optimiser({"x": (0, 1)}, **{name: 1}),
        lambda: Optimiser({"x": (0, 1)}, goal=name),
        lambda: Optimiser({"x": (0, 1)}, clock=name),
        lambda: Optimiser({"x": (0, 1)}, factors=[[name]]),
        lambda: optimiser.learn({name: 0.5}, 1.0),
        lambda: optimiser.ask(held={name: 0.5}),
        lambda: optimiser.sensitivity(name),
        lambda: optimiser.tolerance({name: 0.5}),
    ):
        with pytest.raises((SpecError, UsageError), match=r"got .*xxx(\.\.\.`|…)") as refused:
            wrong()
        assert len(str(refused.value)) < 600
