"""A house in SQLite: one file for its tables, and one for the players' book."""
