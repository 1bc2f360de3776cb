"""The nodes of a factor graph, in processes here or on other hosts, that choose points together."""
