"""Trees of cells that tile a domain, and in which order they are expanded."""
