"""Where in the unit cube an acquisition function is greatest."""
