"""The optimiser's process: reads requests, one a line, keeps the algorithm, answers.

Requests are taken in order; only an ask that waits for a refit is passed by what comes after it. A refit
runs in a forked copy, beside everything else, and is adopted when the runtime, which has it in the
journal by then, says so.
"""

from __future__ import annotations

import gc
import math
import os
import select
import signal
import sys
import time
import traceback
from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from orchestrator.algorithms import registry
from orchestrator.algorithms.base import (
    Algorithm,
    AskKey,
    Comparison,
    LearnsComparisons,
    Recommends,
    Suggestion,
)
from orchestrator.algorithms.changing import Changing, over_what
from orchestrator.algorithms.faults import fault_words, refuse_what_is_no_answer
from orchestrator.algorithms.observed import notes_on_best
from orchestrator.algorithms.sharing import Round
from orchestrator.arrays import FloatArray
from orchestrator.errors import OrchestratorError
from orchestrator.runtime.folder.begun_spec import read_spec
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.runtime.optimiser.attended_nodes import ATTEND_EVERY_S, AttendedNodes
from orchestrator.runtime.optimiser.beginnings import Rebuilder, first_beginning, rebuilder
from orchestrator.runtime.optimiser.believed_where_held import Contender, believed_where_held
from orchestrator.runtime.optimiser.gain_beside import GainBeside
from orchestrator.runtime.optimiser.messages import (
    Answer,
    Block,
    End,
    Reply,
    Request,
    Stock,
    Trouble,
    decode_request,
    encode_reply,
)
from orchestrator.runtime.optimiser.parts_completed import parts_completed
from orchestrator.runtime.optimiser.refits_beside import RefitsBeside
from orchestrator.runtime.optimiser.termination import Termination
from orchestrator.scheduler.commands import (
    AdoptRefit,
    Ask,
    EstimateGain,
    Rebuild,
    TakeStock,
    Tell,
    TellComparison,
)
from orchestrator.scheduler.event_parts import Suggested
from orchestrator.spec.sections.parameters import in_use_among
from orchestrator.system.announced_ends import ignore_announcements
from orchestrator.system.parent_death import end_with_parent
from orchestrator.unit_cube.domain import Domain
from orchestrator.values.named import Values
from orchestrator.values.over import EACH


