"""What a notebook offers after a dot, and within the parentheses of a call, goes by what is written here."""

from __future__ import annotations

import inspect
import typing

import pytest

from orchestrator import Optimiser, Preferences, maximise, minimise
from orchestrator.python_interface.settings import Settings
from orchestrator.python_interface.watch import Watch


@pytest.mark.parametrize("search", [minimise, maximise])
def test_a_search_names_all_that_it_may_be_told_with_what_holds_otherwise(
    search: typing.Callable[..., Optimiser],
) -> None:
    told, own = inspect.signature(search).parameters, inspect.signature(Optimiser).parameters
    assert [told[name] for name in Settings.__annotations__] == [
        own[name] for name in Settings.__annotations__
    ]
    assert {"executor", "until", "seed", "store"} <= told.keys()
    assert list(told)[:3] == ["function", "parameters", "trials"]


@pytest.mark.parametrize("one", [Optimiser, Preferences, Watch])
def test_no_property_keeps_the_completer_of_notebooks_from_all_the_others(one: type) -> None:
    own = {name: told.fget for name, told in inspect.getmembers(one) if isinstance(told, property)}
    for name, read in own.items():
        assert read is not None
        try:
            told = typing.get_type_hints(read)["return"]
        except NameError:
            # What is imported for type checkers alone stays a text, with which it can do.
            continue
        literals = [
            each for each in (told, *typing.get_args(told)) if typing.get_origin(each) is typing.Literal
        ]
        assert not literals, name
