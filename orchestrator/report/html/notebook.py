"""A search as a notebook shows it: in short, and unfolded with each parameter and the best trials."""

from __future__ import annotations

from typing import Final

from orchestrator.report.following.runs import FollowedRun
from orchestrator.report.html.best_trials import best_trials
from orchestrator.report.html.heading import said_of
from orchestrator.report.html.overview import best_point, curve, tiles
from orchestrator.report.html.parameters import objectives_drawn, values_drawn
from orchestrator.report.html.parts import said
from orchestrator.report.html.trade_offs import trade_offs_drawn, trade_offs_listed

# Of these elements alone: a notebook has others on its page, and may be dark.
_STYLE: Final = """
.orchestrator-search { font: 14px/1.5 system-ui, "DejaVu Sans", sans-serif; color: #1f2933; background: #fff;
  border: 1px solid #e4e7eb; border-radius: 8px; padding: 14px 18px; max-width: 800px; }
.orchestrator-search section { margin-top: 14px; }
.orchestrator-search h2 { font-size: 15px; margin: 0 0 6px; color: #1f2933; }
.orchestrator-search .soft { color: #6b7683; }
.orchestrator-search .tiles { display: flex; flex-wrap: wrap; gap: 8px 30px; }
.orchestrator-search .tiles b { display: block; font-size: 17px; overflow-wrap: anywhere; }
.orchestrator-search dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(170px, 1fr));
  gap: 2px 20px; margin: 0 0 8px; }
.orchestrator-search dl div { overflow-wrap: anywhere; }
.orchestrator-search dt { display: inline; color: #6b7683; font-weight: 400; float: none; }
.orchestrator-search dd { display: inline; margin: 0 0 0 4px; font-weight: 600; }
.orchestrator-search figure { margin: 0; text-align: center; }
.orchestrator-search svg { max-width: 100%; height: auto; }
.orchestrator-search .scroll { overflow-x: auto; }
.orchestrator-search th, .orchestrator-search td { text-align: left; padding: 3px 12px 3px 0; color: #1f2933;
  background: #fff; }
.orchestrator-search summary { cursor: pointer; margin-top: 12px; }
"""


def summary(run: FollowedRun, held: bool) -> str:
    """HTML without a script, to stand among others. ``held``: whether a program has it open."""
    if run.spec.further_objectives:
        shown = [trade_offs_drawn(run), trade_offs_listed(run)]
        inside, more = [objectives_drawn(run, ())], "values against each parameter"
    else:
        shown = [best_point(run), curve(run)]
        inside, more = [values_drawn(run, ()), best_trials(run)], "values against each parameter; best trials"
    unfolds = f"<details><summary>{more}</summary>{''.join(inside)}</details>" if any(inside) else ""
    return (
        f"<div class='orchestrator-search'><style>{_STYLE}</style>"
        f"<div class='soft'>{said(said_of(run))}</div>{tiles(run, held)}{''.join(shown)}{unfolds}</div>"
    )
