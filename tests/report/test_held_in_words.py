"""What people and programs see of parameters that are held: where, and what was learned elsewhere."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

from recorded_runs import INSIGHT, SPEC, RecordedRun, parameters
from shown_runs import closing, drawn, followed

from orchestrator.report.explained.explain import explain
from orchestrator.report.following.standing import standing_of
from orchestrator.report.html.page import page
from orchestrator.report.monitors.json_lines import JsonLinesMonitor
from orchestrator.report.monitors.plain import PlainMonitor
from orchestrator.report.tables.status import status_table, status_words
from orchestrator.report.tables.trials import trials_table
from orchestrator.report.words.amendment import amendment_words
from orchestrator.report.words.spec import spec_words
from orchestrator.runtime.monitor import Opening
from orchestrator.scheduler import events as ev
from orchestrator.spec.policy_of_spec import policy_of

HELD = SPEC + "held: {skin: foam}\n"


def evaluated(run: RecordedRun, drag: float, skin: str, **beside: object) -> RecordedRun:
    """The next trial is of such a skin, and comes to so much drag."""
    ask = run.asks.popleft()
    made = ev.Suggested(parameters={**parameters(ask.first_trial), "skin": skin, **beside}, mean=5.0)
    insight = {**INSIGHT, "decomposition": [[0, 1], [2]], "fixed": ["skin"]}
    run.happen(ev.SuggestionsMade(at=run.at + 0.2, ask=ask.ask, suggestions=(made,), insight=insight))
    return run.give(drag)


def amended(run: RecordedRun, **change: object) -> RecordedRun:
    run.asks.clear()
    return run.happen(ev.HeldAmended(at=run.at + 1.0, by="ada", **change))  # type: ignore[arg-type]


def held_run() -> RecordedRun:
    """Of foam one came to 3, while carbon is held now, of which one came to 6, and one of foam after that."""
    run = RecordedRun(HELD).begin(workers=1)
    evaluated(run, 3.0, "foam")
    amended(run, held={"skin": "carbon"})
    return evaluated(run, 6.0, "carbon")


def said_by(monitor: PlainMonitor | JsonLinesMonitor, run: RecordedRun) -> None:
    monitor.opened(Opening(run.spec, Path("logs/wing-1"), "", False))
    again = RecordedRun(run.spec_text)
    for event in run.events:
        again.happen(event)
        monitor.observed(event, again.scheduler.state)
    monitor.closed(again.scheduler.state)


def test_the_screen_and_the_status_say_where_parameters_are_held_now(tmp_path: Path) -> None:
    run = held_run()
    assert "held: skin = carbon" in drawn(run)
    now = standing_of(followed(run, tmp_path), None)
    words = status_words(now, None)
    assert "held    skin = carbon\namended skin is held at carbon instead of foam\n" in words
    table = status_table(now, None)
    told = dict(zip(table.columns, table.rows[0], strict=True))
    assert (told["parameters_held"], told["best"]) == ({"skin": "carbon"}, 6.0)


def test_nothing_is_said_of_it_where_nothing_is_held(tmp_path: Path) -> None:
    run = RecordedRun().begin()
    assert "held" not in drawn(run)
    assert "held" not in status_words(standing_of(followed(run, tmp_path), None), None)


def test_the_curve_and_the_best_are_of_where_it_is_held_now() -> None:
    view = held_run().view()
    assert view.found.curve == ((2, 6.0),)
    assert view.found.best is not None
    assert view.found.best.trial == 2


def test_a_run_that_is_resumed_where_nothing_is_known_yet_counts_each_trial_once() -> None:
    run = RecordedRun(HELD).begin(workers=1)
    evaluated(run, 3.0, "foam")
    amended(run, held={"skin": "carbon"})
    run.happen(ev.StopRequested(at=run.at + 1.0, now=True))
    run.happen(ev.RunResumed(at=run.at, wall=""))
    run.happen(ev.WorkerJoined(at=run.at, worker="ada", slots=1))
    evaluated(run, 6.0, "carbon")
    assert run.view().found.curve == ((2, 6.0),)


def test_a_result_that_comes_from_elsewhere_is_said_with_where_it_was() -> None:
    run = RecordedRun(HELD).begin(workers=2)
    ask = run.asks.popleft()
    made = tuple(ev.Suggested(parameters={**parameters(n), "skin": "foam"}) for n in range(ask.count))
    run.happen(ev.SuggestionsMade(at=1.0, ask=ask.ask, suggestions=made))
    command = run.evaluations.popleft()
    amended(run, held={"skin": "carbon"})
    run.happen(ev.ResultArrived(at=9.0, worker=command.worker, lease=command.lease, value=1.0))
    stream = io.StringIO()
    said_by(PlainMonitor(stream), run)
    for text in (drawn(run), stream.getvalue()):
        assert "what is held was amended by ada: skin" in text
        assert "trial 1: 1" in text
        assert ", at skin = foam" in text
    assert run.view().found.best is None


def test_a_trial_elsewhere_says_so_in_tables(tmp_path: Path) -> None:
    table = trials_table(followed(held_run(), tmp_path))
    rows = list(csv.DictReader(io.StringIO(table.written("csv"))))
    assert [row["message"] for row in rows[:2]] == [
        "not at skin = carbon, still learned from",
        "",
    ]


def test_while_nothing_is_known_there_that_is_said_in_place_of_a_best_one(tmp_path: Path) -> None:
    run = RecordedRun(HELD).begin(workers=1)
    evaluated(run, 3.0, "foam")
    amended(run, held={"skin": "carbon"})
    assert "nothing has a value yet where parameters are held" in drawn(run)
    read = followed(run, tmp_path)
    words = closing(read)
    assert words.startswith("Nothing has a value where parameters are held, so there is no best point.")


def test_an_explanation_says_what_was_held_then_and_numbers_the_others_without_it() -> None:
    run = held_run()
    words = explain(run.spec, policy_of(run.spec), run.events, 1)
    assert words.count("Held then: skin = foam; the others were chosen beside that.") == 1
    assert "Not at skin = carbon, still learned from." in words
    assert "It took the objective for a sum of 2 parts" in words
    assert "span × sweep and ribs" in words
    assert "Held then: skin = carbon" in explain(run.spec, policy_of(run.spec), run.events, 2)


def test_an_abandoned_trial_says_where_it_was_to_be() -> None:
    run = RecordedRun(HELD).begin(workers=1)
    ask = run.asks.popleft()
    made = ev.Suggested(parameters={**parameters(1), "skin": "foam"})
    run.happen(ev.SuggestionsMade(at=1.0, ask=ask.ask, suggestions=(made,)))
    amended(run, held={"skin": "carbon"})
    run.happen(ev.WorkerLeft(at=9.0, worker="local-1", lost=False))
    told = explain(run.spec, policy_of(run.spec), run.events, 1)
    where = "elsewhere than what is held: skin = foam and is held at carbon"
    assert f"It was abandoned: {where}." in told


def test_a_page_draws_what_is_elsewhere_small_and_says_so(tmp_path: Path) -> None:
    run = held_run()
    document = page(followed(run, tmp_path), run.events, held=False)
    assert "the line is the best so far; small ones are not at skin = carbon." in document
    assert document.count('r="1.5"') == 1
    assert "<span class='soft'>held</span><b>skin = carbon</b>" in document


def test_what_is_amended_is_said_of_each_parameter() -> None:
    run = held_run()
    amended(run, held={"ribs": 7}, freed=("skin",))
    assert amendment_words(run.spec, run.scheduler.state)[:2] == (
        "skin is chosen, no longer held at foam",
        "ribs is held at 7",
    )
    stream = io.StringIO()
    said_by(PlainMonitor(stream), run)
    assert "what is held was amended by ada: ribs = 7, skin chosen again" in stream.getvalue()


def test_a_program_is_told_what_is_held_and_when_that_changes() -> None:
    stream = io.StringIO()
    said_by(JsonLinesMonitor(stream), held_run())
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert lines[0]["held"] == {"skin": "foam"}
    (change,) = [line for line in lines if line["event"] == "HeldAmended"]
    assert (change["held"], change["freed"], change["by"]) == ({"skin": "carbon"}, [], "ada")
    assert lines[-1]["best"]["parameters"]["skin"] == "carbon"


def test_a_spec_in_words_says_what_it_holds() -> None:
    words = spec_words(RecordedRun(HELD).spec)
    assert words.startswith("minimise drag over 4 parameters, skin = foam held, with auto, for 20 trials")
