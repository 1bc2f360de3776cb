"""A run's folder, and what lies in it: the journal, the spec that it began with, results that were left."""
