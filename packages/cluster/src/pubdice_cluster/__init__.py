"""A house over PostgreSQL: several processes serve its tables, and a house can move between databases."""
