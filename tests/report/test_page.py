"""The page of a run: whole, self-contained, true to the run, and safe whatever evaluators print."""

from __future__ import annotations

import errno
import os
import re
import sys
from html.parser import HTMLParser
from io import StringIO
from pathlib import Path
from xml.etree import ElementTree

import pytest
from recorded_runs import INSIGHT, SPEC, RecordedRun, always

from orchestrator import cli
from orchestrator.report.following.runs import FollowedRun
from orchestrator.report.html.page import page
from orchestrator.runtime.folder.journal import JournalReader
from orchestrator.scheduler import events as ev

SVG = "{http://www.w3.org/2000/svg}"
PUSH = """\
experiment: pushing
objective: {name: closeness, goal: maximise}
parameters:
  x: {type: float, bounds: [-5.0, 5.0], unit: m}
  y: {type: float, bounds: [-5.0, 5.0], unit: m}
budget: {trials: 2}
evaluation: {evaluator: "evaluators.robots:push"}
"""
PUSHED = {
    "goal": [2.0, 1.0],
    "object_path": [[0.0, 0.0], [1.0, 0.5], [2.0, 0.25]],
    "hand_path": [[-3.0, 0.0], [-1.0, 0.0]],
    "hand_angle": 0.0,
    "moved": 2.0,
}


