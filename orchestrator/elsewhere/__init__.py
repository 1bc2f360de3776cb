"""The optimisers of this project as parts of other frameworks: their generators and samplers."""
