"""The terminal front end: plain lines for eyes, screen readers and Braille, without an alternate screen."""
