"""What a table lends to the functions of the runtime: its layout, as globals.

The values here only say their types: `bind` gives every function the globals of its table.
"""

from __future__ import annotations

from math import pi, sin
from struct import Struct
from typing import Any

State = list[Any]
Frame = tuple[Any, ...]

# ---- what a table lends ----
LOC = FACE = REMEMBERED = BOX = LOOK = 0
FIRST_MOVING = LAST_MOVING = 0  # the run of pieces that can move: the others lie in the box, and have no slots for it
NP = 2
BITS: list[int] = []  # by piece: the bits that say who remembers it
VIEWERS = 3  # the players, and whoever looks on
PLAYERS: tuple[int, ...] = ()
ALONE = False  # whether nobody is ever asked beside somebody else: then who was asked stays written down until the next
RIVALS: list[tuple[int, ...]] = []  # by seat: all the others
BLOCKS: list[Any] = []
KIND: list[int] = []
BACK: list[int] = []  # what a hidden piece looks like: the first of its line of kinds, and whose it is
DESIGN: list[Any] = []
LOOKS: list[Any] = []
PRINTED: list[Any] = []  # the look, where nothing else can tell a piece from its twins; else None
PIECES_REMEMBERED = False  # whether an effect's memory may hold a piece
FACED: frozenset[int] = frozenset()
UP_LOOKS: list[Any] = []
PIECESET: list[Any] = []
ZONE_SEES: list[int] = []
ZONE_OWNER: dict[int, Any] = {}
ZONE_PLAYER: dict[int, Any] = {}
ZONE_PLAY: frozenset[int] = frozenset()
ZONE_REFILL: dict[int, int] = {}
ZONE_LIMIT: dict[int, Any] = {}
ZONE_STACK: frozenset[int] = frozenset()
ZONE_ROOMY: frozenset[int] = frozenset()  # zones without a limit, where pieces have no spots
ZONE_TITLE: dict[int, str] = {}
EFFECT_OF: dict[int, int] = {}
CARRIED: list[Any] = []  # by piece: the effect that stands while it is in play
OWNER_OF: Any = None
OWNED = False  # whether any piece has an owner that may be told from its field
ROUTINES: list[Any] = []
FUNCTIONS: list[Any] = []
HEADS: list[Any] = []
HOOK_SLOT: dict[int, int] = {}
NO_HOOKS: tuple[Any, ...] = ((), (), ())  # what the slot of a routine holds while no rule hooks into it
RULES: list[Any] = []
TESTS: dict[int, Any] = {}
EFFECT_TABLE: list[Any] = []
BEGINS: list[Any] = []  # by effect, what its beginning needs: see `begin_plain`
RULE_SLOTS: list[Any] = []  # by rule: moment of its hook or None, slots where it stands, rank among the changes there
TIMES: dict[int, Any] = {}
SPANS: list[Any] = []
MENUS: list[Any] = []
OFFER_SLOT: dict[int, int] = {}
CHANGE_SLOT: dict[int, int] = {}
ASKS: list[Any] = []
AUTO: list[bool] = []
FITS: list[Any] = []  # by question: what says whether a set meets what comes after it
SET_AUTO: list[bool] = []
SET_PIECES: list[bool] = []
SET_PLAIN: list[bool] = []  # all from one zone, and told apart by nothing but what is printed
LASTS: list[Any] = []  # what each effect lasts for
LASTING: list[Any] = []  # the slot that counts standing effects which last for the same span
RUNS: dict[str, list[Any]] = {}  # by effect slot and piece: its head, or whether it can always or never run
DOES: dict[tuple[str, int], int] = {}
NEIGHBOURS: dict[int, tuple[int, ...]] = {}
RINGS: dict[int, tuple[tuple[int, ...], int]] = {}
LINES: dict[tuple[Any, int], Any] = {}
GRIDS: dict[int, Any] = {}
SPOTS: dict[int, Any] = {}  # column, row, whether it is called by them, whether rows are counted downwards
STEP: list[Any] = []  # the places around a place of a grid, by heading
HEADING: dict[tuple[int, int], int] = {}
DRAWN: list[Any] = []  # the marks of a place, by shape
TWIN_FIELDS: dict[int, tuple[int, ...]] = {}
TWIN_SLOTS: dict[int, tuple[int, ...]] = {}
TWIN_ZONES: dict[int, tuple[int, ...]] = {}
OP_ORDER: dict[str, int] = {}
# Of games with a clock: slots of what is due, of players who are busy or wait, of since when they are free,
# of the answers that half-done actions were given, of the event in which each player is asked, whether answers
# are given again, and who plays live.
ALARMS = PARKED = FREE = TRAILS = CONTEXT = AGAIN = LIVE = 0
NO_EVENT: tuple[Any, Any] = ((), None)
LOOK = 0  # the slot of what values were found to be while options are looked for; else it holds none
TIMERS: dict[int, tuple[int, int, int, int]] = {}  # slots of state, target, instant of the end, who started it
TAKES: dict[int, Any] = {}
RAN_OUT: int | None = None
WAIT = "wait"  # the option that every menu under a clock has
IDLE, RUNNING, USABLE = range(3)  # timers
RING, LAPSE = range(2)  # alarms: a timer runs out, an effect lapses
LATEST = 10**9  # seconds
SHORTEST = 1_000  # steps that an instant costs at least, so that time cannot run on for ever
FAILS = (TypeError, KeyError, IndexError, ValueError, AttributeError)  # of rules that meet nothing (none)
PATIENCE = 10  # times the steps of a decision that time may take until somebody is asked
SPEAK: Any = None
HIDES = False
EDGES: dict[tuple[int, int], int] = {}
AT = 0  # where each piece lies on a plane
PLANES: dict[int, Any] = {}  # by the slot of their zone
RADIUS: list[Any] = []
RIMS: dict[int, Any] = {}  # steps from the middle of a disc to spots around it
HOME: dict[int, int] = {}  # the plane that a disc belongs to while it lies on none
SLIDE: Any = None
ROOT: Any = None  # the root of a whole number
ANGLES, POWERS = range(360), range(1, 101)
KNOCKED: frozenset[int] = frozenset()
COUNTS: list[int] = []  # uses of rules, where they are counted
STEPS = 0
DEEPEST = 100  # routines inside each other, where they can call themselves
MOST_SETS = 2_000  # sets that are tried before one is asked for
MOST_FRAMES = 1_000  # half-done routines that wait for each other
BIGGEST = 10**15
LONGEST_TEXT = 10_000
MOST_LETTERS = 1_000_000  # of a drawn grid
MOST_NEWS = 500  # lines between two decisions; more are not kept
FEW = 4  # pieces that are taken out of a zone one after the other
MOST_EFFECTS = 500  # that stand at the same time

