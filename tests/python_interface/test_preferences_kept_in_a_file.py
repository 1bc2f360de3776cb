"""What was said of which trial is better, kept in a file and gone on with."""

import pytest

from orchestrator import Optimiser, Preferences
from orchestrator.errors import StoreError

COFFEE = {"dose": {"type": "float", "bounds": [14, 22], "step": 0.5}, "grind": (1.0, 12.0)}


def test_over_days_it_goes_on_as_it_would_have_on_one(tmp_path):
    path = tmp_path / "coffees.jsonl"

    def tasted(coffees):
        first, second, third = coffees.ask(3)
        coffees.prefer(second.trial, over=first.trial)
        coffees = yield
        coffees.like(first.trial, third.trial)
        mine = coffees.attach({"dose": 18, "grind": 6.0})
        coffees.prefer(mine.trial, over=second.trial)
        coffees = yield
        coffees.take_back(third.trial, first.trial)
        spilt, other = coffees.ask(2)
        coffees.fail(spilt.trial)
        coffees = yield
        assert coffees.ask() == [other]
        coffees.abandon(other.trial)
        coffees.prefer(first.trial, over=mine.trial)

    def days(taken_up):
        coffees = taken_up(None)
        story = tasted(coffees)
        next(story)
        for _ in range(3):
            coffees = taken_up(coffees)
            try:
                story.send(coffees)
            except StopIteration:
                break
        return taken_up(coffees)

    kept = days(lambda _: Preferences(COFFEE, store=path))
    whole = Preferences(COFFEE, store=tmp_path / "other.jsonl")
    story = tasted(whole)
    next(story)
    for _ in range(2):
        story.send(whole)
    assert whole.pending == (6,)
    whole.close()
    whole = Preferences(COFFEE, store=tmp_path / "other.jsonl")
    with pytest.raises(StopIteration):
        story.send(whole)
    assert kept.comparisons == whole.comparisons
    assert kept.pending == whole.pending == ()
    assert kept.store == path
    assert kept.best() == whole.best()
    assert kept.ask(2) == whole.ask(2)


def test_a_search_of_values_is_another_problem(tmp_path):
    Preferences(COFFEE, store=tmp_path / "a.jsonl").close()
    with pytest.raises(StoreError, match="keeps the search of another problem: `compared` is there alone"):
        Optimiser(COFFEE, store=tmp_path / "a.jsonl")
