"""Results of before a parameter was varied: what it was in all of them is said beside the table."""

import math

import pytest

from orchestrator import Optimiser
from orchestrator.errors import UsageError

OVEN = {
    "heat": (150.0, 250.0),
    "humidity": (10.0, 90.0),
    "tin": {"type": "choice", "values": ["round", "flat"]},
}
OLD = [{"heat": 180.0, "value": 3.0}, {"heat": 200.0, "value": None}]
BOTH = {"humidity": 40.0, "tin": "flat"}


def oven(**more):
    return Optimiser(OVEN, goal="maximise", seed=3, **more)


def test_they_are_learned_as_if_there_were_a_column_of_it():
    said, written = oven(), oven()
    assert said.learn_all(OLD, where=BOTH) == 2
    written.learn_all([{**row, **BOTH} for row in OLD])
    assert said.results() == written.results()
    assert said.best().parameters == {"heat": 180.0, **BOTH}


def test_texts_of_a_file_are_read_as_in_a_column():
    said = oven()
    said.learn_all({"heat": ["180"], "value": ["3"]}, where={"humidity": "40", "tin": "flat"})
    assert said.results()[0]["humidity"] == 40.0


def test_so_is_the_block_they_are_of():
    said = oven(blocks=True)
    said.learn_all(OLD, where={**BOTH, "block": 7})
    assert {one["block"] for one in said.results()} == {"7"}


@pytest.mark.parametrize(
    ("where", "sentence"),
    [
        (
            {"humidty": 40.0},
            "expected as `where` parameters (heat, humidity, tin), got `humidty` (did you mean",
        ),
        ({**BOTH, "humidity": 95.0}, "where: parameter `humidity`: expected a number in [10, 90], got 95.0"),
        ({**BOTH, "tin": "flta"}, "where: parameter `tin`: expected one of 'round', 'flat', got 'flta'"),
        ({**BOTH, "humidity": math.nan}, "expected as `where` a value of `humidity`, got nan"),
        (
            {**BOTH, "humidity": [40.0]},
            "where: parameter `humidity`: expected a number in [10, 90], got [40.0]",
        ),
        (
            {**BOTH, "heat": 180.0},
            "expected as `where` what the results do not say, got `heat`, of which they have a column; leave"
            " one of them out",
        ),
        ({"humidity": 40.0}, "expected a column for the parameter `tin`, got none"),
        (40.0, 'expected as `where` what all results had, as {"x": 0.5}, got 40.0'),
    ],
)
def test_what_cannot_be_meant_is_refused_once_and_nothing_is_learned(where, sentence):
    optimiser = oven()
    with pytest.raises(UsageError) as refused:
        optimiser.learn_all(OLD, where=where)
    assert sentence in str(refused.value)
    assert "\n" not in str(refused.value)
    assert optimiser.results() == []
