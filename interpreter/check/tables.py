"""The words of the language that are no grammar: verbs, queries and functions, each declared once.

A verb's `shape` shows how its sentence goes; a function's `takes` and `gives` are types by name.
"""

from __future__ import annotations

from typing import NamedTuple


class VerbWord(NamedTuple):
    shape: str
    help: str
    scenario: bool = False


class FunctionWord(NamedTuple):
    takes: tuple[str, ...]  # list, number, symbol, player, piece, place, board, text, spot, lying, disc, any; see `grids`
    gives: str  # item, same, list, number, truth, kind, players, places, place, lines, text
    help: str
    least: int = 9  # how many arguments there must be; all of them, unless it says fewer


VERBS: dict[str, VerbWord] = {
    "move": VerbWord(
        "move x to zone [at spot] / move 2 cards from zone to zone [as x]",
        "Moves pieces, or hands over a resource.",
    ),
    "draw": VerbWord("draw 2 from zone to zone [as x]", "Moves pieces from the top of a pile."),
    "flip": VerbWord("flip x", "Turns pieces to their other face."),
    "turn": VerbWord("turn x to direction", "Turns a piece in its place."),
    "shuffle": VerbWord("shuffle zone", "Mixes a pile."),
    "swap": VerbWord("swap a with b", "Exchanges contents of zones, places of pieces, or fields."),
    "show": VerbWord("show x [to players]", "Lets players see pieces, and remembers it."),
    "gain": VerbWord("gain 3 energy", "Adds to a resource, up to its limit."),
    "lose": VerbWord("lose 3 energy", "Takes from a resource, down to its limit."),
    "pay": VerbWord("pay 3 energy / pay 1 from turn.points", "Takes all of it, or the whole is not offered."),
    "set": VerbWord("set x to value", "Gives a field or a name another value."),
    "add": VerbWord("add 1 to x", "Adds a number to a number, or a thing to a list."),
    "remove": VerbWord("remove x from list", "Takes a number from a number, or a thing from a list."),
    "roll": VerbWord("roll 2d6 as hit", "Rolls dice and names their sum."),
    "run": VerbWord("run card / run card.slot", "Carries out the effect that a piece carries."),
    "begin": VerbWord("begin effect(…)", "Lets a standing effect begin."),
    "end": VerbWord('end turn / end game [with "reason"]', "Leaves a span, or ends the game."),
    "open": VerbWord("open menu", "Lets a player choose actions."),
    "proceed": VerbWord("proceed", "Does what an `instead of` rule replaced."),
    "say": VerbWord('say "text"', "Writes a line for everybody."),
    "start": VerbWord("start timer [on target] for 90 seconds", "Starts a timer; it runs out by itself."),
    "stop": VerbWord("stop timer", "Makes a timer idle and takes it off its target."),
    "flick": VerbWord("flick x as path", "Lets a player flick a disc: asks for angle and power."),
    "fix_rolls": VerbWord("fix_rolls 3, 4", "Says what the next rolls will give.", True),
    "stack": VerbWord("stack zone with [a, b]", "Puts named pieces on top of a pile.", True),
    "fix_flick": VerbWord(
        "fix_flick disc to spot [with [a, b]]", "Says where the next flick ends and what it touches.", True
    ),
    "fix_push": VerbWord("fix_push disc to spot", "Says where the fixed flick pushes another disc.", True),
}

OTHER_WORDS = {
    "print": "say",
    "write": "say",
    "log": "say",
    "increase": "add",
    "increment": "add",
    "raise": "add",
    "decrease": "remove",
    "decrement": "remove",
    "subtract": "remove",
    "discard": "move",
    "put": "move",
    "place": "move",
    "take": "move",
    "give": "move",
    "deal": "draw",
    "assign": "set",
    "change": "set",
    "exchange": "swap",
    "reveal": "show",
    "rotate": "turn",
    "spend": "pay",
    "earn": "gain",
    "finish": "end",
    "play": "run",
    "call": "run",
    "def": "",
    "while": "repeat",
    "break": "end",
    "var": "let",
}

OTHER_NAMES = {
    "me": "you",
    "my": "you",
    "player": "you",
    "self": "this",
    "null": "none",
    "nil": "none",
    "nobody": "none",
    "yes": "true",
    "no": "false",
    "enemy": "opponent",
    "rival": "opponent",
    "everyone": "players",
    "all": "players",
    "everybody": "players",
    "trash": "box",
}

OTHER_FUNCTIONS = {
    "len": "size",
    "length": "size",
    "exists": "any",
    "filter": "all",
    "select": "all",
    "head": "first",
    "total": "sum",
    "unique": "distinct",
    "random": "",
    "type": "kind_of",
    "round": "half_up",
    "floor": "half_down",
    "ceil": "half_up",
    "none": "any",
    "adjacent": "neighbours",
    "maximum": "max",
    "minimum": "min",
}

