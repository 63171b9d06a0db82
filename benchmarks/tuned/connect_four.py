"""Connect four, tuned: bit boards with seven bits a column, and a table of the open columns."""

from __future__ import annotations

BOTTOM = tuple(1 << 7 * column for column in range(7))
COLUMN = tuple(0b111111 << 7 * column for column in range(7))
TOP = sum(1 << 7 * column + 5 for column in range(7))
OPEN = {
    sum(1 << 7 * column + 5 for column in range(7) if full >> column & 1): tuple(
        column for column in range(7) if not full >> column & 1
    )
    for full in range(128)
}


class ConnectFour:
    __slots__ = ("both", "mine", "moves", "over", "player", "winner")

    def __init__(self) -> None:
        self.mine = self.both = self.player = 0
        self.moves = OPEN[0]
        self.over = False
        self.winner: int | None = None

    def play(self, column: int) -> None:
        both = self.both
        bit = (both + BOTTOM[column]) & COLUMN[column]
        both |= bit
        mine = self.mine | bit
        a, b, c, d = mine & mine >> 1, mine & mine >> 6, mine & mine >> 7, mine & mine >> 8
        if a & a >> 2 or b & b >> 12 or c & c >> 14 or d & d >> 16:
            self.over, self.winner, self.moves = True, self.player, ()
            return
        self.both, self.mine = both, mine ^ both
        self.player ^= 1
        self.moves = moves = OPEN[both & TOP]
        if not moves:
            self.over = True

    def copy(self) -> ConnectFour:
        twin = new(ConnectFour)
        twin.mine, twin.both, twin.player = self.mine, self.both, self.player
        twin.moves, twin.over, twin.winner = self.moves, self.over, self.winner
        return twin


new = object.__new__
