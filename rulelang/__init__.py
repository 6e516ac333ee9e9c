"""rulelang: tabletop games written as text, compiled to a small intermediate form and played by interpreters.

The public names are few and are loaded when first used, so that `import rulelang` costs next to nothing:

- `load(name_or_path)` finds a ruleset and makes a game of it; `compile_text(text)` does so from a text in hand.
- `Diagnosed`, `Refused`, `Exhausted` and `Broken` are the four failures; nothing else leaves a public call.
"""

TYPE_CHECKING = False  # as in typing, which would take most of the time in which Ctrl-C is still Python's own affair
if TYPE_CHECKING:
    from rulelang.failures import Broken, Diagnosed, Exhausted, Refused
    from rulelang.pipeline import compile_text, load

__version__ = "0.1.0"

__all__ = ["Broken", "Diagnosed", "Exhausted", "Refused", "__version__", "compile_text", "load"]

_HOME_OF = {
    "load": "rulelang.pipeline",
    "compile_text": "rulelang.pipeline",
    "Diagnosed": "rulelang.failures",
    "Refused": "rulelang.failures",
    "Exhausted": "rulelang.failures",
    "Broken": "rulelang.failures",
}


def __getattr__(name: str) -> object:
    """Fetch a public name from the module that defines it, once."""
    if name not in _HOME_OF:
        raise AttributeError(f"module 'rulelang' has no attribute {name!r}")
    from importlib import import_module

    value: object = getattr(import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names, loaded or not."""
    return sorted(__all__)
