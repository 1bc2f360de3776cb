"""What is believed of a function by results of it: kernels, their evidence, posteriors, draws."""
