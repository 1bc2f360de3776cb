"""What a slot prints into where nothing that is printed matters."""

from pathlib import Path


class Nothing:
    """An output of which nothing is kept."""

    path = Path("slot-0.out")
    fd = -1
    empty = True

    def move(self, destination: Path) -> None:
        raise AssertionError(f"nothing was printed that could be moved to {destination}")

    def last_lines(self, count: int) -> str:
        del count
        return ""

    def close(self) -> None:
        pass
