"""Parts of searches by successive halving: many settings are looked at cheaply, the best of them closely."""
