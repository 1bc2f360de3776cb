"""Rows added to the candidates of a run: what is read and refused, and an optimiser that tries them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from amended_lives import Optimiser, Run

from orchestrator.errors import OrchestratorError, SpecError
from orchestrator.report.words.amendment import amendment_words
from orchestrator.report.words.left_requests import request_words
from orchestrator.runtime.recovery.rules_left import rules_left
from orchestrator.runtime.requests.added_candidates import listed_by_now
from orchestrator.runtime.requests.amended_spec import amended
from orchestrator.runtime.requests.amendments import decide_amendment
from orchestrator.runtime.requests.decided_before import by_now
from orchestrator.runtime.requests.kinds import Amend
from orchestrator.runtime.requests.rehearsal import Beforehand, rehearse
from orchestrator.scheduler import events as ev
from orchestrator.scheduler.event_parts import KnownResult
from orchestrator.spec.begun.added_candidates import check_added, read_added_candidates, with_candidates
from orchestrator.spec.build import build_space
from orchestrator.spec.load import load_spec_text
from orchestrator.values.candidates import Candidates

SPEC = """\
experiment: freezer
objective: {name: washed, goal: maximise}
candidates:
  columns: {tube: [T1, T2, T3], mass: [3, 5, 8], oil: [castor, olive, castor], dose: [0.1, 0.5, 0.2]}
parameters:
  dose: {type: float, bounds: [0.1, 1.0]}
