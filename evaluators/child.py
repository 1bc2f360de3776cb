"""The evaluation process: persistent between evaluations, so that an import is paid for once.

Started by a worker as the leader of its own process group, with three inherited pipes: requests in,
responses out, and the lifeline. Standard output and error already go to a file. Whatever the evaluator
prints, closes or raises, the pipes are not where it would touch them by accident; whatever kills it costs
one attempt.
"""

from __future__ import annotations

import contextlib
import faulthandler
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NoReturn

import msgspec

from evaluators.child_process import lifeline, pipe
from evaluators.child_process.calling import Call, load_evaluator
from evaluators.child_process.outcome import read_compared, read_outcome
from evaluators.child_process.printing import let_anything_be_printed
from evaluators.child_process.progress import ProgressGate
from evaluators.context import Context
from evaluators.errors import EvaluationError, EvaluatorNotLoaded, NoRoom
from evaluators.trial_folders import TrialFolders
from evaluators.trial_left import forget_shared, found_left, note_left
from orchestrator.programs.slot_variables import told_of_own
from orchestrator.system.announced_ends import ignore_announcements
from orchestrator.system.ended_by_signal import end_by
from orchestrator.wire.codec import MalformedMessage, encode
from orchestrator.wire.messages import FRAME_LIMIT, Evaluate, Failure, Result
from orchestrator.wire.partial_quantities import progress_of

TRACEBACK_LINES = 12
CONTINUED_FROM = "ORCHESTRATOR_CONTINUED_FROM"
"""The variable that has the directory to go on from; empty to begin from nothing."""
SLOTS = "ORCHESTRATOR_SLOTS"
"""The variable that has how many of its worker's slots an evaluation takes."""


