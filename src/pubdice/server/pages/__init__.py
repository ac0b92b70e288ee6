"""Pages, one module and one template each: address, fields, what the worker is asked, data for programs, and HTML."""
