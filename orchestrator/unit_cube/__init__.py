"""Where the algorithms work: the unit cube, which points of it there are, and which of those are feasible."""
