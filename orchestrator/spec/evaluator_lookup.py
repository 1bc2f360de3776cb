"""Whether an evaluator is there, found without importing it: simulators are heavy, and import has effects."""

from __future__ import annotations

import ast
import importlib.util
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path

from orchestrator.spec.spelling import did_you_mean


def missing_evaluator(evaluator: str) -> str | None:
    """What is missing of ``module:function``, in a sentence; None where it is there or cannot be known.

    Workers search the folder they are started in as well, and so does this.
    """
    module, function = evaluator.split(":")
    function = function.partition(".")[0]
    found: ModuleSpec | None = None
    for depth, _ in enumerate(parts := module.split(".")):
        name = ".".join(parts[: depth + 1])
        parent, found = found, _find(name, found)
        if found is None:
            where = f" in `{parent.name}`" if parent else f", neither installed nor in {Path.cwd()}"
            known = _modules_beside(parent) if parent else []
            near = did_you_mean(parts[depth], known)
            missing = f"there is no `{parts[depth]}`{where}{near}"
            return f"expected a module that can be imported, got `{module}`: {missing}"
    assert found is not None
    names = _names_defined(found)
    if names is None or function in names:
        return None
    public = sorted(name for name in names if not name.startswith("_"))
    near = did_you_mean(function, public)
    return f"expected a function of `{module}`, got `{function}`, which is not there{near}"


def _find(name: str, parent: ModuleSpec | None) -> ModuleSpec | None:
    try:
        if parent is not None:
            places = parent.submodule_search_locations
            return PathFinder.find_spec(name, list(places)) if places is not None else None
        # A module without dots is found without importing anything.
        return importlib.util.find_spec(name) or PathFinder.find_spec(name, [str(Path.cwd())])
    except (ImportError, ValueError, AttributeError):
        return None


def _modules_beside(package: ModuleSpec) -> list[str]:
    folders = [Path(folder) for folder in package.submodule_search_locations or []]
    entries = [entry for folder in folders if folder.is_dir() for entry in folder.iterdir()]
    return sorted(
        {e.stem for e in entries if e.suffix == ".py" or (e.is_dir() and (e / "__init__.py").is_file())}
    )


def _names_defined(module: ModuleSpec) -> set[str] | None:
    """Names at a module's top level, or None where its source does not tell all of them."""
    if module.name in sys.builtin_module_names or not module.origin or not module.origin.endswith(".py"):
        return None
    try:
        tree = ast.parse(Path(module.origin).read_bytes())
    except (OSError, SyntaxError, ValueError):
        return None
    names: set[str] = set()
    for node in _top_level(tree.body):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names |= {
                name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)
            }
        elif not isinstance(node, ast.Expr | ast.Pass):
            return None
    return None if names & {"*", "__getattr__"} else names


def _top_level(body: Sequence[ast.stmt]) -> list[ast.stmt]:
    """The statements of a module, those inside its conditions and attempts included."""
    statements: list[ast.stmt] = []
    for node in body:
        if isinstance(node, ast.If):
            statements += _top_level([*node.body, *node.orelse])
        elif isinstance(node, ast.Try):
            handled = [statement for handler in node.handlers for statement in handler.body]
            statements += _top_level([*node.body, *handled, *node.orelse, *node.finalbody])
        else:
            statements.append(node)
    return statements
