"""What a spec may say, each by itself, to be put together: most faults lie where two features meet."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any

import yaml

from orchestrator.algorithms.registry import OF_ANY_OBJECTIVE, ours

Said = dict[str, Any]

SPEC: Said = yaml.safe_load("""\
experiment: shop
objective: {name: y}
parameters:
  a: {type: float, bounds: [0, 1]}
  b: {type: float, bounds: [0, 1]}
budget: {trials: 12}
evaluation: {evaluator: "json:dumps"}
seed: 3
""")
"""All of them are beside these, which are right by themselves."""

A_PART: Said = {"b": 0.5}
"""Of a point: what it leaves out is to be chosen."""
DRAWS = [0.3 + 0.005 * ((7 * i) % 53) for i in range(60)]

_TEXTS = {
    "int": "parameters: {n: {type: int, bounds: [1, 6]}}",
    "log scale": "parameters: {rate: {type: float, bounds: [1.0e-5, 0.1], scale: log}}",
    "step": "parameters: {valve: {type: float, bounds: [0, 2], step: 0.25}}",
    "periodic": "parameters: {angle: {type: float, bounds: [-180, 180], periodic: true}}",
    "periodic in steps": "parameters: {turn: {type: float, bounds: [0, 360], step: 45, periodic: true}}",
    "periodic, whole": "parameters: {hour: {type: int, bounds: [0, 24], periodic: true}}",
    "periodic in use": "parameters: {wind: {type: int, bounds: [0, 8], periodic: true, in_use: evenly}}",
    "choice": "parameters: {paint: {type: choice, values: [red, green]}}",
    "described": """
parameters: {ligand: {type: choice, values: [u, v, w], described: {angle: [92, 110, 141]}}}""",
    "ordered": "parameters: {cores: {type: ordered, values: [1, 2, 4], scale: log}}",
    "fixed": "parameters: {motor: {type: fixed, value: 3}}",
    "computed": "parameters: {load: {type: computed, value: a + 2 * b}}",
    "computed within bounds": "parameters: {rest: {type: computed, value: 1.6 - a - b, bounds: [0, 1.2]}}",
    "shares": """
parameters: {r: {type: float, bounds: [0, 1]}, t: {type: float, bounds: [0, 1]}}
constraints: [r + t == 1]""",
    "when": "parameters: {width: {type: float, bounds: [0, 2], when: a >= 0.5, otherwise: 1}}",
    "constraint": "constraints: [a + b <= 1.5]",
    "constraint for some values": """
parameters: {solver: {type: choice, values: [direct, cg]}}
constraints: ['solver != "direct" or a <= 0.5']""",
    "least": "parameters: {zinc: {type: float, bounds: [0, 2], least: 0.5}}",
    "least in use": "parameters: {zinc: {type: float, bounds: [0, 2], least: 0.5, in_use: evenly}}",
    "count": """
parameters: {z1: {type: float, bounds: [0, 1]}, z2: {type: float, bounds: [0, 1]}}
constraints: ["count(z1, z2) <= 1"]""",
    "travel": "{parameters: {a: {travel: 0.2}}, initial: {points: [{a: 0.5}]}, mode: sequential}",
    "change": "{parameters: {b: {change: 20 min}}, mode: sequential}",
    "tolerance": "parameters: {b: {tolerance: 0.05}}",
    "in use": "parameters: {wind: {type: float, bounds: [0, 2], in_use: {mean: 1, deviation: 0.4}}}",
    "worst in use": """
objective: {over: {worst: 0.2}}
parameters: {air: {type: choice, values: [clean, icy], in_use: {chances: [0.8, 0.2]}}}""",
    "each in use": """
objective: {over: each}
parameters: {load: {type: float, bounds: [0, 2], in_use: evenly}}""",
    "recorded off the steps": """
parameters: {rain: {type: float, bounds: [0, 2], step: 0.5, in_use: {recorded: [0.7, 1]}}}""",
    "candidates": "candidates: [{mass: 1, dose: 0.1}, {mass: 2, dose: 0.3}, {mass: 3, dose: 0.2}]",
    "clock": "{parameters: {hours: {type: float, bounds: [0, 48], unit: h}}, clock: hours}",
    "blocks": "blocks: plate",
    "blocks by day": "blocks: day",
    "outcome": "outcomes: [lift]",
    "constraint on an outcome": '{outcomes: [heat], constraints: ["heat <= 3"]}',
    "limit relative to the reference": """
outcomes: [heat]
constraints: ["heat <= 1.05 * reference(heat)"]
initial: {reference: {a: 0.5}}""",
    "reference evaluated again": """
outcomes: [heat]
constraints: ["heat <= 1.05 * reference(heat)"]
initial: {reference: {a: 0.5}, reference_times: 2}""",
    "limit": """
outcomes: [force]
constraints: ["probability(force <= 4) >= 0.9"]
initial: {points: [{a: 0.5}]}""",
    "part of a point": "initial: {points: [{b: 0.5}]}",
    "fidelity": """
parameters: {cells: {type: int, bounds: [20, 80]}}
fidelity: {parameter: cells, cost: "cells ** 2"}""",
    "fidelity that goes on": """
parameters: {epochs: {type: int, bounds: [5, 40]}}
fidelity: {parameter: epochs, cost: epochs, continues: true}""",
    "population": """
