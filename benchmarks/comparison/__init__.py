"""The comparison of algorithms: its problems, its runs, and what its page says of them."""
