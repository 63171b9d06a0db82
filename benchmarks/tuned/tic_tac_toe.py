"""Tic-tac-toe, tuned: two bit masks, and tables of all that can be asked of a mask."""

from __future__ import annotations

LINES = (0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)
BIT = tuple(1 << cell for cell in range(9))
WON = bytes(any(mask & line == line for line in LINES) for mask in range(512))
FREE = tuple(tuple(cell for cell in range(9) if not mask >> cell & 1) for mask in range(512))


class TicTacToe:
    __slots__ = ("mine", "moves", "over", "player", "theirs", "winner")

    def __init__(self) -> None:
        self.mine = self.theirs = self.player = 0
        self.moves = FREE[0]
        self.over = False
        self.winner: int | None = None

    def play(self, cell: int) -> None:
        mine, theirs = self.mine | BIT[cell], self.theirs
        if WON[mine]:
            self.over, self.winner, self.moves = True, self.player, ()
            return
        self.moves = moves = FREE[mine | theirs]
        self.mine, self.theirs = theirs, mine
        self.player ^= 1
        if not moves:
            self.over = True

    def copy(self) -> TicTacToe:
        twin = new(TicTacToe)
        twin.mine, twin.theirs, twin.player = self.mine, self.theirs, self.player
        twin.moves, twin.over, twin.winner = self.moves, self.over, self.winner
        return twin


new = object.__new__
