"""What `orchestrator fsck` says: the damage, what is kept, what is saved from behind it, what is dropped."""

from __future__ import annotations

from orchestrator.report.words.cut_short import PUT_A_COPY_BACK
from orchestrator.report.words.wording import counted
from orchestrator.runtime.recovery.fsck import BadLine, Examination
from orchestrator.runtime.recovery.repair import RepairPlan
from orchestrator.system.shell_lines import shell_line
from orchestrator.values.printable import printable

SHOWN = 1_000
"""Damaged lines and dropped things that are listed one by one."""


def examination_words(found: Examination, emptied_of: int | None, cut_short: str) -> str:
    """What the lines are worth, one sentence a line.

    ``emptied_of`` is how many trials were completed by what was said before, where no event is left of a run;
    ``cut_short`` why the journal must have held more.
    """
    events = counted(len(found.sound) + len(found.behind), "event")
    if emptied_of is not None:
        trials = counted(emptied_of, "trial")
        verb = "was" if emptied_of == 1 else "were"
        said = [
            f"{found.path}: emptied; by standing.json the run had begun, and {trials} {verb} completed",
            "  nothing can be saved from it: put a copy back, if there is one",
        ]
    elif cut_short:
        said = [
            f"{found.path}: cut short, {'in the middle' if found.torn else 'at the end'} of a line; "
            f"{events} can be read, and {cut_short}",
            f"  {PUT_A_COPY_BACK}",
        ]
    elif not found.damaged:
        said = [f"{found.path}: sound, {events}"]
    else:
        said = [f"{found.path}: damaged; {events} can be read"]
        in_turn = sorted(found.bad, key=lambda bad: bad.line)
        said += [_bad(bad) for bad in in_turn[:SHOWN]]
        if len(found.bad) > SHOWN:
            said.append(f"  and {counted(len(found.bad) - SHOWN, 'more line')}")
        if found.missing:
            said.append(f"  {counted(found.missing, 'line')} not in the file, by the numbers of the others")
    if found.torn:
        lost = cut_short or emptied_of is not None
        unfinished = "were being written when the writer died, and nothing rests on them"
        said.append(
            f"  the last {counted(found.torn, 'byte')} {'are part of a line' if lost else unfinished}"
            f"{': a resume cuts them off' if found.begun else ''}"
        )
    if not found.begun and not found.damaged and emptied_of is None:
        said.append("  by it the run has not begun, and there is nothing to resume: orchestrator run SPEC")
    return "".join(f"{sentence}\n" for sentence in said)


def _bad(bad: BadLine) -> str:
    return f"  line {bad.line}, {bad.length} bytes from byte {bad.offset}: {bad.why}"


def plan_words(plan: RepairPlan) -> str:
    """What a repair keeps, saves and drops."""
    found, saved = plan.found, plan.saved
    said = [f"kept to the letter: the first {counted(len(found.sound), 'event')}"]
    if found.misplaced:
        said.append(f"put back in order: {counted(found.misplaced, 'line')}")
    if not found.header:
        said.append("made anew: the first line, which names the format")
    if not found.sound:
        said.append(
            "made anew from the spec that the run began with: its beginning, with the points and known "
            "values that stand there"
        )
    if found.hole:
        said.append(
            f"saved from behind the damage, as one event: {counted(saved.values, 'value')}, with parameters"
        )
        if saved.carried_out:
            said.append(
                "saved from behind the damage, in that event as well: that"
                f" {counted(saved.carried_out, 'trial')} {'was' if saved.carried_out == 1 else 'were'}"
                " carried out"
            )
        if saved.decisions:
            said.append(
                f"saved from behind the damage: {counted(len(saved.decisions), 'decision')} of people"
            )
        said.append(f"to be evaluated, or evaluated again: {counted(saved.again, 'trial')}")
        said.append(f"dropped: {counted(found.lost, 'line')} that cannot be read or are not there")
        said += [f"dropped: {sentence}" for sentence in saved.dropped[:SHOWN]]
        if len(saved.dropped) > SHOWN:
            said.append(f"dropped: {counted(len(saved.dropped) - SHOWN, 'more thing')} like these")
        lost = saved.event.lost_amendments
        said += [f"lost: {printable(sentence)}" for sentence in lost]
        if lost:
            again = shell_line("amend", found.path.parent)
            said.append(f"  if that is still meant, amend it again, after the repair: {again}")
    if found.torn:
        said.append(f"dropped: the last {counted(found.torn, 'byte')}, half a line")
    return "".join(f"{sentence}\n" for sentence in said)
