"""What an evaluator reports while it runs is refused where it is said, not where it would be sent."""

import numpy as np
import pytest
from evaluation_context import Heard, context

from evaluators.errors import EvaluationError


@pytest.mark.parametrize("step", [1, np.int64(1)])
def test_a_whole_number_of_any_make_is_a_step(step: int) -> None:
    heard: Heard = []
    context(heard=heard).report(step, loss=np.float32(0.5))
    assert heard == [(1, {"loss": 0.5})]


NO_STEPS = {
    "bool": True,
    "float": 1.0,
    "text": "1",
    "beyond": 2**53 + 1,
    "too long to be shown": -(10**5_000),
}


@pytest.mark.parametrize("step", NO_STEPS.values(), ids=NO_STEPS)
def test_what_is_no_step_is_refused(step: object) -> None:
    heard: Heard = []
    with pytest.raises(EvaluationError, match="expected a whole number") as refused:
        context(heard=heard).report(step, loss=0.5)  # type: ignore[arg-type]
    assert refused.value.kind == "invalid"
    assert heard == []


def test_a_quantity_whose_name_cannot_be_written_is_refused() -> None:
    heard: Heard = []
    with pytest.raises(EvaluationError, match="expected a name in UTF-8") as refused:
        context(heard=heard).report(1, **{"loss": 0.5, "m\udcff": 0.5})
    assert refused.value.kind == "invalid"
    assert heard == []
