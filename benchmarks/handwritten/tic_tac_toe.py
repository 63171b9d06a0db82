"""Tic-tac-toe, as one writes it on a quiet evening."""

from __future__ import annotations

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


class TicTacToe:
    def __init__(self) -> None:
        self.board: list[int | None] = [None] * 9
        self.player = 0
        self.winner: int | None = None
        self.over = False

    def legal_moves(self) -> list[int]:
        return [cell for cell in range(9) if self.board[cell] is None]

    def play(self, cell: int) -> None:
        if self.over or self.board[cell] is not None:
            raise ValueError("illegal move")
        self.board[cell] = self.player
        if self.has_won(self.player):
            self.winner = self.player
            self.over = True
        elif None not in self.board:
            self.over = True
        else:
            self.player = 1 - self.player

    def has_won(self, player: int) -> bool:
        return any(all(self.board[cell] == player for cell in line) for line in LINES)

    def copy(self) -> TicTacToe:
        twin = TicTacToe.__new__(TicTacToe)
        twin.board = self.board[:]
        twin.player = self.player
        twin.winner = self.winner
        twin.over = self.over
        return twin
