"""Printers of flat programs."""
