"""What is wrong with a text, said so that its author can mend it.

`codes` is the registry and the only place where a code is born; `diagnostic` is the frozen data of one mistake and the
collector of many; `render` writes them as text, JSON and SARIF; `reading` turns files into texts or into diagnostics.
"""
