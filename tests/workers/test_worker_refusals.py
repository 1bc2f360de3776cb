"""When it makes no sense to go on, a worker says why in a sentence and exits with 2."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from pathlib import Path

import pytest
from locked_door import locked_door
from worker_lab import MODULES, PATIENCE_S, WORKLOADS, Lab, eventually, outcome, result

from orchestrator.wire.messages import Goodbye, Hello, Reject, Result
from orchestrator.wire.unanswered import LOOKED_AT_S, Unanswered


@pytest.mark.parametrize("code", ["protocol", "evaluator", "malformed"])
def test_refused_for_good_it_exits_with_the_reason(lab: Lab, code: str) -> None:
    wire = lab.orchestrator()
    worker = lab.start(wire.address)
    wire.expect(Hello)
    wire.send(Reject(code=code, reason="expected something else, got this"))  # type: ignore[arg-type]
    assert worker.wait(PATIENCE_S) == 2
    assert "expected something else, got this" in lab.said()


def test_an_outcome_refused_as_malformed_is_kept_and_not_sent_again(lab: Lab) -> None:
    wire = lab.orchestrator()
    lab.start(wire.address)
    wire.greet()
    wire.evaluate("L1", {"how": "well"})
    wire.expect(Result)
    wire.send(Reject(code="malformed", reason="expected another", lease="L1"))
    # Not even after a welcome, when all that is kept for the run is sent.
    wire.send(wire.assignment)
    wire.evaluate("L2", {"how": "well"})
    result(wire, "L2")
    wire.expect_none(Result, during_s=0.4)
    assert b'"L1"' in (lab.directory / "w" / "outbox.jsonl").read_bytes()


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (["echo", "{spann}"], "names no parameter {spann}; did you mean {span}?"),
        (["./drag.sh", "{span}"], "expected a program, found no `./drag.sh` in"),
        (["env", "A={span}", "no_such_drag"], "expected a program, found no `no_such_drag`"),
        (["./plain.txt", "{span}"], "`./plain.txt` may not be executed; try chmod +x ./plain.txt"),
        (["echo", "0.5"], "expected a parameter among the arguments, such as {span}, got none"),
    ],
)
def test_a_command_that_cannot_be_run_here_is_refused_before_it_costs_a_trial(
    lab: Lab, command: list[str], words: str
) -> None:
    (lab.directory / "plain.txt").write_text("no program")
    spec_says = {"command": ["drag", "{span}", "{sweep}"]}
    wire = lab.orchestrator("evaluators.command:run", options=spec_says, parameters=["span", "sweep"])
    worker = lab.start(wire.address, "--command", *command)
    wire.greet()
    assert words in wire.expect(Goodbye).reason
    assert worker.wait(PATIENCE_S) == 2
    assert words in lab.said()


@pytest.mark.parametrize(
    "command",
    [
        ["echo", "{span}"],
        ["{directory}/built-here", "{span}", "{{spann}}"],
        ["echo", "{parameters_file}"],
    ],
)
def test_a_command_that_may_be_meant_so_is_given_trials(lab: Lab, command: list[str]) -> None:
    wire = lab.orchestrator("evaluators.command:run", parameters=["span", "sweep"])
    lab.start(wire.address, "--command", *command)
    wire.greet()
    wire.evaluate("L1", {"span": 2, "sweep": 3})
    assert outcome(wire, "L1").lease == "L1"


@pytest.mark.parametrize(
    ("evaluator", "options", "words"),
    [
        ("no_such_module:f", {}, "no module named no_such_module"),
        (f"{WORKLOADS}:behav", {}, "did you mean `behave`?"),
        (f"{WORKLOADS}:in_full", {"ofset": 1.0}, "has no option `ofset`; it takes `offset`"),
        ("broken_on_import:f", {}, "importing broken_on_import raised RuntimeError: no licence"),
        ("dies_on_import:f", {}, "ended with exit code 7"),
        ("needs_another:f", {}, "needs the module not_installed_here"),
        (f"{WORKLOADS}:os", {}, "expected a function, got a module"),
    ],
)
def test_an_evaluator_that_cannot_be_used_is_refused_before_it_costs_a_trial(
    lab: Lab, evaluator: str, options: dict[str, float], words: str
) -> None:
    (lab.directory / "broken_on_import.py").write_text("raise RuntimeError('no licence')\n")
    (lab.directory / "dies_on_import.py").write_text("import os\nos._exit(7)\n")
    (lab.directory / "needs_another.py").write_text("import not_installed_here\n")
    wire = lab.orchestrator(evaluator, options=options)
    worker = lab.start(wire.address, "--evaluator", evaluator)
    wire.greet()
    wire.evaluate("L1", {"x": 1.0})
    assert words in wire.expect(Goodbye).reason
    assert worker.wait(PATIENCE_S) == 2
    assert words in lab.said()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--evaluator", "no_colon"], "expected --evaluator module:function, got `no_colon`"),
        (["--slots", "0", "--evaluator", "m:f"], "argument --slots: expected a whole number above 0, got 0"),
        (["--slots", "1025", "--evaluator", "m:f"], "expected --slots of 1 to 1,024, got 1025"),
        (
            ["--connect", "", "--evaluator", "m:f"],
            "got nothing; the script of a job has it in $ORCHESTRATOR_ADDRESS",
        ),
        (["--grace", "-1", "--evaluator", "m:f"], "expected --grace of 0 seconds or more, got -1"),
        (["--grace", "nan", "--evaluator", "m:f"], "expected --grace of 0 seconds or more, got nan"),
        (["--name", "b\udcfcro", "--evaluator", "m:f"], "expected names in UTF-8, got bytes that are none"),
        (["--evaluator", "m\udcfc:f"], "expected names in UTF-8, got bytes that are none"),
        (["--name", "", "--evaluator", "m:f"], "expected --name with a name that is unique in a run, got ''"),
        (
            ["--name", " ", "--evaluator", "m:f"],
            "expected --name with a name that is unique in a run, got ' '",
        ),
        (["--connect", "tcp://b\udcfcro:5", "--evaluator", "m:f"], "expected an address such as tcp://192"),
        (
            ["--slots", "2", "--each", "GPU=0,1", "--evaluator", "m:f"],
            "expected as many --each GPU=VALUE as there are --slots, 2, got 1, `0,1`",
        ),
        (
            ["--each", "GPU=0", "GPU=1", "--evaluator", "m:f"],
            "expected as many --each GPU=VALUE as there are --slots, 1, got 2",
        ),
        (
            ["--each", "GPU", "--evaluator", "m:f"],
            "expected --each NAME=VALUE, such as CUDA_VISIBLE_DEVICES=0",
        ),
        (
            ["--each", "GPU 1=0", "--evaluator", "m:f"],
            "expected the name of an environment variable, of letters, `_`",
        ),
        (
            ["--each", "=0", "--evaluator", "m:f"],
            "expected the name of an environment variable, of letters, `_`",
        ),
        (
            ["--each", "ORCHESTRATOR_EVALUATION=0", "--evaluator", "m:f"],
            "--each: expected a name that does not begin with `ORCHESTRATOR_`",
        ),
        (
            ["--each", "seed=0", "--evaluator", "m:f"],
            "--each: expected another name, as `{seed}` in a command",
        ),
        (
            ["--each", "PATH=/opt", "--evaluator", "m:f"],
            "--each: expected another name, as a command's program",
        ),
        (["--slots", "2"], "expected --evaluator module:function or --command"),
        (["--key", "/no/such/key", "--evaluator", "m:f"], "expected a key file at /no/such/key"),
        (["--directory", "/dev/null/there", "--evaluator", "m:f"], "cannot keep results in /dev/null/there"),
    ],
)
def test_a_wrong_command_line_ends_in_a_sentence(lab: Lab, arguments: list[str], words: str) -> None:
    worker = lab.start("tcp://127.0.0.1:1", *arguments)
    assert worker.wait(PATIENCE_S) in (1, 2)
    assert words in lab.said()
    assert "Traceback" not in lab.said()


def test_a_port_that_cannot_be_is_refused_at_once(lab: Lab) -> None:
    worker = lab.start("tcp://127.0.0.1:70000")
    assert worker.wait(PATIENCE_S) == 2
    assert "expected a port from 1 to 65535, got 70000 in `tcp://127.0.0.1:70000`" in lab.said()


def test_while_nobody_answers_it_says_so_and_dials_on(lab: Lab) -> None:
    lost = lab.start("tcp://no-such-host.invalid:5555", name="lost")
    alone = lab.start("tcp://127.0.0.1:1", name="alone")
    unknown = "expected a host that is known here, got `no-such-host.invalid`"
    # After a minute where whoever knows hosts takes longer than the five seconds to say that it does not.
    eventually(lambda: unknown in lab.said("lost"), within_s=3 * PATIENCE_S)
    eventually(lambda: "nobody has answered at tcp://127.0.0.1:1 for 5 s" in lab.said("alone"))
    assert (lost.poll(), alone.poll()) == (None, None)


def test_that_nobody_answers_is_said_soon_and_then_seldom() -> None:
    watch = Unanswered("ipc://nobody", 100.0)
    said_at = []
    while watch.due < 20_000.0:
        # First it is looked what the machine says.
        assert watch.on_time(watch.due) == ""
        said_at.append(watch.due - 100.0)
        assert watch.on_time(watch.due - 0.001) == ""
        assert "nobody has answered" in watch.on_time(watch.due)
    assert said_at == [5.0, 60.0, 600.0, 4200.0, 7800.0, 11400.0, 15000.0, 18600.0]
    watch.connected(True, 20_000.0)
    assert watch.due == math.inf
    watch.connected(False, 30_000.0)
    assert watch.due == 30_060.0 - LOOKED_AT_S


def test_whoever_is_refused_was_answered() -> None:
    watch = Unanswered("tcp://127.0.0.1:5555", 100.0)
    watch.refused(104.0)
    assert watch.due == 164.0 - LOOKED_AT_S
    watch.refused(134.0)
    assert watch.on_time(190.0) == ""
    assert watch.due == 194.0 - LOOKED_AT_S


def test_a_worker_with_a_key_speaks_in_cipher(lab: Lab, tmp_path: Path) -> None:
    with locked_door(tmp_path) as door:
        lab.start(door.address, "--key", str(door.key), "--evaluator", f"{WORKLOADS}:behave")
        assert isinstance(door.first_message(), Hello)


def test_importing_the_worker_costs_no_mathematics_and_no_event_loop() -> None:
    program = "import sys, evaluators.worker_process.command_line; print(*sorted(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    modules = set(loaded.stdout.split())
    assert "evaluators.worker_process.loop" in modules
    assert not modules & {"numpy", "scipy", "pydantic", "yaml", "rich", "anyio", "asyncio"}


def test_a_worker_that_may_open_too_few_files_is_refused_with_how_many_it_needs() -> None:
    worker = ["--connect", "tcp://127.0.0.1:1", "--evaluator", "math:sqrt", "--slots", "2"]
    line = [sys.executable, "-m", "evaluators.worker", *worker]
    command = ["sh", "-c", 'ulimit -n 24; exec "$@"', "sh", *line]
    said = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert said.returncode == 2
    assert "at least 36 files open at a time, and this worker may have 24" in said.stderr


def test_an_address_that_is_none_ends_in_a_sentence(lab: Lab) -> None:
    worker = lab.start("localhost")
    assert worker.wait(PATIENCE_S) == 2
    assert "cannot connect to `localhost`" in lab.said()


def test_two_workers_do_not_share_a_directory(lab: Lab) -> None:
    wire = lab.orchestrator()
    lab.start(wire.address)
    wire.greet()
    second = lab.start(wire.address, "--evaluator", f"{WORKLOADS}:behave")
    assert second.wait(PATIENCE_S) == 1
    assert "belongs to a running worker" in lab.said()
    wire.evaluate("L1", {"how": "well"})
    result(wire, "L1")


def test_a_worker_without_a_name_or_directory_takes_the_first_that_is_free(lab: Lab) -> None:
    wire = lab.orchestrator()
    environment = {**os.environ, "PYTHONPATH": MODULES}
    for _ in range(2):
        lab.workers.append(
            subprocess.Popen(
                [
                    *(sys.executable, "-m", "evaluators.worker", "--connect", wire.address),
                    *("--evaluator", f"{WORKLOADS}:behave"),
                ],
                env=environment,
                cwd=lab.directory,
                stderr=subprocess.DEVNULL,
            )
        )
    names = {wire.greet().worker for _ in range(2)}
    assert len(names) == 2
    logs = lab.directory / "logs"
    eventually(lambda: len(list(logs.iterdir())) == 2)
    assert sorted(path.name[-2:] for path in logs.iterdir()) == ["-1", "-2"]
