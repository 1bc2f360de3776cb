"""What models of a run's results say: of its parameters, of points, of settings that are a little off."""
