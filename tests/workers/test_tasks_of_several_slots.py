"""Evaluations that take several slots of their worker: which they are, what waits, and what they are told."""

from __future__ import annotations

import json
import signal
import sys
from pathlib import Path

import pytest
from scripted_child import SlotBench
from worker_lab import Lab, result
from worker_on_a_line import Line, welcomed

from evaluators.child_process import pipe
from evaluators.worker_process.duties import Duties
from evaluators.worker_process.taken_slots import TakenSlots
from orchestrator.wire.codec import encode
from orchestrator.wire.messages import Cancel, Evaluate, Result

GPUS = ("0", "1", "2", "3")
TELLS = (
    "import json, os, sys; "
    "print(json.dumps({'value': 1, 'told': sys.argv[1:], 'has': os.environ['ORCHESTRATOR_SLOTS']}))"
)


def task_of(lease: str, slots: int, run: str = "wing-1") -> Evaluate:
    number = int(lease.partition(".")[0])
    return Evaluate(run=run, lease=lease, trial=number, attempt=1, parameters={}, seed=1, slots=slots)


class Bench:
    """A worker of four slots whose children are scripted, each with a GPU of its own."""

    def __init__(self, directory: Path) -> None:
        self.line = Line()
        self.benches = [SlotBench(own={"GPU": gpu}) for gpu in GPUS]
        slots = [bench.slot for bench in self.benches]
        self.worker: Duties = welcomed(directory, self.line, slots, each={"GPU": GPUS})
        for bench in self.benches:
            bench.ends(0.0)
            self.loaded(bench)

    def loaded(self, bench: SlotBench) -> None:
        bench.child.to_say.append((pipe.LOADED, b""))
        self.worker.on_child_wrote(bench.slot, 0.0)

    def gives(self, lease: str, slots: int = 1) -> None:
        self.line.comes(task_of(lease, slots))
        self.worker.on_messages(0.0)

    def at_work(self) -> dict[str, str]:
        """The leases that are begun, each with what its child has."""
        return {
            bench.slot.task.lease: bench.owns[-1]["GPU"]
            for bench in self.benches
            if bench.slot.task is not None
        }

    def finishes(self, lease: str, by: bytes = pipe.OUTCOME) -> None:
        bench = next(
            one for one in self.benches if one.slot.task is not None and one.slot.task.lease == lease
        )
        done = Result(run="wing-1", lease=lease, trial=int(lease.partition(".")[0]), value=1.0)
        bench.child.to_say.append((by, encode(done)))
        self.worker.on_child_wrote(bench.slot, 0.0)

    def replaced(self, place: int) -> SlotBench:
        """The child of a slot was told to end, as what it has is not what its task has; another is there."""
        bench = self.benches[place]
        assert bench.child.signals == [signal.SIGTERM]
        bench.child.ended = bench.child.silent = True
        self.worker.on_children_ended(0.0)
        self.loaded(bench)
        return bench


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def test_what_an_evaluation_takes_nothing_else_has_until_it_ends(bench: Bench) -> None:
    bench.gives("1.1", slots=3)
    bench.replaced(0)
    bench.gives("2.1")
    bench.gives("3.1")
    assert bench.at_work() == {"1.1": "0,1,2", "2.1": "3"}
    bench.finishes("1.1")
    bench.replaced(0)
    assert bench.at_work() == {"2.1": "3", "3.1": "0"}


def test_one_that_takes_more_than_is_free_is_not_overtaken(bench: Bench) -> None:
    for lease in ("1.1", "2.1"):
        bench.gives(lease)
    bench.gives("3.1", slots=4)
    bench.gives("4.1")
    assert list(bench.at_work()) == ["1.1", "2.1"]
    bench.finishes("2.1")
    assert list(bench.at_work()) == ["1.1"]
    bench.finishes("1.1")
    bench.replaced(0)
    assert bench.at_work() == {"3.1": "0,1,2,3"}


