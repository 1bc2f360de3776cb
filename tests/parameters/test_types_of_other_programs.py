"""Who describes a parameter as other programs do is told how it is described here."""

from __future__ import annotations

import pytest

from orchestrator.errors import SpecError
from orchestrator.parameters.space import Space
from orchestrator.parameters.types_elsewhere import in_a_spec, in_python, type_elsewhere


@pytest.mark.parametrize(
    ("told", "sentence"),
    [
        ({"type": "loguniform", "bounds": [1, 9]}, 'here that is {"type": "float", "scale": "log"}'),
        ({"type": "quniform", "bounds": [1, 9]}, 'here that is {"type": "float", "step": 0.1}'),
        ({"type": "IntegerParameter", "bounds": [1, 9]}, "got 'IntegerParameter' (did you mean `int`?)"),
        ({"type": "float", "bounds": [0, 1], "is_fidelity": True}, "`is_fidelity`; `fidelity`, beside the"),
        ({"type": "float", "bounds": [0, 1], "init": 0.5}, "`init`; what is tried first is a point of all"),
    ],
)
def test_it_is_said_in_python_s_words(told: dict[str, object], sentence: str) -> None:
    with pytest.raises(SpecError) as refused:
        Space.from_description({"x": told})
    assert sentence in str(refused.value)


def test_one_meaning_is_written_as_a_spec_and_as_python_has_it() -> None:
    meant = type_elsewhere("Boolean")
    assert meant is not None
    assert in_a_spec(meant) == "{type: choice, values: [false, true]}"
    assert in_python(meant) == '{"type": "choice", "values": [False, True]}'
    assert type_elsewhere("hyper") is None
