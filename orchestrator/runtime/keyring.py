"""The keys of an orchestrator: its own CURVE pair, and the workers that may connect.

    DIR/server.json       the orchestrator's own pair, mode 0600
    DIR/authorised/NAME   the public key of a worker that may connect
    DIR/revoked/NAME      of one that may not any more

A worker's secret is nowhere here: it is in the file that `new_worker` returns, to be carried to its machine.
"""

from __future__ import annotations

import re
import threading
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
import zmq

from orchestrator.errors import KeyFileError
from orchestrator.wire.credentials import Credentials, refuse_if_open_to_others, write_secret

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")


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


@dataclass(slots=True)
class Keyring:
    """The keys in a folder. `name_of` may be called from another thread than the rest.

    ``refused`` counts handshakes with a key that is not authorised.
    """

    path: Path
    refused: int = 0
    _own: dict[str, str] = field(default_factory=dict)
    _authorised: dict[str, str] = field(default_factory=dict)
    _read_at: int = -1
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def server(self) -> ServerKeys:
        """The orchestrator's own pair. Raises `KeyFileError`."""
        path = self.path / "server.json"
        if not path.exists():
            raise KeyFileError(
                f"expected keys in {self.path}, got none. Make them, one a worker: "
                f"orchestrator keys new NAME --keys {self.path}"
            )
        refuse_if_open_to_others(path)
        try:
            return msgspec.json.decode(path.read_bytes(), type=ServerKeys)
        except msgspec.DecodeError:
            raise KeyFileError(f"expected the orchestrator's keys in {path}, got something else") from None

    def new_worker(self, name: str) -> Path:
        """Make and authorise a worker's pair; the file with its credentials, mode 0600.

        The orchestrator's own pair is made with the first. Raises `KeyFileError`.
        """
        if not _NAME.fullmatch(name):
            raise KeyFileError(f"expected a name of letters, digits and . _ -, got {name!r}")
        if any(key.name == name for key in self.known()):
            raise KeyFileError(f"expected a name that has no key yet, got {name}. Names are not used again.")
        try:
            (self.path / "authorised").mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise KeyFileError(f"expected to write to {self.path}, got: {error.strerror}") from None
        if not (self.path / "server.json").exists():
            public, secret = (key.decode() for key in zmq.curve_keypair())
            write_secret(self.path / "server.json", msgspec.json.encode(ServerKeys(public, secret)))
        public, secret = (key.decode() for key in zmq.curve_keypair())
        credentials = Credentials(name, public, secret, self.server().public)
        path = self.path / f"{name}.json"
        write_secret(path, msgspec.json.encode(credentials))
        write_secret(self.path / "authorised" / name, public.encode())
        return path

    def for_local_workers(self) -> Credentials:
        """Credentials that are written nowhere: for the processes that this one starts."""
        public, secret = (key.decode() for key in zmq.curve_keypair())
        self._own[public] = "local"
        return Credentials("local", public, secret, self.server().public)

    def known(self) -> list[KnownKey]:
        """Every key ever authorised, by name."""
        keys = [
            KnownKey(path.name, path.read_text(encoding="ascii").strip(), revoked)
            for folder, revoked in (("authorised", False), ("revoked", True))
            for path in (self.path / folder).glob("*")
        ]
        return sorted(keys, key=lambda key: key.name)

    def revoke(self, name: str) -> None:
        """No message of this worker's counts any more, from now on. Raises `KeyFileError`."""
        path = self.path / "authorised" / name
        if not _NAME.fullmatch(name) or not path.exists():
            names = ", ".join(key.name for key in self.known() if not key.revoked) or "none"
            raise KeyFileError(f"expected the name of an authorised key ({names}), got {name!r}")
        (self.path / "revoked").mkdir(exist_ok=True, mode=0o700)
        path.rename(self.path / "revoked" / name)

    def name_of(self, public: str) -> str | None:
        """Whose key this is, if it may connect. Looks at the folder again whenever it has changed."""
        with self._lock:
            try:
                changed = (self.path / "authorised").stat().st_mtime_ns
            except OSError:
                changed = -2
            if changed != self._read_at:
                self._authorised = {key.public: key.name for key in self.known() if not key.revoked}
                self._read_at = changed
            return self._own.get(public) or self._authorised.get(public)
