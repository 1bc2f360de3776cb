"""Whether an evaluator is there, found without importing it: simulators are heavy, and import has effects."""

from __future__ import annotations

import ast
import importlib.util
import sys
from collections.abc import Iterator, Sequence
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path

from orchestrator.spec.checks.beside_the_spec import lies_beside
from orchestrator.spelling import did_you_mean
from orchestrator.values.python_text import looked_at

_IMPORTS_FOLLOWED = 5
_BEFORE_THE_FOLDER = sys.stdlib_module_names | {"orchestrator", "evaluators"}
"""Modules that workers have imported, or may have, before they look at the folder."""


def missing_evaluator(evaluator: str, folder: Path | None = None) -> str | None:
    """What is missing of ``module:function``, in a sentence; None where it is there or cannot be known.
    ``folder`` is the spec's.

    Workers search the folder they are started in as well, and first, and so does this.
    """
    module = evaluator.split(":")[0]
    missing = _missing(evaluator, folder)
    if (missing is not None or "." not in module) and _hidden(top := module.partition(".")[0]):
        return (
            f"expected a module of another name: `{top}` in {Path.cwd()} is not looked at, as a module of "
            "Python itself or of this project is called so; rename it"
        )
    return missing


def _hidden(name: str) -> bool:
    """Whether the folder has a module that never comes to be imported, for its name."""
    here = PathFinder.find_spec(name, [str(Path.cwd())]) if name in _BEFORE_THE_FOLDER else None
    if here is None or here.origin is None:
        return False
    found = _find(name, None)
    return found is None or found.origin != here.origin


def _missing(evaluator: str, folder: Path | None) -> str | None:
    module, function = evaluator.split(":")
    function = function.partition(".")[0]
    found: ModuleSpec | None = None
    for depth, _ in enumerate(parts := module.split(".")):
        name = ".".join(parts[: depth + 1])
        parent, found = found, _find(name, found)
        if found is None:
            where = f" in `{parent.name}`" if parent else f", neither installed nor in {Path.cwd()}"
            known = _modules_beside(parent) if parent else []
            near = did_you_mean(parts[depth], known) if parent else lies_beside(folder, f"{name}.py", name)
            missing = f"there is no `{parts[depth]}`{where}{near}"
            return f"expected a module that can be imported, got `{module}`: {missing}"
    assert found is not None
    if (error := _syntax_error(found)) is not None:
        where = f"line {error.lineno} of {found.origin}"
        return f"expected a module that can be imported, got `{module}`: {error.msg}, in {where}"
    names = _names_defined(found)
    if names is None or function in names:
        return None
    public = sorted(name for name in names if not name.startswith("_"))
    near = did_you_mean(function, public)
    return f"expected a function of `{module}`, got `{function}`, which is not there{near}"


def source_file(evaluator: str) -> Path | None:
    """The file of the module of ``module:function``; None where there is none, or it is no Python source."""
    found = _located(evaluator.split(":")[0])
    origin = found.origin if found is not None else None
    return Path(origin) if origin is not None and origin.endswith(".py") else None


def definition(evaluator: str) -> ast.FunctionDef | None:
    """The source of ``module:function``, imports between modules followed.

    None where it cannot be found, is decorated, or is bound more than once: then the source does not tell
    what is called.
    """
    for _ in range(_IMPORTS_FOLLOWED):
        module, function = evaluator.split(":")
        tree = _source(_located(module))
        bindings = [] if tree is None else list(_bindings(tree, function))
        if len(bindings) != 1:
            return None
        (binding,) = bindings
        if isinstance(binding, ast.FunctionDef):
            return None if binding.decorator_list else binding
        if not isinstance(binding, ast.ImportFrom) or binding.level or binding.module is None:
            return None
        name = next(alias.name for alias in binding.names if (alias.asname or alias.name) == function)
        evaluator = f"{binding.module}:{name}"
    return None


def _located(module: str) -> ModuleSpec | None:
    found: ModuleSpec | None = None
    for depth, _ in enumerate(parts := module.split(".")):
        found = _find(".".join(parts[: depth + 1]), found)
        if found is None:
            return None
    return found


def _bindings(tree: ast.Module, name: str) -> Iterator[ast.AST]:
    """Whatever in a module may give a name its meaning."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            bound = node.name == name
        elif isinstance(node, ast.Import | ast.ImportFrom):
            bound = any(alias.name == "*" or (alias.asname or alias.name) == name for alias in node.names)
        else:
            bound = isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store)
        if bound:
            yield node


def _find(name: str, parent: ModuleSpec | None) -> ModuleSpec | None:
    try:
        if parent is not None:
            places = parent.submodule_search_locations
            return PathFinder.find_spec(name, list(places)) if places is not None else None
        # A module without dots is found without importing anything.
        here = [] if name in _BEFORE_THE_FOLDER else [str(Path.cwd())]
        return PathFinder.find_spec(name, [*here, *sys.path]) or importlib.util.find_spec(name)
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
    tree = _source(module)
    if tree is None:
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


def _source(module: ModuleSpec | None) -> ast.Module | None:
    """What a module's file says, or None where it has none that can be read."""
    try:
        return _parsed(module)
    except SyntaxError:
        return None


def _syntax_error(module: ModuleSpec) -> SyntaxError | None:
    """Why a module's file is no Python, if it is not."""
    try:
        _parsed(module)
    except SyntaxError as error:
        return error
    return None


def _parsed(module: ModuleSpec | None) -> ast.Module | None:
    """Raises SyntaxError."""
    if module is None or module.name in sys.builtin_module_names:
        return None
    if not module.origin or not module.origin.endswith(".py"):
        return None
    try:
        with looked_at():
            return ast.parse(Path(module.origin).read_bytes())
    except (OSError, ValueError):
        return None


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
