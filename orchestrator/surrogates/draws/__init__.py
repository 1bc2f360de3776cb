"""Functions drawn from what is believed of one."""
