"""Parameters, as a person names them, and where their values lie in the unit cube."""
