"""Which parameters matter: what a model of a run's results says of each, whichever algorithm chose them."""
