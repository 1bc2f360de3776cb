"""Keys as people use them: made, carried, listed and revoked, and what either side says of those refused."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest
from run_lab import Life, RunLab, eventually, joined, spec

from benchmarks.running.free_port import free_port
from orchestrator.runtime.connections.keyring import Keyring
from orchestrator.scheduler.events import RunStarted, WorkerJoined


def ended(life: Life, code: int) -> str:
    """What a command printed, once it has ended so."""
    assert life.process.stdout is not None
    said = life.process.stdout.read()
    life.ends(code)
    return str(said)


def doctor(lab: RunLab, address: str, *key: str) -> Life:
    return lab.command("doctor", "--connect", address, *key)


def guarded(lab: RunLab, address: str) -> Life:
    """A run for workers with keys, of which none has come yet."""
    workers = {"local": 0, "listen": address, "keys": "keys"}
    path = lab.write(spec(workers=workers, budget={"trials": 2}))
    run = lab.command("run", str(path), "--plain", "--logs", str(lab.logs))
    run.given_folder = eventually(lambda: next(lab.logs.glob("*/journal.jsonl"), None)).parent
    run.await_events(RunStarted)
    return run


def test_keys_are_made_listed_and_revoked_and_no_secret_is_printed(lab: RunLab) -> None:
    made = lab.command("keys", "new", "robot")
    path = lab.directory / ended(made, 0).strip()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    keys = json.loads(path.read_text())
    assert "--key robot.json" in made.said
    twice = lab.command("keys", "new", "robot")
    ended(twice, 2)
    assert "expected a name that has no key yet, got robot" in twice.said

    listed = lab.command("keys", "list")
    assert ended(listed, 0).split() == ["name", "public", "state", "robot", keys["public"], "authorised"]
    revoked = lab.command("keys", "revoke", "robot")
    ended(revoked, 0)
    assert "robot is revoked" in revoked.said
    again = lab.command("keys", "list", "--format", "json")
    assert json.loads(ended(again, 0)) == [{"name": "robot", "public": keys["public"], "state": "revoked"}]
    nobody = lab.command("keys", "revoke", "ada")
    ended(nobody, 2)
    named = lab.command("keys", "list", "robot")
    ended(named, 2)
    assert "expected `orchestrator keys list` alone, got robot" in named.said
    written = lab.command("keys", "new", "ada", "--output", "ada.json")
    ended(written, 2)
    assert "expected --format and --output beside `orchestrator keys list`" in written.said
    for told in (made, twice, listed, revoked, again, nobody, named, written):
        assert keys["secret"] not in told.said
        assert "Traceback" not in told.said


def test_who_would_be_refused_is_told_so_before_any_worker_is_started(lab: RunLab) -> None:
    ring = Keyring(lab.directory / "keys")
    own, lost = ring.new_worker("robot"), ring.new_worker("lost")
    other = Keyring(lab.directory / "others").new_worker("robot")
    address = f"tcp://127.0.0.1:{free_port()}"
    run = guarded(lab, address)

    assert ended(doctor(lab, address, "--key", str(own)), 0).count("ready  ") == 1
    ring.revoke("lost")
    for key, why in (
        (["--key", str(lost)], "refused this worker's key: it is unknown or revoked"),
        (["--key", str(other)], "is not the one that this key is for"),
        ([], "--key FILE"),
    ):
        said = ended(doctor(lab, address, *key), 1)
        assert said.count("lacks  ") == 1
        assert why in said
    eventually(lambda: "for the key of lost, which was revoked" in (run.folder.path / "run.log").read_text())

    def status() -> str:
        return " ".join(ended(lab.command("status", str(run.folder.path)), 0).split())

    eventually(lambda: "no worker is connected: a worker was refused" in status(), why=status)
    assert "for the key of lost, which was revoked; make another" in status()
    # Nobody has joined or left on the doctor's account.
    assert not run.of(WorkerJoined)

    lab.worker(address, "w", "quick", "--key", str(own))
    joined(run)
    run.ends(0)


def test_the_doctor_says_that_a_host_is_not_known(lab: RunLab) -> None:
    words = ended(doctor(lab, "tcp://no-such-host.invalid:5555"), 1)
    assert "expected a host that is known here, got `no-such-host.invalid`" in words


def test_without_keys_the_doctor_says_who_answers_and_who_does_not(lab: RunLab) -> None:
    address = f"tcp://127.0.0.1:{free_port()}"
    assert "nobody was reached at" in ended(doctor(lab, address), 1)
    run = lab.run(spec(workers={"local": 0, "listen": address}))
    run.opened()
    assert "ready  " in ended(doctor(lab, address), 0)
    Keyring(lab.directory / "keys").new_worker("robot")
    refused = ended(doctor(lab, address, "--key", "keys/robot.json"), 1)
    # Whichever side hangs up first settles in which words.
    assert "wants a key (--key FILE) or none" in refused or "with --key FILE, or without" in refused
    ended(doctor(lab, "nowhere"), 2)


@pytest.mark.parametrize("listen", ["tcp://0.0.0.0:5599", "tcp://*:5599"])
def test_off_the_loopback_a_run_without_keys_does_not_begin(lab: RunLab, listen: str) -> None:
    path = lab.write(spec(workers={"local": 0, "listen": listen}))
    refused = lab.command("run", str(path), "--plain")
    ended(refused, 2)
    assert "orchestrator keys" in refused.said
    assert not Path(lab.directory / "logs").exists()
