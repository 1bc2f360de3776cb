"""What every algorithm does with asks and results, whatever it believes: first points, turns, values told."""
