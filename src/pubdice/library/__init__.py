"""The public library (``import pubdice``): matches in play as immutable values, and exact answers about them."""
