"""What was left for a run that nobody works on: amendments taken into its journal, decisions answered."""

from __future__ import annotations

from collections.abc import Iterator

from orchestrator.errors import OrchestratorError
from orchestrator.runtime.folder.journal import JournalWriter
from orchestrator.runtime.folder.run_folder import RunFolder
from orchestrator.runtime.recovery.recover import Replay
from orchestrator.runtime.requests.amendments import decide_amendment
from orchestrator.runtime.requests.decisions import decide, sentence_for
from orchestrator.runtime.requests.desk import Desk, Waiting
from orchestrator.runtime.requests.front_desk import Answering
from orchestrator.runtime.requests.kinds import Amend, Compare, TakeBack, Verdict
from orchestrator.runtime.results.reference_levels import measured_anew
from orchestrator.runtime.results.wanted_results import WantedResults
from orchestrator.scheduler.events import Event
from orchestrator.scheduler.machine import Scheduler
from orchestrator.scheduler.state import State
from orchestrator.scheduler.transitions import Phase
from orchestrator.spec.model import Spec
from orchestrator.system.disk import DISK, Disk
from orchestrator.system.shell_lines import shell_line


def left_amendments(desk: Answering) -> Iterator[tuple[Waiting, Amend]]:
    """Those that nobody has taken up, oldest first."""
    for waiting in desk.waiting():
        if isinstance(waiting.request, Amend):
            yield waiting, waiting.request


def refuse_if_not_begun(folder: RunFolder, state: State) -> None:
    """Raises `OrchestratorError` where there is nothing to go on with but the spec."""
    if state.phase is Phase.WAITING:
        raise OrchestratorError(
            f"expected a run that had begun in {folder.path}, got an empty journal. "
            f"If it held more once, put a copy back; else start it again: {shell_line('run', folder.spec)}"
        )


def foresee(folder: RunFolder, spec: Spec, scheduler: Scheduler) -> None:
    """Bring a scheduler forward by what was left, as the next life will; nothing is written.

    Raises `OrchestratorError` for a run that cannot have a next life, as it has not begun.
    """
    refuse_if_not_begun(folder, scheduler.state)
    for waiting, request in left_amendments(Desk(folder)):
        state = scheduler.state
        try:
            decided = decide_amendment(request, spec, state, state.at, name=waiting.path.stem)
        except OrchestratorError:
            continue
        for event in decided.events:
            scheduler.handle(event)
        if (measured := measured_anew(decided.events, spec, state)) is not None:
            scheduler.handle(measured)


def take_up_amendments(
    folder: RunFolder, replay: Replay, desk: Answering | None = None, disk: Disk = DISK
) -> list[str]:
    """Write what was left into the journal of a run that has ended, and answer it; a sentence for each. What
    was compared is taken there, too, unless the run goes on.

    Decisions that wait for a next life are left to it. The run's lock must be held, and the replay is of no
    use afterwards. ``desk`` is the folder's by default. Raises `JournalError` if the disk refuses.
    """
    desk = desk or Desk(folder)
    if not desk.waiting():
        return []
    sentences: list[str] = []
    journal = JournalWriter(
        folder.journal, length=replay.reader.length, next_number=replay.reader.lines, disk=disk
    )
    try:
        journal.confirm()
        for waiting, request in list(left_amendments(desk)):
            state = replay.scheduler.state
            try:
                decided = decide_amendment(request, replay.spec, state, state.at, name=waiting.path.stem)
            except OrchestratorError as error:
                sentences.append(f"an amendment was refused: {error}")
                sentences.append(desk.answer(waiting.path, Verdict(False, str(error))))
                continue
            for event in decided.events:
                replay.scheduler.handle(event)
            events: list[Event] = list(decided.events)
            if (measured := measured_anew(events, replay.spec, state)) is not None:
                replay.scheduler.handle(measured)
                events.append(measured)
            journal.append(events)
            journal.commit()
            sentences.append(decided.sentence)
            sentences.append(desk.answer(waiting.path, Verdict(True, decided.sentence)))
        # Not before: an amendment may be what leaves no next life to answer them.
        if not replay.scheduler.state.resumable:
            sentences += _take_up_comparisons(desk, replay, journal)
        sentences += _answer_decisions(desk, replay)
    finally:
        journal.close()
    return [sentence for sentence in sentences if sentence]


def _take_up_comparisons(desk: Answering, replay: Replay, journal: JournalWriter) -> Iterator[str]:
    """What was said of how trials compare, by which no other is chosen any more, but the best one is."""
    state, wanted = replay.scheduler.state, WantedResults.of(replay.spec)
    for waiting in desk.waiting():
        if not isinstance(waiting.request, Compare | TakeBack):
            continue
        decided = decide(waiting.request, state, state.at, waiting.path.stem, wanted)
        if isinstance(decided, Verdict):
            continue
        replay.scheduler.handle(decided)
        journal.append([decided])
        journal.commit()
        sentence = sentence_for(waiting.request, state)
        yield sentence
        yield desk.answer(waiting.path, Verdict(True, sentence))


def _answer_decisions(desk: Answering, replay: Replay) -> Iterator[str]:
    """Those that were taken, or come too late: what a next life can make of the others is for it to say."""
    state = replay.scheduler.state
    wanted = WantedResults.of(replay.spec, state.amended.constraints, state.amended.values)
    for waiting in desk.waiting():
        if waiting.request is None or isinstance(waiting.request, Amend):
            continue
        decided = decide(waiting.request, state, state.at, waiting.path.stem, wanted)
        if isinstance(decided, Verdict) and (decided.accepted or not state.resumable):
            yield desk.answer(waiting.path, decided)
