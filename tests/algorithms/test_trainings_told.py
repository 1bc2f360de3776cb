"""What a population learns of gains, and who may go on, where a training did not go on as it was to."""

from __future__ import annotations

import math

import numpy as np
import pytest

from orchestrator.algorithms.base import Observation
from orchestrator.algorithms.population.trainings import Trainings

RUNGS = np.array([0.25, 0.5, 1.0])
NOTHING_RUNS = np.empty((0, 2))


def told(trial: int, rung: int, value: float | None, continues: int = 0, **more: bool) -> Observation:
    return Observation(trial, np.array([0.3, RUNGS[rung]]), value, continues=continues, **more)


@pytest.fixture
def trainings() -> Trainings:
    made = Trainings(1, RUNGS)
    made.tell(told(1, 0, 2.0))
    return made


def test_what_began_from_nothing_says_nothing_of_a_gain_and_is_gone_on_from(trainings: Trainings) -> None:
    trainings.tell(told(2, 1, 5.0, continues=1, began_anew=True))
    assert [piece.trial for piece in trainings.pieces] == [1]
    place = trainings.following(NOTHING_RUNS)
    assert place is not None
    assert (place.piece.trial, place.again) == (2, False)
    trainings.tell(told(3, 2, 7.0, continues=2))
    assert [(piece.trial, piece.before and piece.before.value) for piece in trainings.pieces[1:]] == [
        (3, 5.0)
    ]


def test_what_went_on_from_what_is_forgotten_takes_the_place_of_nobody_who_waits(
    trainings: Trainings,
) -> None:
    trainings.tell(told(6, 1, 6.0, continues=5))
    place = trainings.following(NOTHING_RUNS)
    assert place is not None
    assert place.piece.trial == 1


@pytest.mark.parametrize("value", [None, 5.0])
def test_what_was_stopped_is_learned_as_foreseen_and_done_again_as_what_failed_is(
    trainings: Trainings, value: float | None
) -> None:
    trainings.tell(told(2, 1, value, continues=1, foreseen=value is not None))
    (piece,) = trainings.pieces[1:]
    assert piece.value == 5.0 if value else math.isnan(piece.value)
    place = trainings.following(NOTHING_RUNS)
    assert place is not None
    assert (place.piece.trial, place.again) == (1, True)
    assert trainings.standing(1) == []


def test_what_goes_on_from_what_was_only_foreseen_tells_its_gain(trainings: Trainings) -> None:
    """As once bounds are narrowed, and what lies outside is no training to go on from."""
    trainings.tell(told(2, 0, 3.0, foreseen=True))
    trainings.tell(told(3, 1, 6.0, continues=2))
    assert [(piece.trial, piece.before and piece.before.value) for piece in trainings.pieces[2:]] == [
        (3, 3.0)
    ]
    assert trainings.began(NOTHING_RUNS) == 1
    trainings.tell(told(4, 0, 3.0, foreseen=True))
    trainings.tell(told(5, 1, 6.0, continues=4, foreseen=True))
    place = trainings.following(NOTHING_RUNS)
    assert place is not None
    assert place.piece.trial == 3
