"""The jobs of a cluster's queue that a run has for its workers: submitted, asked after, taken back."""