algorithm: {name: gp-ei}
initial: {count: 2}
budget: {trials: 40}
evaluation: {evaluator: "wings:drag"}
mode: sequential
seed: 5
"""
SPEC_ = load_spec_text(SPEC, "spec.yaml", None).spec
ROWS: list[dict[str, Any]] = [
    {"tube": "T1", "mass": 3, "oil": "castor", "dose": 0.1},
    {"tube": "T2", "mass": 5, "oil": "olive", "dose": 0.5},
    {"tube": "T3", "mass": 8, "oil": "castor", "dose": 0.2},
    {"tube": "T4", "mass": 20, "oil": "palm", "dose": 0.9},
    {"tube": "T5", "mass": 1, "oil": "olive", "dose": 0.3},
]
MORE = Amend(candidates={name: [row[name] for row in ROWS[3:]] for name in ROWS[0]})


def table(folder: Path, *rows: str, head: str = "tube,mass,oil,dose") -> Path:
    path = folder / "more.csv"
    path.write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
    return path


def refused(folder: Path, *rows: str, head: str = "tube,mass,oil,dose") -> str:
    with pytest.raises(SpecError) as raised:
        read_added_candidates(SPEC_, table(folder, *rows, head=head))
    return str(raised.value)


def tried(run: Run, count: int) -> list[str]:
    """The tubes that an optimiser has tried next."""
    optimiser = Optimiser(run.spec)
    optimiser.take_all(run.history.commands)
    run.drained()
    tubes = []
    for _ in range(count):
        suggested = dict(optimiser.answer().suggestions[0].parameters)
        run.trial(suggested, float(suggested["mass"]))
        optimiser.take_all(run.drained())
        tubes.append(suggested["tube"])
    return tubes


def test_headings_of_further_rows_may_be_those_of_another_program(tmp_path: Path) -> None:
    spec = load_spec_text(
        SPEC.replace("dose: {type: float", "dose: {type: float, unit: mol/l"), "spec.yaml", None
    ).spec
    added, _ = read_added_candidates(
        spec, table(tmp_path, "T4,20,palm,0.9", head="Tube,mass,OIL,Dose [mol/l]")
    )
    assert added == {"tube": ("T4",), "mass": (20,), "oil": ("palm",), "dose": (0.9,)}


def test_what_follows_is_said_and_bounds_and_values_that_are_those_of_a_column_grow_with_it() -> None:
    run = Run(SPEC_)
    assert run.amend(MORE) == "2 more candidates may be tried"
    assert amendment_words(SPEC_, run.state) == ("2 more candidates than the spec lists",)
    assert request_words(MORE) == "to be amended: with 2 more candidates"
    now = amended(SPEC_, run.state)
    assert now.parameters["mass"].bounds == (1.0, 20.0)  # type: ignore[union-attr]
    assert now.parameters["oil"].values == ["castor", "olive", "palm"]  # type: ignore[union-attr]
    assert now.parameters["dose"].bounds == (0.1, 1.0)  # type: ignore[union-attr]
    space = build_space(now)
    assert [space.row_of(row) for row in ROWS] == [0, 1, 2, 3, 4]
    assert SPEC_.candidates is not None
    assert len(SPEC_.candidates.candidates) == 3


def test_a_run_that_had_tried_every_row_goes_on_with_those_that_were_added() -> None:
    run = Run(SPEC_)
    assert sorted(tried(run, 3)) == ["T1", "T2", "T3"]
    run.happen(ev.SuggestionsMade(at=run.state.at + 1.0, ask=run.state.optimiser.asks, suggestions=()))
    assert run.state.end.why == "every candidate was tried"
    assert not run.state.resumable
    run.amend(MORE)
    assert run.state.resumable
    run.happen(ev.RunResumed(at=run.state.at + 1.0, wall=""))
    run.happen(ev.WorkerJoined(at=run.state.at + 1.0, worker="w", slots=1))
    assert sorted(tried(run, 2)) == ["T4", "T5"]
    assert run.state.found.best.parameters == ROWS[3]


def test_beside_them_nothing_is_held_and_so_nothing_is_to_be_let_go() -> None:
    run = Run(SPEC_)
    assert run.amend(Amend(free=["dose"])) == "`dose` is chosen already"
    with pytest.raises(OrchestratorError, match="expected no `held` beside `candidates`"):
        run.amend(Amend(held={"dose": 0.5}), name="b")


def test_a_request_is_taken_once_and_rows_that_are_there_are_refused() -> None:
    run = Run(SPEC_)
    run.amend(MORE)
    run.amend(MORE)
    assert len(run.state.amended.candidates["tube"]) == 2
    with pytest.raises(
        SpecError, match=r"row 1 of those to be added: expected rows that differ .* row 4 of all"
    ):
        run.amend(MORE, name="b")


@pytest.mark.parametrize(
    ("columns", "why"),
    [
        ({"mass": [4]}, "expected the columns that the candidates have (tube, mass, oil, dose), got mass"),
        ({"tube": ["T9"], "mass": ["x"], "oil": ["olive"], "dose": [0.5]}, "row 1 of those to be added"),
        (
            {"tube": ["T9"], "mass": [4], "oil": ["olive"], "dose": [1.5]},
            "expected a number in [0.1, 1] for `dose`, got 1.5",
        ),
        ({"tube": ["T1"], "mass": [4], "oil": ["olive"], "dose": [0.5]}, "of its own as `tube`, got T1"),
        (
            {"tube": ["T9"], "mass": [4, 6], "oil": ["olive"], "dose": [0.5]},
            "expected as many values in each column, got 1 of `tube`, 2 of `mass`",
        ),
        ({"tube": [], "mass": [], "oil": [], "dose": []}, "expected rows to be added, got none"),
    ],
)
@pytest.mark.parametrize("beside", [False, True], ids=["left before", "beside the loop"])
@pytest.mark.parametrize("before", [Amend(), MORE], ids=["first", "later"])
def test_what_cannot_be_added_is_refused_however_it_was_left(
    columns: dict[str, list[Any]], why: str, beside: bool, before: Amend
) -> None:
    run = Run(SPEC_)
    if before.candidates:
        run.amend(before)
    there = run.state.amended.candidates
    # What else is amended is judged by the same space.
    request = Amend(candidates=columns, constraints=["mass <= 25"])
    with pytest.raises(OrchestratorError) as raised:
        amend_later(run, request) if beside else run.amend(request, name="b")
    assert why in str(raised.value)
    assert run.state.amended.candidates == there


def amend_later(run: Run, request: Amend) -> None:
    """As the loop does: what takes long is found out beside it, before."""
    judged = rehearse(request, SPEC_, Beforehand.of(run.state))
    assert judged is not None
    assert judged.answers(request, run.state)
    run.happen(*decide_amendment(request, SPEC_, run.state, run.state.at + 1.0, "b", judged).events)


def test_rows_that_were_judged_beside_the_loop_are_not_judged_again_in_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run = Run(SPEC_)
    known = KnownResult(parameters=ROWS[3], value=9.0, broken=("one of the candidates",))
    run.happen(ev.ResultsAdded(at=1.0, results=(known,)))
    judged = rehearse(MORE, SPEC_, Beforehand.of(run.state))
    run.happen(ev.ResultsAdded(at=2.0, results=(replace(known, parameters=ROWS[4]),)))
    looked_at: list[int] = []

    def noted(spec: Any, trials: Any) -> tuple[int, ...]:
        looked_at.extend(trial.number for trial in trials)
        return listed_by_now(spec, trials)

    monkeypatch.setattr("orchestrator.runtime.requests.amendments.listed_by_now", noted)
    monkeypatch.delattr("orchestrator.runtime.requests.amendments.check_added")
    run.happen(*decide_amendment(MORE, SPEC_, run.state, 3.0, "a", judged).events)
    assert looked_at == [-1], "the first known result, 0, was looked at beside the loop"
    assert [trial.broken for trial in run.state.observed] == [(), ()]


def test_rows_are_held_against_those_there_are_without_going_through_the_table_for_each(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[int] = []
    of = Candidates.of
    monkeypatch.setattr(Candidates, "of", lambda *told: made.append(1) or of(*told))
    columns = {
        "tube": tuple(f"U{k}" for k in range(200)),
        "mass": tuple(3.0 + 0.01 * k for k in range(200)),
        "oil": ("olive",) * 200,
        "dose": (0.3,) * 200,
    }
    check_added(SPEC_, columns)
    assert len(made) <= 3


def test_a_run_without_candidates_has_none_added() -> None:
    with pytest.raises(SpecError, match="expected a run with `candidates`, to which rows can be added"):
        Run().amend(MORE)


def test_a_point_and_a_result_of_the_same_request_may_be_of_what_it_adds() -> None:
    run = Run(SPEC_)
    known = KnownResult(parameters=ROWS[3], value=7.0)
    run.amend(Amend(candidates=MORE.candidates, points=[ROWS[4]], results=[known]))
    assert run.state.trials[1].parameters == ROWS[4]
    assert run.state.found.best.parameters == ROWS[3]


def test_a_known_result_of_no_row_may_be_the_best_once_its_row_is_added() -> None:
    run = Run(SPEC_)
    known = KnownResult(
        parameters={"mass": 6.0, "oil": "olive", "dose": 0.4}, value=9.0, broken=("one of the candidates",)
    )
    run.happen(ev.ResultsAdded(at=1.0, results=(known,)))
    before = run.state.found.best
    run.amend(Amend(candidates={"tube": ["T6"], "mass": [6], "oil": ["olive"], "dose": [0.4]}))
    assert (before, run.state.found.best.value) == (None, 9.0)


def test_what_was_found_beside_the_loop_holds_only_for_the_rows_of_then() -> None:
    run = Run(SPEC_)
    judged = rehearse(MORE, SPEC_, Beforehand.of(run.state))
    assert judged is not None
    assert judged.complaint is None
    assert judged.answers(MORE, run.state)
    run.amend(Amend(candidates={"tube": ["T6"], "mass": [6], "oil": ["olive"], "dose": [0.4]}))
    assert not judged.answers(MORE, run.state)


def test_a_constraint_that_was_decided_before_a_trial_of_an_added_row_says_what_it_breaks() -> None:
    run = Run(SPEC_)
    run.amend(MORE)
    run.trial(ROWS[3], 1.0)
    event = ev.ConstraintsAmended(at=9.0, added={"mass <= 10": ()})
    came = ev.ResultArrived(at=9.0, worker="w", lease="1.1", value=1.0)
    now = by_now(event, [came], SPEC_, run.state)
    assert isinstance(now, ev.ConstraintsAmended)
    assert now.added == {"mass <= 10": (1,)}


def test_where_the_line_that_added_rows_is_lost_those_of_trials_behind_it_are_listed_again() -> None:
    run = Run(SPEC_)
    suggested = tuple(ev.Suggested(parameters=row) for row in (ROWS[0], ROWS[3]))
    behind = [ev.SuggestionsMade(at=9.0, ask=1, suggestions=suggested)]
    (left,) = rules_left(SPEC_, run.state, behind)
    assert isinstance(left, ev.CandidatesAdded)
    assert left.columns == {name: (value,) for name, value in ROWS[3].items()}
    run.happen(left)
    assert not list(rules_left(SPEC_, run.state, behind))
    assert build_space(amended(SPEC_, run.state)).row_of(ROWS[3]) == 3


# -- the table that is read --------------------------------------------------------------------------


def test_a_table_that_has_grown_is_read_whole_and_what_is_listed_is_left_out(tmp_path: Path) -> None:
    rows = [",".join(map(str, row.values())) for row in ROWS]
    columns, remarks = read_added_candidates(
        SPEC_, table(tmp_path, *(f"{row},x" for row in rows), head="tube,mass,oil,dose,note")
    )
    assert columns == {name: (ROWS[3][name], ROWS[4][name]) for name in ROWS[0]}
    assert [remark.partition(": ")[2] for remark in remarks] == [
        "left alone, as the candidates have no such column: note",
        "3 of 5 rows are among the candidates already",
    ]
    assert with_candidates(SPEC_, columns) == amended(SPEC_, grown().state).model_copy(
        update={"budget": SPEC_.budget}
    )


def grown() -> Run:
    run = Run(SPEC_)
    run.amend(MORE)
    return run


def test_what_is_wrong_with_it_is_said_at_its_place(tmp_path: Path) -> None:
    said = refused(tmp_path, "T4,20,palm,0.9", "T5,1,olive,1.3")
    assert "more.csv:3:12" in said
    assert "expected a number in [0.1, 1] for `dose`, got 1.3" in said
    assert "expected a value of `oil` in every row, got none" in refused(tmp_path, "T4,20,,0.9")
    assert "got no `oil` (did you mean `oils`?)" in refused(
        tmp_path, "T4,20,p,0.9", head="tube,mass,oils,dose"
    )
    assert "expected rows that differ in what the model sees" in refused(tmp_path, "T9,3,castor,0.1")
    assert "got T2, which another row has" in refused(tmp_path, "T2,20,palm,0.9")


def test_a_row_whose_result_is_forgotten_may_be_tried_again_at_once_or_later() -> None:
    run = Run(SPEC_)
    run.trial(ROWS[0], 1.0)
    with pytest.raises(OrchestratorError, match="a candidate that is not tried yet, got that of trial 1"):
        run.amend(Amend(points=[ROWS[0]]), name="refused")
    run.amend(Amend(points=[ROWS[0]], forget=[1], reason="mislabelled"), name="both")
    assert run.state.trials[2].parameters == ROWS[0]
    later = Run(SPEC_)
    later.trial(ROWS[0], 1.0)
    later.amend(Amend(forget=[1], reason="mislabelled"), name="first")
    later.amend(Amend(points=[ROWS[0]]), name="then")
    assert later.state.trials[2].parameters == ROWS[0]
