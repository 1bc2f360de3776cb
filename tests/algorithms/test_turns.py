"""Points asked for together are chosen one after the other."""

import numpy as np

from orchestrator.algorithms.ask_and_tell.turns import Turns
from orchestrator.algorithms.base import AskKey, Problem, Suggestion
from orchestrator.algorithms.history import History
from orchestrator.unit_cube.domain import Domain

PROBLEM = Problem(Domain.continuous(2), seed=4)


def taken(key, n, pending=()):
    """The turns of one ask, each of which is given a point of its own."""
    turns = []

    def choose(turn):
        turns.append(turn)
        return Suggestion(np.array([0.1, 0.01 * turn.trial]))

    Turns(PROBLEM, History(PROBLEM.domain), "somebody").chosen(n, list(pending), key, choose)
    return turns


def test_what_is_chosen_runs_from_the_next_turn_on_and_is_not_to_be_chosen_again():
    running = np.array([0.5, 0.5])
    first, second = taken(AskKey(3, 7), 2, [running])
    assert (first.trial, second.trial) == (7, 8)
    np.testing.assert_array_equal(first.running, [running])
    np.testing.assert_array_equal(second.running, [running, [0.1, 0.07]])
    allowed = second.exclusion.allows(np.array([[0.1, 0.07], [0.5, 0.5], [0.2, 0.2]]))
    assert allowed.tolist() == [False, False, True]


def test_where_nothing_runs_there_are_no_points_and_yet_coordinates():
    (turn,) = taken(AskKey(0, 0), 1)
    assert turn.running.shape == (0, 2)


def test_draws_belong_to_the_trial_of_an_ask_whatever_was_drawn_before():
    alone = taken(AskKey(3, 8), 1)[0].rng.random()
    assert taken(AskKey(3, 7), 2)[1].rng.random() == alone
    assert taken(AskKey(4, 8), 1)[0].rng.random() != alone


def test_draws_that_nobody_wants_are_not_made():
    (turn,) = taken(AskKey(3, 7), 1)
    assert "rng" not in vars(turn)


def test_what_runs_is_not_copied_for_each_turn_so_that_thousands_may_be_asked_for_at_once():
    turns = taken(AskKey(0, 0), 50, [np.array([0.5, 0.5])])
    assert [len(turn.running) for turn in turns] == list(range(1, 51))
    assert all(np.shares_memory(turns[-1].running, turn.running) for turn in turns)
