"""Two versions of a game: what differs in their text, and what of that can be seen when they are played.

`listed` gives the declarations of a program, each with its text; `texts` compares them; `matching` says what in the one
program is what in the other; `beside` holds a position of the one against the other; `played` plays and keeps the
shortest record of every kind of difference.
"""
