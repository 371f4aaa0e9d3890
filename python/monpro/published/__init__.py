"""Readers of published figures: of peers and of papers."""
