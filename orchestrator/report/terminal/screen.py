"""A view drawn for a terminal, of any size: lines that fit its width, as many as fit its height."""

from __future__ import annotations

from textwrap import wrap

from rich.text import Text

from orchestrator.report.seen.crew import Running, WorkerLine
from orchestrator.report.seen.found import BelievedPoint, BestPoint
from orchestrator.report.seen.view import View
from orchestrator.report.terminal.curve import by_magnitudes, curve_lines
from orchestrator.report.terminal.factor_rows import factor_rows
from orchestrator.report.terminal.named_values import in_a_row, in_columns
from orchestrator.report.terminal.sections import Section, beside, fitted, stacked
from orchestrator.report.terminal.trade_off_section import trade_off_section
from orchestrator.report.words.goals import goals_words
from orchestrator.report.words.relative_limits import NOTHING_CAME
from orchestrator.report.words.without_best import NOT_SAID_ABOVE, WORDS
from orchestrator.report.words.wording import clock, counted, duration, number, passing, where_words
from orchestrator.scheduler.transitions import Phase

TWO_COLUMNS_FROM, WORDY_FROM = 110, 60
MOST_LINES_OF_ACTIVITY, ROOMY = 3, 16
GAP = 3
LOGARITHMIC = "log "
"""Left of the foot of a curve that is one of logarithms."""
_STYLES = {"plain": "", "good": "green", "bad": "red", "faint": "dim"}


def screen(view: View, width: int, height: int) -> list[Text]:
    """At most ``height`` lines, and no line wider than ``width`` columns, from the top of the terminal."""
    width, height = max(20, width), max(6, height)
    head = [fitted(line, width) for line in [*_head(view, width), *_activity(view, width, height)]]
    room = height - len(head)
    if width >= TWO_COLUMNS_FROM:
        left_width = (width - GAP) * 11 // 20
        right_width = width - GAP - left_width
        left = stacked(
            [_expected(view, left_width), _best(view, left_width, roomy=True), _workers(view, left_width)],
            left_width,
            room,
            _ruled,
        )
        right = stacked(
            [_ensemble(view, right_width, whole=True), _last(view), _factors(view)], right_width, room, _ruled
        )
        body = beside(left, right, left_width, GAP)
    else:
        roomy = room > 24
        sections = [
            _expected(view, width),
            _best(view, width, roomy=roomy),
            _workers(view, width),
            _ensemble(view, width),
            _last(view),
            _factors(view),
        ]
        body = stacked(sections, width, room, _ruled)
    return [*head, *body[:room]]


def remains(view: View, width: int, height: int) -> list[Text]:
    """What is left on the terminal of a run's screen: what the words said after it do not say."""
    head = [fitted(line, width) for line in _head(view, width)]
    last = _last(view)
    sections = [_ensemble(view, width), Section(last.title, last.lines[-8:], newest=True), _factors(view)]
    return [*head, *stacked(sections, width, max(0, height - len(head)), _ruled)]


def _ruled(title: str, width: int) -> Text:
    rest = max(0, width - len(title) - 1)
    return Text.assemble((f"{title} ", "bold"), ("─" * rest, "dim"))


# -- the head -------------------------------------------------------------------------------------------


def _head(view: View, width: int) -> list[Text]:
    title = Text.assemble((view.experiment, "bold"), f"  {_goals(view)} with {view.algorithm}")
    state = _phase(view)
    title = fitted(title, max(8, width - state.cell_len - 2))
    title.append(" " * max(2, width - title.cell_len - state.cell_len)).append_text(state)
    held = [Text(f"held: {view.held_at}")] if view.held_at else []
    return [title, *held, _time(view, width), _counts(view), *_limits(view), *_jobs(view)]


def _limits(view: View) -> list[Text]:
    """What became of those that every trial is to keep, and of those that are relative to the reference."""
    if not view.limits:
        return []
    is_bad = view.limits.startswith("trial") or NOTHING_CAME in view.limits
    return [Text(view.limits, style="red" if is_bad else "dim")]


def _jobs(view: View) -> list[Text]:
    """How those of a queue stand."""
    return [Text(view.crew.jobs)] if view.crew.jobs else []


def _goals(view: View) -> str:
    if view.compared:
        return f"{view.objective} by comparison"
    return view.sought or goals_words(view.goals or {view.objective: view.goal})


def _activity(view: View, width: int, height: int) -> list[Text]:
    """In as many lines as it takes to say what to do about it, if there is room."""
    most = MOST_LINES_OF_ACTIVITY if height >= ROOMY else 1
    lines = wrap(view.activity, width, max_lines=most, placeholder=" …", break_on_hyphens=False)
    interrupted = not view.attended and view.phase is not Phase.FINISHED
    return [Text(line, style="red" if interrupted else "") for line in lines or [""]]


