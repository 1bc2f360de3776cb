"""Robot tasks as evaluators, on real physics engines."""

from evaluators.robots.pushing import push

__all__ = ["push"]
