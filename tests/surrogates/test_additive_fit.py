"""Hyperparameters of additive models and the evidence of their decompositions."""

import numpy as np
import pytest
from process_oracles import log_evidence
from scipy import stats

from orchestrator.surrogates.covariances.kernel_families import MATERN_52, RBF
from orchestrator.surrogates.decompositions.factor_graph import FactorGraph
from orchestrator.surrogates.evidence.by_pairs import integrated_out
from orchestrator.surrogates.evidence.data import Data
from orchestrator.surrogates.evidence.pairwise_data import PairwiseData
from orchestrator.surrogates.evidence.thinning import best_and_spread
from orchestrator.surrogates.fits.additive import AdditiveFitter, AdditiveSearch, DecompositionEvidence
from orchestrator.surrogates.hyperparameters.additive import AdditiveHyperparameters
from orchestrator.surrogates.hyperparameters.one_kernel import KernelTemplate
from orchestrator.surrogates.posteriors.additive import AdditiveGP
from orchestrator.surrogates.scales.standardise import Standardisation
from orchestrator.surrogates.scales.warp import Warp
from orchestrator.unit_cube.coordinate import Coordinate
from orchestrator.unit_cube.domain import Domain

DOMAIN = Domain((Coordinate(), Coordinate(), Coordinate("categorical", (0.0, 0.5, 1.0)), Coordinate()))
GRAPH = FactorGraph(((0, 1), (1, 2), (3,)), 4)
WHOLE = FactorGraph.whole(4)


def data(n: int = 25, extra: bool = True) -> tuple[np.ndarray, Data]:
    rng = np.random.default_rng(0)
    X = DOMAIN.sample(n, rng)
    y = np.sin(6 * X[:, 0] * X[:, 1]) + (X[:, 2] > 0.3) * X[:, 1] + 0.1 * rng.standard_normal(n)
    noise = rng.uniform(0.0, 0.1, n) if extra else None
    return X, Data(DOMAIN.embed(X), (y - y.mean()) / y.std(), DOMAIN.embedded_parameter, noise)


@pytest.mark.parametrize(
    ("template", "noise"),
    [
        (KernelTemplate("each", MATERN_52), None),
        (KernelTemplate("each", RBF), 0.01),
        (KernelTemplate("tied", RBF, shared=True), None),
    ],
)
def test_gradients_of_the_evidence_agree_with_finite_differences(
    template: KernelTemplate, noise: float | None
) -> None:
    evidence = AdditiveFitter(data()[1], template, noise_variance=noise).evidence(GRAPH)
    theta = evidence.parameterisation.mean + 0.3
    _, gradient = evidence.log_posterior(theta)
    for a in range(len(theta)):
        step = np.zeros_like(theta)
        step[a] = 1e-5
        slope = (evidence.log_posterior(theta + step)[0] - evidence.log_posterior(theta - step)[0]) / 2e-5
        assert gradient[a] == pytest.approx(slope, abs=1e-5, rel=1e-5)


@pytest.mark.parametrize("shared", [False, True])
def test_what_is_believed_has_the_density_of_independent_normal_logarithms(shared: bool) -> None:
    template = KernelTemplate("any", RBF, shared=shared)
    found = AdditiveFitter(data()[1], template).evidence(GRAPH).parameterisation
    theta = found.mean + np.linspace(-1.0, 2.0, len(found.mean))
    expected = stats.norm(found.mean, found.deviation).logpdf(theta).sum()
    assert found.log_prior(theta)[0] == pytest.approx(expected, rel=1e-12)


def test_length_scales_that_are_one_are_believed_as_long_as_in_the_largest_factor() -> None:
    each, tied = (
        AdditiveFitter(data()[1], KernelTemplate("any", RBF, shared=shared)).evidence(GRAPH).parameterisation
        for shared in (False, True)
    )
    assert tied.mean[0] == max(each.mean[:4]) > min(each.mean[:4])


