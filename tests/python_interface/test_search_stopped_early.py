"""Evaluations from Python that report how they stand, and are stopped where they are not worth their ends."""

import asyncio
import json
import math
import pickle
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pytest

from orchestrator import Optimiser, Plan, maximise, minimise
from orchestrator.errors import UsageError

RATE = {"rate": {"type": "float", "bounds": [1e-4, 1.0], "scale": "log"}}
BY_CHANCE = {"quantity": "loss", "chance_below": 0.2}
STEPS, TRIALS = 20, 16
BEGUN = []
"""What every evaluation of `trained` reached, in the order they began."""


def loss_at(step, rate):
    return 1 / step + abs(math.log10(rate) + 2.0) * (1.0 - 0.5 / step)


def trained(parameters, context):
    loss = math.inf
    BEGUN.append(0)
    place = len(BEGUN) - 1
    for step in range(1, STEPS + 1):
        loss = loss_at(step, parameters["rate"])
        BEGUN[place] = step
        context.report(step, loss=np.float64(loss))
    return loss


async def trained_beside_others(parameters, context):
    for step in range(1, STEPS + 1):
        await asyncio.sleep(0)
        context.report(step, loss=loss_at(step, parameters["rate"]))
    return loss_at(STEPS, parameters["rate"])


@pytest.fixture(autouse=True)
def nothing_begun():
    BEGUN.clear()


def searched(function=trained, trials=TRIALS, **others):
    return minimise(function, RATE, trials, algorithm="random", stop_when=BY_CHANCE, **others)


def test_what_will_hardly_end_among_the_best_is_stopped_and_learned_from():
    found = searched()
    stopped = [steps for steps in BEGUN if steps < STEPS]
    assert len(BEGUN) == TRIALS == found.told
    assert 2 <= len(stopped) < 10
    assert BEGUN[:5] == [STEPS] * 5
    assert len(found.results()) == TRIALS - len(stopped)
    assert found.best().value == min(row["value"] for row in found.results())
    assert found.pending == ()


def test_a_loop_of_one_s_own_stops_what_the_search_does():
    optimiser = Optimiser(RATE, goal="minimise", algorithm="random", stop_when=BY_CHANCE, plan=Plan(TRIALS))
    reached = []
    for _ in range(TRIALS):
        (asked,) = optimiser.ask()
        watch = optimiser.watch(asked.trial)
        for step in range(1, STEPS + 1):
            loss = loss_at(step, asked.parameters["rate"])
            if watch.report(step, loss=loss):
                assert watch.stopped.startswith(f"stopped at step {step}, where loss was ")
                break
        reached.append(step)
        optimiser.tell(asked.trial, loss, watch=watch)
    assert optimiser.results() == searched().results()
    assert reached == BEGUN


def test_threads_processes_and_event_loops_stop_theirs():
    with ThreadPoolExecutor(3) as executor:
        found = searched(executor=executor)
    assert min(BEGUN) < STEPS
    assert found.told == TRIALS
    found = searched(trained_beside_others, parallel=3)
    assert len(found.results()) < TRIALS == found.told
    with ProcessPoolExecutor(2) as executor:
        found = searched(executor=executor)
    assert len(found.results()) < TRIALS == found.told


def test_one_that_is_kept_knows_the_curves_again(tmp_path):
    def fragile(parameters, context):
        if len(BEGUN) in (8, 12):
            BEGUN.append(0)
            raise KeyboardInterrupt
        return trained(parameters, context)

    path = tmp_path / "search.jsonl"
    whole = searched()
    BEGUN.clear()
    for _ in range(2):
        with pytest.warns(RuntimeWarning, match="interrupted after"):
            searched(fragile, store=path)
    assert searched(fragile, store=path).results() == whole.results()
    told = [json.loads(line)["data"] for line in path.read_text().splitlines() if "TrialTold" in line]
    assert any("with probability" in one.get("stopped", "") and one["foreseen"] for one in told)


def test_by_a_limit_it_has_failed():
    limit = {"quantity": "loss", "above": 1.5, "after": 5}
    found = minimise(trained, RATE, TRIALS, algorithm="random", stop_when=limit)
    failed = [row for row in found.results() if row["state"] == "failed"]
    assert len(failed) == BEGUN.count(5) > 0
    assert all(loss_at(5, row["rate"]) > 1.5 for row in failed)
    assert minimise(trained, RATE, 5, algorithm="random").told == 5


