"""Who evaluates for a search: this thread, an event loop of its own, or an executor of the caller's."""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from orchestrator.errors import UsageError
from orchestrator.python_interface.context import Context, EvaluationStopped
from orchestrator.python_interface.watch import Watch
from orchestrator.values.plain import whole_number
from orchestrator.values.signatures import signature_of

if TYPE_CHECKING:
    from orchestrator.python_interface.event_loop import EventLoop

Function: TypeAlias = Callable[..., Any]
"""Of a mapping of the parameters, and perhaps of a `Context`, by the name ``context``."""
Evaluated: TypeAlias = "Future[tuple[Any, float, Watch]]"
"""What a function returned, None where it was stopped, the seconds, above 0, that it took, and what it
reported.
"""
LEAST_SECONDS = 1e-9


class HandsGone(BrokenExecutor):
    """An executor was shut down, or cancelled what it was to do."""


class Hands(Protocol):
    """They do ``parallel`` evaluations at a time, until they are let go."""

    parallel: int

    def begin(self, function: Function, parameters: dict[str, Any], watch: Watch) -> Evaluated:
        """An evaluation, which reports to that watch or, elsewhere, to one like it, and may have ended by
        then. Raises HandsGone where there are none any more.
        """

    def let_go(self) -> None:
        """Nothing else will be begun."""


def refuse_what_takes_no_mapping(function: object) -> None:
    """Raises UsageError for what is no function of one argument."""
    if not callable(function):
        raise UsageError(f"expected a function of the parameters, got {function!r}")
    try:
        signature = signature_of(function)
    except (TypeError, ValueError):  # of some that are not written in Python
        return
    try:
        signature.bind({}, **({"context": None} if takes_context(function) else {}))
    except TypeError:
        name = getattr(function, "__name__", type(function).__name__)
        name = "f" if name == "<lambda>" else name
        raise UsageError(
            f"expected a function of one mapping of the parameters, and perhaps a `context`, got"
            f" {name}{signature};"
            f" `lambda parameters: {name}(**parameters)` makes one of a function of their names"
        ) from None


def takes_context(function: Function) -> bool:
    """Whether it is to be given a `Context`, as evaluators of runs are: by a parameter of that name, beside
    the first, which is nothing else already.
    """
    try:
        parameters = list(signature_of(function).parameters.values())
    except (TypeError, ValueError):  # of some that are not written in Python
        return False
    return any(
        one.name == "context" and (one.default is None or one.default is one.empty) for one in parameters[1:]
    )


def hands_of(function: Function, executor: Executor | None, parallel: int | None) -> Hands:
    """An executor's, or our own. Raises UsageError where nobody knows how many there are, or too few."""
    if parallel is not None and ((number := whole_number(parallel)) is None or number < 1):
        raise UsageError(f"expected `parallel` as a whole number above 0, got {parallel!r}")
    if executor is None:
        if parallel not in (None, 1) and not _is_async(function):
            raise UsageError(
                f"expected an executor to run {parallel} at a time, as"
                f" concurrent.futures.ThreadPoolExecutor({parallel}), or an `async def` function, got neither"
            )
        return _Own(1 if parallel is None else parallel)
    if not isinstance(executor, Executor):
        raise UsageError(
            f"expected an executor, as concurrent.futures has them, got {executor!r}{_instead_of(executor)}"
        )
    if parallel is None:
        # Those of Python, and loky's, have it under this name.
        parallel = getattr(executor, "_max_workers", None)
    if parallel is None:
        raise UsageError("expected how many the executor runs at a time, as `parallel=8`, got None")
    return _Executors(executor, parallel)


class _Own:
    """Evaluates at once, in this thread; what is to be awaited goes on in an event loop."""

    def __init__(self, parallel: int) -> None:
        self.parallel = parallel
        self._loop: EventLoop | None = None

    def begin(self, function: Function, parameters: dict[str, Any], watch: Watch) -> Evaluated:
        future: Evaluated = Future()
        begun = time.monotonic()
        try:
            returned = _called(function, parameters, watch)
        except Exception as error:  # whatever it is, the search decides what it means
            future.set_exception(error)
            return future
        if inspect.isawaitable(returned):
            if self._loop is None:
                # asyncio takes a while to import.
                from orchestrator.python_interface.event_loop import EventLoop

                self._loop = EventLoop()
            return self._loop.begin(_timed_to_the_end(returned, begun, watch))
        future.set_result((returned, _since(begun), watch))
        return future

    def let_go(self) -> None:
        if self._loop is not None:
            self._loop.close()


class _Executors:
    """Has an executor evaluate, which is the caller's to shut down."""

    def __init__(self, executor: Executor, parallel: int) -> None:
        self.parallel = parallel
        self._executor = executor

    def begin(self, function: Function, parameters: dict[str, Any], watch: Watch) -> Evaluated:
        try:
            return self._executor.submit(_timed, function, parameters, watch)
        except BrokenExecutor:
            raise
        except (OSError, EOFError) as error:
            # Python 3.14 starts processes from one that imports the script first, and may end with it.
            raise BrokenExecutor(f"no process could be started: {error or type(error).__name__}") from error
        except RuntimeError as error:
            raise HandsGone(str(error)) from error

    def let_go(self) -> None:
        pass


def _called(function: Function, parameters: dict[str, Any], watch: Watch) -> Any:
    """What a function returns, perhaps to be awaited; None where it was stopped."""
    if not takes_context(function):
        return function(parameters)
    try:
        return function(parameters, context=Context(watch))
    except EvaluationStopped:
        return None


def _timed(function: Function, parameters: dict[str, Any], watch: Watch) -> tuple[Any, float, Watch]:
    """Wherever an executor has it run."""
    begun = time.monotonic()
    returned = _called(function, parameters, watch)
    if inspect.isawaitable(returned):
        import asyncio

        return asyncio.run(_timed_to_the_end(returned, begun, watch))
    return returned, _since(begun), watch


async def _timed_to_the_end(returned: Any, begun: float, watch: Watch) -> tuple[Any, float, Watch]:
    from orchestrator.python_interface.event_loop import uncancelled

    try:
        came = await uncancelled(returned)
    except EvaluationStopped:
        came = None
    return came, _since(begun), watch


def _since(begun: float) -> float:
    return max(time.monotonic() - begun, LEAST_SECONDS)


def _is_async(function: Function) -> bool:
    return any(map(inspect.iscoroutinefunction, (function, type(function).__call__)))


def _instead_of(told: object) -> str:
    """How one becomes an executor, of what is nearly one."""
    if isinstance(told, type) and issubclass(told, Executor):
        return f": an instance of it is one, as {told.__name__}(4)"
    if hasattr(told, "get_executor"):
        return "; what its `.get_executor()` returns is one"
    return "; ThreadPoolExecutor(4) is one, and so is ProcessPoolExecutor(4)"
