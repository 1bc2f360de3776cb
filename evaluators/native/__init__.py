"""Programs in C++: how they are built on first use, and a worker that needs no Python (`worker.cpp`)."""
