"""Where decompositions come from: known, drawn at random and chosen by evidence, or sampled by MCMC.

Each search takes a `LogEvidence` and answers `Visits`, which an ensemble weighs.
"""
