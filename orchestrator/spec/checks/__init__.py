"""What the parts of a spec must be to each other, each mistake at its place; without numpy."""
