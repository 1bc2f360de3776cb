"""Why a point was chosen, and what became of it, in sentences."""