def test_a_function_closes_what_it_opened_and_cannot_swallow_that_it_is_stopped():
    def careful(parameters, context):
        try:
            return trained(parameters, context)
        except Exception:
            return 0.0
        finally:
            closed.append(parameters)

    closed = []
    found = searched(careful)
    assert len(closed) == TRIALS
    assert found.best().value > 0.0


def test_what_diverges_hardly_ends_well():
    def diverging(parameters, context):
        for step in range(1, STEPS + 1):
            loss = loss_at(step, parameters["rate"])
            bad = parameters["rate"] > 0.1 and step > 3
            context.report(step, loss=math.nan if bad else loss)
        return loss + 5 * bad

    assert len(searched(diverging).results()) < TRIALS


def test_a_watch_can_be_sent_along_with_its_trial():
    optimiser = Optimiser(RATE, goal="minimise", stop_when={"quantity": "loss", "below": 0.1})
    one, other = optimiser.ask(2)
    watch = pickle.loads(pickle.dumps(optimiser.watch(one.trial)))
    assert not watch.report(1, loss=2.0)
    assert watch.report(2, loss=0.05)
    assert watch.report(3, loss=2.0)
    with pytest.raises(UsageError, match="expected the watch of trial 2, got that of trial 1"):
        optimiser.tell(other.trial, 0.5, watch=watch)
    with pytest.raises(UsageError, match=r"expected as `watch` what `watch\(trial\)` returned, got True"):
        optimiser.tell(other.trial, 0.5, watch=True)
    optimiser.tell(one.trial, 0.5, watch=watch)
    assert optimiser.results()[0]["state"] == "failed"
    with pytest.raises(UsageError, match="expected a trial that is pending"):
        optimiser.watch(one.trial)


@pytest.mark.parametrize(
    ("step", "loss", "words"),
    [(1.5, 0.1, "expected a whole number as the step, got 1.5"), (1, "much", "expected a number as loss")],
)
def test_reports_that_are_none_are_refused(step, loss, words):
    optimiser = Optimiser(RATE, stop_when=BY_CHANCE)
    with pytest.raises(UsageError, match=words):
        optimiser.watch(optimiser.ask()[0].trial).report(step, loss=loss)


@pytest.mark.parametrize(
    ("told", "others", "words"),
    [
        ({"quantity": "loss"}, {}, "expected `above`, `below` or `chance_below`"),
        ({"quantity": "loss", "chance_bellow": 0.1}, {}, "chance_below"),
        ("loss", {}, "expected `stop_when` as"),
        (BY_CHANCE, {"outcomes": ["heat"]}, "beside `outcomes`"),
        (BY_CHANCE, {"objectives": {"heat": "minimise"}}, "beside further objectives"),
        (BY_CHANCE, {"fidelity": {"parameter": "epochs"}}, "beside `fidelity`"),
        ({"quantity": "loss", "above": 2.0}, {"tolerance": 0.1}, "no `stop_when` beside `tolerance`"),
    ],
)
def test_when_to_stop_makes_sense_or_is_refused(told, others, words):
    tolerance = {"tolerance": others.pop("tolerance")} if "tolerance" in others else {}
    epochs = {"type": "ordered", "values": [1, 2, 4]}
    parameters = {**RATE, "width": {"type": "float", "bounds": [0, 1], **tolerance}, "epochs": epochs}
    with pytest.raises(UsageError, match=words):
        Optimiser(parameters, stop_when=told, **others)


def test_a_search_that_stops_needs_a_function_that_reports():
    with pytest.raises(UsageError, match=r"`def f\(parameters, context\)`"):
        maximise(lambda _: 1.0, RATE, 3, stop_when=BY_CHANCE)


def test_what_is_reported_by_another_name_is_said():
    def misspelt(parameters, context):
        context.report(1, los=0.5)
        return parameters["rate"]

    with pytest.warns(RuntimeWarning, match="expected reports of `loss`, .* got `los`$") as said:
        searched(misspelt, trials=2)
    assert said[0].filename == __file__
