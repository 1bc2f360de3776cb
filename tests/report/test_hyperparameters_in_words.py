"""Length-scales in words, of parameters and of what describes a choice's values."""

from __future__ import annotations

from orchestrator.report.words.hyperparameter import hyperparameters_in_words

NAMES = ["heat", "solvent"]
ASPECTS = ["heat", "polarity of solvent", "solvent"]
RANGES = "Length-scales, in shares of each parameter's range (the shorter, the more the parameter matters): "


def test_length_scales_are_those_of_parameters_or_of_their_aspects() -> None:
    of_parameters = hyperparameters_in_words(NAMES, {"length_scales": [0.5, 0.2]}, ASPECTS)
    assert list(of_parameters) == [f"{RANGES}solvent 0.2, heat 0.5."]
    of_aspects = hyperparameters_in_words(NAMES, {"length_scales": [0.5, 0.2, 3.0]}, ASPECTS)
    assert list(of_aspects) == [f"{RANGES}polarity of solvent 0.2, heat 0.5, solvent 3."]


def test_one_that_is_shared_is_one_for_all() -> None:
    shared = hyperparameters_in_words(NAMES, {"length_scales": [0.5, 0.5, 0.5]}, ASPECTS)
    assert list(shared) == ["One length-scale for all parameters, in shares of their ranges: 0.5."]
