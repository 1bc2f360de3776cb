"""A run, on real clocks, disks and sockets: the scheduler's commands are carried out, its events recorded."""
