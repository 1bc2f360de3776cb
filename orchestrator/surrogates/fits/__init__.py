"""The most probable hyperparameters, and draws from what is believed of them."""
