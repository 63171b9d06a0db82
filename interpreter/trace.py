"""From the rulebook's clauses to rules to scenarios, and whether each link holds.

A scenario proves a clause only if it names it, passes, and fails when a rule that cites the clause is
taken away. Anything less is a gap, and the trace says which.
"""

from __future__ import annotations

from typing import Any

from .load import clause_ids
from .scenarios import Bench


def trace(rules: Any, only: list[str] | None = None) -> dict[str, Any]:
    """`{"clauses": [{"id", "status", "rules", "scenarios", "why"}]}`, in the order of the rulebook."""
    from .diagnostics import RulesetError

    bench = Bench(rules)
    if bench.problems.has_errors:
        raise RulesetError([p.below(rules.source.shown) for p in bench.problems.sorted()])
    rules.source.text("clauses.yaml")
    clauses = clause_ids(rules.source) or {}
    image = bench.rules.image
    cites: dict[str, list[tuple[str, Any, str, int]]] = {}
    for clause, sort, key, file, line in image["cites"]:
        cites.setdefault(clause, []).append((sort, key, file, line))
    named: dict[str, list[Any]] = {}
    passed: dict[int, bool] = {}
    for scenario in bench.scenarios:
        passed[scenario.number] = bench.run(scenario).passed
        for clause in scenario.shape.proves:
            named.setdefault(str(clause), []).append(scenario)
    knocked: dict[Any, bool] = {}
    found = []
    for clause in clauses:
        if only is not None and clause not in only:
            continue
        rules_of, scenarios = cites.get(clause, []), named.get(clause, [])
        why = ""
        proven: list[str] = []
        if not rules_of:
            why = "no rule cites it"
        elif not scenarios:
            why = "no scenario names it"
        else:
            for scenario in scenarios:
                if not passed[scenario.number]:
                    why = why or f"the scenario `{scenario.name}` fails"
                    continue
                for sort, key, _, _ in rules_of:
                    what = (scenario.number, sort, key)
                    if what not in knocked:
                        knocked[what] = not bench.run(scenario, (sort, key)).passed
                    if knocked[what]:
                        proven.append(scenario.name)
                        break
                else:
                    where = ", ".join(f"{file}:{line}" for _, _, file, line in rules_of)
                    why = why or f"`{scenario.name}` still passes when the rule at {where} is taken away"
        found.append(
            {
                "id": clause,
                "status": "proven" if proven else "unproven",
                "rules": [f"{file}:{line}" for _, _, file, line in rules_of],
                "scenarios": [s.name for s in scenarios],
                "why": "" if proven else why,
            }
        )
    return {"clauses": found}
