"""The measurement of a workload: through real runs, kept as it goes, and written between the page's marks."""

from pathlib import Path

import pytest

from benchmarks import workloads

ROVER = workloads.Task("rover", "dumbo-rover")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Six trials at random instead of thirty with three algorithms, kept and written elsewhere."""
    monkeypatch.setattr(workloads, "KEPT", tmp_path / "kept.jsonl")
    monkeypatch.setattr(workloads, "PAGE", tmp_path / "page.md")
    monkeypatch.setattr(workloads, "PICTURES", tmp_path)
    monkeypatch.setattr(workloads, "ALGORITHMS", ("random",))
    monkeypatch.setattr(workloads, "TRIALS", 6)
    (tmp_path / "page.md").write_text(
        f"before ![](workloads/rover.svg)\n{workloads.BEGIN}\nold\n{workloads.END}\nafter\n"
    )
    return tmp_path


def test_what_was_measured_is_kept_and_the_page_says_it(place: Path) -> None:
    workloads.measure(ROVER, place, most=1)
    rows = workloads.kept()
    assert [row["kind"] for row in rows] == ["run", "bare", "added"]
    run, bare, added = rows
    assert len(bare["walls"]) == 6
    assert run["failed"] == 0
    assert 0.0 < workloads.cost_of(bare) < 1.0
    assert len(added["seconds"]) == workloads.ADDED_TRIALS - 1
    assert min(added["seconds"]) > 0.0

    workloads.measure(ROVER, place, most=1)
    assert workloads.kept() == rows, "nothing is measured twice"

    workloads.draw(rows)
    workloads.write_page(rows)
    text = (place / "page.md").read_text(encoding="utf-8")
    assert text.startswith("before ")
    assert text.endswith("after\n")
    assert "old" not in text
    assert "| rover ↑ |" in text
    assert f"−{abs(run['best']):.4g}" in text
    assert (place / "rover.svg").read_text(encoding="utf-8").startswith("<svg")
    workloads.write_page(rows)
    assert (place / "page.md").read_text(encoding="utf-8") == text


def test_a_workload_whose_data_are_not_there_is_left_out_and_named(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    workloads.measure(workloads.Task("pic", "pic"), place, most=1)
    assert f"pic: left out, for want of the file {place}/CASP.csv" in capsys.readouterr().out
    assert not workloads.kept()


def test_the_test_images_stand_for_all_where_the_training_images_are_not_there(tmp_path: Path) -> None:
    options = workloads.spec_of(workloads.Task("elastic-net", "elastic-net"), tmp_path)["evaluation"][
        "options"
    ]
    assert options["images"] == str(tmp_path / "t10k-images-idx3-ubyte.gz")
    assert set(options) == {"images", "labels"}
