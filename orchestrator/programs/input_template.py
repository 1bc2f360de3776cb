"""A program's input file before its placeholders are filled in.

Only braces about exactly a known name are a placeholder, as ``{span}``: an input file is full of braces, and
every other one is its own and stays, ``{{`` and ``}}`` as well, and ``${span}``, a variable of shells and of
many simulators. A name may have a width behind it (`fixed_width`). What is so near to a name that it must be
a slip is a mistake.
"""

from __future__ import annotations

import difflib
import os
import re
import stat
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Final

from orchestrator.errors import OrchestratorError
from orchestrator.programs.fixed_width import without_width, written_in_width
from orchestrator.programs.placeholders import NAME_IN_BRACES, as_text

_IN_TEMPLATE: Final = re.compile(r"(?<!\$)" + NAME_IN_BRACES)
_LIKE_A_NAME: Final = re.compile(r"(\w(?:[\w -]*\w)?)(?::(?:[a-zA-Z]?[-+<>^=#%.0-9]+[a-zA-Z]?|[a-zA-Z%]?))?")
"""A name, perhaps with a format behind it, as Python's strings have one, or C and Fortran."""
_PIECE: Final = 1 << 20
"""Characters."""
_NEAR: Final = 0.75
"""Of `difflib`'s similarity: one letter of four."""


class TemplateError(OrchestratorError):
    """A template cannot be read, or what is in it cannot be meant."""


@dataclass(frozen=True, slots=True)
class InputTemplate:
    """The text of a template and its permissions. Bytes that are no UTF-8 survive, and so do line ends. What
    has zero bytes is no text, and braces in it, as a mesh of a MB may have by chance, are none.
    """

    path: str
    text: str
    mode: int

    def names(self, known: Collection[str]) -> set[str]:
        """The known names that it has placeholders for."""
        return {without_width(match[1], known) for match in self._placeholders()} & set(known)

    def check(self, known: Collection[str]) -> None:
        """Raises `TemplateError` for a placeholder that is misspelt."""
        for line, braces, meant in self._slips(known):
            raise TemplateError(
                f"line {line} of the template `{self.path}` has {{{braces}}}, which names no parameter; did "
                f"you mean {meant}? If the braces are the file's own, put a space in them, "
                f"{{ {braces} }}, or give the parameter another name"
            )

    def filled(self, values: Mapping[str, object]) -> Iterator[bytes]:
        """The input file of one evaluation, in pieces of moderate size: a mesh may have 100 MB.

        Raises `UnicodeError` for a value that is no text, and `NoRoomForValue` for one that is wider than its
        columns.
        """
        start = 0
        for match in self._placeholders():
            told = match[1]
            name = told if told in values else without_width(told, values)
            if name in values:
                value = as_text(values[name]) if name == told else written_in_width(values[name], told)
                yield from _encoded(self.text, start, match.start())
                yield _bytes_of(value)
                start = match.end()
        yield from _encoded(self.text, start, len(self.text))

    @property
    def _is_text(self) -> bool:
        return "\0" not in self.text

    def _placeholders(self) -> Iterator[re.Match[str]]:
        return _IN_TEMPLATE.finditer(self.text) if self._is_text else iter(())

    def _slips(self, known: Collection[str]) -> Iterator[tuple[int, str, str]]:
        """Line, what stands in the braces, and what was meant, in words."""
        folded = {name.casefold(): name for name in known}
        far = set[str]()
        for match in self._placeholders():
            like = _LIKE_A_NAME.fullmatch(match[1])
            if like is None or like[1] in far or without_width(match[1], known) in known:
                continue
            for near in difflib.get_close_matches(like[1].casefold(), folded, 1, _NEAR):
                line = self.text.count("\n", 0, match.start()) + 1
                yield line, match[1], _meant(folded[near], like[1], match[1])
            far.add(like[1])


def _encoded(text: str, start: int, end: int) -> Iterator[bytes]:
    for place in range(start, end, _PIECE):
        yield _bytes_of(text[place : min(place + _PIECE, end)])


def _bytes_of(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _meant(name: str, written: str, braces: str) -> str:
    """Of a format only the width can be said."""
    if without_width(braces, (written,)) == written:
        return f"{{{name}{braces.removeprefix(written)}}}"
    return f"{{{name}}}, or {{{name}:10}} for ten columns, of up to 99"


def read_template(path: str) -> InputTemplate:
    """The template in a file; relative paths start in the working directory. Raises `TemplateError`."""
    try:
        status = os.stat(path)
        if not stat.S_ISREG(status.st_mode):
            what = "a folder" if stat.S_ISDIR(status.st_mode) else "something else"
            raise TemplateError(f"expected a file as the template `{path}`, got {what}")
        text = Path(path).read_bytes().decode("utf-8", "surrogateescape")
    except FileNotFoundError:
        where = "" if os.path.isabs(path) else f" in {os.getcwd()}"
        raise TemplateError(f"expected a template, found no `{path}`{where}") from None
    except OSError as error:
        raise TemplateError(f"the template `{path}` cannot be read: {error.strerror}") from None
    except ValueError:
        raise TemplateError(f"expected the path of a template, got {path!r}") from None
    return InputTemplate(path, text, stat.S_IMODE(status.st_mode) & 0o777)


def templates_of(input: object) -> dict[str, str]:
    """Of a command's ``input``, the templates' paths by the files that are made of them; perhaps none.

    Raises `TemplateError` for what is no such mapping, or files that cannot all be.
    """
    if not isinstance(input, Mapping) or "templates" not in input:
        return {}
    templates = input["templates"]
    if (
        len(input) > 1
        or not isinstance(templates, Mapping)
        or not templates
        or not all(isinstance(text, str) for pair in templates.items() for text in pair)
    ):
        raise TemplateError(
            "expected files to be written and the templates that they are made of, as in"
            " `{templates: {wing.in: wing.in.template}}`"
        )
    for name in templates:
        path = PurePath(name)
        if not name or path.is_absolute() or ".." in path.parts or "\0" in name:
            raise TemplateError(f"expected the name of a file inside the evaluation's folder, got `{name}`")
    return dict(templates)


def template_of(program: str, templates: Mapping[str, str]) -> str | None:
    """The template that a program, as a command names it, is itself made of; None for any other."""
    if os.sep not in program:
        return None  # Such a one is looked for on the PATH.
    return {os.path.normpath(file): path for file, path in templates.items()}.get(os.path.normpath(program))


def why_left_behind(arguments: Iterable[str], files: Collection[str]) -> str:
    """Why one of the arguments will not be found from the evaluation's own directory; empty if they may be.

    ``files`` are those made in that directory.
    """
    made = {os.path.normpath(file) for file in files}
    for argument in arguments:
        own = os.path.isabs(argument) or os.path.normpath(argument) in made
        if not own and os.path.isfile(argument):
            return (
                f"the argument `{argument}` is a file in {os.getcwd()}, and a program with templates runs in"
                f" a directory of the evaluation's own: say `{{started_in}}/{argument}`, or `{{directory}}/"
                f"{argument}` where one of that directory is meant"
            )
    return ""