def test_room_for_what_waits_is_looked_for_once_however_many_slots_are_free(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.gives("1.1")
    bench.gives("2.1", slots=4)
    looked = list[str]()
    for_task = TakenSlots.for_task

    def noted(taken: TakenSlots, task: Evaluate) -> list[int]:
        looked.append(task.lease)
        return for_task(taken, task)

    monkeypatch.setattr(TakenSlots, "for_task", noted)
    bench.worker.on_children_ended(0.0)
    assert looked == ["2.1"]


def test_slots_of_one_that_is_called_off_are_free_once_its_process_has_ended(bench: Bench) -> None:
    bench.gives("1.1", slots=4)
    child = bench.replaced(0).child
    bench.gives("2.1")
    bench.line.comes(Cancel(lease="1.1"))
    bench.worker.on_messages(0.0)
    assert list(bench.at_work()) == ["1.1"]
    child.ended = child.silent = True
    bench.worker.on_children_ended(0.0)
    assert list(bench.at_work()) == ["2.1"]


def test_slots_of_one_that_has_answered_are_free_once_its_process_has_ended_where_it_is_to_end(
    bench: Bench,
) -> None:
    bench.gives("1.1", slots=3)
    child = bench.replaced(0).child
    bench.finishes("1.1", pipe.LAST_OUTCOME)
    bench.gives("2.1", slots=2)
    assert bench.at_work() == {}, "a process that may hold the GPUs 0, 1 and 2 still lives"
    child.ended = child.silent = True
    bench.worker.on_children_ended(0.0)
    assert list(bench.at_work()) == ["2.1"]


def test_a_child_that_has_what_its_task_has_goes_on(bench: Bench) -> None:
    bench.gives("1.1", slots=2)
    child = bench.replaced(0).child
    bench.finishes("1.1")
    bench.gives("2.1", slots=2)
    assert bench.benches[0].child is child
    assert child.signals == []


def test_a_task_whose_child_is_replaced_while_it_loads_is_evaluated(tmp_path: Path) -> None:
    one = SlotBench(own={"GPU": "0"})
    task = task_of("1.1", 2)
    one.slot.begin(task, encode(task), 1.0, {"GPU": "0,1"})
    assert one.ends(2.0) == []
    one.says(pipe.LOADED, b"", 3.0)
    assert [kind for kind, _ in one.child.sent] == [pipe.LOAD, pipe.EVALUATE]
    assert one.owns == [{"GPU": "0"}, {"GPU": "0,1"}]


def test_one_that_takes_more_than_the_worker_has_takes_all(bench: Bench) -> None:
    """Of an orchestrator that counts otherwise: it would wait for ever."""
    bench.gives("1.1", slots=9)
    bench.replaced(0)
    assert bench.at_work() == {"1.1": "0,1,2,3"}


def test_a_program_is_told_how_many_it_has_and_which(lab: Lab) -> None:
    (lab.directory / "in.template").write_text("ranks = {slots}")
    wire = lab.orchestrator("evaluators.command:run", parameters=["x"])
    each = [f"--each=GPU={gpu}" for gpu in GPUS]
    program = (sys.executable, "-c", TELLS, "{x}", "{slots}", "{GPU}")
    template = ("--template", "wing.in=in.template")
    lab.start(wire.address, "--slots", "4", *each, *template, "--command", *program)
    wire.greet()
    frame = Evaluate(run=wire.run, lease="1.1", trial=1, attempt=1, parameters={"x": 5}, seed=1, slots=3)
    wire.send(frame)
    came = result(wire, "1.1")
    assert came.extras == {"told": ["5", "3", "0,1,2"], "has": "3"}
    assert came.own == {"GPU": "0,1,2"}
    (written,) = lab.directory.glob("**/attempt-1/wing.in")
    assert written.read_text() == "ranks = 3"


def test_where_each_takes_one_nothing_is_said_of_it() -> None:
    assert "slots" not in json.loads(encode(task_of("1.1", 1)))
