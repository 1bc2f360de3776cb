"""What is believed of a function once results are known, by given hyperparameters."""
