"""Why an evaluation failed may be told with that."""

import pytest

from orchestrator import Optimiser, Preferences
from orchestrator.errors import UsageError


def test_a_reason_is_of_what_failed_and_a_text():
    optimiser = Optimiser({"x": (0.0, 1.0)}, algorithm="random")
    (asked,) = optimiser.ask()
    with pytest.raises(UsageError, match=r"expected a `reason` of a trial that failed, .* got the value 1.0"):
        optimiser.tell(asked.trial, 1.0, reason="spilt")
    with pytest.raises(UsageError, match=r"expected a text as `reason`, .* got 7"):
        optimiser.tell(asked.trial, None, reason=7)
    assert optimiser.pending == (1,)
    optimiser.tell(asked.trial, None, reason="spilt")
    assert optimiser.told == 1
    coffees = Preferences({"x": (0.0, 1.0)})
    coffees.ask()
    with pytest.raises(UsageError, match=r"expected a text as `reason`"):
        coffees.fail(1, reason=ValueError("hot"))
