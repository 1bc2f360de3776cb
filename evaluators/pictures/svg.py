"""A small SVG writer: shapes in the drawing's own units, y upwards, text and lines in pixels."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from html import escape

INK = "#1f2933"
SOFT = "#9aa5b1"
FAINT = "#e4e7eb"
BLUE = "#2563c9"
ORANGE = "#e07a1f"
GREEN = "#2f9e62"
RED = "#d13438"

Place = tuple[float, float]


@dataclass
class Drawing:
    """A rectangle of the plane, ``left`` to ``right`` and ``bottom`` to ``top``, drawn ``width`` pixels wide.

    The same scale holds for both directions. ``margin`` pixels are left free on every side.
    """

    left: float
    right: float
    bottom: float
    top: float
    width: int = 560
    margin: int = 40
    shapes: list[str] = field(default_factory=list)

    @property
    def scale(self) -> float:
        """Pixels a unit."""
        return (self.width - 2 * self.margin) / (self.right - self.left)

    @property
    def height(self) -> int:
        """In pixels."""
        return round((self.top - self.bottom) * self.scale) + 2 * self.margin

    def at(self, place: Place) -> Place:
        """A place of the plane in pixels, from the upper left."""
        x, y = place
        return (
            round(self.margin + (x - self.left) * self.scale, 2),
            round(self.margin + (self.top - y) * self.scale, 2),
        )

    def line(self, places: Iterable[Place], style: str) -> None:
        """A broken line through the places."""
        points = " ".join(f"{x:g},{y:g}" for x, y in map(self.at, places))
        self.shapes.append(f'<polyline points="{points}" fill="none" stroke-linejoin="round" {style}/>')

    def polygon(self, places: Iterable[Place], style: str) -> None:
        """A closed area."""
        points = " ".join(f"{x:g},{y:g}" for x, y in map(self.at, places))
        self.shapes.append(f'<polygon points="{points}" {style}/>')

    def circle(self, centre: Place, radius: float, style: str) -> None:
        """A disc with a radius in the plane's units."""
        self.dot(centre, radius * self.scale, style)

    def dot(self, centre: Place, pixels: float, style: str) -> None:
        """A disc with a radius in pixels."""
        x, y = self.at(centre)
        self.shapes.append(f'<circle cx="{x:g}" cy="{y:g}" r="{pixels:.4g}" {style}/>')

    def text(
        self, place: Place, words: str, *, size: int = 12, anchor: str = "start", style: str = ""
    ) -> None:
        """Words with their baseline at the place; ``anchor`` is start, middle or end."""
        x, y = self.at(place)
        style = style or f'fill="{INK}"'
        self.shapes.append(
            f'<text x="{x:g}" y="{y:g}" font-size="{size}" text-anchor="{anchor}" {style}>'
            f"{escape(words)}</text>"
        )

    def caption(self, words: str) -> None:
        """Words above the drawing, inside the margin."""
        self.shapes.append(
            f'<text x="{self.margin}" y="{self.margin - 14}" font-size="14" font-weight="600" '
            f'fill="{INK}">{escape(words)}</text>'
        )

    def svg(self, described: str) -> str:
        """The document; ``described`` is what somebody reads who cannot see it."""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" '
            f'width="{self.width}" height="{self.height}" role="img" '
            'font-family="system-ui, DejaVu Sans, sans-serif">'
            f"<title>{escape(described)}</title>"
            f'<rect width="100%" height="100%" fill="#ffffff"/>' + "".join(self.shapes) + "</svg>\n"
        )
