"""Points that say some of the parameters, the rest of which is to be chosen beside them."""

from __future__ import annotations

from orchestrator.parameters.space import MissingValue, Space
from orchestrator.values.named import Values


def is_part(space: Space, parameters: Values) -> bool:
    """Whether parameters, as many as count there, are some of a point of which others are left out.

    Raises SpecError for those that are wrong, and MissingValue where what is told leaves everything to be
    chosen, as what is fixed does, or where there are rows, which are tried as they are listed.
    """
    try:
        space.encode(parameters)
    except MissingValue:
        # What is computed cannot be held either, which is said where it is tried.
        if space.candidates is not None or set(space.given_names).isdisjoint(parameters):
            raise
        return True
    return False
