"""Hyperparameters of covariances: what is believed of them, and covariances as functions of them."""
