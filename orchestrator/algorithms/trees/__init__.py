"""What the tree searches share: cells divided as results come, with a model or without."""
