"""A count that has a name of its own limits nothing by it."""

from __future__ import annotations

import pytest

from orchestrator.errors import SpecError
from orchestrator.parameters.space import Space

PARAMETERS = {"a": (0.0, 1.0), "b": (0.0, 1.0), "used": {"type": "computed", "value": "count(a, b)"}}


def test_it_is_refused_by_its_name_and_taken_as_it_is_written() -> None:
    with pytest.raises(SpecError, match=r"expected `count\(a, b\)` itself"):
        _ = Space.from_description(PARAMETERS, ["used <= 1"]).ties
    assert Space.from_description(PARAMETERS, ["count(a, b) <= 1"]).required == ("count(a, b) <= 1",)
