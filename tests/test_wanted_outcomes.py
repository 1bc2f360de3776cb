"""What must hold of outcomes: judged once they are known, exactly as it is written."""

import math

import pytest

from orchestrator.errors import SpecError
from orchestrator.parameters.space import Space
from orchestrator.wanted_outcomes import WantedOutcomes, described

WING = Space.from_description({"span": (1.0, 20.0), "steel": {"type": "choice", "values": ["S235", "S355"]}})


def constraints(*texts, outcomes=("lift", "drag")):
    return WantedOutcomes.of(WING, outcomes, texts)


def judged(text, parameters=None, **outcomes):
    return constraints(text).judged(parameters or {"span": 4.0, "steel": "S235"}, outcomes, 1.0)


def test_the_slack_is_what_there_is_to_spare():
    assert judged("lift >= 0.4", lift=0.5).slacks == pytest.approx([0.1])
    assert judged("lift >= 0.4", lift=0.5).broken == ()
    assert judged("lift >= 0.4", lift=0.1).slacks == pytest.approx([-0.3])
    assert judged("lift >= 0.4", lift=0.1).broken == ("lift >= 0.4",)


def test_more_than_a_float_can_say_is_to_spare_or_is_lacking_all_the_same():
    assert judged("2 * lift >= 2", lift=1.7e308).slacks == (math.inf,)
    assert judged("2 * lift >= 2", lift=1.7e308).broken == ()
    assert judged("2 * lift <= 2", lift=1.7e308).slacks == (-math.inf,)


def test_a_chain_has_a_slack_for_each_side_and_is_broken_as_a_whole():
    told = judged("0.2 <= lift / drag <= 3", lift=8.0, drag=2.0)
    assert told.slacks == pytest.approx([3.8, -1.0])
    assert told.broken == ("0.2 <= lift / drag <= 3",)
    assert constraints("0.2 <= lift <= 3", "drag < 1").count == 3


def test_parameters_may_stand_beside_outcomes():
    assert judged("lift >= 0.1 * span", lift=0.5).slacks == pytest.approx([0.1])
    with pytest.raises(SpecError, match="expected parameters that are numbers, got `steel`"):
        constraints("lift > steel")


def test_what_is_equal_satisfies_what_is_not_strict_and_nothing_else():
    assert judged("lift <= 3", lift=3).broken == ()
    strict = judged("lift < 3", lift=3)
    assert strict.broken == ("lift < 3",)
    assert strict.slacks[0] < 0.0


def test_what_is_no_number_satisfies_nothing():
    for outcomes in ({"drag": 1.0}, {"lift": None}, {"lift": "high"}, {"lift": math.nan}):
        told = judged("lift >= 0.4", **outcomes)
        assert told.broken == ("lift >= 0.4",)
        assert math.isnan(told.slacks[0]), "nobody knows whether it is satisfied"
    told = judged("1 / lift > 0", lift=0.0)
    assert told.broken == ("1 / lift > 0",)
    assert told.slacks == (-math.inf,), "it is not satisfied, and nobody can say by how much"


def test_a_whole_number_beyond_any_float_is_no_outcome():
    assert judged("lift >= 0.4", lift=10**400).broken == ("lift >= 0.4",)
    said = constraints("lift > drag").missing({"lift": 10**5000, "drag": 1})
    assert said.endswith("got a whole number of 5,001 digits")


def test_true_and_false_count_as_one_and_zero():
    assert judged("lift >= 1", lift=True).broken == ()
    assert judged("lift >= 1", lift=False).broken == ("lift >= 1",)


@pytest.mark.parametrize(
    ("outcomes", "said"),
    [
        (
            {"lift": 1.0},
            "expected the outcome `drag`, a finite number, beside the value, got none beside `lift`",
        ),
        ({"lift": 1.0, "drg": 2.0}, "got `drg`; if that is it, have it called `drag`"),
        ({}, "expected the outcome `lift`, a finite number, beside the value, got the value alone"),
        ({"lift": None, "drag": 1.0}, "got null, as which NaN and infinities come"),
        ({"lift": "high", "drag": 1.0}, "got 'high'"),
    ],
)
def test_a_result_without_an_outcome_is_told_which(outcomes, said):
    assert said in constraints("lift > drag").missing(outcomes)


def test_a_result_with_all_of_them_lacks_nothing():
    assert constraints("lift > drag").missing({"lift": 1, "drag": True, "more": "words"}) == ""


def test_constraints_are_shared_out_by_what_they_name():
    space, outcomes = described({"a": (0.0, 1.0), "b": (0.0, 1.0)}, ["a < b", "heat <= 80 * a"], ["heat"])
    assert space.constraints == ("a < b",)
    assert outcomes is not None
    assert [c.text for c in outcomes.constraints] == ["heat <= 80 * a"]
    assert outcomes.names("heat")


@pytest.mark.parametrize(
    ("texts", "outcomes", "said"),
    [
        (
            ["heat <= 80"],
            [],
            "expected the parameters `a`, got `heat`; what the evaluator returns beside the value",
        ),
        (["het <= 80"], ["heat"], "expected the parameters and outcomes `a`, `heat`, got `het`"),
        (["het <= heat"], ["heat"], r"got `het` \(did you mean `heat`\?\)"),
        (["heat <= 80"], "heat", r"expected outcomes as a list of names"),
        (["a <= 80"], ["a"], "expected outcomes beside the parameters, got `a`, which is one"),
        (["heat <="], ["heat"], "expected an inequality"),
        ("heat <= 80", ["heat"], "expected constraints as a list of texts"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(texts, outcomes, said):
    with pytest.raises(SpecError, match=said):
        described({"a": (0.0, 1.0)}, texts, outcomes)
