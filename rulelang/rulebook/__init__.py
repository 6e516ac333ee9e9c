"""The printed rulebook beside the rules: its clauses and rulings, and whether each is carried out and checked.

``clauses`` reads what is written beside the rules, ``citing`` finds where rules name a clause, ``mutants`` takes the
named part out of the compiled rules, and ``trace`` brings it all together with the scenarios.
"""
