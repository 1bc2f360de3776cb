"""What checks are given of a spec that is wrong elsewhere."""

from typing import get_type_hints

from orchestrator.spec.model import Spec
from orchestrator.spec.parts import Parts


def test_they_are_the_spec_s_own_by_name_and_type() -> None:
    told = get_type_hints(Parts, include_extras=True)
    assert told == {name: field.annotation for name, field in Spec.model_fields.items()}
