"""Functions that cost nothing and whose optimum is known: those of the five papers, and a few they lack."""

from evaluators.synthetic.definition import Box, Optimum, SyntheticFunction
from evaluators.synthetic.embedding import embedded
from evaluators.synthetic.evaluator import function
from evaluators.synthetic.noise import NoisyFunction, noisy
from evaluators.synthetic.registry import FAMILIES, NAMES, synthetic
from evaluators.synthetic.shifting import shifted_and_permuted
from evaluators.synthetic.spec_block import factors_block, parameters_block

__all__ = [
    "FAMILIES",
    "NAMES",
    "Box",
    "NoisyFunction",
    "Optimum",
    "SyntheticFunction",
    "embedded",
    "factors_block",
    "function",
    "noisy",
    "parameters_block",
    "shifted_and_permuted",
    "synthetic",
]
