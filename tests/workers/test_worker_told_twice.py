"""A worker that is told to end, and told again by whoever sends a signal to a process and to its group."""

from __future__ import annotations

from pathlib import Path

from evaluators.trial_folders import TrialFolders
from evaluators.worker_process.duties import INTERRUPTED, Duties
from evaluators.worker_process.options import WorkerOptions
from evaluators.worker_process.outbox import Outbox


class Nowhere:
    """A wire that leads nowhere."""

    def send(self, frame: bytes) -> bool:
        return not frame

    def receive(self) -> list[bytes]:
        return []

    def dial_anew(self) -> None:
        pass

    def hang_up(self, *, linger: bool) -> None:
        pass


def worker_in(directory: Path) -> Duties:
    options = WorkerOptions(
        connect="nowhere", evaluators=("m:f",), name="w", slots=1, directory=directory / "kept"
    )
    outbox = Outbox(directory / "kept")
    return Duties(options, Nowhere(), outbox, [], TrialFolders(directory), lambda _: None)


def test_a_sigterm_on_the_heels_of_another_is_the_same_and_a_later_one_is_the_second(tmp_path: Path) -> None:
    """As of `timeout 4h orchestrator worker`: what it is at would be lost, and it may have minutes to end."""
    worker = worker_in(tmp_path)
    worker.on_interrupt("SIGTERM", 100.0)
    worker.on_interrupt("SIGTERM", 100.002)
    assert (worker.stopping, worker.exit_code) == (False, 0)
    worker.on_interrupt("SIGTERM", 104.0)
    assert (worker.stopping, worker.exit_code) == (True, INTERRUPTED)


def test_ctrl_c_pressed_twice_is_two_however_fast(tmp_path: Path) -> None:
    worker = worker_in(tmp_path)
    worker.on_interrupt("SIGINT", 100.0)
    worker.on_interrupt("SIGINT", 100.002)
    assert worker.stopping


def test_a_sigterm_after_ctrl_c_is_the_second(tmp_path: Path) -> None:
    worker = worker_in(tmp_path)
    worker.on_interrupt("SIGINT", 100.0)
    worker.on_interrupt("SIGTERM", 100.002)
    assert worker.stopping
