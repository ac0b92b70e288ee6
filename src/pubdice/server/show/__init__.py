"""What people see and hear of a table: messages, announcements, views and pages."""
