"""Rounds into a match, and a match at a table: formats, notation, records, and a match told or summed up."""
