"""What is wrong with a document that should hold a program. Spec 1.3.

`rulelang.ir` knows nothing of diagnostics; the pipeline turns an `IRFault` into a `Diagnosed`.
"""

from collections.abc import Mapping


class IRFault(Exception):
    """A document, or a value that should be written as one, breaks the form of the IR.

    `code` is a number of the diagnostics registry, `path` the JSON pointer of the place, `message` says it in plain
    words, and `blanks` fill the sentence that the registry keeps for this code.
    """

    def __init__(self, code: str, path: str, message: str, blanks: Mapping[str, str] | None = None) -> None:
        self.code = code
        self.path = path
        self.message = message
        self.blanks = dict(blanks or {})
        super().__init__(code, path, message, self.blanks)

    def __str__(self) -> str:
        return f"{self.code} at {self.path or 'the top'}: {self.message}"