class OptimiserServer:
    """One algorithm, and the order in which it is told and asked.

    Parameters and values come and go in the experiment's own terms; the unit cube and the sense of
    maximisation begin here. ``rebuilt`` makes these terms and the algorithm, at the ``first`` beginning and
    anew where a run's bounds are amended, or a value is forgotten. ``only_when_asked``: a refit is not begun
    before an ask waits for it, and so sees the same values whoever died meanwhile; where asks wait for it
    anyway. ``says_best``: no trial is the best, as that changes with the time, which is held, or is in many
    conditions, so that each answer says what is.
    """

    def __init__(
        self,
        rebuilt: Rebuilder,
        first: Rebuild,
        *,
        output: int,
        only_when_asked: bool = False,
        says_best: bool = False,
    ) -> None:
        self._rebuilt = rebuilt
        self._says_best = says_best
        self._only_when_asked = only_when_asked
        self._output = output
        self._waiting: deque[Request] = deque()
        self._unread = b""
        # Requests of the block that is being read.
        self._to_come = 0
        self._nodes = AttendedNodes(self._send)
        self._over = False
        self._begin(first)

    def _begin(self, beginning: Rebuild) -> None:
        """An algorithm that was told nothing yet."""
        self._terms, self._algorithm = self._rebuilt(beginning)
        self._contenders: list[Contender] = []
        # Of their values.
        self._highest = -math.inf
        self._model = beginning.model
        self._held: tuple[Ask, float] | None = None
        self._told = 0
        self._refits = RefitsBeside(self._algorithm, self._model, self._send, awaited=self._only_when_asked)
        self._gain = GainBeside(self._algorithm, self._model, self._send)
        self._nodes.begin(self._algorithm, self._terms.space.names)

    def serve(self, requests: int) -> None:
        """Until the other end of ``requests`` closes."""
        while True:
            while self._waiting:
                self._take(self._waiting.popleft())
            self._start_refit_if_due()
            self._gain.start_if_wanted()
            self._answer_if_waited_enough()
            timeout = max(0.0, self._held[1] - time.monotonic()) if self._held is not None else math.inf
            refit, gain, nodes = self._refits.descriptors, self._gain.descriptors, self._nodes.attend()
            if nodes:
                timeout = min(timeout, ATTEND_EVERY_S)
            ready, _, _ = select.select(
                [requests, *refit, *gain, *nodes], [], [], None if math.isinf(timeout) else timeout
            )
            if refit and refit[0] in ready:
                self._refits.proceed(self._told)
            if gain and gain[0] in ready:
                self._gain.proceed()
            if requests in ready and not self._read(requests):
                self._kill_copies()
                return

    def _start_refit_if_due(self) -> None:
        # In the middle of a request or a block there is more to come, as where a long history is told: the
        # refit that seems due may be adopted in what follows, or would learn what follows result by result.
        more = bool(self._unread) or self._to_come > 0
        if not more and not (self._only_when_asked and self._held is None):
            self._refits.start_if_due(self._told)

    def _kill_copies(self) -> None:
        self._refits.kill()
        self._gain.kill()

    def end(self, requests: int) -> None:
        """Nothing more will be answered; whether that is the run's end is still to be read, perhaps."""
        while select.select([requests], [], [], 0.0)[0] and self._read(requests):
            pass
        over = self._over or any(isinstance(request, End) for request in self._waiting)
        self._nodes.end(over=over)

    def _read(self, requests: int) -> bool:
        chunk = os.read(requests, 1 << 20)
        *lines, self._unread = (self._unread + chunk).split(b"\n")
        self._waiting.extend(decode_request(line) for line in lines)
        return bool(chunk)

    def _take(self, request: Request) -> None:
        self._to_come = max(0, self._to_come - 1)
        match request:
            case Block(requests):
                self._to_come = requests
            case End():
                self._over = True
            case Rebuild():
                self._kill_copies()
                self._begin(request)
            case Tell():
                self._tell(request)
            case TellComparison(better=better, worse=worse, alike=alike):
                assert isinstance(self._algorithm, LearnsComparisons)
                self._algorithm.compare([Comparison(better, worse, alike)])
            case AdoptRefit():
                self._refits.adopt(request)
                self._answer_if_waited_enough()
            case EstimateGain(refit=refit):
                self._gain.wanted = refit
            case TakeStock(held=held):
                self._send(Stock(self._told, self._insight_at(held), self._model))
            case Ask():
                # A held ask is the only one there is: the scheduler has one under way at a time.
                patience = math.inf if request.patience_s is None else request.patience_s
                self._held = (request, time.monotonic() + patience)
                self._answer_if_waited_enough()

    def _tell(self, command: Tell) -> None:
        self._told += 1
        observation, contender = self._terms.observation(command, type(self._algorithm))
        self._algorithm.tell([observation])
        if contender is not None:
            self._contenders.append(contender)
            self._highest = max(self._highest, contender.value)
        # What people compare is under way until they have.
        if self._held is not None and not isinstance(self._algorithm, LearnsComparisons):
            ask, until = self._held
            self._held = _beside_one_less(ask, command.parameters), until

    # -- asks -----------------------------------------------------------------------------------------

    def _answer_if_waited_enough(self) -> None:
        if self._held is None:
            return
        command, until = self._held
        if self._refits.due(self._told) is not None and time.monotonic() < until:
            return
        self._held = None
        self._answer(command)

    def _answer(self, command: Ask) -> None:
        begun = time.perf_counter()
        completed = parts_completed(command, self._terms, self._suggested)
        suggested = completed.suggested
        # What a person asks for in part is completed though it were tried.
        rest = completed.rest
        if (count := int(min(rest.count, self._terms.left_beside(rest.pending, rest.held)))) > 0:
            suggested = [*suggested, *self._suggested(replace(rest, count=count))]
        insight = self._insight_at(command.held) if self._says_best else self._insight()
        self._send(
            Answer(
                ask=command.ask,
                suggestions=suggested,
                seconds=time.perf_counter() - begun,
                insight=insight,
                left_out=completed.left_out,
            )
        )

    def _suggested(self, command: Ask) -> list[Suggested]:
        """What the algorithm answers, whatever parts of points there are to be completed."""
        space, settled = self._terms.space, (command.settled, command.settled_by)
        if space.changes and command.stands:
            return self._terms.suggested(*self._changing(command))
        together = Round(space, self._terms.seed, command.sharing, command.held, *settled)
        pending = [self._terms.point(parameters) for parameters in command.pending]
        key = AskKey(command.ask, command.first_trial)
        together, chosen = together.asked(self._chosen, command.count, pending, key)
        return self._terms.suggested(self._terms.reached(chosen, command), together.places)

    def _changing(self, command: Ask) -> tuple[list[Suggestion], Values]:
        """What is suggested where changing settings takes time, and where that is held."""
        changing = Changing(
            self._terms.space,
            command.stands,
            self._terms.time,
            command.held,
            over_what(self._algorithm, self._highest, self._terms.objectives),
            command.left_s,
        )
        pending = [self._terms.point(parameters) for parameters in command.pending]
        places, chosen = changing.asked(self._chosen, pending, AskKey(command.ask, command.first_trial))
        return chosen, places

    def _chosen(self, count: int, pending: Sequence[FloatArray], key: AskKey) -> Sequence[Suggestion]:
        suggestions = self._algorithm.ask(count, pending, key)
        domain = self._terms.space.domain
        may_end = domain.rows is not None
        refuse_what_is_no_answer(suggestions, self._algorithm, domain.dimension, count, may_end=may_end)
        return suggestions

    def _insight_at(self, held: Values) -> dict[str, object]:
        """What is believed best is so where parameters are held, and of the time, if it is, now."""
        part = self._terms.part(held)
        if not (self._says_best and isinstance(self._algorithm, Recommends)):
            return self._insight(part)
        found = self._algorithm.recommend(part)
        best_now = () if found is None else self._terms.suggested([found], held)
        return self._insight(part, *best_now)

    def _insight(self, part: Domain | None = None, best_now: Suggested | None = None) -> dict[str, object]:
        """What is believed best is so in a ``part`` of the domain, if given."""
        found = self._algorithm.insight()
        if self._contenders:
            best = self._terms.sign * self._highest
            found = replace(found, notes=[*found.notes, *notes_on_best(best)])
        if part is not None and found.believed_best is not None:
            likely = believed_where_held(self._algorithm, part, self._contenders)
            found = replace(found, believed_best=likely)
        return self._terms.insight(found, best_now)

    def _send(self, reply: Reply) -> None:
        block = memoryview(encode_reply(reply))
        try:
            while block:
                block = block[os.write(self._output, block) :]
        except BrokenPipeError:
            # Whoever asked is gone, which is no fault of the algorithm's, and nothing to be said in the log.
            sys.exit(1)


