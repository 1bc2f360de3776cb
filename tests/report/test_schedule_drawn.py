"""How the settings of the best changed on the way, as a run's page has it."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from orchestrator.report.html.schedule import schedule_chart
from orchestrator.report.seen.schedule import Stretch
from orchestrator.spec.sections.parameters import ChoiceParameter, FloatParameter

SVG = "{http://www.w3.org/2000/svg}"
PARAMETERS = {
    "rate": FloatParameter(type="float", bounds=(0.01, 1.0), scale="log"),
    "kind": ChoiceParameter(type="choice", values=["plain", "nested"]),
}
FIRST, THEN = {"rate": 1.0, "kind": "plain"}, {"rate": 0.1, "kind": "nested"}


def lines(*ends: object) -> list[list[float]]:
    """Across and up, by turns, of the line in each panel."""
    stretches = [
        Stretch((place,), own, end)
        for place, (own, end) in enumerate(zip((FIRST, THEN), ends, strict=True), 1)
    ]
    root = ElementTree.fromstring(schedule_chart(PARAMETERS, stretches, "epochs"))
    return [list(map(float, re.findall(r"[-.\d]+", path.get("d", "")))) for path in root.iter(f"{SVG}path")]


@pytest.mark.parametrize(("ends", "share"), [((10, 40), 0.25), (("coarse", "fine"), 0.5)])
def test_a_line_is_level_as_long_as_a_setting_lasts(ends: tuple[object, object], share: float) -> None:
    rate, kind = lines(*ends)
    for left, high, middle, low, right in (rate, kind):
        assert (middle - left) / (right - left) == pytest.approx(share, abs=0.01)
        # What is plain comes before what is nested, as the spec has them, from the foot on.
        assert (low > high) == (left == rate[0])


def test_where_a_parameter_does_not_count_its_line_has_a_gap() -> None:
    told = [({"rate": 1.0}, 10), ({}, 20), ({"rate": 0.1}, 40)]
    stretches = [Stretch((place,), own, end) for place, (own, end) in enumerate(told, 1)]
    chart = schedule_chart({"rate": PARAMETERS["rate"]}, stretches, "epochs")
    (path,) = re.findall(r'<path d="([^"]*)"', chart)
    assert re.sub(r"[-.,\d]+", "", path) == "MHMH"