class EvaluationProcess:
    """Answers the requests of one worker until it closes the pipe.

    ``own`` is what its slot has of its own: variables of the environment, by name.
    """

    def __init__(self, requests: int, responses: int, own: Mapping[str, str]) -> None:
        self._reader = pipe.FrameReader(requests)
        self._responses = responses
        self._own = own
        self._told = told_of_own(own)
        self._lock = threading.Lock()
        self._process = os.getpid()
        self._decode = msgspec.json.Decoder(Evaluate).decode
        self._flush = _output_flusher()
        self._output = os.dup(1)
        self._call: Call = _never_loaded
        self._options: dict[str, Any] = {}
        self._trials = TrialFolders(Path())
        self._objective = ""
        self._compared = False

    def serve(self) -> None:
        """Until the worker closes the pipe."""
        while not self._reader.ended:
            for kind, payload in self._reader.read():
                if kind == pipe.EVALUATE:
                    self._evaluate(payload)
                elif kind == pipe.LOAD:
                    self._load(msgspec.json.decode(payload, type=pipe.Load))
                elif kind == pipe.OUTPUT:
                    self._redirect(os.fsdecode(payload))

    def _load(self, load: pipe.Load) -> None:
        self._options = load.options
        self._trials = TrialFolders(Path(load.trials), load.one_run)
        self._objective, self._compared = load.objective, load.compared
        try:
            self._call = load_evaluator(load.evaluator, load.options)
        except EvaluatorNotLoaded as error:
            self._respond(pipe.UNLOADABLE, str(error).encode(errors="replace"))
        else:
            self._respond(pipe.LOADED, b"")

    def _redirect(self, path: str) -> None:
        fd = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        for target in (1, 2, self._output):
            os.dup2(fd, target)
        os.close(fd)

    def _evaluate(self, frame: bytes) -> None:
        task = self._decode(frame)
        gate = ProgressGate(self._progress_sender(task.lease))
        os.environ[SLOTS] = str(task.slots)
        continued_from = self._found_left(task)
        context = Context(
            trial=task.trial,
            attempt=task.attempt,
            seed=task.seed,
            options=self._options,
            directory=self._trials.of(task.run, task.trial),
            report=gate.report,
            objective=self._objective,
            compared=self._compared,
            own=self._own,
            continued_from=continued_from,
            slots=task.slots,
        )
        started = time.perf_counter()
        go_on = True
        kind = pipe.OUTCOME
        try:
            returned = self._returned(task.parameters, context)
            outcome = read_compared(returned) if self._compared else read_outcome(returned, self._objective)
        except NoRoom as error:
            kind, answer = pipe.NO_ROOM, str(error).encode(errors="replace")
        except EvaluationError as error:
            answer = self._failure(task, error, time.perf_counter() - started)
        except KeyboardInterrupt as error:
            # As of a program that SIGINT ends: its worker says what that means.
            _described(error)
            self._flush()
            end_by(signal.SIGINT)
        except BaseException as error:
            answer = self._failure(task, _described(error), time.perf_counter() - started)
            # Else the process is in doubt: the next evaluation gets a fresh one.
            go_on = isinstance(error, Exception) and not isinstance(error, MemoryError | RecursionError)
        else:
            if task.accumulates:
                self._note_left(task, context)
            answer = self._encoded(
                task,
                Result(
                    run=task.run,
                    lease=task.lease,
                    trial=task.trial,
                    value=outcome.value,
                    variance=outcome.variance,
                    factors=outcome.factors,
                    extras=outcome.extras,
                    elapsed_s=time.perf_counter() - started,
                    own=self._told,
                    continued=continued_from is not None,
                ),
            )
        gate.close()
        self._flush()
        self._repair_output()
        self._respond(kind if go_on else pipe.LAST_OUTCOME, answer)
        if not go_on:
            os._exit(0)

    def _found_left(self, task: Evaluate) -> Path | None:
        """The directory to go on from, also in the environment; None where it is not there, which is said."""
        if not task.accumulates:
            return None
        forget_shared(self._trials.of(task.run, task.trial))
        found = None
        if task.continues:
            trial = self._trials.of(task.run, task.continues).absolute()
            found = found_left(trial, task.begun or task.parameters, task.accumulates)
            if found is None:
                whence = f"trial {task.continues}, from which it was to go on"
                self._say(f"it begins from nothing: what {whence}, left is not in {trial}")
        os.environ[CONTINUED_FROM] = "" if found is None else str(found)
        return found

    def _note_left(self, task: Evaluate, context: Context) -> None:
        """Where it cannot be noted, as on a full disk, others begin from nothing."""
        with contextlib.suppress(OSError):
            trial = self._trials.of(task.run, task.trial)
            note_left(trial, task.attempt, task.parameters, context.left_in)

    def _returned(self, parameters: dict[str, Any], context: Context) -> object:
        """What the evaluator returned or raised in this process.

        A copy that it forked, and that comes back from it as well, ends here: neither the answer nor the next
        request is for it.
        """
        try:
            returned = self._call(parameters, context)
        except BaseException as error:
            if os.getpid() != self._process:
                self._end_copy(error)
            raise
        if os.getpid() != self._process:
            self._end_copy(None)
        return returned

    def _end_copy(self, error: BaseException | None) -> NoReturn:
        """As a script ends that raised it, but for what `atexit` was given: that is the original's."""
        import traceback

        code = 0 if error is None else 1
        if isinstance(error, SystemExit):
            code = error.code if isinstance(error.code, int) else int(error.code is not None)
        elif error is not None:
            with contextlib.suppress(Exception):
                traceback.print_exception(error)
        self._flush()
        os._exit(code & 0xFF)

    def _encoded(self, task: Evaluate, result: Result) -> bytes:
        try:
            frame = encode(result)
        except MalformedMessage as error:
            return self._failure(task, EvaluationError("invalid", str(error)), result.elapsed_s)
        if len(frame) > FRAME_LIMIT:
            return self._failure(
                task,
                EvaluationError(
                    "invalid",
                    f"expected a result of at most {FRAME_LIMIT} bytes as JSON, got {len(frame)}: write "
                    "large extras to a file in `context.directory` and return its name",
                ),
                result.elapsed_s,
            )
        return frame

    def _failure(self, task: Evaluate, error: EvaluationError, elapsed_s: float) -> bytes:
        message = str(error).encode("utf-8", "replace").decode()
        return encode(
            Failure(
                run=task.run,
                lease=task.lease,
                trial=task.trial,
                kind=error.kind,
                message=message[:4000],
                elapsed_s=elapsed_s,
                own=self._told,
            )
        )

    def _repair_output(self) -> None:
        # Only a descriptor left closed is restored: one that is open again belongs to the evaluator.
        for fd in (1, 2):
            try:
                os.fstat(fd)
            except OSError:
                os.dup2(self._output, fd)

    def _progress_sender(self, lease: str) -> Callable[[int, dict[str, float]], None]:
        said = False

        def send(step: int, values: dict[str, float]) -> None:
            nonlocal said
            frame = encode(progress_of(lease, step, values))
            if len(frame) <= FRAME_LIMIT:
                self._respond(pipe.PROGRESS, frame)
            elif not said:
                said = True
                # It would end the connection.
                came = f"expected {FRAME_LIMIT:,} bytes at most, got {len(frame):,}"
                self._say(f"what is reported at step {step:,} is passed over: {came}")

        return send

    def _say(self, sentence: str) -> None:
        """Among what the evaluator prints."""
        with contextlib.suppress(OSError):
            os.write(self._output, f"{sentence}\n".encode())

    def _respond(self, kind: bytes, payload: bytes) -> None:
        with self._lock:
            pipe.write_frame(self._responses, kind, payload)


