"""Where settings will be off: the trial believed best on average, and why trials were chosen, in words."""

from __future__ import annotations

from orchestrator.report.explained.whence import _promised
from orchestrator.report.explained.why_this_point import _off
from orchestrator.report.seen.believed import BELIEVED, ON_AVERAGE
from orchestrator.report.seen.found import BelievedPoint


def test_a_screen_says_that_it_is_on_average() -> None:
    assert BelievedPoint(3, 1.0, "1.0", (), title=ON_AVERAGE).brief == "on average"
    assert BelievedPoint(3, 1.0, "1.0", (), title=BELIEVED).brief == "but for noise"


def test_a_trial_beside_what_promised_most_is_told_from_one_that_did() -> None:
    beside, as_set = ({"off": {"told": 0.24, "beside": is_beside}} for is_beside in (True, False))
    assert _promised(beside).startswith("It lies where settings may come out that")
    assert "promised most on average" in _promised(as_set)
    assert list(_off(beside["off"])) == ["A value there tells 24 % of what is not known of that average."]
    assert "on average" not in _promised({})
