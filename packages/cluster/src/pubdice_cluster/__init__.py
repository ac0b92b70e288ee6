"""A house over PostgreSQL. Several processes serve its tables, and a house can move between databases."""