def _beside_one_less(ask: Ask, parameters: Values) -> Ask:
    """An ask that waits while an evaluation of these parameters ends, which it was made beside."""
    pending = list(ask.pending)
    if parameters in pending:
        pending.remove(parameters)
    return replace(ask, pending=tuple(pending))


def main(arguments: Sequence[str]) -> int:
    """``optimiser.server RUN-FOLDER``; requests on standard input, replies on what was standard output."""
    # What is imported and built stays to the end. None of it is garbage to be looked for, here or in forked
    # copies, which share its memory as long as nobody looks.
    gc.disable()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    ignore_announcements()
    termination = Termination()
    signal.signal(signal.SIGTERM, termination)
    end_with_parent()
    # Whatever an algorithm prints must not be taken for a reply.
    output = os.dup(1)
    os.dup2(2, 1)
    server: OptimiserServer | None = None
    algorithm: type[Algorithm] | None = None
    try:
        spec = read_spec(RunFolder(Path(arguments[0]))).spec
        algorithm = registry.load(spec.algorithm.name)
        # Then what is best is said of any condition, when somebody asks.
        each = spec.objective.over == EACH
        server = OptimiserServer(
            rebuilder(spec),
            first_beginning(spec),
            output=output,
            says_best=spec.clock is not None or (bool(in_use_among(spec.parameters)) and not each),
            only_when_asked=spec.mode.kind != "asynchronous",
        )
        termination.begin()
        gc.freeze()
        gc.enable()
        server.serve(0)
    except OrchestratorError as error:
        os.write(output, encode_reply(Trouble(str(error))))
        return 1
    except Exception as error:
        traceback.print_exc()
        words = f"{type(error).__name__}: {error}" if algorithm is None else fault_words(error, algorithm)
        os.write(output, encode_reply(Trouble(words)))
        return 1
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        if server is not None:
            server.end(0)
        # Nor is anything looked for at the end, by when more was imported.
        gc.freeze()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
