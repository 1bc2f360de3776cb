"""The process whose children are the runs of tests, and the commands, nodes and workers beside these.

It has imported all that they need, once for many: that is most of what a short run costs its orchestrator,
and nearly all that a node costs. A child is a process of its own all the same, with its own environment,
folder and streams, signalled and killed as any.

python nursery_of_runs.py DESCRIPTOR   serves the socket that it inherits until that is closed
"""

from __future__ import annotations

import faulthandler
import gc
import json
import os
import runpy
import select
import signal
import socket
import sys
from contextlib import suppress

import anyio._backends._asyncio  # noqa: F401  (what a run would import before its first trial)
import drive_run

import evaluators.worker_process.command_line  # noqa: F401
import orchestrator.cli
import orchestrator.command_line.running
import orchestrator.runtime.nodes.process
import orchestrator.spec.build
import orchestrator.spec.numerical_checks.algorithm  # noqa: F401


class Nursery:
    """Each message is a child's arguments, environment and folder, and comes with three descriptors: its
    standard output, its standard error, and where its exit code is written, as `Popen` has it. The answer is
    its number.
    """

    def __init__(self, channel: socket.socket) -> None:
        self._channel = channel
        self._interrupts = signal.signal(signal.SIGINT, signal.SIG_IGN)
        self._children = signal.signal(signal.SIGCHLD, lambda *_: None)
        self._woken, self._waker = os.pipe()
        os.set_blocking(self._woken, False)
        os.set_blocking(self._waker, False)
        signal.set_wakeup_fd(self._waker)
        self._exits: dict[int, int] = {}

    def next_child(self) -> list[str] | None:
        """In each child its arguments; in this process nothing, once nobody asks for more."""
        while True:
            ready, _, _ = select.select([self._channel, self._woken], [], [])
            if self._woken in ready:
                os.read(self._woken, 4096)
                self._tell_exits()
            if self._channel in ready:
                said, descriptors, _, _ = socket.recv_fds(self._channel, 1 << 20, 3, socket.MSG_CMSG_CLOEXEC)
                if not said:
                    return None
                output, errors, exited = descriptors
                arguments, environment, folder = json.loads(said)
                if (child := os.fork()) == 0:
                    self._leave(exited)
                    os.environ.clear()
                    os.environ.update(environment)
                    os.chdir(folder)
                    sys.path.insert(1, folder)
                    os.dup2(output, 1)
                    os.dup2(errors, 2)
                    # What they were before may be sought in, and a pipe may not.
                    sys.stdout = os.fdopen(1, "w", closefd=False)
                    sys.stderr = os.fdopen(2, "w", buffering=1, closefd=False)
                    # Aborted by a story that waited for its end in vain, it says where it was.
                    faulthandler.enable()
                    return list(arguments)
                self._exits[child] = exited
                os.close(output)
                os.close(errors)
                self._channel.send(str(child).encode())

    def _tell_exits(self) -> None:
        while self._exits:
            child, status = os.waitpid(-1, os.WNOHANG)
            if child == 0:
                return
            exited = self._exits.pop(child)
            with suppress(BrokenPipeError):
                os.write(exited, str(os.waitstatus_to_exitcode(status)).encode())
            os.close(exited)

    def _leave(self, exited: int) -> None:
        """A child keeps nothing of its parent's."""
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, self._children)
        signal.signal(signal.SIGINT, self._interrupts)
        for descriptor in (self._woken, self._waker, exited, *self._exits.values()):
            os.close(descriptor)
        self._channel.close()


if __name__ == "__main__":
    nursery = Nursery(socket.socket(fileno=int(sys.argv[1])))
    gc.freeze()
    arguments = nursery.next_child()
    if arguments is None:
        sys.exit(0)
    where, *sys.argv = arguments
    if where == "-m":
        runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
        sys.exit(0)
    sys.exit(drive_run.main(*sys.argv))
