"""Known results, as a spec, a table of whatever program or a command has them."""
