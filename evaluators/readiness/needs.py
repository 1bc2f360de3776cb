"""What a workload needs beyond the orchestrator's own libraries, and what of that a machine lacks.

Nothing heavy is imported to find out: modules are looked for and not loaded, headers are asked of the
compiler, files are read by the rules of `data_forms`.
"""

from __future__ import annotations

import importlib.util
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from evaluators import compiled
from evaluators.readiness.data_forms import Damaged, Form
from evaluators.readiness.extras import EXTRAS, install_command

BUILT_BY_PIP: Final[Mapping[str, tuple[str, ...]]] = {
    "cosmosis": ("gfortran", "liblapack-dev", "make", "g++"),
}
"""Modules without wheels, and the distribution's packages that pip builds them with."""
_FETCH: Final = "curl -fL --create-dirs"


@dataclass(frozen=True, slots=True)
class Lack:
    """Something that is missing: ``what``, in words, and ``supply``, the shell command that supplies it.

    There is none for what only its owner has: then it is empty.
    """

    what: str
    supply: str


@dataclass(frozen=True, slots=True)
class Module:
    """A library of an extra, and the ``file`` within it without which it is of no use."""

    name: str
    extra: str
    file: str = ""

    def lacking(self) -> Iterator[Lack]:
        """The library, if it is not there."""
        found = importlib.util.find_spec(self.name)
        supply = install_command(self.extra, [self.name])
        if packages := BUILT_BY_PIP.get(self.name):
            supply = f"{compiled.install_command(list(packages))} && {supply}"
        if found is None:
            yield Lack(f"the library {self.name}", supply)
        elif self.file and not any(
            (Path(folder) / self.file).is_file() for folder in found.submodule_search_locations or ()
        ):
            requirement = EXTRAS[self.extra][self.name]
            yield Lack(f"the file {self.file} of the library {self.name} ({requirement} has it)", supply)


@dataclass(frozen=True, slots=True)
class DataFile:
    """A file or folder that an option of the spec names; ``usual`` is the path in the paper's spec.

    ``address`` is where it is to be had; one that ends in ``.tar.gz`` holds the folder. ``form`` is how it
    must be. A file that is not ``required`` may be left out of the options.
    """

    option: str
    usual: str
    address: str
    form: Form
    required: bool = True

    def lacking(self, options: Mapping[str, Any]) -> Iterator[Lack]:
        """The file, if it is damaged or not where these options or, without them, the paper's spec say."""
        given = options.get(self.option, None if options and not self.required else self.usual)
        if not isinstance(given, str):
            return
        path = Path(given).expanduser()
        if not path.exists():
            yield Lack(f"the file {given}", self._fetching(path))
            return
        try:
            self.form.check(path)
        except Damaged as damaged:
            yield Lack(f"a sound file {given} ({damaged})", self._fetching(path))
        except OSError as error:
            supply = f"chmod u+r {shlex.quote(given)}" if isinstance(error, PermissionError) else ""
            yield Lack(f"a file {given} that can be read ({error.strerror or error})", supply)

    def _fetching(self, path: Path) -> str:
        if self.address.endswith(".tar.gz"):
            folder = shlex.quote(str(path.parent))
            return f"mkdir -p {folder} && curl -fL {self.address} | tar -xz -C {folder}"
        return f"{_FETCH} -o {shlex.quote(str(path))} {self.address}"


@dataclass(frozen=True, slots=True)
class Workload:
    """A kind of experiment: its evaluator, and what it needs.

    ``program`` is a C++ program built on first use. Of the ``choices`` of an option, such as its engine, the
    first is the default: a library for each.
    """

    name: str
    about: str
    evaluator: str
    modules: tuple[Module, ...] = ()
    program: compiled.Program | None = None
    data: tuple[DataFile, ...] = ()
    option: str = ""
    choices: tuple[tuple[str, Module], ...] = ()

    def lacking(self, options: Mapping[str, Any] | None = None) -> list[Lack]:
        """What this machine and environment lack for it, with the options of a spec or its usual ones."""
        given = options or {}
        lacks = [lack for module in self.modules for lack in module.lacking()]
        if self.choices:
            wanted = given.get(self.option, self.choices[0][0])
            lacks += [lack for name, module in self.choices if name == wanted for lack in module.lacking()]
        if self.program is not None and (packages := compiled.lacking(self.program)):
            supply = compiled.install_command(packages)
            lacks += [Lack(f"the package {package}", supply) for package in packages]
        lacks += [lack for file in self.data for lack in file.lacking(given)]
        return lacks


def one_command(lacks: Sequence[Lack]) -> str:
    """The command that supplies all of it; empty for nothing."""
    supplies = list(dict.fromkeys(lack.supply for lack in lacks if lack.supply))
    fetched = [supply.removeprefix(_FETCH) for supply in supplies if supply.startswith(_FETCH)]
    steps = [supply for supply in supplies if not supply.startswith(_FETCH)]
    return " && ".join([*steps, _FETCH + "".join(fetched)] if fetched else steps)
