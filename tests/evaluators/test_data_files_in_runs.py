"""Data files that are missing, cut off or of another kind, in a real run: it is said, and the run goes on."""

from __future__ import annotations

import gzip
import json
import struct
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from digit_files import write_digits

from orchestrator.runtime.folder.journal import read_journal
from orchestrator.scheduler.events import FailureArrived, ResultArrived

# The options of an evaluator are the same in every trial of a run, so here a parameter stands for them.
EVALUATOR = """\
import json
from pathlib import Path

from evaluators.learning import boosting, elastic_net, mlp, pic

CASES = json.loads(Path("cases.json").read_text())
GIVEN = {
    "boosting": {"learning_rate": 0.5, "max_depth": 5, "subsample": 1.0, "colsample": 1.0, "gamma": 0.0},
    "elastic_net": {"l1_ratio": 0.1, "alpha": 1e-3},
    "mlp": {"learning_rate": 1e-3, "l2_1": 1e-6, "l2_2": 1e-6},
    "pic": {"signal_variance": 1.0, "noise_variance": 0.5}
    | {f"length_scale_{i}": 1.0 for i in range(1, 10)}
    | {f"inducing_{i}_{j}": (i - 2) * 0.5 for i in range(1, 4) for j in range(1, 10)},
}


def of(parameters, *, context):
    name, options = CASES[parameters["case"]]
    evaluator = {"boosting": boosting, "elastic_net": elastic_net, "mlp": mlp, "pic": pic}[name]
    return evaluator(GIVEN[name], **options, context=context)
"""
Case = tuple[str, dict[str, object], str]
"""An evaluator, its options, and what its failure says: nothing where it succeeds."""


def lines(path: Path, rows: list[str]) -> str:
    path.write_text("\n".join(rows) + "\n")
    return str(path)


def skin_rows(count: int = 400) -> list[str]:
    colours = np.random.default_rng(1).integers(0, 256, (count, 3))
    return [f"{b}\t{g}\t{r}\t{1 + int(r < 120)}" for b, g, r in colours]


def protein_rows(count: int = 300) -> list[str]:
    table = np.random.default_rng(2).normal(size=(count, 10))
    header = ",".join(["RMSD", *(f"F{i}" for i in range(1, 10))])
    return [header, *(",".join(f"{cell:.4f}" for cell in row) for row in table)]


def cases(folder: Path) -> dict[str, Case]:
    skin, protein = skin_rows(), protein_rows()
    digits = write_digits(folder)
    images = Path(digits["images"]).read_bytes()
    small: dict[str, object] = {"inducing": 3, "block_size": 50}

    def boosting(name: str, rows: list[str], words: str) -> Case:
        return "boosting", {"data": lines(folder / name, rows), "trees": 5}, words

    def pic(name: str, rows: list[str], words: str) -> Case:
        return "pic", {"data": lines(folder / name, rows), **small}, words

    def elastic(words: str, **changed: bytes) -> Case:
        options = dict(digits)
        for option, content in changed.items():
            path = folder / f"{option}-{len(content)}"
            path.write_bytes(content)
            options[option] = str(path)
        return "elastic_net", {**options, "epochs": 1}, words

    packed = gzip.compress(images)
    return {
        "skin": boosting("skin.txt", skin, ""),
        "skin missing": ("boosting", {"data": "nowhere.txt"}, "nowhere.txt: there is no such file"),
        "skin cut off": boosting(
            "cut.txt", [*skin[:300], "74\t85"], "line 301, the last, which may have been"
        ),
        "skin with a column more": boosting("more.txt", [f"{row}\t0" for row in skin], "expected 4 columns"),
        "skin in words": boosting("words.txt", [*skin, "blue\tgreen\tred\tskin"], "line 401 has 'blue'"),
        "skin of one kind": boosting("one.txt", [f"{row[:-1]}1" for row in skin], "pixels of both kinds"),
        "skin empty": boosting("empty.txt", [], "there are none"),
        "proteins": pic("protein.csv", protein, ""),
        "proteins missing": ("pic", {"data": "nowhere.csv", **small}, "nowhere.csv: there is no such file"),
        "proteins cut off": pic(
            "cut.csv", [*protein, "1.0,2.0,3"], "the last, which may have been cut off has 3"
        ),
        "proteins of other columns": pic("other.csv", [row[:-8] for row in protein], "expected 10 columns"),
        "proteins with a gap": pic("gap.csv", [*protein, "nan" + ",1" * 9], "line 302 has 'nan'"),
        "digits": elastic(""),
        "digits missing": ("mlp", {**digits, "images": "nowhere.gz"}, "nowhere.gz: there is no such file"),
        "digits cut off": elastic("it is cut off", images=images[:-100]),
        "digits whose packing is cut off": elastic(
            "packed data are damaged", images=packed[: len(packed) // 2]
        ),
        "digits exchanged": elastic("exchanged?", images=Path(digits["labels"]).read_bytes()),
        "digits of another format": elastic("expected an IDX file", images=b"\x89PNG" + bytes(100)),
        "digits without a label each": elastic(
            "expected 1500 labels", labels=struct.pack(">BBBBI", 0, 0, 8, 1, 2) + b"\0\1"
        ),
    }


def test_every_bad_file_fails_its_trial_with_a_sentence_and_the_good_ones_are_learned_from(
    tmp_path: Path,
) -> None:
    pytest.importorskip("xgboost", reason="xgboost is not installed")
    told = cases(tmp_path)
    (tmp_path / "from_files.py").write_text(EVALUATOR)
    (tmp_path / "cases.json").write_text(json.dumps({name: case[:2] for name, case in told.items()}))
    spec = {
        "experiment": "files",
        "objective": {"name": "error", "goal": "minimise"},
        "parameters": {
            "case": {"type": "choice", "values": list(told)},
            "spare": {"type": "float", "bounds": [0, 1]},
        },
        "algorithm": "random",
        "budget": {"trials": len(told)},
        "initial": {"points": [{"case": name, "spare": 0.5} for name in told]},
        "evaluation": {"evaluator": "from_files:of", "attempts": 1, "timeout": "5 min"},
        "workers": {"local": 1},
    }
    (tmp_path / "spec.yaml").write_text(json.dumps(spec))
    done = run(tmp_path, "spec.yaml")
    assert done.returncode == 0, done.stderr

    events = read_journal(next(tmp_path.glob("logs/*/journal.jsonl"))).events
    failures = {e.lease.partition(".")[0]: e for e in events if isinstance(e, FailureArrived)}
    results = {e.lease.partition(".")[0]: e for e in events if isinstance(e, ResultArrived)}
    for number, (name, (_, _, words)) in enumerate(told.items(), start=1):
        if not words:
            assert str(number) in results, f"{name}: {failures.get(str(number))}"
            continue
        failure = failures[str(number)]
        assert failure.kind == "error", name
        assert words in failure.message, name
        # The file, and where to have it from.
        assert str(tmp_path) in failure.message or "nowhere" in failure.message, name
        assert "https://" in failure.message, name
        assert "Traceback" not in failure.message, name


def run(folder: Path, spec: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "orchestrator", "run", spec, "--plain"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=400,
        check=False,
    )
