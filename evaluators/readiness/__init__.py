"""What the workloads that come along need beyond the project, and what of that a machine lacks."""
