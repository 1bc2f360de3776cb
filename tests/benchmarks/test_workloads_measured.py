"""The measurement of a workload: through real runs, kept as it goes, and written between the page's marks."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks import workloads
from benchmarks.real_workloads import page as workload_page
from benchmarks.real_workloads.tasks import Task, make_photographs, note_of, spec_of
from evaluators.learning.cifar import read_photographs

ROVER = Task("rover", "rover")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Six trials at random instead of thirty with three algorithms, kept and written elsewhere."""
    monkeypatch.setattr(workloads, "KEPT", tmp_path / "kept.jsonl")
    monkeypatch.setattr(workload_page, "PAGE", tmp_path / "page.md")
    monkeypatch.setattr(workload_page, "PICTURES", tmp_path)
    monkeypatch.setattr(workloads, "ALGORITHMS", ("random",))
    monkeypatch.setattr(workloads, "TRIALS", 6)
    (tmp_path / "page.md").write_text(
        f"before ![](workloads/rover.svg)\n{workload_page.BEGIN}\nold\n{workload_page.END}\nafter\n"
    )
    return tmp_path


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What is kept of one measurement of the rover."""
    folder = tmp_path_factory.mktemp("measured")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(workloads, "KEPT", folder / "kept.jsonl")
        patch.setattr(workloads, "ALGORITHMS", ("random",))
        patch.setattr(workloads, "TRIALS", 6)
        workloads.measure(ROVER, folder, most=1)
        return workloads.KEPT.read_text(encoding="utf-8")


def write(rows: list[dict[str, Any]]) -> None:
    workload_page.write_page(rows, ("random",), 6)


def test_what_was_measured_is_kept_and_the_page_says_it(place: Path, measured: str) -> None:
    workloads.KEPT.write_text(measured, encoding="utf-8")
    rows = workloads.kept()
    assert [row["kind"] for row in rows] == ["run", "added", "bare"]
    run, added, bare = rows
    assert len(bare["walls"]) == 6
    assert run["failed"] == 0
    assert 0.0 < workload_page.cost_of(bare) < 1.0
    assert len(added["seconds"]) == 5
    assert min(added["seconds"]) > 0.0

    workloads.measure(ROVER, place, most=1)
    assert workloads.kept() == rows, "nothing is measured twice"

    workload_page.draw(rows)
    write(rows)
    text = (place / "page.md").read_text(encoding="utf-8")
    assert text.startswith("before ")
    assert text.endswith("after\n")
    assert "old" not in text
    assert "| rover ↑ |" in text
    assert f"−{abs(run['best']):.4g}" in text
    assert (place / "rover.svg").read_text(encoding="utf-8").startswith("<svg")
    write(rows)
    assert (place / "page.md").read_text(encoding="utf-8") == text


def test_a_measurement_that_was_killed_while_it_wrote_goes_on_where_it_was(
    place: Path, measured: str
) -> None:
    workloads.KEPT.write_text(measured, encoding="utf-8")
    run, added, bare = workloads.kept()
    first = workloads.KEPT.read_text(encoding="utf-8").splitlines()[0]
    workloads.KEPT.write_text(first + '\n{"kind": "added", "task": "ro', encoding="utf-8")

    with pytest.warns(UserWarning, match=r"kept\.jsonl:2 is no record"):
        workloads.measure(ROVER, place, most=1)
    with pytest.warns(UserWarning, match=r"kept\.jsonl:2 is no record"):
        again = workloads.kept()
    assert [row["kind"] for row in again] == ["run", "added", "bare"]
    assert again[:2] == [run, added], "what the run had measured is not lost"
    assert len(again[2]["walls"]) == len(bare["walls"])


def test_a_workload_that_does_not_exist_is_refused_with_those_that_do(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        workloads.main(["--only", "rover,push5"])
    assert ended.value.code == 2
    assert "--only: expected some of push3, push4, push4 (MuJoCo), rover," in (
        said := capsys.readouterr().err
    )
    assert "got `push5`" in said
    assert not workloads.kept()


def test_an_evaluator_that_fails_by_itself_is_quoted(place: Path) -> None:
    spec = spec_of(ROVER, place)
    with pytest.raises(RuntimeError, match=r"rover:rover ended with 1: .*EvaluationError: rover: expected"):
        workloads.bare(spec, [{"x1": 0.5}], place)


def test_lines_that_were_measured_elsewhere_stay(place: Path, measured: str) -> None:
    page = place / "page.md"
    elsewhere = "| push4 (MuJoCo) ↑ | 0.03 | 98 | 17.2 | −1.1 |"
    standing = f"Measured 2020-02-03 with\n{elsewhere}\n| rover ↑ | 1 |"
    page.write_text(f"{workload_page.BEGIN}\n{standing}\n{workload_page.END}\n")
    workloads.KEPT.write_text(measured, encoding="utf-8")
    write(workloads.kept())
    text = page.read_text(encoding="utf-8")
    assert elsewhere in text
    assert text.count("| rover ↑ |") == 1
    assert "| rover ↑ | 1 |" not in text
    assert "Measured 2020-02-03 to " in text


def test_a_cell_says_how_many_seeds_it_has_unless_they_are_five_or_one() -> None:
    cell = workload_page._values
    assert cell([-1.0]) == "−1"
    assert cell([3.0, 1.0, 2.0]) == "**2** (1 … 3; 3 seeds)"
    assert cell([5.0, 3.0, 1.0, 2.0, 4.0]) == "**3** (1 … 5)"


def test_a_workload_whose_data_are_not_there_is_left_out_and_named(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    workloads.measure(Task("pic", "pic"), place, most=1)
    assert f"pic: left out, for want of the file {place}/CASP.csv" in capsys.readouterr().out
    assert not workloads.kept()


def test_the_test_images_stand_for_all_where_the_training_images_are_not_there(tmp_path: Path) -> None:
    options = spec_of(Task("elastic-net", "elastic-net"), tmp_path)["evaluation"]["options"]
    assert options["images"] == str(tmp_path / "t10k-images-idx3-ubyte.gz")
    assert set(options) == {"images", "labels"}


def test_which_data_stood_in_is_noted(tmp_path: Path) -> None:
    task = Task("elastic-net", "elastic-net")
    assert "test file alone" in note_of(task, spec_of(task, tmp_path))
    (tmp_path / "train-images-idx3-ubyte.gz").touch()
    assert note_of(task, spec_of(task, tmp_path)) == ""


def test_the_made_up_photographs_are_read_as_cifars(tmp_path: Path) -> None:
    make_photographs(tmp_path)
    read = read_photographs(str(tmp_path))
    assert len(read.training) + len(read.validation) == 300
    assert set(read.test_labels) == {0, 1, 2}
    colours = np.array([read.training[read.training_labels == k].mean(axis=(0, 2, 3)) for k in range(3)])
    assert colours.argmax(axis=1).tolist() == [0, 1, 2], "classes differ"