FOLDS: dict[str, str] = {
    "all": "Those for which it is true, as a list.",
    "count": "How many there are.",
    "any": "Whether there is one.",
    "every": "Whether `where` is true for each of them.",
    "the": "The first there is, or none.",
    "first": "The first there is, or none; with `by` the one with the smallest key.",
    "last": "The last there is, or none.",
    "most": "All with the greatest key.",
    "least": "All with the smallest key.",
    "groups": "Lists of those with the same key.",
    "sum": "The sum of a number over them.",
    "max": "The greatest.",
    "min": "The smallest.",
    "distinct": "Each value once.",
    "union": "All that is in one of the lists, each once.",
}

FUNCTIONS: dict[str, FunctionWord] = {
    "size": FunctionWord(("list",), "number", "How many things a list or zone holds."),
    "top": FunctionWord(("list",), "item", "The uppermost piece of a pile, or none."),
    "bottom": FunctionWord(("list",), "item", "The lowest piece of a pile, or none."),
    "nth": FunctionWord(("list", "number"), "item", "The thing at that place of a list, from 1, or none."),
    "reverse": FunctionWord(("list",), "list", "A list from its end to its start."),
    "shift": FunctionWord(("symbol", "number"), "same?", "The symbol so many places further, or none."),
    "kind_of": FunctionWord(("piece",), "kind", "The kind of a piece."),
    "half_up": FunctionWord(("number",), "number", "Half of it, rounded up."),
    "half_down": FunctionWord(("number",), "number", "Half of it, rounded down."),
    "seats_from": FunctionWord(("player",), "players", "All players in turn order, beginning with that one."),
    "neighbours": FunctionWord(("place",), "places", "The places next to a place."),
    "step": FunctionWord(
        ("place", "symbol", "number"), "same?", "The place so many steps away (1 if left out), or none.", 2
    ),
    "edge_between": FunctionWord(("place", "place"), "edge", "The edge that joins two places, or none."),
    "distance": FunctionWord(
        ("place", "place"), "number", "Steps from one place to another; on a plane, between centres."
    ),
    "spot": FunctionWord(("number", "number"), "spot", "The spot there: so far to the right, so far upwards."),
    "gap": FunctionWord(("lying", "lying"), "number?", "The distance between two rims; 0 or less: they touch."),
    "touching": FunctionWord(("lying", "lying"), "truth", "Whether two discs touch."),
    "bearing": FunctionWord(("lying", "lying"), "number?", "The angle at which one disc sees the other."),
    "free": FunctionWord(("spot", "disc"), "truth", "Whether that disc would lie there and touch nothing."),
    "around": FunctionWord(("disc", "disc", "number"), "spots", "Free spots beside a disc, so far from its rim.", 2),
    "lines": FunctionWord(("board", "number"), "lines", "All straight lines of so many places."),
    "lines_through": FunctionWord(
        ("place", "number"), "lines", "The straight lines of so many places through one."
    ),
    "place_at": FunctionWord(
        ("board", "number", "number"), "place", "The place of a grid in that column and row, or none."
    ),
    "heading_to": FunctionWord(
        ("place", "place"), "heading", "In which direction the second place lies beside the first, or none."
    ),
    "lane": FunctionWord(
        ("board", "heading", "number"),
        "places",
        "The places of that row or column, in the order in which something from that side meets them.",
    ),
    "drawn": FunctionWord(("place", "shape"), "text", "The mark of a place in the drawing of a shape, or none."),
    "side": FunctionWord(
        ("tile", "heading", "heading"), "side", "What a tile shows to a side, as it lies or if it were turned so.", 2
    ),
    "turned": FunctionWord(
        ("heading", "heading"), "heading", "Where a printed direction looks when its tile is turned so."
    ),
    "opposite": FunctionWord(("heading",), "heading", "The direction from which one comes."),
    "parts": FunctionWord(
        ("list", "relation"), "parts", "The connected parts of a list under a value of two things, biggest first."
    ),
    "clock_text": FunctionWord(("number",), "text", "Seconds as minutes and seconds, like 1:05."),
    "join": FunctionWord(("list", "text"), "text", "The things of a list as a text, with that between them."),
}

# What `grids` checks: these know directions, shapes and tiles.
GRID_WORDS = ("step", "place_at", "heading_to", "lane", "drawn", "side", "turned", "opposite", "parts")

SCENARIO_FUNCTIONS: dict[str, FunctionWord] = {
    "may_now": FunctionWord(("player", "text"), "truth", "Whether the player is offered that now."),
    "sees": FunctionWord(("player", "pieces"), "truth", "Whether the player sees a piece, or all of a list."),
}
