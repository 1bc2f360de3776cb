"""The pages that people read first: their links lead somewhere, and they leave out nothing that there is."""

from __future__ import annotations

import inspect
import math
import re
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

import pytest
import yaml

from orchestrator import Optimiser
from orchestrator.command_line.arguments import command_parser
from orchestrator.scheduler import commands as commands_of_the_scheduler
from orchestrator.scheduler import events
from orchestrator.sensitivity import held_out
from orchestrator.spec.load import load_spec_text
from orchestrator.spec.model import Spec

PROJECT = Path(__file__).parents[2]
DOCS = PROJECT / "docs"
PAGES = sorted((PROJECT / "README.md", PROJECT / "CONTRIBUTING.md", *DOCS.glob("*.md")))
FENCED = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
ABOUT_SPECS = (PROJECT / "README.md", *(DOCS / f"{name}.md" for name in ("spec", "evaluators", "workers")))
NUMBERS = ("span", "sweep", "inner", "outer", "rate")


def anchors(page: Path) -> set[str]:
    """The headings of a page, as links name them."""
    text = FENCED.sub("", page.read_text(encoding="utf-8"))
    titles = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def leads_nowhere(page: Path, link: str) -> bool:
    path, _, anchor = link.partition("#")
    there = (page.parent / path).resolve() if path else page
    if not there.exists():
        return True
    return bool(anchor) and anchor not in anchors(there)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_to_a_file_and_to_a_heading_of_it(page: Path) -> None:
    text = FENCED.sub("", page.read_text(encoding="utf-8"))
    links = [link for link in re.findall(r"\]\(([^)\s]+)\)", text) if not link.startswith("http")]
    assert [link for link in links if leads_nowhere(page, link)] == []


def rows(page: Path) -> list[str]:
    """What the first cells of a page's tables name."""
    found = re.findall(r"^\| (`[^|]+) \|", page.read_text(encoding="utf-8"), re.MULTILINE)
    return [name for cell in found for name in re.findall(r"`(\w+)", cell)]


def test_the_page_about_specs_has_every_key() -> None:
    assert set(Spec.model_fields) - {"experiment", "further_objectives"} <= set(rows(DOCS / "spec.md"))
    assert set(rows(PROJECT / "README.md")) <= set(Spec.model_fields)


def blocks(kind: str, *pages: Path) -> list[str]:
    """What the pages show in fences of a kind."""
    fence = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
    fenced = (one for page in pages for one in fence.findall(page.read_text(encoding="utf-8")))
    return [text for of, text in fenced if of == kind]


@pytest.mark.parametrize("part", blocks("yaml", *ABOUT_SPECS))
def test_every_part_of_a_spec_that_a_page_shows_can_be_run(
    part: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "wing.py").write_text("def drag(parameters, *, mach=0.8): ...\n")
    for template in re.findall(r"\S+\.template", part):
        (tmp_path / template).write_text("span = {span}\n")
    for folder in re.findall(r"\.: (\w+)", part):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "run.sh").write_text("exec wing {span}\n")
    for table in re.findall(r"described: (\S+\.csv)", part):
        (tmp_path / table).write_text("name,size\na,1\nb,2\n")
    if "related" in part:
        for table in re.findall(r"[\w-]+\.csv", part):
            (tmp_path / table).write_text("span,value\n0.2,1\n0.3,2\n")
    if "target.csv" in part:
        (tmp_path / "target.csv").write_text("outcome,value,error\npeak,3.2,0.1\n")
    if "samples.csv" in part:
        (tmp_path / "samples.csv").write_text("barcode,polarity,mass,dose\nA1,4,3,0.1\nA2,6,5,0.5\n")
    monkeypatch.chdir(tmp_path)
    shown: dict[str, Any] = yaml.safe_load(part)
    named = [name for name in NUMBERS if re.search(rf"\b{name}\b", part)] or NUMBERS[:1]
    spec = {
        "experiment": "shown",
        "objective": {"name": "noise", "goal": "minimise"},
        "parameters": {name: {"type": "float", "bounds": [0.1, 1]} for name in named},
        "budget": {"trials": 10},
        "evaluation": {"evaluator": "wing:drag"},
    } | shown
    if "objectives" in spec:
        del spec["objective"]
    load_spec_text(yaml.safe_dump(spec, sort_keys=False), "shown.yaml", tmp_path)


def test_the_page_about_python_has_every_method() -> None:
    text = (DOCS / "python.md").read_text(encoding="utf-8")
    public = {name for name in dir(Optimiser) if not name.startswith("_")}
    assert {name for name in public if not re.search(rf"`(?:optimiser\.)?{name}\b", text)} == set()


def commands() -> list[str]:
    """What the pages say to type, each on a line."""
    lines = "\n".join(blocks("", *PAGES)).replace("\\\n", " ").splitlines()
    return sorted({line for line in lines if line.startswith("orchestrator ")})


@pytest.mark.parametrize("command", commands())
def test_every_command_that_a_page_says_to_type_has_options_that_there_are(command: str) -> None:
    _, *arguments = shlex.split(command, comments=True)
    command_parser(arguments)[0].parse_args(arguments)


@pytest.mark.usefixtures("fits_remembered")
def test_what_the_page_about_python_shows_runs_from_its_first_line_to_its_last(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    # In the place of `auto`, which takes a minute for as many trials.
    monkeypatch.setitem(inspect.unwrap(Optimiser.__init__).__kwdefaults__, "algorithm", "gp-ei")
    # By how much bounds are stretched is tested elsewhere, and takes ten fits.
    monkeypatch.setattr(held_out, "fifths_of", lambda *_: held_out.Fifths(2.0))

    def measure(x1: float, **others: float) -> float:
        return x1 - sum(others.values()) ** 2 / 1000

    def trained(epoch: int, rate: float) -> float:
        return 1 / epoch + abs(math.log10(rate) + 2.0) * (1.0 - 0.5 / epoch)

    def ask_me(one: Mapping[str, float], other: Mapping[str, float]) -> bool:
        return one["grind"] > other["grind"]

    page: dict[str, Any] = {"measure": measure, "trained": trained, "ask_me": ask_me}
    for block in blocks("python", DOCS / "python.md"):
        exec(block, page)
    told = len(page["optimiser"].results())
    assert len(page["again"].results()) == told == page["optimiser"].plan.trials
    assert page["found"].told == 12
    assert page["training"].results() == page["quick"].results()
    assert 5 <= len(page["quick"].results()) < page["quick"].told == 15
    assert page["room"].results()[0]["temperature"] == pytest.approx(21.5)
    assert capsys.readouterr().out.count("\n") >= 5


def test_every_command_is_told_of_where_people_look_for_it() -> None:
    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    assert {name for name in command_parser([])[1] if f"orchestrator {name}" not in text} == set()


def test_the_way_of_a_trial_is_told_by_events_and_commands_that_there_are() -> None:
    text = (DOCS / "architecture.md").read_text(encoding="utf-8")
    told = re.findall(r"`([A-Z][a-z]+\w*)`", text)
    assert {"Ask", "ResultArrived"} <= set(told)
    there_are = {event.__name__ for event in get_args(events.Event)}
    assert set(told) <= there_are | set(vars(commands_of_the_scheduler))


def test_the_tree_that_contributors_are_shown_has_every_package() -> None:
    text = (PROJECT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    packages = sorted((PROJECT / "orchestrator").glob("*/__init__.py"))
    packages += sorted((PROJECT / "orchestrator").glob("*/*/__init__.py"))
    missing = [path.parent.name for path in packages if f"{path.parent.name}/" not in text]
    assert packages
    assert missing == []
