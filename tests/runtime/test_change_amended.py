"""What a person may amend of a run whose settings take time to change, and how it goes on."""

from __future__ import annotations

from typing import Any

import pytest
from amended_lives import SPEC, Optimiser, Run, live_through

from orchestrator.command_line.change_option import changes_from
from orchestrator.command_line.stands_option import stands_from
from orchestrator.errors import OrchestratorError, UsageError
from orchestrator.report.words.amendment import amendment_words
from orchestrator.report.words.left_requests import request_words
from orchestrator.runtime.requests.kinds import Amend
from orchestrator.scheduler.event_parts import CHANGE, PAID_FOR
from orchestrator.spec.load import load_spec_text
from orchestrator.values.change import Change

TEXT = SPEC.replace("bounds: [1, 9]}", "bounds: [1, 9], change: 20 min}").replace(
    '"wings:drag"}', '"wings:drag", takes: 6 min}'
)
FIRST = "initial: {points: [{span: 5, ribs: 7, rate: 0.1, skin: foam}]}"
SLOW = load_spec_text(TEXT, "spec.yaml", None).spec


def lived(hand_over_after: int, trials: int = 8) -> Run:
    """A run for the last trials of which another optimiser is asked, with what the journal has for it."""
    run, optimiser = Run(SLOW), Optimiser(SLOW)
    live_through(run, optimiser, hand_over_after)
    optimiser = Optimiser(SLOW)
    optimiser.take_all(run.history.commands)
    live_through(run, optimiser, trials - hand_over_after)
    return run


def places(run: Run) -> list[dict[str, Any]]:
    return [dict(trial.parameters) for trial in run.state.trials.values()]


def spans(run: Run) -> list[float]:
    return [place["span"] for place in places(run)]


def refused(run: Run, **change: Any) -> str:
    with pytest.raises(OrchestratorError) as caught:
        run.amend(Amend(**change), name="refused")
    return str(caught.value)


def test_whoever_takes_over_asks_for_the_same_points_and_leaves_the_same_as_it_stood() -> None:
    whole = places(lived(2))
    assert whole == places(lived(5))
    assert len({place["span"] for place in whole[:4]}) == 1


def test_the_journal_is_told_what_stayed() -> None:
    run, optimiser = Run(SLOW), Optimiser(SLOW)
    live_through(run, optimiser, 1)
    (suggested,) = optimiser.answer().suggestions
    assert suggested.why[CHANGE] == {"spared": {"span": 1200.0}, "stays": PAID_FOR, "evaluation_s": 360.0}


def test_what_a_setting_takes_is_amended_and_weighed_from_then_on() -> None:
    run, optimiser = Run(SLOW), Optimiser(SLOW)
    live_through(run, optimiser, 2)
    sentence = run.amend(Amend(changes={"rate": {"takes": 60.0, "per": 10.0}}, at_once=["span"]))
    said = "rate takes 60 s for each factor of 10, span changes at once"
    assert sentence == f"what it takes to change settings is amended: {said}"
    assert dict(run.state.policy.where.changes) == {"rate": Change(60.0, 60.0, 10.0, logarithmic=True)}
    assert amendment_words(SLOW, run.state) == (
        "span changes at once instead of 1200 s",
        "rate takes 60 s for each factor of 10 to change",
    )
    live_through(run, optimiser, 3)
    assert len(set(spans(run)[1:])) == 4


def test_a_run_of_one_machine_may_be_told_that_was_not() -> None:
    run, optimiser = Run(), Optimiser()
    live_through(run, optimiser, 1)
    run.amend(Amend(changes={"skin": 7200.0}))
    live_through(run, optimiser, 2)
    assert run.state.stands == run.state.trials[3].parameters


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (
            {"changes": {"mach": 60.0}},
            "expected a parameter that is chosen (`span`, `ribs`, `rate` or `skin`)",
        ),
        ({"changes": {"skin": {"takes": 60.0, "per": 2.0}}}, "--change skin: expected one duration"),
        ({"at_once": ["ribs"]}, "expected a parameter that takes time to change (`span`), got `ribs`"),
        ({"changes": {"span": 60.0}, "at_once": ["span"]}, "to change in so long or at once, got both"),
    ],
    ids=["fixed", "per", "at once already", "both"],
)
def test_what_no_setting_can_take_is_refused(change: dict[str, Any], why: str) -> None:
    assert why in refused(Run(SLOW), **change)


@pytest.mark.parametrize(
    ("before", "after", "why"),
    [
        ("mode: sequential", "mode: asynchronous", "expected `mode: sequential` beside `change`"),
        ("name: gp-ucb", "name: soo", "expected an algorithm that holds parameters"),
    ],
)
def test_a_run_that_cannot_heed_it_is_told_so(before: str, after: str, why: str) -> None:
    spec = load_spec_text(SPEC.replace(before, after), "s.yaml", None).spec
    assert refused(Run(spec), changes={"span": 60.0}).startswith(why)


