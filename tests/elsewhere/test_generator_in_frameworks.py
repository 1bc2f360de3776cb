"""The generators run in the frameworks that they are for, where these are installed."""

from __future__ import annotations

from pathlib import Path

import pytest
from gest_api.vocs import VOCS

from orchestrator.elsewhere.generator import OrchestratorGenerator

NUMBERS = {"span": [0, 1], "ribs": {1, 2, 4}}


def wing(**variables: set) -> VOCS:
    return VOCS(
        variables=NUMBERS | variables,
        objectives={"drag": "MINIMIZE"},
        constraints={"heat": ["LESS_THAN", 0.8]},
        constants={"mach": 0.8},
    )


def drag(point: dict) -> dict:
    failed = point["span"] > 0.9
    return {"drag": float("nan") if failed else (point["span"] - 0.3) ** 2 + point["ribs"], "heat": 0.5}


def test_in_libensemble(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("libensemble")
    from libensemble import Ensemble
    from libensemble.alloc_funcs.start_only_persistent import only_persistent_gens
    from libensemble.specs import AllocSpecs, ExitCriteria, GenSpecs, LibeSpecs, SimSpecs

    monkeypatch.chdir(tmp_path)
    vocs = wing(foil={"NACA", "flat"})
    generator = OrchestratorGenerator(vocs, algorithm="sobol", seed=1)
    ensemble = Ensemble(
        parse_args=False,
        libE_specs=LibeSpecs(comms="threads", nworkers=2, gen_on_manager=True, disable_log_files=True),
        gen_specs=GenSpecs(generator=generator, vocs=vocs, batch_size=2),
        sim_specs=SimSpecs(simulator=drag, vocs=vocs),
        alloc_specs=AllocSpecs(alloc_f=only_persistent_gens, user={"async_return": True}),
        exit_criteria=ExitCriteria(sim_max=8),
    )
    history, _, flag = ensemble.run()
    assert flag == 0
    results = generator.optimiser.results()
    # The last ones are handed back where libEnsemble is asked for that alone.
    assert 4 <= len(results) <= 8
    assert {one["trial"] for one in results} <= set(history["_id"].tolist())


def test_in_xopt() -> None:
    pytest.importorskip("xopt")
    from xopt import Evaluator, Xopt

    from orchestrator.elsewhere.xopt_generator import OrchestratorXoptGenerator

    generator = OrchestratorXoptGenerator(vocs=wing(), search={"algorithm": "sobol", "seed": 1})
    xopt = Xopt(generator=generator, evaluator=Evaluator(function=drag), strict=False)
    xopt.evaluate_data([{"span": 0.5, "ribs": 2}])
    for _ in range(4):
        xopt.step()
    results = xopt.generator.optimiser.results()
    assert [one["trial"] for one in results] == [None, 1, 2, 3, 4]
    assert [one["span"] for one in results] == pytest.approx(xopt.data["span"].tolist())


def test_what_xopt_dumped_goes_on_by_its_name(tmp_path: Path) -> None:
    pytest.importorskip("xopt")
    from xopt import Evaluator, Xopt

    from orchestrator.elsewhere.xopt_generator import OrchestratorXoptGenerator

    generator = OrchestratorXoptGenerator(vocs=wing(), search={"algorithm": "random", "seed": 3})
    before = Xopt(generator=generator, evaluator=Evaluator(function=drag))
    before.step()
    before.dump(str(tmp_path / "dumped.yaml"))
    after = Xopt.from_file(str(tmp_path / "dumped.yaml"))
    after.step()
    assert after.generator.search == {"algorithm": "random", "seed": 3}
    assert len(after.generator.optimiser.results()) == len(after.data) == 2
