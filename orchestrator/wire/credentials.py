"""What a worker or a node proves itself with: its own CURVE pair, and the public key of its orchestrator.

One small JSON file, which `orchestrator keys new` makes and a person carries to the worker's machine.
Secrets come from a file or the environment, never from the command line, and are never printed.
"""

from __future__ import annotations

import json
import os
import stat
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from orchestrator.errors import KeyFileError

KEY_LENGTH = 40
"""Characters of a key in Z85."""
_RARE_IN_NAMES = frozenset(":+=^!*?&<>()[]{}@%$#")
"""Of the 85 signs of Z85 those that names of files seldom have; one of some 46,000 keys has none of them."""
_DROPPED_BY_PATHS = 6
"""So many characters fewer a key may have as a path, which drops doubled slashes, './' and one at the end."""
KEY_FILE_VARIABLE = "ORCHESTRATOR_KEY_FILE"
"""The environment variable that names a worker's key file."""
KEY_VARIABLE = "ORCHESTRATOR_KEY"
"""The environment variable that holds a worker's credentials themselves, for whoever starts it."""


@dataclass(frozen=True, slots=True)
class Credentials:
    """Keys in Z85, 40 characters each. ``server`` is the orchestrator's public key."""

    name: str
    public: str = field(repr=False)
    secret: str = field(repr=False)
    server: str = field(repr=False)


def read_credentials(path: Path) -> Credentials:
    """The credentials in a file. Raises `KeyFileError`; a file that others can read is refused."""
    refuse_if_open_to_others(path)
    try:
        return parse_credentials(path.read_bytes(), str(path))
    except OSError as error:
        raise KeyFileError(f"expected a key file at {path}, got: {error.strerror}") from None


def credentials_given(path: Path | None) -> Credentials | None:
    """From a file that was named, or from the environment; None if there are none. Raises `KeyFileError`."""
    if path is None and KEY_VARIABLE in os.environ:
        # Taken out, so that what is evaluated does not inherit it.
        return parse_credentials(os.environ.pop(KEY_VARIABLE), f"${KEY_VARIABLE}")
    if path is None and os.environ.get(KEY_FILE_VARIABLE):
        path = Path(os.environ[KEY_FILE_VARIABLE])
    if path is None:
        return None
    if _looks_like_a_key(str(path)) and not os.path.exists(path):
        raise KeyFileError(
            "expected the name of a key file, got what looks like a key itself, which whoever lists "
            "processes can read: have another made (orchestrator keys new NAME), and name its file with "
            f"--key or in ${KEY_FILE_VARIABLE}"
        )
    return read_credentials(path)


def _looks_like_a_key(given: str) -> bool:
    if given.lstrip().startswith("{"):
        return True
    shortened = KEY_LENGTH - _DROPPED_BY_PATHS <= len(given) < KEY_LENGTH
    return not given.endswith(".json") and (
        len(given) == KEY_LENGTH or (shortened and not _RARE_IN_NAMES.isdisjoint(given))
    )


def parse_credentials(content: bytes | str, name: str) -> Credentials:
    """The credentials in a text; ``name`` is where it came from. Raises `KeyFileError`."""
    try:
        told = json.loads(content)
        credentials = Credentials(*(str(told[part]) for part in ("name", "public", "secret", "server")))
    except (ValueError, LookupError, TypeError):
        # The decoder's own words may quote the content, which is secret.
        raise KeyFileError(
            f"expected credentials made by `orchestrator keys new`, got something else in {name}"
        ) from None
    for key in (credentials.public, credentials.secret, credentials.server):
        if len(key) != KEY_LENGTH:
            raise KeyFileError(f"expected keys of {KEY_LENGTH} characters, got one of {len(key)} in {name}")
    return credentials


def refuse_if_open_to_others(path: Path) -> None:
    """Raises `KeyFileError` if a secret file is missing, none, or readable by anyone but its owner."""
    try:
        mode = path.stat().st_mode
    except OSError as error:
        raise KeyFileError(f"expected a key file at {path}, got: {error.strerror}") from None
    if stat.S_ISDIR(mode):
        # Nothing in a folder could be reached any more that was changed as is said below.
        raise KeyFileError(f"expected a key file at {path}, got a folder: name the file in it")
    if stat.S_IMODE(mode) & 0o077:
        raise KeyFileError(
            f"expected {path} to be its owner's alone, got mode {stat.S_IMODE(mode):04o}. "
            f"Mend it: chmod 600 {path}"
        )


def write_secret(path: Path, content: bytes) -> None:
    """A new file with mode 0600, whole or not at all. Raises `KeyFileError` if it is there already or cannot
    be made.
    """
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    except FileExistsError:
        raise KeyFileError(f"expected no file at {path}, and there is one. Choose another name.") from None
    except OSError as error:
        raise KeyFileError(f"expected to write {path}, got: {error.strerror}") from None
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        # Half of a key would be taken for one, and its name for used.
        with suppress(OSError):
            path.unlink()
        raise KeyFileError(f"expected to write {path}, got: {error.strerror}") from None
