"""Learning tasks as evaluators: training runs on data that scikit-learn carries."""

from evaluators.learning.two_layer_network import network

__all__ = ["network"]
