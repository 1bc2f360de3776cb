"""What files of tables are called, by which a text is the name of one, and not a word for something else."""

from __future__ import annotations

FILE_ENDINGS = (".csv", ".tsv", ".txt")
