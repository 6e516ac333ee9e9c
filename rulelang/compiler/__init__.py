"""Checked tree to IR, one module a chapter. Spec 1.3."""
