"""From text to tree: its words (`lexer`), its lines and blocks (`layout`), its sentences (`parse`). Spec 2 and 3.

The grammar itself is `rules.lark`; `build` saves its tables and `tables` loads them. Only this package and
`rulelang.ast.from_tree` know Lark.
"""
