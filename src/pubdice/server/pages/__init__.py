"""Pages, a module and a template each: address, fields, question to the worker, data for programs, and HTML."""
