"""The load client: phones that cost next to nothing, and the house they load, watched from outside."""
