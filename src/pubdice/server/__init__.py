"""The house on the web: tables for phones, keyboards and screen readers, over one store."""
