"""Points of the caller's own that a search in one call evaluates first."""

import asyncio

import pytest

from orchestrator import Optimiser, minimise
from orchestrator.errors import SpecError, UsageError

BOX = {"x": (0.0, 1.0), "n": {"type": "int", "bounds": [1, 5]}}
TODAY, GUESS = {"x": 0.9, "n": 2}, {"x": 0.25, "n": 3}


def bowl(parameters):
    return (parameters["x"] - 0.3) ** 2 + abs(parameters["n"] - 3)


def evaluated(optimiser):
    return [{name: row[name] for name in BOX} for row in optimiser.results()]


def test_they_are_evaluated_first_and_are_among_the_trials():
    found = minimise(bowl, BOX, 5, algorithm="sobol", points=[TODAY, GUESS, TODAY])
    assert evaluated(found)[:3] == [TODAY, GUESS, TODAY]
    assert len(found.results()) == 5
    assert minimise(bowl, BOX, 1, algorithm="sobol", points=[TODAY, GUESS]).pending == ()


def test_they_are_evaluated_beside_one_another_and_what_is_asked_for():
    begun = []

    async def waits(parameters):
        begun.append(parameters)
        await asyncio.sleep(0)
        if len(begun) < 2:
            raise AssertionError("the second is begun before the first has ended")
        return bowl(parameters)

    found = minimise(waits, BOX, 4, algorithm="sobol", parallel=2, points=[TODAY])
    assert (begun[0], found.told) == (TODAY, 4)


def test_an_optimiser_that_is_handed_over_takes_them_each_time():
    optimiser = Optimiser(BOX, goal="minimise", algorithm="sobol")
    minimise(bowl, optimiser, 2, points=[TODAY])
    minimise(bowl, optimiser, 2, points=[TODAY])
    assert [row == TODAY for row in evaluated(optimiser)] == [True, False, True, False]


def test_a_search_that_goes_on_in_its_file_evaluates_those_that_are_new(tmp_path):
    told = {"algorithm": "sobol", "store": tmp_path / "search.jsonl"}
    minimise(bowl, BOX, 2, points=[TODAY], **told)
    found = minimise(bowl, BOX, 4, points=[TODAY, GUESS], **told)
    assert [evaluated(found).index(own) for own in (TODAY, GUESS)] == [0, 2]
    assert evaluated(found).count(TODAY) == 1
    assert found.told == 4


def test_what_was_interrupted_at_one_of_them_begins_there_again(tmp_path):
    told = {"algorithm": "sobol", "store": tmp_path / "search.jsonl", "points": [TODAY, GUESS]}

    def interrupted(parameters):
        if parameters == GUESS:
            raise KeyboardInterrupt
        return bowl(parameters)

    with pytest.warns(RuntimeWarning, match="interrupted after 1 of 3 trials"):
        minimise(interrupted, BOX, 3, **told)
    assert evaluated(minimise(bowl, BOX, 3, **told))[:2] == [TODAY, GUESS]


def test_rows_that_are_listed_are_tried_to_the_last():
    rows = [{"id": f"T{i}", "mass": float(i)} for i in range(4)]
    found = minimise(
        lambda p: p["mass"], {}, 9, algorithm="sobol", candidates=rows, points=[{"id": "T3"}, {"id": "T1"}]
    )
    assert [row["id"] for row in found.results()][:2] == ["T3", "T1"]
    assert (len(found.results()), found.untried) == (4, 0)


@pytest.mark.parametrize(
    ("points", "refusal", "sentence"),
    [
        (TODAY, UsageError, "expected as `points` a list of mappings, as "),
        ("best", UsageError, "got 'best'"),
        ([TODAY, (0.3, 2)], UsageError, r"a list of mappings, .*, got \[\{"),
        ([TODAY, {"x": 2.0, "n": 1}], SpecError, "parameter `x`: expected .*2"),
    ],
)
def test_none_is_evaluated_where_one_is_wrong(points, refusal, sentence):
    optimiser = Optimiser(BOX, goal="minimise", algorithm="sobol")
    with pytest.raises(refusal, match=sentence):
        minimise(bowl, optimiser, 4, points=points)
    assert (optimiser.told, optimiser.pending) == (0, ())


def test_what_others_call_them_is_told_of():
    with pytest.raises(UsageError, match=r"got `points_to_evaluate`; `points` are evaluated first"):
        minimise(bowl, BOX, 5, points_to_evaluate=[TODAY])  # type: ignore[call-arg]
