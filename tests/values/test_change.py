"""What it takes to change a setting, as it is said and as it is reckoned."""

from __future__ import annotations

import math

import pytest

from orchestrator.values.change import Change, change_of, taken_by


def test_a_duration_is_what_it_takes_whatever_it_changes_by() -> None:
    nozzle = change_of("30 min", None)
    assert (nozzle.takes("0.4", "0.8"), nozzle.takes("0.4", "0.4")) == (1800.0, 0.0)


def test_warming_may_take_less_than_cooling_and_each_as_long_as_the_way_is() -> None:
    oven = change_of({"up": "2 min", "down": 360, "per": 10}, "linear")
    assert (oven.takes(100, 200), oven.takes(200, 175), oven.takes(60, 60)) == (1200.0, 900.0, 0.0)


def test_on_a_logarithmic_scale_it_is_by_factors() -> None:
    gas = change_of({"takes": "1 min", "per": 10}, "log")
    assert math.isclose(gas.takes(1e-6, 1e-4), 120.0)
    assert math.isclose(gas.takes(1e-4, 1e-6), 120.0)


def test_what_a_grid_rounds_is_no_change() -> None:
    assert change_of(60, "linear").takes(0.1 + 0.2, 0.3) == 0.0


@pytest.mark.parametrize(
    ("told", "scale"),
    [
        (90.0, None),
        ({"takes": 120.0, "per": 10.0}, "linear"),
        ({"up": 60.0, "down": 240.0}, "linear"),
        ({"up": 60.0, "down": 240.0, "per": 2.0}, "log"),
    ],
)
def test_it_is_kept_as_it_may_be_said(told: object, scale: str | None) -> None:
    assert change_of(told, scale).told == told


@pytest.mark.parametrize(
    ("told", "scale", "said"),
    [
        ("soon", "linear", "a duration above 0"),
        (0, "linear", "a duration above 0"),
        ({"per": 10}, "linear", "`takes`, or `up` and `down`"),
        ({"up": 60}, "linear", "`takes`, or `up` and `down`"),
        ({"takes": 60, "down": 60}, "linear", "`takes`, or `up` and `down`"),
        ({"takes": 60, "for": 10}, "linear", "`takes`, or `up` and `down`"),
        ({"takes": 60, "per": 0}, "linear", "as `per` a number above 0"),
        ({"takes": 60, "per": 1}, "log", "as `per` a factor above 1"),
        ({"takes": 60}, None, "one duration, as 20 min"),
    ],
)
def test_what_is_no_such_thing_is_refused_with_what_was_expected(
    told: object, scale: str | None, said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        change_of(told, scale)


def test_of_two_points_only_what_changes_takes_time() -> None:
    changes = {"oven": Change(60.0, 60.0), "nozzle": Change(1800.0, 1800.0)}
    before = {"oven": 40, "nozzle": "a", "knob": 1}
    assert taken_by(changes, before, {"oven": 50, "nozzle": "a", "knob": 3}) == {"oven": 60.0}
    assert taken_by(changes, {}, before) == {}


def test_what_it_takes_from_one_point_to_another_is_not_what_it_takes_back() -> None:
    oven, cold, hot = {"oven": Change(60.0, 240.0, per=10.0)}, {"oven": 20}, {"oven": 50}
    assert taken_by(oven, cold, hot) == {"oven": 180.0}
    assert taken_by(oven, hot, cold) == {"oven": 720.0}
