"""What algorithms cost by themselves: how it grows, where it goes, and what it may be."""
