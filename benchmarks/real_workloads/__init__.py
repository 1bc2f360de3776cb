"""The papers' own workloads as they are measured, and their page."""
