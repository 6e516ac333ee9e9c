"""From a closed program to its flat form: facts about values, formulas, moves, the flow."""
