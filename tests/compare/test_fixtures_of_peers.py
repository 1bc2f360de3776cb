"""Without any peer installed: the stories that they are told lack nothing that every algorithm's have."""

from __future__ import annotations

import ast
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
LEFT_OUT = {"test_more_results_than_models_hold_are_taken_in"}


def functions(*where: str) -> list[ast.FunctionDef]:
    tree = ast.parse(TESTS.joinpath(*where).read_text(encoding="utf-8"))
    return [one for one in tree.body if isinstance(one, ast.FunctionDef)]


def fixtures(among: list[ast.FunctionDef]) -> set[str]:
    return {
        one.name for one in among if any("pytest.fixture" in ast.unparse(by) for by in one.decorator_list)
    }


def test_what_stories_of_every_algorithm_are_given_those_of_peers_are_given_as_well() -> None:
    stories = functions("conformance", "algorithms", "test_every_algorithm.py")
    told = [one for one in stories if one.name.startswith("test_") and one.name not in LEFT_OUT]
    wanted = fixtures(stories) & {argument.arg for one in told for argument in one.args.args}
    assert "name" in wanted
    assert wanted <= fixtures(functions("compare", "test_peers_conform.py"))
