"""Programs as evaluators: what they are given, what they say while they run, and what they print."""
