"""How features are put into a draft: what each says of parameters, of what is sought, of how results come."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from drafts import Draft

Feature: TypeAlias = Callable[[Draft], None]


def parameters(**described: Any) -> Feature:
    return lambda draft: draft.parameters.update(described)


def alone(**described: Any) -> Feature:
    """In the place of `x` and `y`. Raises KeyError where there are none any more."""

    def put(draft: Draft) -> None:
        del draft.parameters["x"], draft.parameters["y"]
        draft.parameters.update(described)

    return put


def bounded(*constraints: str) -> Feature:
    return lambda draft: draft.constraints.extend(constraints)


def told(**arguments: Any) -> Feature:
    return lambda draft: draft.told.update(arguments)


def comes(manner: str) -> Feature:
    return lambda draft: draft.manner.add(manner)


def both(*features: Feature) -> Feature:
    def put(draft: Draft) -> None:
        for feature in features:
            feature(draft)

    return put


def outcome(name: str, *limits: str) -> Feature:
    def put(draft: Draft) -> None:
        draft.outcomes.append(name)
        draft.limits.extend(limits)

    return put


def of_x(**more: Any) -> Feature:
    """Raises KeyError where there is no `x`."""
    return lambda draft: draft.parameters.update(x={**_as_mapping(draft.parameters["x"]), **more})


def of_y(**more: Any) -> Feature:
    """Raises KeyError where there is no `y`."""
    return lambda draft: draft.parameters.update(y={**_as_mapping(draft.parameters["y"]), **more})


def _as_mapping(told: Any) -> dict[str, Any]:
    return dict(told) if isinstance(told, Mapping) else {"type": "float", "bounds": list(told)}
