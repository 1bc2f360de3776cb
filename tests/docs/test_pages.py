"""The pages that people read first: their links lead somewhere, and they leave out nothing that there is."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from orchestrator import Optimiser
from orchestrator.command_line.arguments import command_parser
from orchestrator.spec.load import load_spec_text
from orchestrator.spec.model import Spec

PROJECT = Path(__file__).parents[2]
DOCS = PROJECT / "docs"
PAGES = sorted((PROJECT / "README.md", PROJECT / "CONTRIBUTING.md", *DOCS.glob("*.md")))
FENCED = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
NUMBERS = {
    name: {"type": "float", "bounds": [0.1, 1]} for name in ("span", "sweep", "inner", "outer", "speed")
}


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


def shown_parts() -> list[str]:
    text = (DOCS / "spec.md").read_text(encoding="utf-8")
    return re.findall(r"^```yaml\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("part", shown_parts())
def test_every_part_of_a_spec_that_the_page_shows_can_be_run(
    part: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "wing.py").write_text("def drag(parameters): ...\n")
    monkeypatch.chdir(tmp_path)
    shown: dict[str, Any] = yaml.safe_load(part)
    spec = {
        "experiment": "shown",
        "objective": {"name": "noise", "goal": "minimise"},
        "budget": {"trials": 10},
        "evaluation": {"evaluator": "wing:drag"},
    } | shown
    spec["parameters"] = NUMBERS | shown.get("parameters", {})
    if "objectives" in spec:
        del spec["objective"]
    load_spec_text(yaml.safe_dump(spec, sort_keys=False), "shown.yaml", tmp_path)


def test_the_page_about_python_has_every_method() -> None:
    text = (DOCS / "python.md").read_text(encoding="utf-8")
    public = {name for name in dir(Optimiser) if not name.startswith("_")}
    assert {name for name in public if not re.search(rf"`(?:optimiser\.)?{name}\b", text)} == set()


def test_every_command_is_told_of_where_people_look_for_it() -> None:
    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    assert {name for name in command_parser([])[1] if f"orchestrator {name}" not in text} == set()


def test_the_tree_that_contributors_are_shown_has_every_package() -> None:
    text = (PROJECT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    packages = sorted((PROJECT / "orchestrator").glob("*/__init__.py"))
    packages += sorted((PROJECT / "orchestrator").glob("[ar]*/*/__init__.py"))
    missing = [path.parent.name for path in packages if f"{path.parent.name}/" not in text]
    assert packages
    assert missing == []
