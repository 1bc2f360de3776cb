"""Points of the caller's own that say some of the parameters, the rest of which is chosen."""

import pytest

from orchestrator import Optimiser, minimise
from orchestrator.errors import SpecError, UsageError

BOX = {"x": (0.0, 1.0), "y": (0.0, 1.0), "n": {"type": "int", "bounds": [1, 5]}}
WHOLE, PART = {"x": 0.9, "y": 0.1, "n": 2}, {"n": 4}


def bowl(parameters):
    return (parameters["x"] - 0.3) ** 2 + (parameters["y"] - 0.6) ** 2 + abs(parameters["n"] - 3)


def column(optimiser, name):
    return [row[name] for row in optimiser.results()]


def test_the_rest_is_chosen_when_their_turn_comes_after_those_that_are_whole():
    found = minimise(bowl, BOX, 4, algorithm="sobol", points=[PART, WHOLE, {"x": 0.25, "n": 5}])
    assert column(found, "n")[:3] == [2, 4, 5]
    assert column(found, "x")[2] == pytest.approx(0.25)
    assert column(found, "held") == [False, True, True, False]


def test_what_is_chosen_is_what_would_be_beside_what_is_held():
    told = {"goal": "minimise", "algorithm": "gp-ei", "options": {"start_points": 2}}
    searched, asked = Optimiser(BOX, **told), Optimiser(BOX, **told)
    minimise(bowl, searched, 3, points=[WHOLE, PART])
    attached = asked.attach(WHOLE)
    asked.tell(attached.trial, bowl(WHOLE))
    (chosen,) = asked.ask(held=PART)
    assert searched.results()[1]["x"] == chosen.parameters["x"]
    assert searched.results()[1]["y"] == chosen.parameters["y"]


def test_a_search_that_goes_on_in_its_file_completes_those_that_are_new(tmp_path):
    told = {"algorithm": "sobol", "store": tmp_path / "search.jsonl"}
    minimise(bowl, BOX, 2, points=[PART], **told)
    found = minimise(bowl, BOX, 5, points=[PART, PART, {"n": 5}], **told)
    assert column(found, "n")[0] == 4
    assert column(found, "n")[2:4] == [4, 5]
    assert column(found, "held") == [True, False, True, True, False]


def test_what_was_interrupted_at_one_of_them_is_evaluated_again_where_it_was(tmp_path):
    constant = {"k": {"type": "fixed", "value": "steel"}}
    told = {
        "algorithm": "sobol",
        "store": tmp_path / "search.jsonl",
        "points": [WHOLE, {**PART, "k": "steel"}],
    }
    begun = []

    def interrupted(parameters):
        begun.append(parameters)
        if len(begun) == 2:
            raise KeyboardInterrupt
        return bowl(parameters)

    with pytest.warns(RuntimeWarning, match="interrupted after 1 of 3 trials"):
        minimise(interrupted, BOX | constant, 3, **told)
    found = minimise(bowl, BOX | constant, 3, **told)
    assert found.results()[1]["x"] == begun[1]["x"]
    assert column(found, "trial") == [1, 2, 3]


def test_those_that_are_left_as_the_trials_are_spent_are_not_pending():
    assert minimise(bowl, BOX, 1, algorithm="sobol", points=[WHOLE, PART]).pending == ()


def test_one_beside_a_condition_counts_where_that_holds():
    described = BOX | {
        "kind": {"type": "choice", "values": ["bar", "tube"]},
        "bore": {"type": "float", "bounds": [0, 1], "when": {"kind": "tube"}},
    }
    asked = Optimiser(described, algorithm="random").attach({"kind": "tube"})
    assert (asked.parameters["kind"], "bore" in asked.parameters) == ("tube", True)


@pytest.mark.parametrize(
    ("part", "settings", "refusal", "sentence"),
    [
        ({"x": 2.0}, {}, SpecError, "parameter `x`: expected .*2"),
        ({"y": 2.0}, {}, SpecError, "parameter `y`: expected .*2"),
        ({"z": 2.0}, {}, SpecError, "got an unknown one, `z`"),
        ({}, {}, SpecError, "parameter `x`: expected a value, but it is missing"),
        (
            {"x": 0.5},
            {"algorithm": "boo"},
            UsageError,
            "expected an algorithm that holds parameters .*, got `boo`",
        ),
        ({"n": 5}, {"constraints": ["x + 10 * n <= 45"]}, SpecError, "no point was found that satisfies"),
    ],
)
def test_none_is_evaluated_where_one_is_wrong(part, settings, refusal, sentence):
    optimiser = Optimiser(BOX, goal="minimise", **{"algorithm": "sobol", **settings})
    with pytest.raises(refusal, match=sentence):
        minimise(bowl, optimiser, 4, points=[WHOLE, PART, part])
    assert (optimiser.told, optimiser.pending) == (0, ())


def test_a_row_of_candidates_is_no_part():
    rows = [{"mass": 1.0, "dose": 0.1}, {"mass": 2.0, "dose": 0.2}]
    with pytest.raises(SpecError, match="`dose`: expected a value, but it is missing"):
        Optimiser({}, candidates=rows, algorithm="sobol").attach({"mass": 1.0})


def test_one_that_says_what_is_computed_alone_is_told_so():
    tied = Optimiser({"x": (0.0, 1.0), "y": (0.0, 1.0), "z": (0.0, 1.0)}, constraints=["x + y + z == 1"])
    with pytest.raises(SpecError, match="got `x`, which is computed, as `1 - y - z`"):
        tied.attach({"x": 0.5})
