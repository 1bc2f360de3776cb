"""A text as a tree in which everything knows its place, and every mistake is shown there."""
