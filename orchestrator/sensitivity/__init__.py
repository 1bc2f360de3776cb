"""What models of results say, whichever algorithm chose the points: which parameters matter, how far settings
may be off, and what to expect elsewhere.
"""
