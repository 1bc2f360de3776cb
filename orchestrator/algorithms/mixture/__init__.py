"""What `auto` is made of: hypotheses weighed by evidence, their beliefs, and where to look next."""
