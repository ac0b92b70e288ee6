"""The terminal front end. It writes plain lines, for eyes, screen readers and Braille, and uses no alternate screen."""
