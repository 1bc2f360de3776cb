"""Comparisons whose runs are kept, with the code that they ran with, and whose page is written from them."""
