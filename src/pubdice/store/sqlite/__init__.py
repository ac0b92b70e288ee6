"""A house in SQLite: one file for its tables, and one file for the players' book."""
