"""What became of trials, and of a run, in sentences."""