@pytest.mark.parametrize("graph", [GRAPH, WHOLE])
def test_the_pairwise_evidence_is_that_of_the_process_itself(graph: FactorGraph) -> None:
    X, seen = data()
    evidence = AdditiveFitter(seen, KernelTemplate("each", MATERN_52)).evidence(graph)
    theta = evidence.parameterisation.mean + np.linspace(-0.5, 0.5, len(evidence.parameterisation.mean))
    gp = AdditiveGP(DOMAIN, graph, MATERN_52, evidence.parameterisation.hyperparameters(theta))
    gp.append(X, seen.y, seen.extra_noise)
    assert evidence.log_evidence(theta)[0] == pytest.approx(log_evidence(gp.total), abs=1e-8)


def test_values_that_a_fit_leaves_out_and_failures_do_not_change_its_units() -> None:
    rng = np.random.default_rng(1)
    values = np.exp(2.0 * rng.standard_normal(60))
    values[[3, 50]] = np.nan
    told = values[~np.isnan(values)]
    scale = Standardisation.under(Warp.about(told, 0.0, 1.0), told)
    y = np.where(np.isnan(values), 0.0, scale.apply(np.nan_to_num(values)))
    seen = Data(rng.random((60, 1)), y, np.zeros(1, dtype=np.intp), None, scale.log_slopes(values))
    for count in (None, 20):
        kept = values[best_and_spread(seen.ranked, count)]
        kept = kept[~np.isnan(kept)]
        slopes = (scale.apply(kept * (1 + 1e-6)) - scale.apply(kept * (1 - 1e-6))) / (2e-6 * kept)
        assert PairwiseData.of(seen, count).log_jacobian == pytest.approx(np.log(slopes).sum(), abs=1e-4)


def test_a_fit_leaves_out_the_same_results_however_values_are_scaled() -> None:
    rng = np.random.default_rng(2)
    values = np.exp(2.0 * rng.standard_normal(60))
    values[5::4] = np.nan
    told = values[~np.isnan(values)]
    kept = []
    for warp in (None, Warp.about(told, 0.0, 1.0)):
        scale = Standardisation.under(warp, told)
        y = np.where(np.isnan(values), 0.0, scale.apply(np.nan_to_num(values)))
        seen = Data(rng.random((60, 1)), y, np.zeros(1, dtype=np.intp), None, scale.log_slopes(values))
        kept.append(best_and_spread(seen.ranked, 40))
    assert np.array_equal(*kept)


def test_the_information_is_the_expected_curvature() -> None:
    # The information is the covariance of the score when the data come from the model.
    _, seen = data(12)
    fitter = AdditiveFitter(seen, KernelTemplate("each", RBF))
    evidence = fitter.evidence(GRAPH)
    theta = evidence.parameterisation.mean
    gp_kernel = evidence.parameterisation.hyperparameters(theta).kernel(GRAPH, DOMAIN, RBF)
    noise = evidence.parameterisation.hyperparameters(theta).noise_variance
    K = gp_kernel.matrix(seen.X) + np.diag(noise + seen.extra_noise)
    rng = np.random.default_rng(3)
    draws = rng.multivariate_normal(np.zeros(12), K, size=4000)
    scores = []
    for y in draws:
        drawn = AdditiveFitter(Data(seen.X, y, seen.embedded_parameter, seen.extra_noise), fitter.template)
        scores.append(drawn.evidence(GRAPH).log_evidence(theta)[1])
    information = evidence._information(evidence._covariance(theta))
    np.testing.assert_allclose(np.cov(np.array(scores).T), information, atol=0.25)


@pytest.mark.parametrize("graph", [GRAPH, WHOLE])
def test_hyperparameters_are_integrated_out_about_the_posterior_that_fits_climb(graph: FactorGraph) -> None:
    evidence = AdditiveFitter(data()[1], KernelTemplate("each", RBF)).evidence(graph)
    theta = evidence.parameterisation.mean + 0.2
    information = evidence._information(evidence._covariance(theta))
    expected = integrated_out(
        evidence.log_posterior(theta)[0], information, evidence.parameterisation.deviation
    )
    assert evidence.log_marginal(theta) == expected


