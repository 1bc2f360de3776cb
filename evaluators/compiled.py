"""Builds the C++ programs of the evaluators on first use, into a cache.

A program's file is named for a hash of all that decides it: its sources, how they are compiled, the compiler
and the libraries. So a program that is there is the right one, and nothing is ever replaced under a worker
that runs it. Workers that build at once wait for the first; the file appears whole or not at all.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from evaluators.errors import EvaluationError

_COMPILER: Final = "g++"
_FLAGS: Final = ("-std=c++17", "-O1", "-pthread")
_SAID_LINES: Final = 12
_TELLING: Final = ("error", "cannot find", "undefined reference", "multiple definition")


@dataclass(frozen=True, slots=True)
class Package:
    """A package of the distribution (Debian's name), the header that shows it, and the libraries linked."""

    name: str
    header: str
    libraries: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Program:
    """What is compiled: ``sources``, the ``headers`` of ours that they include, packages and definitions.

    The sources are compiled as one unit: what is local to one of them has names that no other uses.
    """

    name: str
    sources: tuple[Path, ...]
    headers: tuple[Path, ...] = ()
    packages: tuple[Package, ...] = ()
    definitions: tuple[str, ...] = ()


def built(program: Program) -> Path:
    """The program's file, built if it is not there yet, or no longer whole, which takes some seconds.

    Raises:
        EvaluationError: (error) the compiler or a library is missing, the sources do not compile, or the
            cache cannot be written; the message says what to do.
    """
    compiler = shutil.which(_COMPILER)
    if compiler is None:
        raise _lacks(program, missing(program))
    kept = _kept(program, compiler)
    if not _whole(kept):
        if packages := missing(program):
            raise _lacks(program, packages)
        try:
            _build_into(kept, program, compiler)
        except OSError as error:
            raise EvaluationError(
                "error",
                f"expected to keep the program {program.name} in {kept.parent}, and cannot: {error.strerror};"
                " set XDG_CACHE_HOME to a directory that this worker can write to",
            ) from None
    return kept


def lacking(program: Program) -> list[str]:
    """The packages without which `built` would fail: none where a compiler is, and the program already."""
    compiler = shutil.which(_COMPILER)
    if compiler is not None and _whole(_kept(program, compiler)):
        return []
    return missing(program)


def missing(program: Program) -> list[str]:
    """The packages that this machine lacks to build it; all of them count where there is no compiler."""
    compiler = shutil.which(_COMPILER)
    if compiler is None:
        return [_COMPILER, *(package.name for package in program.packages)]
    return [package.name for package in program.packages if not _has(compiler, package)]


def install_command(packages: list[str]) -> str:
    """The one command that supplies packages on Debian and its kin; a fresh machine has no lists of them."""
    sudo = "" if os.geteuid() == 0 else "sudo "
    install = f"apt-get install -y --no-install-recommends {' '.join(packages)}"
    return f"{sudo}apt-get update && {sudo}{install}"


def _lacks(program: Program, packages: list[str]) -> EvaluationError:
    what = " and ".join(packages)
    return EvaluationError(
        "error",
        f"{program.name} is a C++ program, built on first use, and this machine lacks {what}; "
        f"to supply it: {install_command(packages)}",
    )


def _has(compiler: str, package: Package) -> bool:
    question = f"#if !__has_include(<{package.header}>)\n#error\n#endif\n"
    asked = subprocess.run(
        [compiler, "-E", "-x", "c++", "-"], input=question.encode(), capture_output=True, check=False
    )
    return asked.returncode == 0


def _cache() -> Path:
    # Relative paths are to be ignored, says the specification of base directories.
    given = os.environ.get("XDG_CACHE_HOME", "")
    base = Path(given) if os.path.isabs(given) else Path(os.path.expanduser("~")) / ".cache"
    return base / "orchestrator" / "programs"


def _kept(program: Program, compiler: str) -> Path:
    return _cache() / f"{program.name}-{_key(program, compiler)}"


def _whole(kept: Path) -> bool:
    """Whether it can be started. A full disk or a power cut may have left an empty file."""
    return kept.is_file() and kept.stat().st_size > 0 and os.access(kept, os.X_OK)


def _key(program: Program, compiler: str) -> str:
    digest = hashlib.sha256()
    for path in (*program.sources, *program.headers):
        digest.update(f"{path.name}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
    digest.update("\0".join((*_FLAGS, *program.definitions, *_libraries(program))).encode())
    for file in (compiler, *_library_files(program, compiler)):
        real = os.path.realpath(file)
        with contextlib.suppress(OSError):
            found = os.stat(real)
            digest.update(f"{real}\0{found.st_size}\0{found.st_mtime_ns}\0".encode())
    return digest.hexdigest()[:20]


def _libraries(program: Program) -> list[str]:
    return [f"-l{library}" for package in program.packages for library in package.libraries]


def _library_files(program: Program, compiler: str) -> Iterator[str]:
    """The first library of each package: a package's libraries change together."""
    for package in program.packages:
        if package.libraries:
            yield subprocess.run(
                [compiler, f"-print-file-name=lib{package.libraries[0]}.so"],
                capture_output=True,
                text=True,
                check=False,
            ).stdout.strip()


def _build_into(kept: Path, program: Program, compiler: str) -> None:
    kept.parent.mkdir(parents=True, exist_ok=True)
    with open(kept.with_suffix(".lock"), "w") as lock:
        # Where a file system has no locks, two may build; each renames a whole program into place.
        with contextlib.suppress(OSError):
            fcntl.flock(lock, fcntl.LOCK_EX)
        if _whole(kept):
            return
        fresh = kept.with_suffix(f".{os.uname().nodename}.{os.getpid()}")
        try:
            _compile(fresh, program, compiler)
            os.replace(fresh, kept)
        finally:
            fresh.unlink(missing_ok=True)


def _compile(fresh: Path, program: Program, compiler: str) -> None:
    # As one unit: each header is read once, which is most of the work.
    unit = "".join(f'#include "{source}"\n' for source in program.sources)
    definitions = [f"-D{definition}" for definition in program.definitions]
    ended = subprocess.run(
        [compiler, *_FLAGS, *definitions, "-x", "c++", "-", "-o", str(fresh), *_libraries(program)],
        input=unit.encode(),
        capture_output=True,
        check=False,
    )
    if ended.returncode != 0:
        said = ended.stderr.decode("utf-8", "replace").splitlines()
        telling = [line for line in said if any(word in line for word in _TELLING)] or said
        shown = "\n".join(line[:300] for line in telling[:_SAID_LINES])
        raise EvaluationError("error", f"the C++ program {program.name} cannot be compiled:\n{shown}")
