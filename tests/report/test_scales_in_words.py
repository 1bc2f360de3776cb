"""Parameters that turned out to count by their logarithms: what people are told of them."""

from __future__ import annotations

from recorded_runs import INSIGHT, SPEC, WHY, RecordedRun, parameters

from orchestrator.report.explained.explain import explain
from orchestrator.report.words.scales import scales_words, seen_words
from orchestrator.scheduler import events as ev

SPAN = "`span` counts by the logarithm of its distance from the lower end"
ADVICE = ": `scale: log` would say so from the start"
COMPUTED = ": to say so from the start, have it computed from that distance, searched on `scale: log`"


def told(by_logarithm: dict[str, list[int]]) -> RecordedRun:
    """A run of one trial, whose model believes that of parameters by their numbers."""
    run = RecordedRun(SPEC).begin(workers=1)
    ask, made = run.asks.popleft(), ev.Suggested(parameters=parameters(1), why=WHY)
    insight = {**INSIGHT, "by_logarithm": by_logarithm}
    run.happen(ev.SuggestionsMade(at=run.at + 0.2, ask=ask.ask, suggestions=(made,), insight=insight))
    return run.give(3.0)


def test_they_are_named_where_a_run_is_watched_and_where_a_trial_is_explained() -> None:
    run = told({"lower": [0]})
    assert SPAN + ADVICE in run.view().belief.notes
    assert f"As the results say, {SPAN}{ADVICE}." in explain(
        run.spec, run.scheduler.state.policy, run.events, 1
    )


def said(spec_text: str, by_logarithm: dict[str, list[int]]) -> list[str]:
    return list(scales_words(RecordedRun(spec_text).spec, {"by_logarithm": by_logarithm}))


def test_a_scale_is_advised_where_it_would_say_so_and_else_what_would() -> None:
    # The bounds of a sweep begin at 0, and no scale is logarithmic from the upper end.
    sweep = "`sweep` counts by the logarithm of its distance from the lower end"
    assert said(SPEC, {"lower": [0, 1]}) == [SPAN + ADVICE, sweep + COMPUTED]
    # From 81 to 90 a logarithmic scale is as good as a linear one.
    assert said(SPEC.replace("[1.0, 9.0]", "[81.0, 90.0]"), {"lower": [0]}) == [SPAN + COMPUTED]
    both = "`span` and `ribs` count by the logarithm of their distance from the upper end"
    assert said(SPEC, {"upper": [0, 2]}) == [both + COMPUTED.replace("it ", "them ")]
    assert not list(scales_words(RecordedRun(SPEC).spec, INSIGHT))


def test_of_a_scale_that_is_logarithmic_already_that_is_said() -> None:
    logarithmic = SPEC.replace("bounds: [1.0, 9.0],", "bounds: [1.0, 9.0], scale: log,")
    already = " of a scale that is logarithmic already"
    assert said(logarithmic, {"lower": [0]}) == [SPAN + already]
    linear = ": `scale: linear` would say about the same from the start"
    assert said(logarithmic, {"upper": [0]}) == [SPAN.replace("lower", "upper") + already + linear]


def test_of_values_in_an_order_an_end_is_the_first_or_the_last_of_them() -> None:
    listed = SPEC.replace("{type: int, bounds: [2, 30]}", "{type: ordered, values: [1, 2, 5, 20, 60]}")
    first = "`ribs` counts by the logarithm of its distance from the first value"
    assert said(listed, {"lower": [2]}) == [first + ADVICE]
    assert said(listed, {"upper": [2]}) == [first.replace("first", "last")]
    falling = listed.replace("[1, 2, 5, 20, 60]", "[60, 20, 5, 2, 1]")
    assert said(falling, {"upper": [2]}) == [first.replace("first", "last") + ADVICE]
    assert said(listed.replace("[1, 2, 5, 20, 60]", "[few, some, many]"), {"lower": [2]}) == [first]


def test_models_name_those_that_they_see_so_by_either_end() -> None:
    assert seen_words({}) == ""
    assert seen_words({"lower": ["rate", "decay"], "upper": ["momentum"]}) == (
        "seeing `rate` and `decay` by the logarithm of their distance from the lower end and `momentum` by"
        " the logarithm of its distance from the upper end"
    )
