"""What takes long: worker processes, and what is worked out in them."""
