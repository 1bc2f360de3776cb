"""Values under a path of XML, as traffic and electronic structure programs write them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from commands_run import of_python, run_program

from evaluators.errors import EvaluationError
from evaluators.programs.xml_path import Xml

TRIPS = """\
<?xml version="1.0" encoding="UTF-8"?>
<!-- of a simulator of traffic -->
<tripinfos xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="t.xsd">
    <tripinfo id="a" duration="61.0"><emissions CO2="2.5D2"/></tripinfo>
    <tripinfo id="b" duration="75.5"><emissions CO2="150"/></tripinfo>
    <rides duration="0"/>
</tripinfos>
"""
ENERGIES = """\
<modeling xmlns="http://example.org/schema">
  <calculation><energy><i name="e_fr"> -10.5 </i><i name="e_0"> -10.25 </i></energy></calculation>
  <calculation><energy><i name="e_fr"> -11.5 </i><i name="e_0"> -11.25 </i></energy>
    <forces> 0.5 -0.5
      1.0 </forces><state>converged</state><empty/></calculation>
</modeling>
"""


def under(text: str, key: str) -> Any:
    return Xml.read(text.encode(), "w.xml").under(key, "it to write to w.xml")


@pytest.mark.parametrize(
    ("text", "key", "found"),
    [
        (TRIPS, "tripinfo/@duration", [61.0, 75.5]),
        ("<a><a n='1'><a n='2'/></a></a>", ".//a//@n", [1.0, 2.0]),
        (TRIPS, "tripinfo[@id='b']/@duration", 75.5),
        (TRIPS, "tripinfo/emissions/@CO2", [250.0, 150.0]),
        (TRIPS, "/tripinfos/rides/@duration", 0.0),
        (TRIPS, "//rides/@duration", 0.0),
        (TRIPS, ".//@CO2", [250.0, 150.0]),
        (TRIPS, "//@CO2", [250.0, 150.0]),
        (TRIPS, "tripinfo[1]/@id", "a"),
        (ENERGIES, "calculation[last()]/energy/i[@name='e_0']", -11.25),
        (ENERGIES, "calculation/energy/i[@name='e_fr']", [-10.5, -11.5]),
        (ENERGIES, ".//forces", [0.5, -0.5, 1.0]),
        (ENERGIES, "//state", "converged"),
    ],
)
def test_a_path_leads_to_the_text_of_elements_or_to_their_attributes(
    text: str, key: str, found: object
) -> None:
    assert under(text, key) == found


@pytest.mark.parametrize(
    ("text", "key", "words"),
    [
        (TRIPS, "tripinfo/@durration", "got `@id`, `@duration`, `emissions` under `tripinfo` (did you mean"),
        (TRIPS, "tripinfos/tripinfo/@id", "got `tripinfo`, `rides` in the outermost element, `tripinfos`"),
        (TRIPS, "tripinfo/emission/@CO2", "got `@id`, `@duration`, `emissions` under `tripinfo` (did you"),
        (
            TRIPS,
            "tripinfo.duration",
            "got `tripinfo`, `rides` in the outermost element, `tripinfos`; in XML parts of a key have `/`",
        ),
        (ENERGIES, "calculation/empty", "a value, got nothing in it"),
        (TRIPS, "tripinfo[0]", "got no path of XML: XPath position"),
    ],
)
def test_a_path_that_leads_nowhere_is_told_of_with_what_there_is(text: str, key: str, words: str) -> None:
    with pytest.raises(EvaluationError) as refused:
        under(text, key)
    assert str(refused.value).startswith(f"expected it to write to w.xml `{key}`")
    assert words in str(refused.value)


@pytest.mark.parametrize("key", ["tripinfo[", "@"])
def test_what_is_no_path_is_told_without_what_python_says_of_it(key: str) -> None:
    with pytest.raises(EvaluationError, match=rf"`{re.escape(key)}`, got no path of XML$"):
        under(TRIPS, key)


def test_xml_that_is_cut_off_fails_the_attempt_with_a_sentence() -> None:
    with pytest.raises(EvaluationError, match=r"expected XML in w\.xml: .*line 3, column 0"):
        under("<a>\n<b>\n", "b")


def test_programs_are_read_by_paths_of_their_xml_and_what_one_leads_to_may_be_taken(tmp_path: Path) -> None:
    (tmp_path / "0003").mkdir()
    program = of_python(f"open({str(tmp_path / '0003' / 't.xml')!r}, 'w').write({TRIPS!r})")

    def found(**output: Any) -> Any:
        return run_program(tmp_path, *program, objective="delay", output=output)

    patterns = {
        "delay": {"key": "tripinfo/@duration", "take": "mean"},
        "rides": {"key": "rides/@duration", "take": "all"},
        "who": {"key": "tripinfo[1]/@id"},
    }
    told = {name: {"file": "t.xml"} | form for name, form in patterns.items()}
    assert found(patterns=told) == {"delay": 68.25, "rides": [0.0], "who": "a"}
    assert found(file="t.xml", key="rides/@duration") == 0.0
    with pytest.raises(EvaluationError, match=r"; of XML say a `key`, as `wing/@drag`$"):
        found(file="t.xml")
