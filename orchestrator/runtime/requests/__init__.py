"""What people ask of a run that has begun, from the request on its desk to events and answers."""
