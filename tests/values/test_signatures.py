"""Annotations are for type checkers: what a function takes can be told without what they name."""

import sys
from typing import Any

import pytest

from orchestrator.values.signatures import signature_of

GIVEN = """
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lab import Context, Settings

def measured(parameters: Settings, *, context: Context, rate: float = 0.5) -> Undefined:
    return 1.0

class Measured:
    def __call__(self, parameters: Settings, *, context: Context, rate: float = 0.5) -> Undefined:
        return 1.0
"""


@pytest.mark.parametrize(
    "before",
    [
        "from __future__ import annotations",
        pytest.param(
            "",
            marks=pytest.mark.skipif(
                sys.version_info < (3, 14), reason="annotations are evaluated as the function is defined"
            ),
        ),
    ],
)
@pytest.mark.parametrize("named", ["measured", "Measured"])
def test_a_function_may_be_annotated_with_what_is_there_for_type_checkers_alone(
    before: str, named: str
) -> None:
    module: dict[str, Any] = {}
    exec(f"{before}\n{GIVEN}", module)
    function = module[named]() if named == "Measured" else module[named]
    assert list(signature_of(function).parameters) == ["parameters", "context", "rate"]
    assert function({}, context=None) == 1.0


def test_annotations_that_can_be_evaluated_are_shown_as_they_are() -> None:
    module: dict[str, Any] = {}
    exec("def f(x: float, y: int = 3) -> float: ...", module)
    assert str(signature_of(module["f"])) == "(x: float, y: int = 3) -> float"


def test_what_is_not_written_in_python_may_have_none() -> None:
    with pytest.raises(ValueError, match="no signature"):
        signature_of(dict)
