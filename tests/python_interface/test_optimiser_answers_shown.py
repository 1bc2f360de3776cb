"""How answers look in a notebook: a line each, and several as a table."""

from __future__ import annotations

import copy
import csv
import io
import pickle
from dataclasses import replace
from typing import Any

import numpy as np

from orchestrator.algorithms.base import Prediction
from orchestrator.python_interface.answers import Asked, Best, Recommended
from orchestrator.python_interface.differences import Apart, Compared
from orchestrator.python_interface.prediction import Expectation, Predicted
from orchestrator.python_interface.shown import MOST_SHOWN, InRows
from orchestrator.sensitivity.analysis import Influence, Sensitivity
from orchestrator.sensitivity.results_model import LeftOut

PARAMETERS: dict[str, Any] = {"x": 1 / 3, "kind": "relu"}
PREDICTED = Predicted(
    PARAMETERS, Expectation(5.34256, 1.49, 2.75226, 7.57), {"heat": Expectation(1, 2, -1, 3)}
)


def test_what_is_expected_of_a_point_is_a_line() -> None:
    assert repr(PREDICTED) == (
        "<Predicted: value 5.3426 ± 1.5 (2.7523 to 7.57), heat 1 ± 2 (-1 to 3), at x 0.33333, kind relu>"
    )
    assert repr(replace(PREDICTED, parameters={"kind": None})).endswith(", at kind None>")
    assert "satisfied 99.2 %" in repr(Predicted(PARAMETERS, PREDICTED.value, satisfied=0.992))


def test_several_are_a_table() -> None:
    other = Predicted({"x": 10.0, "kind": "tanh"}, Expectation(60.25, 0.5, 59.0, 61.5), satisfied=0.25)
    assert repr(InRows([PREDICTED, other])).splitlines() == [
        "value         value within    heat   heat within        x  kind  satisfied",
        "5.3426 ± 1.5  2.7523 to 7.57  1 ± 2  -1 to 3      0.33333  relu",
        "60.25 ± 0.5   59 to 61.5                               10  tanh  25 %",
    ]


def test_trials_that_are_asked_for_are_a_table_that_is_as_short() -> None:
    asked = InRows(Asked(n, PARAMETERS, None if n < 5 else Prediction(2.0, 0.5), {}) for n in (4, 5))
    assert repr(asked).splitlines() == [
        "trial        x  kind  predicted",
        "    4  0.33333  relu",
        "    5  0.33333  relu  2 ± 0.5",
    ]
    assert repr(asked[1]).endswith("predicted=2 ± 0.5)")
    assert repr(Recommended(PARAMETERS, Prediction(2.0, 0.5))).endswith("predicted=2 ± 0.5)")


def test_a_notebook_shows_a_table_in_which_nothing_of_ours_is_markup() -> None:
    best = InRows([Best(None, {"x": "<b>"}, 1.0)])
    assert best._repr_html_() == (
        "<table><thead><tr><th>trial</th><th>value</th><th>x</th></tr></thead>"
        "<tbody><tr><td></td><td>1</td><td>&lt;b&gt;</td></tr></tbody></table>"
    )


def test_of_many_the_first_are_shown() -> None:
    many = InRows({"x": i} for i in range(MOST_SHOWN + 3))
    assert len(repr(many).splitlines()) == MOST_SHOWN + 2
    assert repr(many).endswith("and 3 more")
    assert repr(many[-2:]).splitlines() == [" x", "61", "62"]
    assert many[-1] == {"x": 62}
    assert repr(InRows[Best]()) == "[]"


def test_a_cell_is_one_short_line_and_what_it_holds_stays_whole():
    curve = [0.125] * 500
    rows = InRows([{"trial": 1, "note": "burst\n at the seam", "curve": curve}])
    _, line = repr(rows).splitlines()
    assert "burst at the seam" in line
    assert len(line) < 160
    assert line.endswith("…")
    assert len(rows._repr_html_()) < 500
    assert rows[0]["curve"] is curve
    heading, line = repr(InRows([{"note\n of the seam " * 20: 10**400}])).splitlines()
    assert max(len(heading), len(line)) <= 120
    best = Best(1, {"x": 0.5}, 1.0, extras={"curve": curve, "epochs": 7})
    assert repr(best).endswith("outcomes={}, extras of curve, epochs)")


def test_it_is_a_list_in_all_else() -> None:
    rows = InRows([PREDICTED])
    assert rows == [PREDICTED]
    assert pickle.loads(pickle.dumps(rows)) == copy.deepcopy(rows) == rows


def test_its_rows_are_one_level_deep_for_a_data_frame_or_a_file() -> None:
    rows = InRows([PREDICTED]).rows()
    written = io.StringIO()
    writer = csv.DictWriter(written, rows[0])
    writer.writeheader()
    writer.writerows(rows)
    assert written.getvalue().splitlines()[0] == (
        "value_expected,value_deviation,value_low,value_high,heat_expected,heat_deviation,heat_low,heat_high,"
        "satisfied,succeeds,x,kind"
    )
    assert rows[0]["x"] == 1 / 3


def test_a_parameter_that_is_called_as_a_column_of_ours_keeps_its_name() -> None:
    (row,) = InRows([Asked(3, {"trial": 0.5}, None, {})]).rows()
    assert (row["run.trial"], row["trial"]) == (3, 0.5)


def test_so_does_an_outcome_that_is_called_as_a_column_of_ours() -> None:
    (row,) = InRows([Best(3, {"x": 0.5}, 1.5, {"trial": 7.0})]).rows()
    assert row == {"run.trial": 3, "value": 1.5, "trial": 7.0, "x": 0.5}
    outcomes = dict.fromkeys(("value", "satisfied"), PREDICTED.value)
    named = replace(PREDICTED, outcomes=outcomes, satisfied=0.5)
    assert set(named.cells()) >= {"run.value", "value", "satisfied", "run.satisfied"}
    assert {"run.value_expected", "value_expected"} <= set(named.row())


def test_nothing_that_is_shown_is_a_command_to_a_terminal() -> None:
    name, note = "heat\x1b]0;", "done\x1b[2J\x9b"
    cooled = replace(PREDICTED, parameters={name: note}, outcomes={name: Expectation(1, 2, -1, 3)})
    best = Best(1, {name: note}, 1.0, extras={name: note, "curve": [0.125] * 500})
    rows = InRows([{name: note}])
    apart = Apart(0.5, 0.25, 0.25, 0.1, 0.0, 0.5, 0.99, None, None)
    left_out = LeftOut(np.zeros(1), np.zeros(1), np.ones(1, dtype=bool))
    compared = Compared({name: note}, {name: note}, apart, {name: apart})
    seen = Sensitivity({name: Influence(0.5, 0.5, None)}, {}, left_out, 9)
    shown = [repr(one) for one in (cooled, InRows([cooled]), best, rows, compared, seen)]
    assert all(line.isprintable() for text in [*shown, rows._repr_html_()] for line in text.splitlines())
