"""A run as one HTML page: its sections, and the charts and pictures in them."""
