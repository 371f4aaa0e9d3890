"""Sealed files: formats, CMS, blocks, recipients."""
