"""Whatever key of a spec is mistyped, what was meant is said."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml
from features_said import FEATURES, spec_of

from orchestrator.errors import SpecError
from orchestrator.spec.load import load_spec_text

OF_THE_USER = {"parameters", "described", "fit", "points", "candidates"}
"""Keys below which are names of the user's own, but for what stands below those."""


def keys_in(said: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The paths of keys that are the project's."""
    for key, own in said.items() if isinstance(said, dict) else ():
        if not (path and path[-1] in OF_THE_USER):
            yield (*path, key)
        yield from keys_in(own, (*path, key))


def mistyped(key: str) -> str:
    return key[:-2] + key[-1] if len(key) > 4 else key + key[-1]


def said_of(spec: Any, path: tuple[str, ...]) -> str:
    whole = copy.deepcopy(spec)
    around = whole
    for key in path[:-1]:
        around = around[key]
    entries = [(mistyped(key) if key == path[-1] else key, own) for key, own in around.items()]
    around.clear()
    around.update(entries)
    try:
        load_spec_text(yaml.safe_dump(whole, sort_keys=False), "shop.yaml", Path())
    except SpecError as refused:
        return str(refused)
    return "nothing"


def test_what_was_meant_is_said_of_every_key() -> None:
    tried, unsaid = set(), []
    for name in FEATURES:
        spec = spec_of(name)
        for path in keys_in(spec):
            kind = (
                spec["parameters"][path[1]]["type"] if spec and path[0] == "parameters" and path[1:] else ""
            )
            if (kind, path[-1]) in tried:
                continue
            tried.add((kind, path[-1]))
            said = said_of(spec, path)
            if f"did you mean `{path[-1]}`?" not in said and f"is it `{mistyped(path[-1])}`?" not in said:
                unsaid.append((name, path, said))
    assert len(tried) > 50
    assert unsaid == []
