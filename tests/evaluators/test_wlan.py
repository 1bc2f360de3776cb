"""The wireless network: ns-3 agrees with the arithmetic, the layout gives the factors, faults have words."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from evaluators.compiled import Package, built, missing
from evaluators.context import Context
from evaluators.errors import EvaluationError
from evaluators.pictures.wlan import draw_access_points
from evaluators.wlan import network
from evaluators.wlan.layout import ACCESS_POINTS, PARAMETERS, RANGE_M, STATIONS, factors
from evaluators.wlan.network import PROGRAM, QUANTITIES
from orchestrator.spec.load import load_spec

SPEC = Path(__file__).resolve().parents[2] / "configs" / "papers" / "wlan.yaml"
LACKING = missing(PROGRAM)
needs_ns3 = pytest.mark.skipif(
    bool(LACKING), reason=f"ns-3's network cannot be built: {' and '.join(LACKING)} missing"
)
CHEQUERED = [316.0 if (row + column) % 2 == 0 else 1.26 for row in range(3) for column in range(4)]

Simulate = Callable[..., dict[str, Any]]


@pytest.fixture
def simulate(tmp_path: Path) -> Simulate:
    def simulated(powers: Sequence[float], seed: int = 1, **options: Any) -> dict[str, Any]:
        context = Context(trial=1, attempt=1, seed=seed, options={}, directory=tmp_path / "trial")
        return network(dict(zip(PARAMETERS, powers, strict=True)), context=context, **options)

    return simulated


def capacities_by_hand(powers: Sequence[float]) -> np.ndarray:
    """(36,) Mb/s if all transmit without a gap: the loss, the noise of a receiver, and Shannon."""
    distances = np.array([[math.dist(ap, station) for ap in ACCESS_POINTS] for station in STATIONS])
    loss_db = 46.6777 + 35.0 * np.log10(distances)
    received = np.where(distances <= RANGE_M, np.array(powers) * 10 ** (-loss_db / 10), 0.0)
    own = received[np.arange(36), np.arange(36) // 3]
    noise = 1.3803e-23 * 290 * 20e6 * 10**0.7 * 1e3
    capacities: np.ndarray = 20.0 * np.log2(1.0 + own / (noise + received.sum(axis=1) - own))
    return capacities


@needs_ns3
def test_ten_milliwatts_everywhere_give_the_known_value(simulate: Simulate) -> None:
    result = simulate([10.0] * 12)

    assert result["value"] == pytest.approx(5543.0, rel=0.01)
    assert sum(result["factors"]) == pytest.approx(result["value"], rel=1e-12)
    assert len(result["factors"]) == 12


@needs_ns3
def test_random_powers_are_worth_less_and_agree_with_the_arithmetic(simulate: Simulate) -> None:
    for powers in 10 ** np.random.default_rng(4).uniform(0.1, 2.5, (1, 12)):
        result = simulate(powers.tolist())

        assert 4400.0 < result["value"] < 5400.0
        by_hand = capacities_by_hand(powers.tolist())
        # Frames are measured in the gaps of others, too: a little more than without gaps.
        assert by_hand.sum() < result["value"] < 1.015 * by_hand.sum()
        np.testing.assert_allclose(result["station_mbps"], by_hand, rtol=0.05, atol=4.0)
        assert min(result["frames"]) > 0


@needs_ns3
def test_a_chequered_network_beats_an_even_one_and_the_seed_is_all_the_noise(simulate: Simulate) -> None:
    chequered = simulate(CHEQUERED, seed=7, duration=1.0)

    assert chequered["value"] > simulate([316.0] * 12, seed=7, duration=1.0)["value"] + 100.0
    assert simulate(CHEQUERED, seed=7, duration=1.0) == chequered
    other = simulate(CHEQUERED, seed=2**62, duration=1.0)["value"]
    assert other != chequered["value"]
    assert other == pytest.approx(chequered["value"], rel=0.02)


@needs_ns3
def test_a_factor_depends_on_its_own_powers_and_no_others(simulate: Simulate) -> None:
    before = np.array(simulate([10.0] * 12, duration=1.0)["factors"])
    after = np.array(simulate([10.0] * 11 + [200.0], duration=1.0)["factors"])

    touched = np.array(["power_12" in factor for factor in factors()])
    # The others' frames fall anew, for the random numbers are the same and the events are not.
    np.testing.assert_allclose(after[~touched], before[~touched], rtol=0.02)
    assert np.all(np.abs(after - before)[touched] > 0.03 * before[touched])


@needs_ns3
def test_what_is_measured_too_briefly_to_be_heard_counts_as_zero(simulate: Simulate) -> None:
    result = simulate([10.0] * 12, duration=1e-3)

    assert result["value"] == 0.0
    assert result["frames"] == [0] * 36


@needs_ns3
def test_a_finished_trial_is_drawn(simulate: Simulate) -> None:
    svg = draw_access_points(dict(zip(PARAMETERS, CHEQUERED, strict=True)), simulate(CHEQUERED, duration=0.5))

    assert svg.startswith("<svg")
    assert svg.count(">1.26 mW<") == svg.count(">316 mW<") == 6
    assert "Mb/s from twelve access points" in svg


def test_the_specs_factors_are_what_the_layout_gives() -> None:
    spec = load_spec(str(SPEC)).spec

    assert spec.factors == factors()
    assert len(factors()) == 12
    assert max(map(len, factors())) == 5
    assert list(spec.parameters) == list(PARAMETERS) == list(QUANTITIES)


def test_the_specs_powers_are_the_papers_range_on_a_log_scale() -> None:
    for parameter in yaml.safe_load(SPEC.read_text(encoding="utf-8"))["parameters"].values():
        assert parameter["bounds"] == pytest.approx([10**0.1, 10**2.5], rel=1e-15)
        assert (parameter["scale"], parameter["unit"]) == ("log", "mW")


def test_three_stations_stand_three_to_five_metres_from_each_access_point() -> None:
    distances = [math.dist(ACCESS_POINTS[number // 3], place) for number, place in enumerate(STATIONS)]

    assert len(distances) == 36
    assert 3.0 <= min(distances) <= max(distances) <= 5.0


@pytest.mark.parametrize("power", [0.0, -3.0, math.inf, "much"])
def test_powers_that_cannot_be_are_invalid(simulate: Simulate, power: object) -> None:
    with pytest.raises(
        EvaluationError, match=r"expected a number from 0.001 to 100000 mW as power_12"
    ) as told:
        simulate([10.0] * 11 + [power])  # type: ignore[list-item]
    assert told.value.kind == "invalid"


def test_other_parameters_are_invalid(tmp_path: Path) -> None:
    context = Context(trial=1, attempt=1, seed=1, options={}, directory=tmp_path)
    with pytest.raises(EvaluationError, match=r"without power_2, .* with power") as told:
        network({"power_1": 1.0, "power": 2.0}, context=context)
    assert told.value.kind == "invalid"


@pytest.mark.parametrize("duration", [0, -1.0, math.nan, "2 s", True])
def test_a_duration_that_cannot_be_is_invalid(simulate: Simulate, duration: object) -> None:
    with pytest.raises(EvaluationError, match="expected seconds above 0") as told:
        simulate([10.0] * 12, duration=duration)
    assert told.value.kind == "invalid"


def test_without_a_compiler_the_one_command_is_said(
    simulate: Simulate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(EvaluationError) as told:
        simulate([10.0] * 12)

    assert told.value.kind == "error"
    assert "this machine lacks g++" in str(told.value)
    assert str(told.value).endswith("apt-get install -y --no-install-recommends g++ libns3-dev")


@pytest.mark.skipif("g++" in LACKING, reason="g++ is missing")
def test_without_ns3_the_one_command_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    elsewhere = replace(PROGRAM, packages=(Package("libns3-dev", "ns3-of-another-machine/wifi.h"),))
    with pytest.raises(
        EvaluationError, match=r"lacks libns3-dev; to supply it: .*apt-get install .* libns3-dev$"
    ):
        built(elsewhere)
