"""Who is compared on functions of a kind, and how one run of each goes."""
