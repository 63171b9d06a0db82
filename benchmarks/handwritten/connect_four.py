"""Connect four, as one writes it on a quiet evening."""

from __future__ import annotations

COLUMNS = 7
ROWS = 6


class ConnectFour:
    def __init__(self) -> None:
        self.columns: list[list[int]] = [[] for _ in range(COLUMNS)]
        self.player = 0
        self.winner: int | None = None
        self.over = False

    def legal_moves(self) -> list[int]:
        return [column for column in range(COLUMNS) if len(self.columns[column]) < ROWS]

    def play(self, column: int) -> None:
        if self.over or len(self.columns[column]) >= ROWS:
            raise ValueError("illegal move")
        self.columns[column].append(self.player)
        if self.four_through(column, len(self.columns[column]) - 1):
            self.winner = self.player
            self.over = True
        elif not self.legal_moves():
            self.over = True
        else:
            self.player = 1 - self.player

    def disc(self, column: int, row: int) -> int | None:
        if 0 <= column < COLUMNS and 0 <= row < len(self.columns[column]):
            return self.columns[column][row]
        return None

    def four_through(self, column: int, row: int) -> bool:
        for across, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
            count = 1
            for direction in (1, -1):
                x, y = column + direction * across, row + direction * up
                while self.disc(x, y) == self.player:
                    count += 1
                    x, y = x + direction * across, y + direction * up
            if count >= 4:
                return True
        return False

    def copy(self) -> ConnectFour:
        twin = ConnectFour.__new__(ConnectFour)
        twin.columns = [column[:] for column in self.columns]
        twin.player = self.player
        twin.winner = self.winner
        twin.over = self.over
        return twin
