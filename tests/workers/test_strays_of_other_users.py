"""A server may refuse to be root's, as PostgreSQL's does, and is started as another user's."""

from __future__ import annotations

import os
import signal
import subprocess

import pytest

from evaluators.worker_process.strays import MARK, signal_strays

NOBODY = 65534


@pytest.mark.skipif(os.getuid() != 0, reason="only root starts processes of other users")
def test_what_roots_evaluation_left_behind_as_another_user_is_ended() -> None:
    with subprocess.Popen(
        ["sleep", "600"], user=NOBODY, env={MARK: "of-root"}, start_new_session=True
    ) as server:
        try:
            signal_strays("of-another", os.getpgid(0), signal.SIGKILL)
            assert server.poll() is None
            signal_strays("of-root", os.getpgid(0), signal.SIGKILL)
            assert server.wait(timeout=120) == -signal.SIGKILL
        finally:
            server.kill()
