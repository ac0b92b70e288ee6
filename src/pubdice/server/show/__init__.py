"""The house's pages as frozen data, and as HTML."""
