"""What a run is held to, by its spec and by what was amended: budgets, bounds, places, constraints."""
