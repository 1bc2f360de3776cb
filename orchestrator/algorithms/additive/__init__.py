"""What the algorithms with additive surrogates are made of: structures, beliefs, factors that choose."""
