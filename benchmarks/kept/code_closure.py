"""Which of this project's code a module runs with, and a fingerprint of it.

What a run gave stays true while that code stays: comments, docstrings and other algorithms may change.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterable
from pathlib import Path

from benchmarks.project import PROJECT


def closure(modules: Iterable[str], project: Path = PROJECT) -> list[Path]:
    """The files under ``project`` of the modules, of all that they import, and so on, sorted.

    Modules by their dotted names; those that are not in the project are left out, and so are the packages
    that they lie in. Imports inside functions count; those by a name made as the code runs are not seen.
    """
    found: set[Path] = set()
    left = list(modules)
    while left:
        stem = project.joinpath(*left.pop().split("."))
        path = next((p for p in (stem.with_suffix(".py"), stem / "__init__.py") if p.is_file()), None)
        if path is not None and path not in found:
            found.add(path)
            left.extend(_imported(path))
    return sorted(found)


def fingerprint_of(paths: Iterable[Path], project: Path = PROJECT) -> str:
    """Eight hexadecimal digits of what the files say, without comments and docstrings."""
    digest = hashlib.blake2b(digest_size=4)
    for path in paths:
        digest.update(f"{path.relative_to(project)}\n{_said(path)}\n".encode())
    return digest.hexdigest()


def _imported(path: Path) -> tuple[str, ...]:
    """Names that may be modules: what is imported from a module may be one itself."""
    names: list[str] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            names += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return tuple(names)


def _said(path: Path) -> str:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            kept = [part for part in node.body if not _is_text(part)]
            node.body = kept or [ast.Pass()]
    return ast.unparse(ast.fix_missing_locations(tree))


def _is_text(part: ast.stmt) -> bool:
    return (
        isinstance(part, ast.Expr)
        and isinstance(part.value, ast.Constant)
        and isinstance(part.value.value, str)
    )
