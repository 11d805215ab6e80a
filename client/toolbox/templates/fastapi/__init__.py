"""A shop that is paid through Malipo."""
