"""Parameters that turned out to count by their logarithms: what people are told of them."""

from __future__ import annotations

from recorded_runs import INSIGHT, SPEC, WHY, RecordedRun, parameters

from orchestrator.report.explained.explain import explain
from orchestrator.report.words.scales import scales_words
from orchestrator.scheduler import events as ev

SPAN = "`span` counts by the logarithm of its distance from the lower end"
ADVICE = ": `scale: log` would say so from the start"


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


def test_a_scale_is_advised_where_a_spec_could_say_it() -> None:
    spec = RecordedRun(SPEC).spec
    # The bounds of a sweep begin at 0, and no scale is logarithmic from the upper end.
    both = "`span` and `sweep` count by the logarithm of their distance from the lower end"
    assert list(scales_words(spec, {"by_logarithm": {"lower": [0, 1]}})) == [both]
    # From 81 to 90 a logarithmic scale is as good as a linear one.
    narrow = RecordedRun(SPEC.replace("[1.0, 9.0]", "[81.0, 90.0]")).spec
    assert list(scales_words(narrow, {"by_logarithm": {"lower": [0]}})) == [SPAN]
    upper = "`ribs` counts by the logarithm of its distance from the upper end"
    assert list(scales_words(spec, {"by_logarithm": {"upper": [2]}})) == [upper]
    assert not list(scales_words(spec, INSIGHT))
