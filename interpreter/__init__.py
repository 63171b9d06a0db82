"""The interpreter: from a ruleset folder to a running game, one room after the other."""
