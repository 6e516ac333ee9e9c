"""The syntax tree: its nodes, how they come from the parser's tree, how they are written and compared. Spec 2 to 14."""
