"""What people see of a run, while it goes on and afterwards: tables, words, screens, pages."""
