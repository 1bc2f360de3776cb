"""The tables and figures of the papers, and what was measured of them."""
