"""Game-blind mathematics over the rules object, one algorithm a file."""