MASK = (1 << 64) - 1


class Lanes(dict[int, tuple[int, int, Any]]):
    """How to draw so many numbers of the generator at once: with what its state is multiplied, and what is added.

    Each number has 128 bits of the sum for itself; the last part reads those bits that `chance` uses.
    """

    def __missing__(self, draws: int) -> tuple[int, int, Any]:
        factor, step, factors, steps = 1, 0, 0, 0
        for at in range(draws):
            factor = factor * 6364136223846793005 & MASK
            step = step * 6364136223846793005 + 1442695040888963407 & MASK
            factors |= factor << 128 * at
            steps |= step << 128 * at
        self[draws] = made = (factors, steps, Struct("<" + "4xI8x" * draws).unpack)
        return made


LANES = Lanes()
# A thousand millions times the sine of every whole angle: whole numbers, alike on every machine.
SINES = [round(sin(pi * angle / 180) * 10**9) for angle in range(360)]
END, MENU, MENU_BACK, PICK, PICK_BACK, HOOKS, RUN_HOOKS, JOIN, LEAVE, BUSY, PROCEED_BACK, ALARM = range(12)


NotThere = ValueError  # what `index` and `remove` say; a table lends no builtin by its own name


class EndGame(Exception):
    """`end game`: caught by the driver."""


class OutOfSteps(Exception):
    """More steps between two decisions than any rule needs."""


class EndSpan(Exception):
    """`end turn` and the like: caught by the driver, which leaves the span."""

    def __init__(self, span: int, place: int) -> None:
        self.span, self.place = span, place


class Broken(Exception):
    """A rule that cannot be carried out; turned into a RuleError with its place."""

    def __init__(self, place: int, message: str) -> None:
        super().__init__(message)
        self.place, self.message = place, message


class Damaged(Exception):
    """The result of a flick in a log that cannot be right."""


BASES: list[Any] = []

FLIPPED = 0
