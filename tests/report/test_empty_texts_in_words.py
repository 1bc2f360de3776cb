"""A value that is an empty text, as a switch that is left out, is seen where a sentence has it."""

from __future__ import annotations

from recorded_runs import SPEC

from orchestrator.report.words.differences import where_words
from orchestrator.report.words.wording import parameter_words
from orchestrator.spec.load import load_spec_text

SWITCHED = SPEC.replace("values: [foam, carbon]", 'values: ["", -q]')


def test_the_settings_of_a_point_have_it_in_quotation_marks() -> None:
    spec = load_spec_text(SWITCHED, "wing.yaml", None).spec
    assert spec is not None
    assert list(parameter_words(spec, {"ribs": 7, "skin": ""})) == [("ribs", "7"), ("skin", '""')]
    assert list(parameter_words(spec, {"skin": "-q"})) == [("skin", "-q")]


def test_so_has_the_place_of_a_value() -> None:
    where = where_words("best", 17, "3.2", {"skin": "", "span": 4.0}, {"span": "m"})
    assert where == 'best: trial 17, measured 3.2, at skin = "", span = 4 m'
