"""Learning tasks as evaluators: training runs on data that scikit-learn carries or a path names."""

from evaluators.learning.cifar_network import cnn
from evaluators.learning.mnist_elastic_net import elastic_net
from evaluators.learning.mnist_perceptron import mlp
from evaluators.learning.protein_sparse_gp import pic
from evaluators.learning.skin_boosting import boosting
from evaluators.learning.two_layer_network import network

__all__ = ["boosting", "cnn", "elastic_net", "mlp", "network", "pic"]
