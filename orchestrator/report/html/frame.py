"""What every page stands in: one HTML file that needs nothing else, neither script nor network."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from orchestrator.report.html.parts import said
from orchestrator.report.words.wording import duration

_STYLE: Final = """
:root { color-scheme: light; }
body { font: 15px/1.5 system-ui, "DejaVu Sans", sans-serif; color: #1f2933; background: #f5f6f8; margin: 0; }
main { max-width: 860px; margin: 0 auto; padding: 28px 20px 48px; }
h1 { font-size: 26px; margin: 0; overflow-wrap: anywhere; } h2 { font-size: 17px; margin: 0 0 10px; }
.soft { color: #6b7683; } .bad { color: #d13438; }
section { background: #fff; border: 1px solid #e4e7eb; border-radius: 8px; padding: 18px 20px; }
section { margin-top: 16px; }
dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(185px, 1fr)); gap: 2px 20px; }
dl { margin: 0 0 12px; }
dt { display: inline; color: #6b7683; } dd { display: inline; margin: 0 0 0 4px; font-weight: 600; }
dl div { overflow-wrap: anywhere; }
.tiles { display: flex; flex-wrap: wrap; gap: 12px 36px; } .tiles div { min-width: 110px; }
.tiles b { display: block; font-size: 21px; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th { text-align: left; font-weight: 600; color: #6b7683; overflow-wrap: anywhere; min-width: 4.6em; }
td, th { padding: 4px 14px 4px 0; vertical-align: top; } tr + tr td { border-top: 1px solid #eef0f3; }
td.v { white-space: nowrap; } th.v { overflow-wrap: normal; }
figure { margin: 0; text-align: center; } svg { max-width: 100%; height: auto; }
pre { overflow-x: auto; font-size: 13px; } summary { cursor: pointer; }
@media (max-width: 600px) { figure { overflow-x: auto; } svg[width="760"] { min-width: 600px; } }
@media print {
  body { background: none; font-size: 12px; } main { max-width: none; padding: 0; }
  section { border: none; padding: 0; } .scroll { overflow-x: visible; }
  h2 { break-after: avoid; } figure, tr, dl div { break-inside: avoid; }
  table { font-size: 10px; } td, th { padding-right: 8px; } pre { white-space: pre-wrap; }
  pre, td { overflow-wrap: break-word; } td.v { white-space: normal; }
}
"""
_WIDE: Final = "main { max-width: 1180px; } table { min-width: 100%; } th { white-space: nowrap; }\n"


@dataclass(frozen=True, slots=True)
class Live:
    """Of a page that is written anew while somebody looks at it: ``at`` what time, and how many seconds, 1 or
    more, lie ``apart`` at least, after which a browser looks again.
    """

    at: datetime
    apart: int

    @property
    def tag(self) -> str:
        """What has a browser look again, without a script."""
        return f'<meta http-equiv="refresh" content="{self.apart}">'

    @property
    def words(self) -> str:
        """For whoever looks at it."""
        at = f"{self.at:%Y-%m-%d %H:%M:%S %Z}".rstrip()
        return f"As of {at}. This page is written anew as results come, at most every {duration(self.apart)}."


def framed(title: str, body: str, live: Live | None = None, wide: bool = False) -> str:
    """The document. ``body`` is HTML; ``live`` says when it is written, if it will be again; ``wide`` leaves
    room for tables of many columns.
    """
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        "style-src 'unsafe-inline'; img-src data:\">"
        f"{'' if live is None else live.tag}"
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{said(title)}</title><style>{_STYLE}{_WIDE if wide else ''}</style></head>"
        f"<body><main>{body}</main></body></html>\n"
    )
