"""Scenarios: examples in play files that are run as tests. Spec 15.4.

A file comes in through `files` (its text, its rulesets, its names of reasons), `check` finds all its mistakes, and
`run` plays each scenario on an engine: `setting` lays out what is given, `play` does what is done, `claims` looks at
what must then be true. `report` writes the results; `pytest_plugin` lets pytest collect play files.
"""
