"""The charts of a run's page, each for a file of its own, as a paper or a thesis wants them."""

from __future__ import annotations

import re
from html import unescape

_HEADING = re.compile(r"<h2>(.*?)</h2>", re.DOTALL)
_CHART = re.compile(r"<svg .*?</svg>", re.DOTALL)


def drawings(document: str) -> dict[str, str]:
    """SVG by the name of a file, such as `1-the-best-so-far.svg`, in the order of the page.

    What people wrote is escaped in a page, so that none of it reads as a chart or a heading.
    """
    drawn: dict[str, str] = {}
    for section in document.split("<section>")[1:]:
        heading = _HEADING.search(section)
        words = "" if heading is None else unescape(heading[1])
        name = re.sub(r"[\W_]+", "-", words.casefold()).strip("-")
        for chart in _CHART.findall(section):
            drawn[f"{len(drawn) + 1}-{name or 'chart'}.svg"] = f"{chart}\n"
    return drawn
