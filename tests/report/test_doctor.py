"""`orchestrator doctor` says what can run here, what lacks, and the command that supplies it."""

from __future__ import annotations

import gzip
import importlib.util
import inspect
import json
import shlex
import struct
import subprocess
import sys
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest
import yaml
from command_here import done_here

from evaluators import compiled
from evaluators.child_process.calling import load_evaluator
from evaluators.readiness.catalogue import WORKLOADS, workload_of
from evaluators.readiness.data_forms import IMAGES, PHOTOGRAPHS, PROTEINS, SKIN_PIXELS, Form
from evaluators.readiness.needs import DataFile, Lack, Module, Workload, one_command

PAPERS = Path(__file__).resolve().parents[2] / "configs" / "papers"
BY_NAME = {workload.name: workload for workload in WORKLOADS}


def orchestrator(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "orchestrator", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def without(monkeypatch: pytest.MonkeyPatch, *modules: str) -> None:
    real = importlib.util.find_spec

    def found(name: str, package: str | None = None) -> ModuleSpec | None:
        return None if name in modules else real(name, package)

    monkeypatch.setattr(importlib.util, "find_spec", found)


def test_every_spec_of_a_paper_belongs_to_a_workload_that_the_doctor_knows() -> None:
    for path in PAPERS.glob("*.yaml"):
        text = path.read_text(encoding="utf-8")
        evaluation = yaml.safe_load(text)["evaluation"]
        workload = workload_of(evaluation["evaluator"])
        assert workload is not None, path.name
        options = evaluation.get("options", {})
        for file in workload.data:
            assert options[file.option] == file.usual, path.name


@pytest.mark.parametrize("workload", [w for w in WORKLOADS if w.data], ids=lambda w: w.name)
def test_the_files_of_a_workload_are_the_options_that_its_evaluator_takes(workload: Workload) -> None:
    load_evaluator(workload.evaluator, {file.option: file.usual for file in workload.data})
    module, _, function = workload.evaluator.partition(":")
    taken = inspect.signature(getattr(importlib.import_module(module), function)).parameters
    for file in workload.data:
        assert file.required == (taken[file.option].default is inspect.Parameter.empty), file.option


def test_a_missing_library_is_named_with_the_command_that_supplies_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    without(monkeypatch, "torch", "cosmosis", "mujoco")

    lacks = [lack for lack in BY_NAME["cnn"].lacking() if "file" not in lack.what]
    assert [lack.what for lack in lacks] == ["the library torch"]
    assert one_command(lacks) == f"{sys.executable} -m pip install 'torch>=2.2'"

    built = one_command([lack for lack in BY_NAME["cosmology"].lacking() if "cosmosis" in lack.what])
    tools, _, library = built.rpartition(" && ")
    assert "apt-get install -y --no-install-recommends gfortran liblapack-dev make g++" in tools
    assert "pip install 'cosmosis>=3.26'" in library

    assert [lack.what for lack in BY_NAME["push"].lacking({"engine": "mujoco"})] == ["the library mujoco"]


def test_an_opencv_without_cascades_is_not_enough(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "cv2").mkdir()
    (tmp_path / "cv2" / "__init__.py").write_text("raise ImportError('it must only be looked for')\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "cv2", raising=False)
    importlib.invalidate_caches()

    lacks = list(Module("cv2", "vision", "data/haarcascade_frontalface_alt.xml").lacking())
    assert len(lacks) == 1
    assert "haarcascade_frontalface_alt.xml" in lacks[0].what
    assert "'opencv-python-headless>=4.8,<5'" in lacks[0].supply


def test_a_machine_without_a_compiler_is_told_every_package_in_one_command(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    lacks = BY_NAME["wlan"].lacking()
    assert [lack.what for lack in lacks] == ["the package g++", "the package libns3-dev"]
    assert one_command(lacks).endswith("apt-get install -y --no-install-recommends g++ libns3-dev")


def test_a_program_that_is_built_already_needs_no_headers(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    (tmp_path / "nothing.cpp").write_text("int main() { return 0; }\n")
    unheard_of = compiled.Package("libunheard-of-dev", "unheard_of.h")
    program = compiled.Program("nothing", (tmp_path / "nothing.cpp",), packages=(unheard_of,))
    workload = Workload("nothing", "", "somebodys:own", program=program)
    if "g++" in (wanting := compiled.missing(program)):
        pytest.skip("g++ is not installed")
    assert (
        [lack.what for lack in workload.lacking()]
        == ["the package libunheard-of-dev"]
        == [f"the package {name}" for name in wanting]
    )

    with monkeypatch.context() as there:
        there.setattr(compiled, "missing", lambda _: [])
        compiled.built(program)
    assert workload.lacking() == []


def test_several_files_are_fetched_by_one_command_into_the_folders_that_the_spec_names(
    tmp_path: Path,
) -> None:
    files = {"images": f"{tmp_path}/a b/images.gz", "labels": f"{tmp_path}/labels.gz"}
    lacks = BY_NAME["mlp"].lacking(files)

    assert [lack.what for lack in lacks] == [f"the file {path}" for path in files.values()]
    command = one_command(lacks)
    assert command.startswith(f"curl -fL --create-dirs -o '{tmp_path}/a b/images.gz' https://")
    assert command.count("curl") == 1
    assert command.count(" -o ") == 2

    (tmp_path / "labels.gz").write_bytes(gzip.compress(struct.pack(">BBBBI", 0, 0, 8, 1, 2) + b"\0\1"))
    assert len(BY_NAME["mlp"].lacking(files)) == 1


def test_a_folder_that_comes_packed_is_unpacked_where_the_spec_wants_it() -> None:
    packed = DataFile("data", "data/cifar-10-batches-bin", "https://example.org/cifar.tar.gz", PHOTOGRAPHS)
    (lack,) = packed.lacking({"data": "/nowhere/batches"})

    assert lack.supply == (
        "mkdir -p /nowhere && curl -fL https://example.org/cifar.tar.gz | tar -xz -C /nowhere"
    )


def packed(data: bytes) -> bytes:
    """The same bytes whenever it is called: they are part of a test's name, on which processes must agree."""
    return gzip.compress(data, mtime=0)


@pytest.mark.parametrize(
    ("form", "content", "words"),
    [
        (PROTEINS, b"RMSD,F1\n" + b"1,2,3,4,5,6,7,8,9,10\n" * 3, ""),
        (PROTEINS, b"RMSD,F1\n1,2,3,4,5,6,7,8,9,10\n1,2,3", "line 3, the last, which may have been cut off"),
        (PROTEINS, packed(b"RMSD,F1\n1,2,3,4,5,6,7,8,9\n1,2\n"), "expected 10 columns, line 2 has 9"),
        (SKIN_PIXELS, b"<html>not found</html>\n", "expected 4 columns, line 1"),
        (SKIN_PIXELS, b"", "there are none"),
        (IMAGES, struct.pack(">BBBBIII", 0, 0, 8, 3, 2, 1, 1) + b"ab", ""),
        (IMAGES, struct.pack(">BBBBIII", 0, 0, 8, 3, 2, 1, 1) + b"a", "it is cut off"),
        (IMAGES, packed(bytes(1000))[:-9], "packed data are damaged or cut off"),
    ],
)
def test_a_damaged_file_is_not_taken_for_one_that_is_there(
    tmp_path: Path, form: Form, content: bytes, words: str
) -> None:
    (tmp_path / "file").write_bytes(content)
    lacks = list(DataFile("data", "", "https://example.org/file", form).lacking({"data": f"{tmp_path}/file"}))
    if not words:
        assert lacks == []
        return
    (lack,) = lacks
    assert lack.what.startswith(f"a sound file {tmp_path}/file (")
    assert words in lack.what
    assert (
        lack.supply == f"curl -fL --create-dirs -o {shlex.quote(f'{tmp_path}/file')} https://example.org/file"
    )


def test_a_folder_of_photographs_is_looked_into(tmp_path: Path) -> None:
    file = DataFile("data", "", "https://example.org/cifar.tar.gz", PHOTOGRAPHS)

    def said() -> str:
        return " ".join(lack.what for lack in file.lacking({"data": str(tmp_path)}))

    assert "expected a folder with data_batch_1.bin" in said()
    (tmp_path / "data_batch_1.bin").write_bytes(bytes(2 * 3073))
    assert "there is no test_batch.bin in it" in said()
    (tmp_path / "test_batch.bin").write_bytes(bytes(3072))
    assert "test_batch.bin: expected records of 3073 bytes" in said()
    (tmp_path / "test_batch.bin").write_bytes(gzip.compress(bytes(3073)))
    assert said() == ""


def test_a_file_that_cannot_be_read_is_said_to_be_one(tmp_path: Path) -> None:
    (lack,) = DataFile("data", "", "https://example.org/file", IMAGES).lacking({"data": str(tmp_path)})
    assert lack == Lack(f"a file {tmp_path} that can be read (Is a directory)", "")


def test_what_nothing_supplies_has_no_command() -> None:
    assert one_command([Lack("the program ./arm", "")]) == ""
    assert one_command([]) == ""


def test_the_list_of_workloads_loads_nothing_heavy(tmp_path: Path) -> None:
    heavy = {"numpy", "scipy", "sklearn", "cv2", "mujoco", "xgboost", "camb", "zmq", "pydantic"}
    program = (
        "import sys; from orchestrator.cli import main\n"
        f"code = main(['doctor']); sys.exit(code or str({heavy} & set(sys.modules) or ''))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.stderr == "\n"
    # In a folder without data, what needs a file lacks it, and what needs nothing is ready.
    assert "ready  rover" in done.stdout
    assert "the file data/CASP.csv" in done.stdout
    assert "curl -fL --create-dirs -o data/CASP.csv https://" in done.stdout


def test_a_program_gets_the_list_as_json(tmp_path: Path) -> None:
    done = orchestrator(tmp_path, "doctor", "--format", "json")
    assert done.returncode == 0
    rows = {row["workload"]: row for row in json.loads(done.stdout)}
    assert set(rows) == set(BY_NAME)
    assert rows["network"] == {
        "workload": "network",
        "ready": True,
        "evaluator": "evaluators.learning:network",
        "lacks": [],
        "supply": None,
    }
    assert not rows["pic"]["ready"]
    assert rows["pic"]["lacks"] == ["the file data/CASP.csv"]


SPEC = """\
experiment: probe
objective: {{name: y, goal: maximise}}
parameters:
  x: {{type: float, bounds: [0, 1]}}
algorithm: random
budget: {{trials: 2}}
workers: {{local: {local}}}
evaluation: {evaluation}
"""


@pytest.mark.parametrize(
    ("evaluation", "code", "words"),
    [
        ("{evaluator: person}", 0, "ready  probe  a person evaluates"),
        ("{evaluator: 'math:sqrt'}", 0, "ready  probe  an evaluator of your own"),
        ("{command: [sh, -c, 'echo {x}']}", 0, "ready  probe  the program sh"),
        ("{command: ['./arm-{x}', '{trial}']}", 0, "ready  probe  the program ./arm-{x}"),
        ("{command: ['./{{arm}}', '{x}']}", 1, "the program ./{arm}, looked for from "),
        ("{command: [nosuchprogram, '{x}']}", 1, "the program nosuchprogram, looked for on the PATH"),
        ("{command: [env, A=1, nosuchprogram, '{x}']}", 1, "the program nosuchprogram, looked for on the P"),
        ("{command: [env, A=1, sh, -c, 'echo {x}']}", 0, "ready  probe  the program sh"),
        ("{command: [env, -i, A=1, nosuchprogram, '{x}']}", 0, "ready  probe  the program env"),
        ("{command: [./arm, '{x}']}", 1, "to supply it: chmod +x ./arm"),
        ("{command: [./leg, '{x}']}", 1, "the program ./leg, looked for from "),
        ("{command: [./made], input: {templates: {made: arm}}}", 1, "to supply it: chmod +x arm"),
        ("{command: [sh, made], input: {templates: {made: arm}}}", 0, "ready  probe  the program sh"),
        ("{evaluator: 'evaluators.rover:rover'}", 0, "ready  probe  a way through rough terrain"),
        (
            "{evaluator: 'evaluators.learning:pic', options: {data: here.csv}}",
            1,
            "to supply it: curl -fL --create-dirs -o here.csv https://",
        ),
    ],
)
def test_a_spec_is_asked_about_its_own_evaluator(
    tmp_path: Path, evaluation: str, code: int, words: str
) -> None:
    (tmp_path / "arm").write_text("not executable at {x}")
    (tmp_path / "spec.yaml").write_text(SPEC.format(evaluation=evaluation, local=1))
    done = done_here(tmp_path, "doctor", "spec.yaml")
    assert done.returncode == code, done.stderr
    assert words in done.stdout
    assert done.stderr == ""


def test_a_spec_whose_workers_are_elsewhere_says_where_to_ask(tmp_path: Path) -> None:
    (tmp_path / "spec.yaml").write_text(SPEC.format(evaluation="{evaluator: 'math:sqrt'}", local=0))
    assert "ask where they run as well" in done_here(tmp_path, "doctor", "spec.yaml").stdout


def test_a_command_that_each_worker_brings_along_is_not_looked_for_here(tmp_path: Path) -> None:
    brought_along = "{evaluator: 'evaluators.command:run'}"
    (tmp_path / "spec.yaml").write_text(SPEC.format(evaluation=brought_along, local=0))
    done = done_here(tmp_path, "doctor", "spec.yaml")
    assert done.returncode == 0, done.stderr
    assert "ready  probe  the program that a worker brings along; its workers dial in: ask" in done.stdout


def test_an_evaluator_that_only_its_workers_have_is_not_said_to_be_here(tmp_path: Path) -> None:
    (tmp_path / "spec.yaml").write_text(SPEC.format(evaluation="{evaluator: 'bench_arm:throw'}", local=0))
    done = done_here(tmp_path, "doctor", "spec.yaml")
    assert done.returncode == 1
    assert "lacks  probe  an evaluator of your own; its workers dial in: ask where they run" in done.stdout
    assert f"there is no `bench_arm`, neither installed nor in {tmp_path}" in done.stdout
