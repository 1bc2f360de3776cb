"""The keys of an orchestrator: its own CURVE pair, and the workers that may connect.

    DIR/server.json       the orchestrator's own pair, mode 0600
    DIR/authorised/NAME   the public key of a worker that may connect
    DIR/revoked/NAME      of one that may not any more

A worker's secret is nowhere here: it is in the file that `new_worker` returns, to be carried to its machine.
"""

from __future__ import annotations

import math
import os
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
import zmq

from orchestrator.errors import KeyFileError
from orchestrator.system.shell_lines import shell_line
from orchestrator.wire.credentials import KEY_LENGTH, Credentials, refuse_if_open_to_others, write_secret

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
_SHOWN_OF_KEY = 8
LOOK_AGAIN_S = 1.0
"""Seconds after which the folder is read again though nothing was added to it."""


class ServerKeys(msgspec.Struct, frozen=True):
    """The orchestrator's own pair, in Z85."""

    public: str
    secret: str

    def __repr__(self) -> str:
        return f"ServerKeys(public={self.public!r})"


@dataclass(frozen=True, slots=True)
class KnownKey:
    """A worker's key: its name, its public part, and whether it was revoked."""

    name: str
    public: str
    revoked: bool

    @property
    def state(self) -> str:
        """In a word."""
        return "revoked" if self.revoked else "authorised"


@dataclass(slots=True)
class Keyring:
    """The keys in a folder. `name_of` may be called from another thread than the rest.

    ``refused`` counts handshakes with a key that is not authorised; ``last_refused`` says which was the last
    to be turned away, in words.
    """

    path: Path
    refused: int = 0
    last_refused: str = ""
    _own: dict[str, str] = field(init=False, default_factory=dict)
    _authorised: dict[str, str] = field(init=False, default_factory=dict)
    _revoked: dict[str, str] = field(init=False, default_factory=dict)
    _changed: int = field(init=False, default=-1)
    _again_at: float = field(init=False, default=-math.inf)
    _lock: threading.Lock = field(init=False, default_factory=threading.Lock)

    def server(self) -> ServerKeys:
        """The orchestrator's own pair. Raises `KeyFileError`."""
        path = self.path / "server.json"
        if not path.exists():
            raise KeyFileError(
                f"expected keys in {self.path}, got none. Make them, one a worker: "
                f"{shell_line('keys', 'new', 'NAME', '--keys', self.path)}"
            )
        refuse_if_open_to_others(path)
        try:
            return msgspec.json.decode(path.read_bytes(), type=ServerKeys)
        except (OSError, msgspec.DecodeError, UnicodeDecodeError):
            raise KeyFileError(f"expected the orchestrator's keys in {path}, got something else") from None

    def new_worker(self, name: str) -> Path:
        """Make and authorise a worker's pair; the file with its credentials, mode 0600.

        The orchestrator's own pair is made with the first. Raises `KeyFileError`.
        """
        if not _NAME.fullmatch(name):
            raise KeyFileError(f"expected a name of letters, digits and . _ -, got {name!r}")
        if any(os.path.lexists(self.path / folder / name) for folder in ("authorised", "revoked")):
            raise KeyFileError(f"expected a name that has no key yet, got {name}. Names are not used again.")
        with _refused_by_disk(self.path):
            (self.path / "authorised").mkdir(parents=True, exist_ok=True, mode=0o700)
        if not (self.path / "server.json").exists():
            public, secret = (key.decode() for key in zmq.curve_keypair())
            write_secret(self.path / "server.json", msgspec.json.encode(ServerKeys(public, secret)))
        public, secret = (key.decode() for key in zmq.curve_keypair())
        credentials = Credentials(name, public, secret, self.server().public)
        path = self.path / f"{name}.json"
        draft = self.path / f".{name}.draft"
        with _refused_by_disk(self.path):
            draft.unlink(missing_ok=True)
        write_secret(draft, public.encode())
        write_secret(path, msgspec.json.encode(credentials))
        # Whole from the moment that it is there: whoever is asked for it meanwhile must not read half of it.
        with _refused_by_disk(self.path):
            draft.rename(self.path / "authorised" / name)
        return path

    def for_local_workers(self) -> Credentials:
        """Credentials that are written nowhere: for the processes that this one starts."""
        public, secret = (key.decode() for key in zmq.curve_keypair())
        self._own[public] = "local"
        return Credentials("local", public, secret, self.server().public)

    def known(self) -> list[KnownKey]:
        """Every key ever authorised, by name. What is no key in the folders is passed over.

        Raises `KeyFileError` if a folder cannot be read.
        """
        keys = [
            KnownKey(path.name, public, revoked)
            for folder, revoked in (("authorised", False), ("revoked", True))
            for path in _entries(self.path / folder)
            if (public := _key_in(path)) is not None
        ]
        return sorted(keys, key=lambda key: key.name)

    def revoke(self, name: str) -> None:
        """No message of this worker's counts any more, from now on. Raises `KeyFileError`."""
        path = self.path / "authorised" / name
        if not _NAME.fullmatch(name) or not path.exists():
            names = ", ".join(key.name for key in self.known() if not key.revoked) or "none"
            raise KeyFileError(f"expected the name of an authorised key ({names}), got {name!r}")
        with _refused_by_disk(self.path):
            (self.path / "revoked").mkdir(exist_ok=True, mode=0o700)
            path.rename(self.path / "revoked" / name)

    def name_of(self, public: str) -> str | None:
        """Whose key this is, if it may connect; never an exception, for it is asked at the gate.

        Looks at the folder again whenever it has changed, and every second: a file that was copied in by hand
        may be filled after it appeared, which does not change the folder.
        """
        with self._lock:
            try:
                changed = (self.path / "authorised").stat().st_mtime_ns
            except OSError:
                changed = -2
            now = time.monotonic()
            if changed != self._changed or now >= self._again_at:
                try:
                    known = self.known()
                except KeyFileError:
                    known = []
                self._authorised = {key.public: key.name for key in known if not key.revoked}
                self._revoked = {key.public: key.name for key in known if key.revoked}
                self._changed = changed
                self._again_at = now + LOOK_AGAIN_S
            return self._own.get(public) or self._authorised.get(public)

    def turn_away(self, public: str) -> None:
        """Remember which key was the last that may not; of what `name_of` found when it was asked."""
        with self._lock:
            name = self._revoked.get(public)
        self.last_refused = (
            f"a key that is not known here, {public[:_SHOWN_OF_KEY]}…"
            if name is None
            else f"the key of {name}, which was revoked"
        )


@contextmanager
def _refused_by_disk(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise KeyFileError(f"expected to write to {path}, got: {error.strerror}") from None


def _entries(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except FileNotFoundError:
        return []
    except OSError as error:
        raise KeyFileError(f"expected to read {folder}, got: {error.strerror}") from None


def _key_in(path: Path) -> str | None:
    """The key in a file; None if it cannot be read or holds something else."""
    try:
        if not path.is_file():
            return None
        with path.open("rb") as file:
            key = file.read(2 * KEY_LENGTH).decode("ascii").strip()
    except (OSError, UnicodeDecodeError):
        return None
    return key if len(key) == KEY_LENGTH else None
