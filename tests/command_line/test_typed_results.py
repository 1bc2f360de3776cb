"""What a person types beside a value: numbers, but for the block, which is called as it is typed."""

from __future__ import annotations

import pytest

from orchestrator.command_line.typed_results import named_once, with_its_block
from orchestrator.errors import UsageError


@pytest.mark.parametrize(
    ("typed", "block"), [("7", "7"), ("7.0", "7"), ("007", "007"), ("2026_11", "2026_11"), ("5E3", "5E3")]
)
def test_a_block_is_called_as_it_is_typed_and_as_a_file_would_have_it(typed: str, block: str) -> None:
    told = ["heat=7.0", f"plate={typed}"]
    assert with_its_block(named_once(told), told, "plate") == {"heat": 7.0, "plate": block}


def test_a_block_that_is_named_in_capitals_is_not_taken_for_something_else() -> None:
    told = ["Plate=7"]
    with pytest.raises(UsageError, match="expected --extra plate=NAME for the block, got `Plate`"):
        with_its_block(named_once(told), told, "plate")
    for blocks in (None, "worker"):
        assert with_its_block(named_once(told), told, blocks) == {"Plate": 7.0}
