"""What people say of a run that has begun: further results, points, amendments of its spec."""
