"""Which settings stay, of those that take time to change."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from orchestrator.algorithms.base import AskKey, Prediction, Suggestion
from orchestrator.algorithms.changing import Changing
from orchestrator.algorithms.machine_time import MachineTime
from orchestrator.arrays import FloatArray
from orchestrator.parameters.kinds import ChoiceParameter, FloatParameter
from orchestrator.parameters.space import Space
from orchestrator.scheduler.event_parts import AT_THE_END, CHANGE, LATELY, PAID_FOR, PROMISED
from orchestrator.values.change import Change

OVEN = Change(600.0, 600.0)
STANDS = {"oven": 0.25, "nozzle": 0.5, "knob": 0.5}


def space() -> Space:
    names = ("oven", "nozzle", "knob")
    changes = {"oven": OVEN, "nozzle": Change(7200.0, 7200.0)}
    return Space(tuple(FloatParameter(name, 0.0, 1.0) for name in names), changes=changes)


class Chooser:
    """Wants oven and nozzle elsewhere, and promises a mean by which of them are held."""

    def __init__(self, promises: dict[frozenset[str], float] | None) -> None:
        self.promises = promises
        self.asked: list[frozenset[str]] = []

    def __call__(self, n: int, pending: Sequence[FloatArray], key: AskKey) -> list[Suggestion]:
        del n, pending
        wanted, held = np.array([0.75, 0.9, 0.1]), frozenset[str]()
        if key.within is not None:
            kept = key.within.is_held
            held = frozenset(name for name, is_held in zip(STANDS, kept, strict=True) if is_held)
            wanted = np.where(kept, key.within.rounded(wanted[None, :])[0], wanted)
        self.asked.append(held)
        predicted = None if self.promises is None else Prediction(self.promises[held], 1e-3)
        return [Suggestion(wanted, predicted)]


def promises(free: float, oven: float, nozzle: float, both: float) -> Chooser:
    """By what is held."""
    names = (frozenset[str](), frozenset({"oven"}), frozenset({"nozzle"}), frozenset({"oven", "nozzle"}))
    return Chooser(dict(zip(names, (free, oven, nozzle, both), strict=True)))


def machine(evaluations: int, seconds: float = 300.0) -> MachineTime:
    time = MachineTime({"oven": OVEN}, takes_s=seconds)
    for _ in range(evaluations):
        time.tell(STANDS, None)
    return time


def asked(chooser: Chooser, time: MachineTime, best: float | None = 0.0) -> tuple[set[str], Suggestion]:
    """What stays, and the point."""
    changing = Changing(space(), STANDS, time, {}, best)
    places, (found,) = changing.asked(chooser, [], AskKey(9, 9))
    return set(places), found


def test_what_promises_a_little_more_elsewhere_is_not_worth_the_change() -> None:
    kept, found = asked(promises(free=1.2, oven=1.0, nozzle=1.1, both=1.0), machine(100))
    assert kept == {"oven", "nozzle"}
    assert found.why[CHANGE] == {
        "spared": {"oven": 600.0, "nozzle": 7200.0},
        "stays": PROMISED,
        "evaluation_s": 300.0,
    }


def test_what_promises_more_for_its_time_is_changed() -> None:
    kept, found = asked(promises(free=5.0, oven=1.0, nozzle=4.0, both=1.0), machine(100))
    assert kept == {"nozzle"}
    told = found.why[CHANGE]
    assert (told["takes"], told["spared"]) == ({"oven": 600.0}, {"nozzle": 7200.0})


def test_all_is_changed_for_what_is_worth_all_of_it() -> None:
    kept, found = asked(promises(free=90.0, oven=1.0, nozzle=1.0, both=1.0), machine(100))
    assert kept == set()
    assert found.why[CHANGE]["takes"] == {"oven": 600.0, "nozzle": 7200.0}


def test_a_setting_stays_until_evaluations_took_a_quarter_as_long_as_its_change() -> None:
    wanted = promises(free=9000.0, oven=1.0, nozzle=80.0, both=1.0)
    assert [asked(wanted, machine(n))[0] for n in (0, 1, 5, 6)] == [
        {"oven", "nozzle"},
        {"nozzle"},
        {"nozzle"},
        set(),
    ]


@pytest.mark.parametrize("best", [None, 0.0])
def test_where_nothing_is_predicted_it_stays_until_they_took_as_long(best: float | None) -> None:
    kept = [asked(Chooser(None), machine(n), best)[0] for n in (1, 2, 23, 24)]
    assert kept == [{"oven", "nozzle"}, {"nozzle"}, {"nozzle"}, set()]


def test_where_nobody_knows_what_an_evaluation_takes_the_algorithm_chooses() -> None:
    chooser = promises(free=1.2, oven=1.0, nozzle=1.1, both=1.0)
    time = MachineTime({"oven": OVEN})
    kept, found = asked(chooser, time)
    assert (kept, chooser.asked) == (set(), [frozenset()])
    assert found.why[CHANGE] == {"takes": {"oven": 600.0, "nozzle": 7200.0}}


def test_what_is_likely_to_fail_promises_less() -> None:
    class Doubtful(Chooser):
        def __call__(self, n: int, pending: Sequence[FloatArray], key: AskKey) -> list[Suggestion]:
            (one,) = super().__call__(n, pending, key)
            return [Suggestion(one.point, one.predicted, {"succeeds": 1.0 if key.within else 0.01})]

    sure = promises(free=90.0, oven=1.0, nozzle=1.0, both=1.0)
    assert asked(sure, machine(100))[0] == set()
    assert sure.promises is not None
    assert asked(Doubtful(sure.promises), machine(100))[0] == {"oven", "nozzle"}


def test_what_is_held_stays_held_beside_what_stays() -> None:
    held = frozenset({"knob"})
    wanted = {held: 9000.0, held | {"oven"}: 1.0, held | {"nozzle"}: 80.0, held | {"oven", "nozzle"}: 1.0}
    changing = Changing(space(), STANDS, machine(1), {"knob": 0.5}, 0.0)
    places, _ = changing.asked(Chooser(wanted), [], AskKey(9, 9))
    assert places == {"knob": 0.5, "nozzle": 0.5}


def test_what_is_held_elsewhere_than_it_stands_is_changed() -> None:
    held = frozenset({"oven"})
    wanted = {held: 1.0, held | {"nozzle"}: 0.5}
    changing = Changing(space(), STANDS, machine(0), {"oven": 0.75}, 0.0)
    places, (found,) = changing.asked(Chooser(wanted), [], AskKey(9, 9))
    assert places == {"oven": 0.75, "nozzle": 0.5}
    assert found.why[CHANGE]["takes"] == {"oven": 600.0}


OUTSIDE = {**STANDS, "oven": 2.0}


@pytest.mark.parametrize("best", [None, 0.0])
def test_beside_what_cannot_stay_as_bounds_were_amended_the_others_do(best: float | None) -> None:
    wanted = Chooser({frozenset(): 9000.0, frozenset({"nozzle"}): 1.0})
    places, (found,) = Changing(space(), OUTSIDE, machine(0), {}, best).asked(wanted, [], AskKey(9, 9))
    assert places == {"nozzle": 0.5}
    assert found.why[CHANGE]["takes"].keys() == {"oven"}


@pytest.mark.parametrize(
    ("left_s", "kept"), [(299.0, set()), (899.0, {"oven", "nozzle"}), (900.0, {"nozzle"})]
)
@pytest.mark.parametrize("best", [None, 0.0])
def test_nothing_is_changed_after_which_no_time_is_left(
    left_s: float, kept: set[str], best: float | None
) -> None:
    wanted = promises(free=9000.0, oven=1.0, nozzle=80.0, both=1.0)
    changing = Changing(space(), STANDS, machine(100), {}, best, left_s)
    assert set(changing.asked(wanted, [], AskKey(9, 9))[0]) == kept


def test_why_a_setting_stays_is_told() -> None:
    def stays(evaluations: int, left_s: float | None = None, best: float | None = 0.0) -> object:
        wanted = promises(free=9000.0, oven=1.0, nozzle=80.0, both=1.0)
        changing = Changing(space(), STANDS, machine(evaluations), {}, best, left_s)
        return changing.asked(wanted, [], AskKey(9, 9))[1][0].why[CHANGE].get("stays")

    assert [stays(0), stays(100), stays(100, 900.0)] == [LATELY, None, AT_THE_END]
    assert [stays(0, best=None), stays(100, 900.0, best=None)] == [PAID_FOR, AT_THE_END]


KNOB_HELD = {"knob": 0.5}


def of_all_slow(
    chooser: Chooser, time: MachineTime, best: float | None, left_s: float | None = None
) -> set[str]:
    """Which of oven and nozzle stay where nothing else is chosen."""
    changing = Changing(space(), STANDS, time, KNOB_HELD, best, left_s)
    return set(changing.asked(chooser, [], AskKey(9, 9))[0]) - KNOB_HELD.keys()


@pytest.mark.parametrize("evaluations", [1, 23])
def test_where_all_that_is_chosen_is_slow_the_same_point_is_not_evaluated_again(evaluations: int) -> None:
    assert of_all_slow(Chooser(None), machine(evaluations), None) == {"nozzle"}


def test_what_promises_most_of_the_changes_is_made_where_all_that_is_chosen_is_slow() -> None:
    held = frozenset(KNOB_HELD)
    both = held | {"oven", "nozzle"}
    wanted = Chooser({held: 9.0, held | {"oven"}: 900.0, held | {"nozzle"}: 1.0, both: 1.0})
    assert of_all_slow(wanted, machine(1, seconds=100.0), 0.0) == {"oven"}


def test_what_would_stay_for_nothing_is_no_reason_why_a_setting_stays() -> None:
    held = frozenset(KNOB_HELD)
    both = held | {"oven", "nozzle"}
    wanted = Chooser({held: 9.0, held | {"oven"}: 9.0, held | {"nozzle"}: 9.0, both: 5.0})
    changing = Changing(space(), STANDS, machine(100), KNOB_HELD, 0.0)
    (found,) = changing.asked(wanted, [], AskKey(9, 9))[1]
    assert (found.why[CHANGE]["spared"], found.why[CHANGE]["stays"]) == ({"nozzle": 7200.0}, PROMISED)


@pytest.mark.parametrize("best", [None, 0.0])
def test_where_all_that_is_chosen_is_slow_it_stays_if_no_time_would_be_left(best: float | None) -> None:
    held = frozenset(KNOB_HELD)
    both = held | {"oven", "nozzle"}
    wanted = Chooser({held: 9.0, held | {"oven"}: 5.0, held | {"nozzle"}: 5.0, both: 1.0})
    assert of_all_slow(wanted, machine(9), best, left_s=400.0) == {"oven", "nozzle"}


@pytest.mark.parametrize("best", [None, 0.0])
def test_where_a_person_has_put_it_a_machine_stays_for_one_evaluation(best: float | None) -> None:
    held = frozenset(KNOB_HELD)
    both = held | {"oven", "nozzle"}
    wanted = Chooser({held: 9.0, held | {"oven"}: 5.0, held | {"nozzle"}: 5.0, both: 1.0})
    put = {**STANDS, "oven": 0.3}
    changing = Changing(space(), put, machine(1), KNOB_HELD, best)
    assert set(changing.asked(wanted, [], AskKey(9, 9))[0]) == both


OVEN_ALONE = Space((FloatParameter("oven", 0.0, 1.0),), changes={"oven": OVEN})


def test_a_machine_of_one_slow_setting_is_set_anew_each_time() -> None:
    changing = Changing(OVEN_ALONE, {"oven": 0.25}, machine(1), {}, None)
    places, (found,) = changing.asked(lambda *_: [Suggestion(np.array([0.75]))], [], AskKey(9, 9))
    assert (places, found.why[CHANGE]["takes"]) == ({}, {"oven": 600.0})


def test_in_a_start_design_nothing_stays_once_all_beside_it_was_evaluated() -> None:
    fan = ChoiceParameter("fan", ("off", "on"))
    oven_and_fan = Space((*OVEN_ALONE.parameters, fan), changes={"oven": OVEN})
    off, on = {"oven": 0.25, "fan": "off"}, {"oven": 0.25, "fan": "on"}

    def takes(*evaluated: dict[str, object]) -> object:
        time = MachineTime({"oven": OVEN}, takes_s=60.0)
        for place in evaluated:
            time.tell(place, None)
        wanted = np.array([0.75, fan.encode("on")])

        def choose(n: int, pending: Sequence[FloatArray], key: AskKey) -> list[Suggestion]:
            return [Suggestion(wanted if key.within is None else key.within.rounded(wanted[None, :])[0])]

        _, (found,) = Changing(oven_and_fan, off, time, {}, None).asked(choose, [], AskKey(9, 9))
        return found.why[CHANGE].get("takes")

    assert [takes(off), takes(off, on, off)] == [None, {"oven": 600.0}]