def _phase(view: View) -> Text:
    word = view.in_a_word
    again = f", resumed {_times(view.lives - 1)}" if word == "running" and view.lives > 1 else ""
    return Text(f"{word}{again}", style="red" if word == "interrupted" else "")


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def _time(view: View, width: int) -> Text:
    line = Text(f"{clock(view.now)} elapsed" if width >= WORDY_FROM else clock(view.now))
    if view.remaining is not None:
        about = "at most" if view.remaining.at_most else "about"
        line.append(f", {about} {duration(view.remaining.seconds)} left")
    done = f"{view.trials.settled:,}" if view.budget is None else f"{view.trials.settled:,}/{view.budget:,}"
    if view.spending is not None:
        done = f"{done} · cost {view.spending.words}"
    length = min(60, width - line.cell_len - len(done) - 4)
    if view.share_done is not None and length >= 10:
        full = round(view.share_done * length)
        line.append("  ").append("━" * full, style="green").append(
            "━" * (length - full), style="bright_black"
        )
    return line.append(f"  {done}")


def _counts(view: View) -> Text:
    trials = view.trials
    line = Text(f"{trials.completed:,} completed")
    if view.spending is not None:
        line.append(f", {view.spending.full:,} at full fidelity")
    line.append(f" · {trials.failed:,} failed", style="red" if trials.failed else "dim")
    if trials.stopped:
        line.append(f" · {trials.stopped:,} stopped early")
    if trials.abandoned:
        line.append(f" · {trials.abandoned:,} abandoned")
    return line.append(f" · {view.running_words} · {trials.waiting:,} waiting", style="dim")


# -- the sections ---------------------------------------------------------------------------------------


def _expected(view: View, width: int) -> Section:
    """The trials that wait for a person, with their settings."""
    lines: list[Text] = []
    for one in view.wanted.expected:
        # Whole, to be copied.
        told = wrap(
            f"trial {one.trial}  {one.command}", width, subsequent_indent="  ", break_on_hyphens=False
        )
        lines += map(Text, told)
        lines[-len(told)].stylize("bold", 0, len(f"trial {one.trial}"))
        if one.changes:
            lines.append(Text(f"  {one.changes}"))
        if one.failed:
            lines.append(Text(f"  it failed: {one.failed}", style="red"))
        lines += in_columns(one.parameters, width)
    count = f"  {view.wanted.in_all:,}" if view.wanted.in_all > len(view.wanted.expected) else ""
    return Section(f"For you to do{count}", lines, least=min(len(lines), 6), unit="lines of settings")


