"""What the operating system is asked for: disks, processes, streams, interrupts, a shell's words."""
