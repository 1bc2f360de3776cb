"""What the algorithms with Gaussian processes share: their loop, their beliefs, which point is best."""
