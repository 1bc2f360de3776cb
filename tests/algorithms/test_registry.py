"""Names to algorithms: built in, from another package, misspelt, and with options that are wrong."""

from importlib.metadata import EntryPoint

import pytest

from orchestrator.algorithms import registry
from orchestrator.algorithms.base import Problem
from orchestrator.algorithms.random_search import RandomSearch
from orchestrator.errors import SpecError
from orchestrator.unit_cube.domain import Domain

PROBLEM = Problem(Domain.continuous(2))


def test_every_built_in_name_leads_to_a_class_of_that_name():
    for name in registry.BUILT_IN:
        assert registry.load(name).name == name


def test_options_that_lie_apart_are_those_of_the_algorithm():
    for name in registry.BUILT_IN:
        assert registry.options(name) is registry.load(name).Options


def test_a_misspelt_name_is_answered_with_the_names_there_are_and_the_nearest():
    with pytest.raises(
        SpecError, match=r"expected an algorithm \(.*egp-ts.*\), got `egpts` \(did you mean `egp-ts`"
    ) as refused:
        registry.load("egpts")
    assert refused.value.exit_code == 2


def test_another_package_can_bring_an_algorithm(monkeypatch):
    theirs = EntryPoint("theirs", "orchestrator.algorithms.random_search:RandomSearch", registry.GROUP)
    broken = EntryPoint("broken", "no_such_package:Algorithm", registry.GROUP)
    monkeypatch.setattr(registry, "entry_points", lambda **_: [theirs, broken])
    assert {"theirs", "broken", "egp-ts"} <= set(registry.names())
    assert registry.load("theirs") is RandomSearch
    with pytest.raises(SpecError, match=r"`broken` is offered .* cannot be imported .*no_such_package"):
        registry.load("broken")


def test_what_another_package_brings_for_a_special_problem_is_taken_for_it_as_it_is(monkeypatch):
    own = "orchestrator.algorithms.search_with_derivatives:SearchWithDerivatives"
    monkeypatch.setattr(registry, "entry_points", lambda **_: [EntryPoint("theirs", own, registry.GROUP)])
    special = Problem(Domain.continuous(2), derivatives=(0, 1))
    assert type(registry.build("theirs", special)) is registry.load("theirs")


@pytest.mark.parametrize(
    "value", ["json:dumps", "collections:OrderedDict", "orchestrator.algorithms.registry"]
)
def test_what_another_package_brings_and_is_no_algorithm_is_refused(monkeypatch, value):
    monkeypatch.setattr(registry, "entry_points", lambda **_: [EntryPoint("theirs", value, registry.GROUP)])
    for asked in (registry.load, registry.options):
        with pytest.raises(SpecError, match=f"`theirs` is offered .* as `{value}`, which is no algorithm"):
            asked("theirs")


def test_a_module_of_another_package_that_fails_is_named_with_what_it_raised(monkeypatch, tmp_path):
    (tmp_path / "mistyped_algorithm.py").write_text("class Algorithm(:\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    theirs = EntryPoint("theirs", "mistyped_algorithm:Algorithm", registry.GROUP)
    monkeypatch.setattr(registry, "entry_points", lambda **_: [theirs])
    with pytest.raises(SpecError, match="cannot be imported \\(invalid syntax"):
        registry.load("theirs")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"kernel": ["rbf"]}, "got `kernel` (did you mean `kernels`?)"),
        ({"features": 0}, "option `features`"),
        ({"kernels": []}, "option `kernels`"),
        ({"kernels": ["rfb"]}, "did you mean `rbf`?"),
        ({"kernels": ["rbf", "rbf"]}, "expected each kernel once"),
        ({"kernels": {"rbf-grid": [3, 1]}}, "with low <= high"),
        ({"acquisition": "pi"}, "option `acquisition`"),
    ],
)
def test_wrong_options_of_egp_ts_are_named(options, sentence):
    with pytest.raises(SpecError) as refused:
        registry.build("egp-ts", PROBLEM, options)
    assert sentence in str(refused.value)


def test_all_wrong_options_are_shown_at_once():
    with pytest.raises(SpecError) as refused:
        registry.build("egp-ts", PROBLEM, {"features": "many", "refit_evry": 3})
    assert "features" in str(refused.value)
    assert "did you mean `refit_every`?" in str(refused.value)
