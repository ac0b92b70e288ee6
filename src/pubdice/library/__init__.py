"""The public library (``import pubdice``): matches in play as values, and exact answers about them."""