parameters: {epochs: {type: int, bounds: [5, 40]}}
fidelity: {parameter: epochs, cost: epochs, continues: true}
algorithm: {name: pb2}""",
    "population at random": """
parameters: {epochs: {type: int, bounds: [5, 40]}}
fidelity: {parameter: epochs, cost: epochs, continues: true}
algorithm: {name: pbt, options: {population: 2, pieces: 3}}""",
    "halving": """
parameters: {epochs: {type: int, bounds: [5, 40]}}
fidelity: {parameter: epochs, cost: epochs, continues: true}
algorithm: {name: asha, options: {reduction: 2, rungs: 3}}""",
    "halving in brackets": """
parameters: {cells: {type: int, bounds: [20, 80]}}
fidelity: {parameter: cells, cost: "cells ** 2"}
algorithm: {name: hyperband}""",
    "fidelity to be learned": """
parameters: {grid: {type: ordered, values: [rough, fine]}}
fidelity: {parameter: grid}""",
    "value": '{outcomes: [o1, o2], objective: {value: "o1 - 0.5 * o2 * a"}}',
    "fit": "objective: {fit: {peak: {value: 2.6, error: 0.1}, week: 2.8}}",
    "covariance": "objective: {fit: {peak: 2.6, week: 2.8}, covariance: [[0.01, 0.004], [0.004, 0.02]]}",
    "posterior": "{objective: {fit: {peak: {value: 2.6, error: 0.1}}}, algorithm: {name: posterior}}",
    "prior": """
objective: {fit: {peak: {value: 2.6, error: 0.1}}}
parameters: {b: {prior: {mean: 0.4, deviation: 0.1}}}""",
    "prior without a fit": "parameters: {b: {prior: {mean: 0.4, deviation: 0.1}}}",
    "prior of a choice": """
objective: {fit: {peak: {value: 2.6, error: 0.1}}}
parameters: {paint: {type: choice, values: [red, green], prior: {chances: [0.3, 0.7]}}}""",
    "prior by draws": """
objective: {fit: {peak: {value: 2.6, error: 0.1}}}
parameters: {a: {prior: {draws: DRAWS}}, b: {prior: {draws: DRAWS}}}""".replace("DRAWS", str(DRAWS)),
    "promising": "parameters: {b: {promising: {mean: 0.4, deviation: 0.1}}}",
    "promising choice": """
parameters: {paint: {type: choice, values: [red, green], promising: {chances: [0.3, 0.7]}}}""",
    "factors": "factors: [[a, b]]",
    "no noise": "objective: {noise: 0}",
    "noise": "objective: {noise: 0.1}",
    "noise reported": "objective: {noise: reported}",
    "slots": "{evaluation: {slots: 2}, workers: {local: 4}}",
    "slots by a parameter": """
parameters: {ranks: {type: int, bounds: [1, 6]}}
evaluation: {slots: "min(ranks, 4)"}""",
    "stopped by a limit": "evaluation: {stop_when: {quantity: loss, above: 1000}}",
    "stopped by chance": "evaluation: {stop_when: {quantity: loss, chance_below: 0.2}}",
    "jobs": """
workers:
  local: 0
  listen: "tcp://127.0.0.1:5556"
  jobs: {queue: slurm, script: worker.sh, at_most: 1}""",
    "options": "algorithm: {name: auto, options: {start_points: 5}}",
    "durations weighed": "algorithm: {name: auto, options: {weigh_duration: true}}",
    "rounds that share": "mode: {synchronous: 2, sharing: [a]}",
}
FEATURES: Mapping[str, Said] = {
    **{name: yaml.safe_load(text) for name, text in _TEXTS.items()},
    **{name: {"algorithm": {"name": name}} for name in OF_ANY_OBJECTIVE if ours(name) and name != "auto"},
}


def spec_of(*names: str) -> Said | None:
    """A spec that says all of these; None where two say different things of the same."""
    whole = copy.deepcopy(SPEC)
    try:
        for name in names:
            _put_into(whole, FEATURES[name])
    except ValueError:
        return None
    if "fit" not in whole["objective"]:
        whole["objective"]["goal"] = "maximise"
    initial = whole.get("initial", {})
    whole_points = [point for point in initial.get("points", ()) if point != A_PART]
    for point in (*whole_points, *filter(None, [initial.get("reference")])):
        point.update(_middle_of(whole, point))
    return whole


def pairs() -> Iterator[tuple[str, str]]:
    """Those that can be said together."""
    for pair in combinations(FEATURES, 2):
        if spec_of(*pair) is not None:
            yield pair


def _put_into(whole: Said, said: Said) -> None:
    for key, own in said.items():
        there = whole.setdefault(key, copy.deepcopy(own))
        if isinstance(there, dict) and isinstance(own, dict):
            _put_into(there, own)
        elif there != own:
            if not isinstance(there, list) or key == "bounds":
                raise ValueError(key)
            there += own


def _middle_of(whole: Said, point: Said) -> Said:
    """Settings of what a point leaves out at which all that is said here holds: lowest ones, of shares 1."""
    rows = whole.get("candidates", [{}])
    settings: Said = dict(rows[0])
    for name, told in whole["parameters"].items():
        if name == whole.get("clock") or name in point or told["type"] in ("fixed", "computed"):
            continue
        low = (told.get("bounds") or told.get("values"))[0]
        settings[name] = low
    return settings | ({"t": 1} if "t" in settings else {})
