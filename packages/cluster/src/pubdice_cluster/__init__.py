"""A house of pubdice over PostgreSQL: several processes serve its tables, and it moves between databases."""