def test_a_fit_climbs_and_a_warm_start_stays_on_the_summit() -> None:
    fitter = AdditiveFitter(data(60, extra=False)[1], KernelTemplate("each", MATERN_52))
    found = fitter.fit(GRAPH, AdditiveSearch(starts=3, iterations=100))
    parameterisation = fitter.evidence(GRAPH).parameterisation

    def log_posterior(mode):
        return fitter.evidence(GRAPH).log_posterior(parameterisation.theta(mode.hyperparameters))

    value, gradient = log_posterior(found)
    assert np.abs(gradient).max() < 0.05
    again = fitter.fit(GRAPH, AdditiveSearch(starts=1, iterations=5, warm=found.hyperparameters))
    assert log_posterior(again)[0] >= value - 1e-6


def test_fitting_is_a_function_of_the_data() -> None:
    fitter = AdditiveFitter(data(20)[1], KernelTemplate("each", RBF))
    assert fitter.fit(GRAPH) == fitter.fit(GRAPH)


@pytest.mark.parametrize("values", [np.zeros(1), np.zeros(15), np.full(15, 1e-9), np.eye(15)[0]])
def test_hostile_values_are_survived(values: np.ndarray) -> None:
    X = np.full((len(values), 4), 0.5)
    seen = Data(DOMAIN.embed(X), values, DOMAIN.embedded_parameter)
    found = AdditiveFitter(seen, KernelTemplate("each", RBF)).fit(GRAPH)
    assert np.isfinite(found.log_marginal)
    assert np.isfinite(found.hyperparameters.length_scales).all()


def test_without_values_the_prior_is_the_answer() -> None:
    seen = Data(np.zeros((0, 6)), np.zeros(0), DOMAIN.embedded_parameter)
    found = AdditiveFitter(seen, KernelTemplate("each", RBF)).fit(GRAPH)
    assert found.log_marginal == 0.0
    assert sum(found.hyperparameters.variances) == pytest.approx(1.0)


def test_a_warm_start_from_another_decomposition_keeps_what_it_can() -> None:
    start = AdditiveHyperparameters(((0, 1), (2,), (3,)), (0.1, 0.2, 0.3, 0.4), (1.0, 0.5, 0.5), 0.01)
    moved = start.for_factors(((0, 1), (2, 3)))
    assert moved.length_scales == start.length_scales
    assert moved.variances == (1.0, 1.0)
    assert AdditiveHyperparameters.from_json(moved.to_json()) == moved


def test_the_evidence_of_a_decomposition_does_not_depend_on_the_way_there() -> None:
    fitter = AdditiveFitter(data(20, extra=False)[1], KernelTemplate("each", RBF))
    routes = [((0, 1), (2, 3)), ((0,), (1, 2, 3)), ((0, 1, 2, 3),)]
    forwards, backwards = DecompositionEvidence(fitter, 4), DecompositionEvidence(fitter, 4)
    there = [forwards(route) for route in routes]
    back = [backwards(route) for route in reversed(routes)]
    assert there == back[::-1]
    assert set(forwards.fits) == set(routes)


def test_many_values_are_thinned_and_the_estimate_stays_near() -> None:
    rng = np.random.default_rng(1)
    X = rng.random((150, 2))
    seen = Data(X, np.sin(7 * X[:, 0]) + X[:, 1], np.arange(2))
    graph = FactorGraph(((0,), (1,)), 2)
    whole = AdditiveFitter(seen, KernelTemplate("each", RBF)).fit(graph).hyperparameters
    part = AdditiveFitter(seen, KernelTemplate("each", RBF), largest=60).fit(graph).hyperparameters
    np.testing.assert_allclose(np.log(part.length_scales), np.log(whole.length_scales), atol=0.4)