def _best(view: View, width: int, *, roomy: bool) -> Section:
    if view.goals:
        return trade_off_section(view, width, roomy=roomy)
    found = view.found
    if found.best_now is not None:
        now = found.best_now
        told = Text.assemble((now.words, "bold green"), "  as believed")
        shown = [told, *in_columns(now.parameters, width)]
        title = now.title.removesuffix(", as believed").capitalize()
        return Section(title, shown, least=min(len(shown), 4), unit="lines of parameters")
    if found.crossing is not None:
        shown = [
            Text(found.crossing.words, style="bold green"),
            *map(Text, wrap(found.crossing.believed, width)),
        ]
        return Section("Above", shown, least=min(len(shown), 3), unit="lines")
    if found.preferred is not None:
        shown = [
            Text(found.preferred.words, style="bold green"),
            *in_columns(found.preferred.parameters, width),
        ]
        return Section("Best", shown, least=min(len(shown), 4), unit="lines of parameters")
    if found.why_no_best == "none is sought":
        return Section("Above", [Text(NOT_SAID_ABOVE, style="dim")])
    if found.best is None:
        why = found.why_no_best or "no value"
        lines = [
            Text(WORDS[why], style="dim"),
            *(_trouble(view, width) if why in ("no value", "none to be best") else []),
        ]
        return Section("Best", lines, least=len(lines))
    best = found.best
    where = where_words(best.trial)
    ago = "" if best.at is None else f", {passing(view.now - best.at)} ago"
    when = "" if view.phase is Phase.FINISHED else ago
    value = Text.assemble((view.best_value, "bold green"), f"  {where}{when}")
    curve_width = min(40, width * 3 // 10) if len(found.curve) > 1 and width >= WORDY_FROM else 0
    settled = max(view.trials.completed, 1)
    scale = LOGARITHMIC if curve_width and by_magnitudes(found.curve, settled) else ""
    text_width = width - curve_width - len(scale) - (2 if curve_width else 0)
    lines = [value, *in_columns((*best.outcomes, *best.parameters), text_width)]
    if found.believed is not None:
        lines.insert(1, _believed(found.believed, best))
    least = min(len(lines), most := 6 if roomy else 4)
    if curve_width:
        height = min(most, max(3, len(lines)))
        while len(lines) < height:
            lines.append(Text())
        least = max(least, height)
        drawn = curve_lines(found.curve, settled, curve_width, height)
        for index, dots in enumerate(drawn):
            line = fitted(lines[index], text_width).copy()
            line.pad_right(width - curve_width - len(scale) - line.cell_len)
            line.append(scale if index == height - 1 else " " * len(scale), style="dim")
            lines[index] = line.append(dots, style="green")
    return Section("Best", lines, least=least, unit="lines of parameters")


def _trouble(view: View, width: int) -> list[Text]:
    """What went wrong last, where that is all there is: whole, as it most likely goes on."""
    sentences = [one.sentence for one in view.happenings if one.tone == "bad"]
    lines = wrap(sentences[-1], width, max_lines=3, placeholder=" …") if sentences else []
    return [Text(line, style="red") for line in lines]


def _believed(likely: BelievedPoint, best: BestPoint) -> Text:
    same = "this one" if likely.trial == best.trial else where_words(likely.trial)
    return Text(f"{likely.brief}: {likely.words}  {same}", style="cyan")


def _workers(view: View, width: int) -> Section:
    if view.phase is Phase.FINISHED or not view.attended:
        return Section("Workers", [])
    if not view.crew.workers:
        return Section("Workers", [Text("none connected", style="dim")])
    longest = min(24, max(len(worker.name) for worker in view.crew.workers))
    lines = [_worker(worker, longest, width) for worker in view.crew.workers]
    for _ in range(view.crew.connected - len(view.crew.workers)):
        lines.append(Text())
    title = f"Workers  {view.crew.connected}"
    if view.crew.slots != view.crew.connected:
        title = f"Workers  {view.crew.connected} with {counted(view.crew.slots, 'slot')}"
    return Section(title, lines, least=min(len(lines), 4), unit="workers")


def _worker(worker: WorkerLine, longest: int, width: int) -> Text:
    line = Text(f"{worker.name[:longest]:<{longest}}  ")
    done = Text(f"{worker.completed:>5,} done")
    if worker.failed:
        done.append(f" {worker.failed:,} failed", style="red")
    if width >= WORDY_FROM:
        done.append(f" {100.0 * worker.busy:>3.0f} % busy", style="dim")
    room = width - line.cell_len - done.cell_len - 2
    if not worker.running:
        what = Text("draining" if worker.draining else "idle", style="dim")
    else:
        first, *others = worker.running
        what = _running(first, room)
        if worker.draining:
            what.append("  draining", style="yellow")
        if worker.slots:
            what.append(f"  {worker.slots_words}", style="dim")
        if others:
            trials = "trial" if len(others) == 1 else "trials"
            what.append(f"  and {trials} {', '.join(str(other.trial) for other in others)}", style="dim")
    what = fitted(what, max(4, room))
    what.pad_right(max(0, room - what.cell_len))
    return line.append_text(what).append("  ").append_text(done)


def _running(running: Running, room: int) -> Text:
    line = Text(f"trial {running.trial}  {passing(running.seconds):>6}")
    if running.attempt > 1:
        line.append(f"  attempt {running.attempt}", style="yellow")
    if running.step is not None:
        line.append(f"  step {running.step}  ", style="dim")
        said = [(name, number(value, 3)) for name, value in running.values]
        line.append(in_a_row(said, room - line.cell_len), style="dim")
    return line


def _ensemble(view: View, width: int, *, whole: bool = False) -> Section:
    """``whole``: notes in as many lines as they take."""
    weights = view.belief.weights
    told = [line for note in view.belief.notes for line in (wrap(note, width) if whole else [note])]
    notes = [Text(note, style="dim") for note in told]
    if not weights:
        return Section("Optimiser", notes, least=min(1, len(notes)))
    longest = min(38, width * 2 // 5, max(len(name) for name, _ in weights))
    length = max(8, min(40, width - longest - 10))
    lines = []
    for name, weight in weights:
        eighths = round(max(0.0, min(1.0, weight)) * length * 8)
        bar = "█" * (eighths // 8) + ("", *"▏▎▍▌▋▊▉")[eighths % 8]
        line = Text(f"{name[:longest]:<{longest}} ")
        lines.append(line.append(f"{bar:<{length}}", style="cyan").append(f" {100.0 * weight:5.1f} %"))
    return Section("Ensemble", [*lines, *notes], least=min(len(lines), 4), unit="members")


def _factors(view: View) -> Section:
    belief = view.belief
    rows = factor_rows(belief.factors, belief.parameters)
    lines = []
    for drawing, names in rows:
        lines.append(Text.assemble((drawing, "cyan"), "  " if drawing else "", names))
    title = "Factors" if belief.probability is None else f"Factors  probability {belief.probability:.2g}"
    return Section(title, lines, least=min(len(lines), 2), unit="factors")


def _last(view: View) -> Section:
    lines = []
    for happening in view.happenings:
        when = (f"{clock(happening.at):>7}  ", "dim")
        lines.append(Text.assemble(when, (happening.sentence, _STYLES[happening.tone])))
    return Section("Last", lines, least=min(len(lines), 2), newest=True)