def test_one_worker_of_several_slots_is_one_machine() -> None:
    several = SPEC.replace('"wings:drag"}', '"wings:drag", slots: 4}\nworkers: {local: 4}')
    spec = load_spec_text(several, "s.yaml", None).spec
    assert Run(spec).amend(Amend(changes={"span": 60.0})).endswith("span takes 60 s")
    assert Run(spec).amend(Amend(travel={"ribs": 3.0})).endswith("ribs may travel 3")


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"changes": {"ribs": 60.0}}, "--change ribs: expected no `change` beside `periodic`: which way"),
        ({"travel": {"ribs": 3.0}}, "--travel ribs=3: expected no `travel` beside `periodic`: which way"),
    ],
)
def test_of_what_comes_round_it_is_refused_as_in_a_spec(change: dict[str, Any], why: str) -> None:
    spec = load_spec_text(SPEC.replace("[2, 30]", "[2, 30], periodic: true"), "s.yaml", None).spec
    assert refused(Run(spec), **change).startswith(why)


@pytest.mark.parametrize(
    ("before", "after", "why"),
    [
        ("[2, 30]", "[2, 30], travel: 3", "no `travel` beside `change`"),
        ("rate: {", "rate: {tolerance: 0.01, ", "no `tolerance` beside `change`"),
        ("mode: seq", "fidelity: {parameter: ribs, cost: ribs}\nmode: seq", "no `fidelity` beside `change`"),
        ("skin: {", "skin: {in_use: evenly, ", "no `in_use` beside `change`"),
        ("goal: minimise", "goal: minimise, derivatives: [rate]", "no `derivatives` beside `change`"),
    ],
)
def test_beside_what_a_spec_may_not_say_it_of_it_is_refused_with_why(
    before: str, after: str, why: str
) -> None:
    text = SPEC.replace("gp-ucb", "auto").replace("initial: {count: 4}", FIRST)
    text = text.replace(", scale: log", "").replace(before, after)
    spec = load_spec_text(text, "s.yaml", None).spec
    assert refused(Run(spec), changes={"span": 60.0}).startswith(f"expected {why}: ")


def test_nor_may_one_request_say_how_far_settings_travel_and_what_they_take_to_change() -> None:
    both = {"travel": {"ribs": 3.0}, "changes": {"span": 60.0}}
    assert refused(Run(), **both).startswith("expected no `travel` beside `change`: ")


def test_where_a_person_has_put_a_slow_setting_the_machine_stands() -> None:
    run, optimiser = Run(SLOW), Optimiser(SLOW)
    live_through(run, optimiser, 2)
    said = "where the machine stands is amended: it stands at span = 8"
    assert run.amend(Amend(stands={"span": 8.0})) == said
    assert run.state.stands == {**places(run)[1], "span": 8.0}
    live_through(run, optimiser, 1)
    assert places(run)[2]["span"] == 8.0


def test_a_machine_stands_at_any_value_that_takes_time_and_nowhere_else() -> None:
    skin = load_spec_text(TEXT.replace("skin: {", "skin: {change: 2 h, "), "spec.yaml", None).spec
    assert stands_from(["skin=carbon", "span=8"], skin.parameters) == {"skin": "carbon", "span": 8.0}
    with pytest.raises(UsageError, match="--stands skin=paper: expected `foam` or `carbon` for `skin`"):
        stands_from(["skin=paper"], skin.parameters)
    why = "expected a parameter that may travel only so far, or takes time to change (`span`), got `ribs`"
    assert refused(Run(SLOW), stands={"ribs": 3}) == why


def test_what_waits_to_be_taken_up_is_said() -> None:
    words = request_words(Amend(changes={"span": 60.0}, at_once=["ribs"]))
    assert words == "to be amended: span takes 60 s, ribs changes at once"


def test_what_waits_to_be_amended_is_told_as_it_was_told_whatever_it_says() -> None:
    """On which scale a parameter is, and whether it makes sense, is for whoever takes it up."""
    words = request_words(Amend(changes={"rate": {"takes": 60.0, "per": 10.0}, "span": {"up": -1.0}}))
    assert words == "to be amended: rate takes {takes: 60, per: 10}, span takes {up: -1}"


def test_it_is_said_on_the_command_line_as_in_a_spec() -> None:
    told = changes_from(["span=20 min", "rate={up: 1 min, down: 2 min, per: 10}", "skin=none"], SLOW)
    assert told == {"span": 1200.0, "rate": {"up": 60.0, "down": 120.0, "per": 10.0}, "skin": None}


@pytest.mark.parametrize(
    ("texts", "why"),
    [
        (["span"], "expected --change NAME=TIME, got span"),
        (["span=soon"], "--change span=soon: expected a duration above 0"),
        (["span=60", "span=70"], "of each parameter once, got `span` again"),
        (["skin={takes: 60, per: 2}"], "expected one duration, as 20 min"),
    ],
)
def test_what_is_no_such_text_is_refused(texts: list[str], why: str) -> None:
    with pytest.raises(UsageError) as caught:
        changes_from(texts, SLOW)
    assert why in str(caught.value)
