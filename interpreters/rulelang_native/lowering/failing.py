"""What cannot be lowered: said before play, never a wrong answer."""


class NotLowered(Exception):
    """A part of the program that the native interpreter has no form for; the message names the rule."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
