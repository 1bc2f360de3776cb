"""`explain` says in words why a point was chosen."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
import recorded_runs
from recorded_runs import SPEC, RecordedRun, always, explained, parameters, suggested

from orchestrator import cli
from orchestrator.errors import UsageError
from orchestrator.report.explained.case import case_of
from orchestrator.report.explained.explain import explain
from orchestrator.report.explained.record import explained_json
from orchestrator.report.explained.structure import OF_OWN_OUTPUTS
from orchestrator.report.words.hyperparameter import hyperparameters_in_words
from orchestrator.scheduler import events as ev
from orchestrator.scheduler.amendment_events import BlockBegan
from orchestrator.scheduler.mending_events import JournalMended, SavedTrial
from orchestrator.surrogates.hyperparameters.one_kernel import Hyperparameters
from orchestrator.surrogates.hyperparameters.paraboloid import ParaboloidHyperparameters


def test_a_models_choice_is_explained_by_what_it_believed():
    run = RecordedRun().begin().settle(6, lambda trial: 10.0 - trial)
    words = explained(run, 5)
    assert words.startswith("Trial 5 of wing\n  span = 1.5 m\n")
    assert "auto chose it" in words
    assert "member `rbf` had the say, which had a weight of 62 % then" in words
    assert "The other members were believed in with matern-5/2 38 %" in words
    assert "25 % of its score was exploration: it was chosen mostly to gain" in words
    assert re.search(r"Predicted there: drag = 5 ± 0.5 .*; the best value then was \d", words)
    assert "a sum of 3 parts (probability 0.71): span × sweep, ribs and skin" in words
    assert re.search(r"Length-scales.*: span 0.1, sweep 0.5, ribs 2, skin 3\.", words)
    assert "refit 3, from 12 values" in words


def test_of_an_objective_that_is_computed_what_outcomes_were_predicted_is_said(
    monkeypatch: pytest.MonkeyPatch,
):
    predicted = [{"mean": 3.1, "deviation": 0.2}, {"mean": -1.0, "deviation": 0.05}]
    monkeypatch.setitem(recorded_runs.WHY, "outcomes", predicted)
    fitted = SPEC.replace("goal: minimise", "fit: {lift: 3, mass: 1}")
    words = explained(RecordedRun(fitted).begin().settle(1, always(5.1)), 1)
    assert "Of the outcomes it is computed from: lift = 3.1 ± 0.2, mass = -1 ± 0.05." in words


def test_that_an_evaluation_was_to_tell_nearly_all_of_a_design_is_said_as_other_shares_are(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setitem(recorded_runs.WHY, "in_use", {"told": 0.9961})
    words = explained(RecordedRun().begin().settle(1, always(5.1)), 1)
    assert "to take away >99 % of the variance of what that design is worth" in words


def test_what_does_not_count_at_a_point_is_said_with_where_it_does_and_what_is_given_instead():
    weave = "  weave: {type: int, bounds: [1, 9], when: {skin: foam}, otherwise: 0}\n"
    switch = "  switch: {type: choice, values: [-q, -v], when: {skin: foam}, otherwise: ''}\n"
    core = "  core: {type: float, bounds: [1, 9], unit: mm, when: ribs >= 8}\nbudget"
    run = RecordedRun(SPEC.replace("budget", weave + switch + core)).begin().settle(1, always(5.0))
    beginning = explained(run, 1).split("Why this point")[0]
    assert "  skin = carbon\n" in beginning
    assert beginning.endswith(
        "  weave counts only where `skin` is `foam`: an evaluation is given 0\n"
        '  switch counts only where `skin` is `foam`: an evaluation is given ""\n'
        "  core counts only where `ribs >= 8`\n\n"
    )


def test_a_model_of_its_own_is_not_given_the_hyperparameters_of_the_ensemble(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(recorded_runs.WHY, "member", "the region's rbf")
    words = explained(RecordedRun().begin().settle(1, always(5.1)), 1)
    assert "A model beside the ensemble had the say: the region's rbf." in words
    assert "Length-scales" not in words


def test_the_block_of_a_trial_is_told_however_it_was_said():
    run = RecordedRun(SPEC.replace("budget", "blocks: plate\nbudget")).begin(workers=1).settle(1, always(5.0))
    run.happen(BlockBegan(at=run.at, block="7", request="b")).settle(1, always(5.0)).settle(1, always(5.0))
    run.give(5.0, {"plate": "9"})
    told = [re.findall(r"^  plate: (.*)", explained(run, trial), re.MULTILINE) for trial in (1, 3, 4)]
    assert told == [[], ["7"], ["9"]]
    case = case_of(run.spec, run.scheduler.state.policy, run.events, 3)
    assert json.loads(explained_json(case, None))["came"]["block"] == "7"
    by_day = RecordedRun(SPEC.replace("budget", "blocks: day\nbudget")).begin(workers=1)
    by_day.settle(1, always(5.0)).give(5.0, {"day": "2026-11-24 09:30"})
    assert "\n  day: 2026-11-24\n" in explained(by_day, 2)


def test_a_single_model_is_no_ensemble(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delitem(recorded_runs.INSIGHT, "weights")
    words = explained(RecordedRun().begin().settle(1, always(5.1)), 1)
    assert "Its model was `rbf`." in words
    assert "nsemble" not in words


def test_what_each_part_adds_is_said_those_that_matter_most_first(monkeypatch: pytest.MonkeyPatch):
    parts = [
        {"factor": [0, 1], "mean": -0.5, "deviation": 0.125},
        {"factor": [2], "mean": 0.25, "deviation": 0.0625},
        {"factor": [3], "mean": 2.0, "deviation": 0.5},
    ]
    monkeypatch.setitem(recorded_runs.WHY, "parts", parts)
    words = explained(RecordedRun().begin().settle(1, always(5.1)), 1)
    assert "skin +2 ± 0.5, span × sweep -0.5 ± 0.12 and ribs +0.25 ± 0.062." in words
    assert "parts: " not in words


def test_parts_whose_outputs_were_told_are_known_and_those_of_the_same_parameters_are_told_apart(
    monkeypatch: pytest.MonkeyPatch,
):
    parts = [{"factor": [0, 1], "mean": mean, "deviation": 0.125} for mean in (-0.5, 2.0)]
    monkeypatch.setitem(recorded_runs.WHY, "parts", parts)
    monkeypatch.setitem(recorded_runs.INSIGHT, "decomposition", [[0, 1], [2], [0, 1]])
    words = explained(RecordedRun().begin().settle(1, always(5.1)), 1)
    assert "a sum of 3 parts (probability 0.71): span × sweep (1), ribs and span × sweep (2)." in words
    added = "span × sweep (2) +2 ± 0.12 and span × sweep (1) -0.5 ± 0.12."
    assert f"What the parts add there, each known up to a constant: {added}" in words
    monkeypatch.setitem(recorded_runs.INSIGHT, "notes", [OF_OWN_OUTPUTS])
    assert f"What the parts add there: {added}" in explained(RecordedRun().begin().settle(1, always(5.1)), 1)


def test_of_many_members_scales_and_parts_the_rest_is_counted_as_more(monkeypatch: pytest.MonkeyPatch):
    parts = [{"factor": [3], "mean": 8.0 - i, "deviation": 0.5} for i in range(8)]
    monkeypatch.setitem(recorded_runs.INSIGHT, "weights", {f"member-{i}": 0.125 for i in range(8)})
    monkeypatch.setitem(recorded_runs.INSIGHT, "decomposition", [[i % 4] for i in range(8)])
    monkeypatch.setitem(recorded_runs.WHY, "parts", parts)
    monkeypatch.delitem(recorded_runs.WHY, "member")
    words = explained(RecordedRun().begin().settle(1, always(5.1)), 1)
    assert "member-2 12 % and 2 more." in words
    assert "ribs (1), skin (1), span (2), sweep (2) and 2 more." in words
    assert "skin (6) +3 ± 0.5 and 2 more." in words
    scales = {"length_scales": [0.1 * (i + 1) for i in range(8)]}
    assert "f 0.6 and 2 more." in " ".join(hyperparameters_in_words("abcdefgh", scales))


def test_a_mixture_has_its_say_as_a_whole(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delitem(recorded_runs.WHY, "member")
    words = explained(RecordedRun().begin().settle(1, always(5.1)), 1)
    assert (
        "It averages over the ensemble's members, which were believed in with rbf 62 % and matern-5/2 38 %"
        in words
    )
    assert "The likeliest member, `rbf`, believes:" in words
    assert "had the say" not in words


def test_where_the_search_was_and_how_well_the_model_fits_is_said_in_sentences(
    monkeypatch: pytest.MonkeyPatch,
):
    told = {"length_scales": [0.3] * 4, "variance": 1.0, "log_evidence": -11.5}
    monkeypatch.setitem(recorded_runs.INSIGHT, "hyperparameters", {"rbf": told})
    monkeypatch.setitem(recorded_runs.WHY, "search", "local")
    words = explained(RecordedRun().begin().settle(1, always(5.1)), 1)
    assert "It was looked for in the region that is searched closely." in words
    assert "Its other hyperparameters, for standardised values: variance 1.\n" in words
    assert "Its log evidence was -11.5." in words
    assert "search: " not in words
    monkeypatch.setitem(recorded_runs.WHY, "search", "global")
    assert "It was looked for everywhere." in explained(RecordedRun().begin().settle(1, always(5.1)), 1)
    monkeypatch.setitem(recorded_runs.WHY, "search", "doubting")
    assert "where the models may be wrong" in explained(RecordedRun().begin().settle(1, always(5.1)), 1)


def test_shares_that_are_not_quite_none_or_all_are_not_said_to_be(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(recorded_runs.INSIGHT, "weights", {"rbf": 0.9999, "matern-5/2": 1e-4})
    monkeypatch.setitem(recorded_runs.WHY, "exploration", 0.001)
    words = explained(RecordedRun().begin().settle(1, always(5.1)), 1)
    assert "which had a weight of >99 % then" in words
    assert "believed in with matern-5/2 <1 %" in words
    assert "<1 % of its score was exploration" in words


def test_one_decomposition_that_is_certain_is_no_ensemble(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(recorded_runs.INSIGHT, "weights", {"1-2|3|4": 1.0})
    monkeypatch.setitem(recorded_runs.INSIGHT, "probability", 1.0)
    monkeypatch.setitem(recorded_runs.WHY, "member", "1-2|3|4")
    words = explained(RecordedRun().begin().settle(1, always(5.1)), 1)
    assert "It took the objective for a sum of 3 parts: span × sweep, ribs and skin." in words
    assert "nsemble" not in words
    assert "probability" not in words


def test_the_top_of_a_drawn_function_is_not_said_to_promise_most(monkeypatch: pytest.MonkeyPatch):
    run = RecordedRun().begin().settle(1, always(5.1))
    assert "given every result so far, promised most" in explained(run, 1)
    monkeypatch.setitem(recorded_runs.WHY, "drawn", True)
    words = explained(RecordedRun().begin().settle(1, always(5.1)), 1)
    assert (
        "It is the top of a function drawn from the model: given every result so far, it may be the" in words
    )
    assert "promised most" not in words
    assert "drawn: " not in words
    # Of the top of a draw no share is exploration: all of the draw is.
    assert "exploration" not in words


def test_of_a_point_that_teaches_all_of_the_function_it_is_said_how_much(monkeypatch: pytest.MonkeyPatch):
    for key, value in {"learned": 0.031, "unknown": 0.2149}.items():
        monkeypatch.setitem(recorded_runs.WHY, key, value)
    words = explained(RecordedRun().begin().settle(1, always(5.1)), 1)
    assert "tells the model most of the whole function." in words
    assert "promised most" not in words
    assert (
        "Over the whole domain, values by the model might be off by ± 21 % of their standard deviation; the "
        "variance of that was to fall by 3 % with this point."
    ) in words
    assert "learned:" not in words


@pytest.mark.parametrize(("unknown", "said"), [(0.453, "45 %"), (0.9961, "100 %")])
def test_of_a_point_for_a_posterior_it_is_said_how_much_of_the_likelihood_it_tells(
    monkeypatch: pytest.MonkeyPatch, unknown: float, said: str
):
    monkeypatch.setitem(recorded_runs.WHY, "posterior", {"learned": 0.23, "unknown": unknown})
    words = explained(RecordedRun().begin().settle(1, always(5.1)), 1)
    assert "was expected to tell most of how likely what was measured is, wherever" in words
    assert (
        f"Where parameters are plausible, the likelihood by the models might be off by ± {said}; the variance"
        " of that was to fall by 23 % with this point."
    ) in words
    assert "posterior:" not in words


@pytest.mark.parametrize(
    "note",
    [
        "where parameters are plausible, the likelihood by the models may be off by ± 92 %",
        # Of an earlier version:
        "± 92 % of the likelihood of what was measured is not known, where it may be high",
    ],
)
def test_of_a_point_for_the_best_fit_of_such_a_search_it_is_said_why_it_is_for_that(
    monkeypatch: pytest.MonkeyPatch, note: str
):
    monkeypatch.setitem(recorded_runs.WHY, "posterior", {"unknown": 0.91})
    monkeypatch.setitem(recorded_runs.INSIGHT, "notes", [note, "another"])
    words = explained(RecordedRun().begin().settle(1, always(5.1)), 1)
    assert "promised the best fit: while more of the likelihood of what was measured is not known" in words
    assert "Where parameters are plausible, the likelihood by the models might be off by ± 91 %." in words
    assert "92 %" not in words
    assert "The optimiser noted: another." in words


def test_waves_that_were_believed_in_are_counted(monkeypatch: pytest.MonkeyPatch):
    told = {
        "surface": {"length_scales": [0.3] * 4, "variance": 1.0},
        "frequency": 10.24,
        "wave_variance": 0.2,
    }
    monkeypatch.setitem(recorded_runs.INSIGHT, "hyperparameters", {"rbf": told})
    words = explained(RecordedRun().begin().settle(1, always(5.1)), 1)
    assert "waves along each number, 10.2 of them from end to end" in words
    assert "One length-scale for all parameters, in shares of their ranges: 0.3." in words
    assert "variance 1, wave variance 0.2." in words


@pytest.mark.parametrize(
    ("expanded", "crossing", "where"),
    [
        (False, 1.0, "over all parameters"),
        (True, 1.0, "about the middle of the region"),
        (True, 0.5, "about the middle of the region"),
    ],
)
def test_a_paraboloid_that_was_believed_in_is_said_to_be_one_and_what_pairs_weigh_where_that_was_learned(
    expanded: bool, crossing: float, where: str, monkeypatch: pytest.MonkeyPatch
):
    detail = Hyperparameters((0.3,) * 4, 0.1, 0.0)
    own = ParaboloidHyperparameters(detail, (0.5,) * 4, 0.8, 2.0, 1.5, crossing, expanded)
    monkeypatch.setitem(recorded_runs.INSIGHT, "hyperparameters", {"rbf": own.to_json()})
    words = explained(RecordedRun().begin().settle(1, always(5.1)), 1)
    assert f"It believed in a paraboloid {where}" in words
    assert ("together weighed 0.5 of what each does alone." in words) is (crossing == 0.5)
    assert ("together weighed" in words) is (crossing != 1.0)
    assert "variance 0.1, noise variance 0, paraboloid variance 2, steepness 1.5." in words


def test_the_cell_of_a_tree_whose_middle_it_is_is_told_in_a_sentence(monkeypatch: pytest.MonkeyPatch):
    for why, told in (
        ({"depth": 3}, "of a cell of level 3."),
        ({"depth": 1, "ahead": True}, "of level 1, ahead"),
    ):
        monkeypatch.setattr(recorded_runs, "WHY", {"source": "tree", **why})
        words = explained(RecordedRun().begin().settle(1, always(5.1)), 1)
        assert told in words
        assert "source" not in words
        assert "depth: " not in words


def test_points_of_the_spec_are_not_ascribed_to_the_model():
    run = RecordedRun().happen(ev.RunStarted(at=0.0, run="wing-1", wall="", points=(parameters(9),)))
    words = explained(run, 1)
    assert "The spec lists it" in words
    assert "ensemble" not in words
    assert "It waits for a worker." in words


def test_an_unknown_trial_is_refused_with_those_there_are():
    run = RecordedRun().begin().settle(3, always(1.0))
    with pytest.raises(UsageError, match=rf"has trials 1 to {len(run.scheduler.state.trials)}, got 99"):
        explained(run, 99)


def test_the_events_are_gone_through_once_however_many_they_are():
    run = RecordedRun().begin().settle(6, lambda trial: 10.0 - trial)
    assert explain(run.spec, run.scheduler.state.policy, iter(run.events), 5) == explained(run, 5)


def test_programs_get_it_as_numbers_and_in_the_same_sentences():
    run = RecordedRun().begin().settle(6, lambda trial: 10.0 - trial)
    case = case_of(run.spec, run.scheduler.state.policy, run.events, 5)
    told = json.loads(explained_json(case, "logs/wing-1/trials/0005"))
    assert (told["trial"], told["parameters"]) == (5, parameters(5))
    chosen, came = told["chosen"], told["came"]
    assert chosen["predicted"] == {"mean": 5.0, "deviation": 0.5}
    assert chosen["why"] == recorded_runs.WHY
    assert chosen["models"] == recorded_runs.INSIGHT
    assert (came["state"], came["value"], came["best_trial"], came["best"]) == ("completed", 5.0, 6, 4.0)
    assert (came["attempts"], came["failures"], came["seconds"]) == (1, 0, 1.0)
    assert chosen["queued_s"] <= came["started_s"] < came["settled_s"]
    assert told["files"] == "logs/wing-1/trials/0005"
    words = explained(run, 5)
    for sentence in (*chosen["words"], *came["words"], *told["story"]):
        assert sentence in words


def test_of_a_run_that_was_killed_programs_are_told_that_a_trial_ran():
    run = RecordedRun().begin(workers=1).settle(1, always(1.0))
    case = case_of(run.spec, run.scheduler.state.policy, run.events, 2)
    gone = json.loads(explained_json(replace(case, attended=False), None))["came"]
    assert json.loads(explained_json(case, None))["came"]["state"] == "running"
    assert gone["state"] == "interrupted"
    assert gone["words"][0] == "It ran on local-1, attempt 1, when the run was last heard of."


def test_programs_are_told_why_a_trial_failed_and_what_its_worker_had():
    own = "workers: {local: 2, each: {GPU: [0, 1]}}"
    run = RecordedRun(SPEC.replace("workers: {local: 2}", own)).begin(workers=1).settle(3, always(None))
    came = json.loads(explained_json(case_of(run.spec, run.scheduler.state.policy, run.events, 1), None))[
        "came"
    ]
    assert (came["state"], came["value"]) == ("failed", None)
    assert (came["attempts"], came["failures"]) == (3, 3)
    assert came["message"].startswith("error: RuntimeError: it broke")
    assert came["own"] == {"GPU": "0"}


def test_explain_shows_no_files_of_another_trial_for_those_of_one_that_has_another_number_since(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What `fsck --repair` numbered anew had left its own under a number that another was evaluated under."""
    run = RecordedRun()
    run.happen(ev.RunStarted(at=0.0, run="wing-1", wall="2024-01-01T00:00:00"))
    saved = SavedTrial(number=1, suggested=suggested(1), ask=1, value=3.0, evaluated_as=2)
    wall = "2024-01-01T00:00:01"
    run.happen(JournalMended(at=1.0, wall=wall, lost=3, asks=1, trials=(saved,)))
    run.happen(ev.RunResumed(at=1.0, wall=wall))
    run.happen(ev.WorkerJoined(at=1.0, worker="local-1", slots=1)).settle(1, always(2.0))
    folder = run.write(tmp_path / "wing-1").path
    (folder / "trials" / "0002" / "attempt-1").mkdir(parents=True)
    for number, has in ((1, False), (2, True)):
        assert cli.main(["explain", str(folder), str(number)]) == 0
        assert ("What it printed and wrote" in capsys.readouterr().out) == has
