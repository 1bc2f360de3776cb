"""Nobody gets in without a key: who may connect, who may not, and what each side is told."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import zmq

from orchestrator.errors import KeyFileError
from orchestrator.runtime.connections.broker import REVOKED, Broker
from orchestrator.runtime.connections.gate import Gate
from orchestrator.runtime.connections.keyring import Keyring
from orchestrator.wire.codec import decode_from_orchestrator, encode
from orchestrator.wire.credentials import Credentials, credentials_given, parse_credentials, read_credentials
from orchestrator.wire.dealer import Dealer
from orchestrator.wire.messages import Heartbeat, Reject


@pytest.fixture
def keyring(tmp_path: Path) -> Keyring:
    """One authorised worker, `robot`."""
    ring = Keyring(tmp_path / "keys")
    ring.new_worker("robot")
    return ring


class Door:
    """A guarded broker, and whoever knocks."""

    def __init__(self, keyring: Keyring) -> None:
        self.context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self.gate = Gate(self.context, keyring)
        self.broker = Broker(self.context, "tcp://127.0.0.1:*", self.gate)

    def close(self) -> None:
        self.broker.close()
        self.gate.close()
        self.context.term()

    def lets_in(self, credentials: Credentials | None) -> tuple[bool, list[str]]:
        """Whether a message of such a worker arrives, and what the worker is told if not."""
        dealer = Dealer(self.broker.address, credentials)
        told: list[str] = []
        try:
            arrived = until(
                lambda: bool(
                    dealer.send(encode(Heartbeat())) is None
                    or self.broker.receive()
                    or told.extend(dealer.refusals())
                    or told
                )
            )
            assert arrived
            return not told, told
        finally:
            dealer.hang_up(linger=False)


def until(holds: Callable[[], bool]) -> bool:
    """Wait for something, for a bounded time."""
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        if holds():
            return True
        time.sleep(0.01)
    return False


def test_an_authorised_worker_comes_in(keyring: Keyring) -> None:
    door = Door(keyring)
    try:
        assert door.lets_in(read_credentials(keyring.path / "robot.json")) == (True, [])
        assert (keyring.refused, door.broker.keyless()) == (0, 0)
    finally:
        door.close()


def test_a_stranger_s_key_is_refused_counted_and_the_stranger_told(keyring: Keyring) -> None:
    public, secret = (key.decode() for key in zmq.curve_keypair())
    stranger = Credentials("stranger", public, secret, keyring.server().public)
    door = Door(keyring)
    try:
        came_in, told = door.lets_in(stranger)
        assert not came_in
        assert "unknown or revoked" in told[0]
        assert keyring.refused >= 1
        assert keyring.last_refused == f"a key that is not known here, {public[:8]}…"
    finally:
        door.close()


def test_a_plain_client_is_refused_and_told(keyring: Keyring) -> None:
    door = Door(keyring)
    try:
        came_in, told = door.lets_in(None)
        assert not came_in
        assert "--key FILE" in told[0]
    finally:
        door.close()


def test_a_key_for_another_orchestrator_is_refused(keyring: Keyring, tmp_path: Path) -> None:
    other = Keyring(tmp_path / "other")
    door = Door(keyring)
    try:
        came_in, told = door.lets_in(read_credentials(other.new_worker("robot")))
        assert not came_in
        assert told
    finally:
        door.close()


@pytest.mark.parametrize("has_key", [False, True])
def test_who_dials_without_a_key_or_with_one_for_another_orchestrator_is_counted(
    keyring: Keyring, tmp_path: Path, has_key: bool
) -> None:
    other = read_credentials(Keyring(tmp_path / "other").new_worker("robot"))
    door = Door(keyring)
    try:
        # A worker dials anew: where it hangs up first, this side does not learn what it came with.
        assert until(lambda: not door.lets_in(other if has_key else None)[0] and door.broker.keyless() > 0)
        assert keyring.refused == 0
    finally:
        door.close()


def test_a_revoked_key_counts_no_more_even_over_a_connection_that_stands(keyring: Keyring) -> None:
    door = Door(keyring)
    dealer = Dealer(door.broker.address, read_credentials(keyring.path / "robot.json"))
    try:
        assert until(lambda: dealer.send(encode(Heartbeat())) and bool(door.broker.receive()))
        keyring.revoke("robot")
        assert until(
            lambda: (
                dealer.send(encode(Heartbeat())) and not door.broker.receive() and door.broker.shut_out > 0
            )
        )
        told: list[bytes] = []
        assert until(lambda: told.extend(dealer.receive()) or bool(told))
        refusal = decode_from_orchestrator(told[0])
        assert isinstance(refusal, Reject)
        assert (refusal.code, refusal.reason) == ("name", REVOKED)
        assert keyring.last_refused == "the key of robot, which was revoked"
    finally:
        dealer.hang_up(linger=False)
        door.close()


@pytest.fixture
def untidy(keyring: Keyring) -> Keyring:
    """The folder after a year of people: a folder, a note, an empty file, a link to nowhere, a pipe."""
    authorised = keyring.path / "authorised"
    (authorised / "old").mkdir()
    (authorised / "README").write_text("one key a worker: öffentlich\n", encoding="utf-8")
    (authorised / "empty").touch()
    (authorised / "gone").symlink_to("nowhere")
    os.mkfifo(authorised / "pipe")
    return keyring


def test_what_is_no_key_in_the_folder_shuts_nobody_out(untidy: Keyring) -> None:
    assert [key.name for key in untidy.known()] == ["robot"]
    robot = read_credentials(untidy.path / "robot.json")
    door = Door(untidy)
    try:
        assert door.lets_in(robot) == (True, [])
        (untidy.path / "authorised" / "older").mkdir()
        assert door.lets_in(robot) == (True, [])
    finally:
        door.close()


def test_a_folder_that_cannot_be_read_lets_nobody_in_until_it_can(keyring: Keyring) -> None:
    public = read_credentials(keyring.path / "robot.json").public
    authorised = keyring.path / "authorised"
    authorised.rename(keyring.path / "put away")
    authorised.touch()
    assert keyring.name_of(public) is None
    with pytest.raises(KeyFileError, match=r"expected to read .*authorised, got: Not a directory"):
        keyring.known()
    authorised.unlink()
    (keyring.path / "put away").rename(authorised)
    assert until(lambda: keyring.name_of(public) == "robot")


def test_a_key_is_known_from_the_moment_that_its_file_is_there(
    keyring: Keyring, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []
    fdopen = os.fdopen

    def looked_at_meanwhile(descriptor: int, mode: str) -> Any:
        seen.extend(path.read_text() for path in (keyring.path / "authorised").iterdir())
        return fdopen(descriptor, mode)

    monkeypatch.setattr("os.fdopen", looked_at_meanwhile)
    public = read_credentials(keyring.new_worker("drone")).public
    assert {len(content) for content in seen} == {40}
    assert keyring.name_of(public) == "drone"
    assert sorted(path.name for path in keyring.path.iterdir()) == [
        "authorised",
        "drone.json",
        "robot.json",
        "server.json",
    ]


def test_a_key_that_was_copied_in_by_hand_is_known_once_it_is_whole(keyring: Keyring) -> None:
    public = zmq.curve_keypair()[0].decode()
    copied = keyring.path / "authorised" / "copied"
    copied.touch()
    assert keyring.name_of(public) is None
    copied.write_text(public + "\n")
    assert until(lambda: keyring.name_of(public) == "copied")


def test_a_name_that_is_taken_by_what_is_no_key_is_not_used(untidy: Keyring) -> None:
    with pytest.raises(KeyFileError, match="expected a name that has no key yet, got old"):
        untidy.new_worker("old")
    assert not (untidy.path / "old.json").exists()


def test_a_disk_that_is_full_leaves_no_half_of_a_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    keyring = Keyring(tmp_path / "keys")
    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        with pytest.raises(KeyFileError, match=r"expected to write .*server.json, got: No space left on dev"):
            keyring.new_worker("arm")
    assert keyring.new_worker("arm").exists()
    with monkeypatch.context() as patched:
        patched.setattr(Path, "rename", lambda *_: full(0))
        with pytest.raises(KeyFileError, match=r"expected to write to .*, got: No space left on device"):
            keyring.revoke("arm")


def test_names_are_not_used_again(keyring: Keyring) -> None:
    keyring.revoke("robot")
    with pytest.raises(KeyFileError, match="expected a name that has no key yet, got robot"):
        keyring.new_worker("robot")
    assert [(key.name, key.revoked) for key in keyring.known()] == [("robot", True)]


@pytest.mark.parametrize("name", ["../../etc/passwd", "", "a/b", ".hidden", "x" * 65])
def test_a_name_cannot_leave_the_folder(keyring: Keyring, name: str) -> None:
    with pytest.raises(KeyFileError):
        keyring.new_worker(name)
    with pytest.raises(KeyFileError):
        keyring.revoke(name)


def test_secrets_are_their_owner_s_alone(keyring: Keyring) -> None:
    for name in ("server.json", "robot.json"):
        assert stat.S_IMODE((keyring.path / name).stat().st_mode) == 0o600
    (keyring.path / "robot.json").chmod(0o644)
    with pytest.raises(KeyFileError, match="chmod 600"):
        read_credentials(keyring.path / "robot.json")


def test_who_names_the_folder_of_keys_is_not_told_to_shut_it(keyring: Keyring) -> None:
    keyring.path.chmod(0o755)
    with pytest.raises(KeyFileError, match="got a folder: name the file in it"):
        read_credentials(keyring.path)


def test_secrets_are_not_printed(keyring: Keyring) -> None:
    credentials = read_credentials(keyring.path / "robot.json")
    assert credentials.secret not in repr(credentials)
    assert keyring.server().secret not in repr(keyring.server())
    with pytest.raises(KeyFileError) as refusal:
        parse_credentials(credentials.secret, "a file")
    assert credentials.secret not in str(refusal.value)


def test_who_gives_a_key_in_the_place_of_its_file_s_name_does_not_see_it_printed(keyring: Keyring) -> None:
    content = (keyring.path / "robot.json").read_text()
    secret = read_credentials(keyring.path / "robot.json").secret
    for given in (content, f" {content}\n", secret):
        with pytest.raises(KeyFileError, match="got what looks like a key itself") as refusal:
            credentials_given(Path(given))
        assert secret not in str(refusal.value)


@pytest.mark.parametrize("lost", ["//", "/./", "/"])
def test_a_key_is_known_also_where_a_path_drops_some_of_its_signs(lost: str) -> None:
    """A name of a file has no doubled slash, no lone full stop within and no slash at its end."""
    signs = "X?SEhS%Jyc*yo<[3^rBe=Px231K?qr(}>d6z@abcd"
    secret = signs[: 40 - len(lost)] + lost if lost == "/" else signs[:9] + lost + signs[9 : 40 - len(lost)]
    with pytest.raises(KeyFileError, match="got what looks like a key itself") as refusal:
        credentials_given(Path(secret))
    assert str(Path(secret)) not in str(refusal.value)


def test_a_file_that_is_not_there_is_named_also_if_its_name_is_about_as_long_as_a_key(tmp_path: Path) -> None:
    path = Path("keys/of/the/second/laboratory/robot-7")
    assert 36 <= len(str(path)) < 40
    with pytest.raises(KeyFileError, match=str(path)):
        credentials_given(path)


SPEC = """\
experiment: keyed
objective: {name: y, goal: maximise}
parameters:
  x: {type: float, bounds: [0, 1]}
algorithm: random
budget: {trials: 4}
workers: {local: LOCAL, keys: keys}
evaluation: {evaluator: "at_once:f"}
"""


def test_local_workers_have_keys_without_anybody_s_doing(keyring: Keyring, tmp_path: Path) -> None:
    (tmp_path / "spec.yaml").write_text(SPEC.replace("LOCAL", "2"))
    (tmp_path / "at_once.py").write_text(
        "import os\ndef f(parameters):\n    assert 'ORCHESTRATOR_KEY' not in os.environ\n    return 1\n"
    )
    command = [sys.executable, "-m", "orchestrator", "run", "spec.yaml", "--plain"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert "4 trials completed" in done.stderr


def test_a_folder_without_keys_is_refused_before_anything_is_started(tmp_path: Path) -> None:
    (tmp_path / "spec.yaml").write_text(SPEC.replace("LOCAL", "0"))
    command = [sys.executable, "-m", "orchestrator", "run", "spec.yaml", "--plain"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 2
    assert "orchestrator keys new" in done.stderr
    assert not (tmp_path / "logs").exists()
