"""How probable results are by hyperparameters, with gradients, and of which results that is asked."""
