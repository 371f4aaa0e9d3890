"""Sealed files: their formats, CMS, blocks, recipients."""
