"""Derivatives that a person types in, at first and otherwise, one by one and of a plate."""

from __future__ import annotations

from pathlib import Path

import pytest
from policies import policy_with
from recorded_plate import BEGUN as PLATE_BEGUN
from recorded_plate import read

from orchestrator.command_line.typed_results import named_once, with_unknown_derivatives
from orchestrator.errors import SpecError, UsageError
from orchestrator.runtime.requests.amendments import decide_amendment
from orchestrator.runtime.requests.corrected_records import correcting
from orchestrator.runtime.requests.decisions import decide
from orchestrator.runtime.requests.kinds import Record, Verdict
from orchestrator.runtime.results.wanted_results import WantedResults
from orchestrator.scheduler import events as ev
from orchestrator.scheduler.commands import Tell
from orchestrator.scheduler.corrections import corrections
from orchestrator.scheduler.machine import Scheduler
from orchestrator.spec.load import load_spec_text

SPEC = load_spec_text(
    """\
experiment: wing
objective: {name: drag, goal: minimise, derivatives: true}
parameters: {acid: {type: float, bounds: [0, 1]}, salt: {type: float, bounds: [0, 1]}}
budget: {trials: 9}
evaluation: {evaluator: person}
""",
    "wing.yaml",
    None,
).spec
PERSON = PLATE_BEGUN[1]
WANTED = WantedResults.of(SPEC)
BEGUN = (ev.RunStarted(at=0.0, run="wing-1", wall="", points=({"acid": 0.2, "salt": 0.5},) * 4), PERSON)


class Wing:
    """A run of which a person has been given three trials."""

    def __init__(self) -> None:
        self.scheduler = Scheduler(policy_with(trials=4, attempts=1, derivatives=True))
        for event in BEGUN:
            self.scheduler.handle(event)

    def record(self, record: Record) -> dict[str, float] | str:
        """What the optimiser is told of it, or what is said of it instead."""
        decided = decide(record, self.scheduler.state, 2.0, "", WANTED)
        if isinstance(decided, Verdict):
            return decided.sentence
        (told,) = [one for one in self.scheduler.handle(decided) if isinstance(one, Tell)]
        return dict(told.derivatives)

    def correct(self, record: Record) -> object:
        """What is kept of a trial once it is corrected."""
        state = self.scheduler.state
        asked = correcting([record], SPEC, state)
        for event in decide_amendment(asked, SPEC, state, 3.0, f"to {record.value}").events:
            self.scheduler.handle(event)
        return corrections(self.scheduler.state)[record.trial].extras


def test_the_search_is_told_what_was_typed_in() -> None:
    assert Wing().record(Record(1, 3.0, extras={"d_acid": 0.3, "d_salt": -2})) == {"acid": 0.3, "salt": -2.0}


def test_of_what_is_corrected_the_rest_stays_and_what_is_not_known_any_more_goes() -> None:
    wing = Wing()
    wing.record(Record(1, 3.0, extras={"d_acid": 0.3, "d_salt": -2, "mach": 0.7}))
    assert wing.correct(Record(1, 3.5, extras={"d_acid": 0.9})) == {
        "mach": 0.7,
        "derivatives": {"acid": 0.9, "salt": -2.0},
    }
    typed = with_unknown_derivatives(named_once(["d_acid=nan"]), WANTED.derivatives)
    assert wing.correct(Record(1, 3.6, extras=typed)) == {
        "mach": 0.7,
        "derivatives": {"salt": -2.0},
    }


def test_what_is_said_again_is_known_and_what_is_none_is_refused() -> None:
    wing = Wing()
    wing.record(Record(1, 3.0, extras={"d_acid": 0.3, "d_salt": -2}))
    assert "is recorded with 3 already" in str(wing.record(Record(1, 3.0, extras={"d_acid": 0.3})))
    assert "say --correct" in str(wing.record(Record(1, 3.0, extras={"d_acid": 0.4})))
    assert "a finite number, or null, got 'steep'" in str(
        wing.record(Record(2, 3, extras={"d_acid": "steep"}))
    )
    with pytest.raises(
        UsageError, match="trial 1: expected derivatives by `acid` and `salt`, got one by `sal`"
    ):
        wing.correct(Record(1, 3.0, extras={"derivatives": {"sal": 1.0}}))


def test_one_that_is_misspelt_is_refused_with_the_near_one_and_what_is_no_derivative_is_kept() -> None:
    wing = Wing()
    said = wing.record(Record(1, 3.0, extras={"d_acid": 0.3, "d_sald": -2}))
    assert "as `d_acid` and `d_salt`, got `d_sald` (did you mean `d_salt`?)" in str(said)
    assert "did you mean `derivatives`?" in str(wing.record(Record(1, 3.0, extras={"derivative": {}})))
    assert wing.record(Record(1, 3.0, extras={"d_acid": 0.3, "sd_salt": 0.1, "depth": 4})) == {"acid": 0.3}
    with pytest.raises(UsageError, match=r"did you mean `d_salt`"):
        wing.correct(Record(1, 3.0, extras={"D_salt": -2}))


def test_a_plate_has_them_in_columns(tmp_path: Path) -> None:
    table = "trial,drag,d_acid,d_salt\n1,3,0.3,-2\n2,4,,nan\n"
    found = read(tmp_path, table, spec=SPEC, begun=BEGUN)
    assert found.decisions == (
        Record(1, 3.0, extras={"derivatives": {"acid": 0.3, "salt": -2.0}}),
        Record(2, 4.0),
    )
    misspelt = read(tmp_path, "trial,drag,d_acid,d_sald\n1,3,0.3,-2\n", spec=SPEC, begun=BEGUN)
    assert "`d_sald` is left alone; if it is `d_salt`, rename it" in misspelt.remarks[0]
    with pytest.raises(SpecError, match=r"read\.csv:2:5: expected a finite number, got `steep`"):
        read(tmp_path, "trial,drag,d_acid\n1,3,steep\n", spec=SPEC, begun=BEGUN)
    with pytest.raises(SpecError, match="expected each column once, got `d_acid` 2 times"):
        read(tmp_path, "trial,drag,d_acid,d_acid\n1,3,1,2\n", spec=SPEC, begun=BEGUN)
