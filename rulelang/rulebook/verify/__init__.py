"""Verify: a closed program is gone through, position by position, and what is wrong with it is found.

    space (breadth first) or games (at random)  ->  looking (each position)  ->  found, reached
    endless (what only the whole space shows)  ->  unused (what was never reached)  ->  report  ->  saving

``docs/decisions/0026-verify.md`` says why it is done like this, ``docs/guide/proving.md`` how to use it.
"""
