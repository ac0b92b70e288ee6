"""A match of several rounds, and a match at a table: formats, notation, records, and a match told or summed up."""
