"""The worker, and a package for each of the workloads that come along."""
