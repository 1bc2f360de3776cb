"""Templates that are folders: a simulator's case, of whose files few have something to fill in."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePath
from typing import Final

from orchestrator.programs.input_template import TemplateError

MOST_FILES: Final = 1_000
"""Of a folder: each evaluation reads and writes them all."""


def files_of(templates: Mapping[str, str]) -> dict[str, str]:
    """Every file that is made, with its template: in the place of a folder all that lie in it, at any depth.

    A template of its own takes the place of a folder's file. What is not here is taken for a file. Raises
    `TemplateError` for files that cannot all be, and for a folder that is empty, too large, or the one in
    which runs lie.
    """
    folders = {name: path for name, path in templates.items() if os.path.isdir(path)}
    files = {file: made_of for name, path in folders.items() for file, made_of in _within(name, path).items()}
    own = {os.path.normpath(name): name for name in templates if name not in folders}
    files = {file: made_of for file, made_of in files.items() if file not in own}
    files |= {name: path for name, path in templates.items() if name not in folders}
    _check_files(files)
    return files


def _within(name: str, folder: str) -> dict[str, str]:
    if Path.cwd().is_relative_to(Path(folder).resolve()):
        raise TemplateError(
            f"expected the template `{folder}` as a folder of its own, which {os.getcwd()} is not in: each"
            " evaluation would have the runs that lie there, too"
        )
    files: dict[str, str] = {}
    for place, _, names in os.walk(folder, followlinks=True):
        for file in sorted(names):
            path = os.path.join(place, file)
            files[os.path.normpath(os.path.join(name, os.path.relpath(path, folder)))] = path
        if len(files) > MOST_FILES:
            raise TemplateError(
                f"expected at most {MOST_FILES:,} files in the template `{folder}`, got more: each evaluation"
                f" has all of them; what is only read may stay where it is, as `{{started_in}}/{folder}`"
            )
    if not files:
        raise TemplateError(f"expected files in the template `{folder}`, got an empty folder")
    return files


def _check_files(names: Iterable[str]) -> None:
    taken: dict[PurePath, str] = {}
    for name in names:
        path = PurePath(name)
        if not path.parts:
            raise TemplateError(
                f"expected a folder as the template of `{name}`, the evaluation's own, got a file"
            )
        if path in taken:
            raise _beside(taken[path], name)
        taken[path] = name
    for path, name in taken.items():
        for folder in path.parents:
            if folder in taken:
                raise _beside(taken[folder], name)


def _beside(one: str, other: str) -> TemplateError:
    return TemplateError(f"expected files that can lie beside each other, got `{one}` and `{other}`")
