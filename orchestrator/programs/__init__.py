"""Programs as evaluators: their arguments, input files and environment, with braces where values go."""
