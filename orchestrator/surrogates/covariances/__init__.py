"""Covariance functions: stationary kernels, what is made of them, and features that they are products of."""
