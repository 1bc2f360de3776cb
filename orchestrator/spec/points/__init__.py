"""Values of parameters as they are told, where they are held, and the points that a run starts from."""
