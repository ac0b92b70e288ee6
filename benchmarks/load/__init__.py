"""The load client: very cheap phones, and measurements of the house that they load."""
