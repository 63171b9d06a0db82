"""A choice in words, as each viewer may know it.

Takes a decision before it is made and the game after; gives a few words such as `Dig here`,
`Blue jar` or `bid 5`. A piece is named if the viewer sees it before or after. Any other choice is told in
its own words, unless these would be others if what is hidden from the viewer lay otherwise.
"""

from __future__ import annotations

from typing import Any

from .game import Decision, Game
from .knowledge import deal
from .slots import ASK

Viewer = int | None  # a seat, or None for a spectator

SECRET = "makes a secret choice"
DEALS = 4  # other deals in which the words must be the same


class Spoken:
    """What one viewer may hear of a choice: made before it is taken, said after."""

    def __init__(self, game: Game, decision: Decision, index: int, viewer: Viewer) -> None:
        self.viewer, self.speaker = viewer, game.table.speaker
        self.lead, self.words = _words(game, decision, index)
        self.unseen: list[int] = []
        if viewer == decision.player or not game.table.hides:
            return
        pieces = _pieces(game, decision, index)
        self.unseen = [x for x in pieces if self.speaker.hidden(game.S, x, viewer)]
        if not pieces and any(
            _words(game, _elsewhere(game, decision, viewer, seed), index) != (self.lead, self.words)
            for seed in range(DEALS)
        ):
            self.lead, self.words = "", SECRET

    def text(self, game: Game) -> str:
        unseen = [x for x in self.unseen if self.speaker.hidden(game.S, x, self.viewer)]
        if not unseen:
            return self.lead + self.words
        return self.lead + ", ".join(dict.fromkeys(_back(game, x) for x in unseen))


def _back(game: Game, x: int) -> str:
    """What the back of a piece tells: the kind that all pieces with this back have in common."""
    table = game.table
    kinds = {kind["name"]: kind["title"] for kind in table.image["kinds"]}
    root = table.ancestors[table.image["kinds"][table.kind_of[x]]["name"]][-1]
    return f"a hidden {str(kinds[root]).casefold()}"


def _elsewhere(game: Game, decision: Decision, viewer: Viewer, seed: int) -> Decision:
    """The same decision in a deal that the viewer cannot tell from the true one."""
    state = decision._state[:]
    deal(game, state, viewer, seed)
    return Decision(game, state)


def question(game: Game, decision: Decision) -> dict[str, Any] | None:
    """What is known of a question, the same object whenever it is asked; None for a menu."""
    number = decision._state[ASK]
    return None if number < 0 else game.table.ns["ASKS"][number]


def perhaps_skipped(game: Game, before: dict[str, Any] | None, now: dict[str, Any]) -> bool:
    """Whether the engine may have answered a question by itself between these two, of which it keeps no record."""
    asks = game.table.ns["ASKS"]  # those of one routine stand together, in the order of its sentences
    for ask in reversed(asks[: next(at for at, ask in enumerate(asks) if ask is now)]):
        if ask is before or ask["routine"] != now["routine"]:
            return False
        if ask["auto"] or ask["may"]:
            return True
    return False


def _words(game: Game, decision: Decision, index: int) -> tuple[str, str]:
    label, ask = decision.label(index), question(game, decision)
    if ask is None or ask["sort"] == "one":
        return "", label
    if ask["sort"] == "may":
        return f"{decision.prompt} ", label
    if game.table.image["types"][ask["type"]][0] in ("number", "truth"):
        return f"{str(ask['word']).replace('_', ' ')} ", label  # `bid 5`; a piece or a symbol says enough
    return "", label


def _pieces(game: Game, decision: Decision, index: int) -> tuple[int, ...]:
    """The pieces that an option stands for, if it stands for any."""
    ask, value = question(game, decision), decision._values[index]
    if ask is None or ask["sort"] in ("one", "may") or value is None:
        return ()
    base, of, _ = game.table.image["types"][ask["type"]]
    if base == "piece":
        return (value,)
    return tuple(value) if base == "list" and of[0] == "piece" else ()
