"""The HTML page of records, tables and plots."""