class Outline(HTMLParser):
    """What a reader sees, and every address that a browser would go to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.words: list[str] = []
        self.tags: list[str] = []
        self.addresses: list[str] = []
        self.open: list[str] = []
        self.feed(text)
        self.close()
        assert not self.open, f"never closed: {self.open}"

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag not in ("meta", "link", "br"):
            self.open.append(tag)
        self.addresses += [value or "" for name, value in attributes if name in ("src", "href", "srcset")]

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attributes)
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] not in ("style", "script"):
            self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


def written(run: RecordedRun, folder: Path) -> str:
    followed = FollowedRun.open(run.write(folder))
    return page(followed, followed.catch_up(), held=False)


def failed_for_good(run: RecordedRun, message: str) -> RecordedRun:
    """Every attempt fails until a trial has none left."""
    while run.scheduler.state.tally.failed == 0:
        run.answer_asks()
        command = run.evaluations.popleft()
        run.happen(
            ev.FailureArrived(
                at=run.at + 1.0, worker=command.worker, lease=command.lease, kind="error", message=message
            )
        )
    return run.answer_asks()


def pictures(text: str) -> list[ElementTree.Element]:
    return [ElementTree.fromstring(svg) for svg in re.findall(r"<svg.*?</svg>", text, re.DOTALL)]


def test_the_page_says_what_was_found_and_what_was_believed(tmp_path: Path) -> None:
    values = {1: 6.0, 2: 7.5, 3: 4.25, 4: None, 5: 5.0}
    run = RecordedRun().begin().settle(5, values.get)
    text = written(run, tmp_path / "wing-1")
    seen = Outline(text).text

    assert "minimise drag over 4 parameters with auto" in seen
    assert "The best point: trial 3" in seen
    assert "span 1.3 m" in seen
    order = [seen.index(value) for value in ("4.25", "3 4.25", "5 5 ", "1 6 ", "2 7.5 ")]
    assert order == sorted(order), "the best come first"
    assert "rbf, 62 % at last" in seen
    assert "Where the values lie" in seen
    assert "carbon" in seen
    assert "A sum of 3 parts: span × sweep; ribs; skin" in seen
    assert "refit 3, from 12 values" in seen
    assert "No picture" not in seen, "of which there could be none"
    assert "experiment: wing" in text, "the spec is at the end"


def test_the_page_says_what_was_amended_since_the_spec_that_heads_it(tmp_path: Path) -> None:
    run = RecordedRun().begin().settle(5, always(5.0))
    run.happen(ev.BudgetAmended(at=60.0, trials=26))
    run.happen(ev.BoundsAmended(at=61.0, bounds={"span": (1.0, 2.0)}))
    seen = Outline(written(run, tmp_path / "wing-1")).text
    assert "for 20 trials" in seen
    assert "amended: trials 26 instead of 20" in seen
    assert "amended: span in [1, 2]" in seen


def test_among_the_best_trials_is_what_is_computed_too(tmp_path: Path) -> None:
    computed = "parameters:\n  load: {type: computed, value: span / ribs}"
    recorded = RecordedRun(SPEC.replace("parameters:", computed)).begin().settle(2, always(1.0))
    text = written(recorded, tmp_path / "wing-1")
    table = text.split("The best trials", 1)[1].split("</table>", 1)[0]
    assert "load" in table


def test_the_page_needs_nothing_else(tmp_path: Path) -> None:
    outline = Outline(written(RecordedRun().begin().settle(6, always(1.0)), tmp_path / "wing-1"))

    assert "script" not in outline.tags
    assert "link" not in outline.tags
    assert all(address.startswith("data:") for address in outline.addresses)


def test_what_evaluators_print_stays_text(tmp_path: Path) -> None:
    spec = SPEC.replace("drag,", '"<i>drag",').replace("unit: deg", 'unit: "<b>°"')
    run = failed_for_good(RecordedRun(spec).begin(), "<script>alert(1)</script>\x1b[31m & more")
    command = run.evaluations.popleft()
    run.happen(
        ev.ResultArrived(
            at=run.at + 1.0,
            worker=command.worker,
            lease=command.lease,
            value=2.0,
            extras={"<u>note": "<img src=x onerror=alert(1)>"},
        )
    )
    text = written(run, tmp_path / "wing-1")

    outline = Outline(text)
    assert not {"script", "i", "u", "img"} & set(outline.tags)
    assert "<b>°" not in text
    assert "20 <b>°" in outline.text
    assert "<script>alert(1)</script> [31m & more" in outline.text
    assert "<u>note <img src=x onerror=alert(1)>" in outline.text
    assert "\x1b" not in text


def test_the_best_trial_is_drawn_by_its_workload(tmp_path: Path) -> None:
    run = RecordedRun(PUSH).begin(workers=1)
    ask = run.asks.popleft()
    made = tuple(ev.Suggested(parameters={"x": -3.0, "y": 0.0}) for _ in range(ask.count))
    run.happen(ev.SuggestionsMade(at=1.0, ask=ask.ask, suggestions=made))
    command = run.evaluations.popleft()
    run.happen(
        ev.ResultArrived(
            at=2.0, worker=command.worker, lease=command.lease, value=-0.75, extras=PUSHED, elapsed=1.0
        )
    )
    text = written(run, tmp_path / "pushing-1")

    assert "The object ends 0.75 m from the goal" in text
    assert "moved 2" in Outline(text).text
    assert len(pictures(text)) == 3, "the push, the curve, and x and y; there is no ensemble"


def test_a_best_trial_that_cannot_be_drawn_says_why_and_the_page_is_whole(tmp_path: Path) -> None:
    known = PUSH + "initial: {results: [{x: 1.0, y: 1.0, closeness: -0.5}]}\n"
    run = RecordedRun(known)
    run.happen(
        ev.RunStarted(
            at=0.0,
            run="pushing-1",
            wall="2024-01-01T00:00:00",
            known=(ev.KnownResult(parameters={"x": 1.0, "y": 1.0}, value=-0.5),),
        )
    )
    seen = Outline(written(run, tmp_path / "pushing-1")).text

    assert "known from elsewhere" in seen
    assert "did not return what is drawn" in seen


@pytest.mark.parametrize("settled", [0, 1])
def test_a_run_without_a_value_has_a_page_too(tmp_path: Path, settled: int) -> None:
    run = RecordedRun().begin()
    if settled:
        failed_for_good(run, "RuntimeError: it broke")
    seen = Outline(written(run, tmp_path / "wing-1")).text

    assert "No trial has a value" in seen
    assert ("RuntimeError: it broke" in seen) == bool(settled)


def test_thousands_of_parameters_and_trials_make_a_page_of_some_hundred_kilobytes(tmp_path: Path) -> None:
    names = [f"x{i}" for i in range(500)]
    parameters = "".join(f"  {name}: {{type: float, bounds: [0.0, 1.0]}}\n" for name in names)
    spec = SPEC[: SPEC.index("  span")] + parameters + SPEC[SPEC.index("budget") :].replace("20", "5000")
    run = RecordedRun(spec).begin(workers=1)
    point = dict.fromkeys(names, 0.5)
    number = 0
    while number < 2_500:
        while run.asks:
            ask = run.asks.popleft()
            made = tuple(ev.Suggested(parameters=point) for _ in range(ask.count))
            run.happen(ev.SuggestionsMade(at=run.at, ask=ask.ask, suggestions=made, insight=INSIGHT))
        command = run.evaluations.popleft()
        number += 1
        result = ev.ResultArrived(
            at=run.at + 1, worker=command.worker, lease=command.lease, value=1.0 / number, elapsed=1.0
        )
        run.happen(result)
    folder = run.write(tmp_path / "wing-1")
    followed = FollowedRun(folder, run.spec, run.scheduler, JournalReader(folder.journal), run.chronicle)
    text = page(followed, run.events, held=False)

    assert len(text) < 800_000
    assert "476 more parameters" in Outline(text).text
    assert "Where the values lie" in Outline(text).text
    assert "488 more parameters are not drawn" in Outline(text).text


def test_the_command_writes_into_the_runs_folder_and_says_where(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    RecordedRun().begin().settle(3, always(1.0)).write(tmp_path / "logs" / "wing-1")
    monkeypatch.chdir(tmp_path)

    assert cli.main(["report"]) == 0
    assert capsys.readouterr().out == "logs/wing-1/report.html\n"
    assert Outline((tmp_path / "logs" / "wing-1" / "report.html").read_text()).text

    assert cli.main(["report", "wing-1", "--output", "page.html"]) == 0
    assert (tmp_path / "page.html").read_text().startswith("<!doctype html>")
    assert cli.main(["report", "--output", "nowhere/page.html"]) == 1
    assert cli.main(["report", "--picture", "best.svg"]) == 1
    assert "wings:drag has none" in capsys.readouterr().err
    assert not (tmp_path / "best.svg").exists()


def test_the_picture_alone_can_be_had(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"x{i}" for i in range(1, 61)]
    parameters = "".join(f"  {name}: {{type: float, bounds: [0.0, 1.0]}}\n" for name in names)
    spec = (
        "experiment: way\nobjective: {name: value, goal: maximise}\n"
        f"parameters:\n{parameters}budget: {{trials: 1}}\n"
        'evaluation: {evaluator: "evaluators.rover:rover"}\n'
    )
    run = RecordedRun(spec).begin(workers=1)
    ask = run.asks.popleft()
    point = dict.fromkeys(names, 0.5)
    run.happen(
        ev.SuggestionsMade(
            at=1.0,
            ask=ask.ask,
            suggestions=tuple(ev.Suggested(parameters=point) for _ in range(ask.count)),
        )
    )
    command = run.evaluations.popleft()
    run.happen(ev.ResultArrived(at=2.0, worker=command.worker, lease=command.lease, value=-4.0, elapsed=1.0))
    run.write(tmp_path / "logs" / "way-1")
    monkeypatch.chdir(tmp_path)

    assert cli.main(["report", "--picture", "way.svg"]) == 0
    assert ElementTree.parse(tmp_path / "way.svg").getroot().tag == f"{SVG}svg"


def test_a_failure_known_before_is_no_mark_in_the_curve(tmp_path: Path) -> None:
    failure = ev.KnownResult(parameters={"span": 2.0, "sweep": 20.0, "ribs": 7, "skin": "foam"}, value=None)
    curves: list[str] = []
    for number, known in enumerate(((), (failure,)), start=1):
        run = RecordedRun().happen(ev.RunStarted(at=0.0, run=f"wing-{number}", wall="", known=known))
        run.happen(ev.WorkerJoined(at=0.5, worker="local-1", slots=1, local=True))
        text = written(run.settle(3, {1: 8.0, 2: None, 3: 4.0}.get), tmp_path / f"wing-{number}")
        curves += re.findall("<svg.*?</svg>", text, re.DOTALL)[:1]
    assert curves[0] == curves[1]


def test_the_line_begins_at_what_was_known_before_even_where_a_trial_is_better(tmp_path: Path) -> None:
    known = ev.KnownResult(parameters={"span": 2.0, "sweep": 20.0, "ribs": 7, "skin": "foam"}, value=5.0)
    run = RecordedRun().happen(ev.RunStarted(at=0.0, run="wing-1", wall="", known=(known,)))
    run.happen(ev.WorkerJoined(at=0.5, worker="local-1", slots=1, local=True))
    text = written(run.settle(3, {1: 8.0, 2: 7.0, 3: 4.0}.get), tmp_path / "wing-1")

    root = ElementTree.fromstring(re.search("<svg.*?</svg>", text, re.DOTALL)[0])  # type: ignore[index]
    (line,) = root.iter(f"{SVG}polyline")
    heights = [float(point.partition(",")[2]) for point in line.get("points", "").split()]
    assert heights == sorted(heights), "it only falls where less is better: 8 and 7 are no best after 5"
    assert len(set(heights)) == 2


def test_a_parameter_is_drawn_between_the_bounds_that_it_was_amended_to(tmp_path: Path) -> None:
    run = RecordedRun().begin(workers=1).settle(1, always(3.0))
    run.happen(ev.BoundsAmended(at=run.at, bounds={"span": (0.0, 90.0)}))
    text = written(run, tmp_path / "wing-1")
    assert ">90</text>" in text


class Full(StringIO):
    """A file on a disk without room."""

    def write(self, _text: str) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_where_it_lies_is_told_and_that_nobody_can_be_told_is_no_bug(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = RecordedRun().begin().settle(1, always(1.0)).write(tmp_path / "wing-1").path
    assert cli.main(["report", str(folder)]) == 0
    assert capsys.readouterr().out == f"{folder}/report.html\n"
    monkeypatch.setattr(sys, "stdout", Full())
    assert cli.main(["report", str(folder)]) == 1
    said = capsys.readouterr().err
    assert said == "expected to write to standard output, got: No space left on device\n"