def _never_loaded(_parameters: dict[str, Any], _context: Context) -> object:
    raise EvaluationError("error", "the worker asked for an evaluation before it named the evaluator")


def _described(error: BaseException) -> EvaluationError:
    import traceback

    if isinstance(error, SystemExit):
        message = f"the evaluator called sys.exit({error.code!r}); expected it to return a value"
    else:
        try:
            text = str(error)
        except Exception:  # a foreign __str__ may do anything
            text = "(its message cannot be shown)"
        message = f"{type(error).__name__}: {text[:1000]}" if text else type(error).__name__
    with contextlib.suppress(Exception):
        lines = traceback.format_exception(error)
        with contextlib.suppress(Exception):
            print("".join(lines), file=sys.stderr, end="")
        kept = [line for entry in lines for line in entry.rstrip().splitlines()][-TRACEBACK_LINES - 1 : -1]
        message += "\n" + "\n".join(line[:300] for line in kept)
    return EvaluationError("error", message)


def _output_flusher() -> Callable[[], None]:
    """Flushes what Python, and C code through stdio, still hold back."""
    import ctypes

    try:
        library = ctypes.CDLL(None)
        stdout = ctypes.c_void_p.in_dll(library, "stdout" if sys.platform == "linux" else "__stdoutp")
        fflush = library.fflush
    except (OSError, ValueError, AttributeError):
        fflush, stdout = None, None

    def flush() -> None:
        # Closed, replaced by None, or on a full disk: what an evaluator prints never costs its result.
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(Exception):
                stream.flush()
        if fflush is not None:
            fflush(stdout)

    return flush


def main(arguments: list[str]) -> None:
    """``evaluators.child REQUESTS RESPONSES LIFELINE [NAME …]``: three inherited file descriptors, and which
    variables of the environment are the slot's own.
    """
    requests, responses, line = map(int, arguments[:3])
    own = {name: os.environ[name] for name in arguments[3:]}
    for fd in (requests, responses, line):
        os.set_inheritable(fd, False)
    lifeline.hold(line)
    ignore_announcements()
    faulthandler.enable()
    let_anything_be_printed()
    with contextlib.suppress(BrokenPipeError):
        EvaluationProcess(requests, responses, own).serve()


if __name__ == "__main__":
    main(sys.argv[1:])
