"""What a training came to: its errors on the data it was chosen by and on others, on one scale."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evaluators.pictures.svg import BLUE, FAINT, GREEN, ORANGE, SOFT, Drawing

_WIDTH, _ROW = 560, 46
_LEFT, _RIGHT = 150, 460


@dataclass(frozen=True, slots=True)
class Row:
    """A quantity by name: one number, or one for each repetition, drawn as dots; ``said`` is at the right."""

    words: str
    values: Sequence[float]
    said: str
    colour: str = BLUE


@dataclass(frozen=True, slots=True)
class Scale:
    """From ``low`` to ``high``; ``said`` writes its numbers."""

    low: float
    high: float
    said: Callable[[float], str] = lambda value: f"{value:.4g}"

    def share(self, value: float) -> float:
        """How far along it a value lies, 0 to 1; what is beyond an end lies there."""
        return (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)


def draw_network(parameters: Mapping[str, Any], extras: Mapping[str, Any]) -> str:
    """An SVG of one trial of `evaluators.learning:network`: the accuracy of each run."""
    accuracies = [float(value) for value in extras["accuracies"]]
    mean = sum(accuracies) / len(accuracies)
    training = float(extras["training_accuracy"])
    rows = [
        Row("validation", accuracies, f"{mean:.3f}"),
        Row("training", [training], f"{training:.3f}", ORANGE),
    ]
    layers = f"{parameters['neurons_1']} and {parameters['neurons_2']} neurons"
    caption = f"A network of {layers}: accuracy {mean:.3f}"
    lowest = math.floor(10 * min(*accuracies, training, 0.95)) / 10
    return _drawn(caption, rows, Scale(lowest, 1.0), f"{caption}, each run a dot.")


def draw_digits(parameters: Mapping[str, Any], extras: Mapping[str, Any]) -> str:
    """An SVG of one trial of `elastic_net`, `mlp` or `cnn`: errors on validation and on test images."""
    del parameters
    used = extras.get("weights_used")
    validation, test = float(extras["value"]), float(extras["test_error"])
    rows = [Row("validation images", [validation], f"{validation:.2%}"), _unseen("test images", test)]
    caption = f"{validation:.2%} of the images classified wrongly"
    if used is not None:
        caption += f", with {float(used):.0%} of the weights"
    scale = Scale(0.0, _reach(validation, test), _per_cent)
    return _drawn(caption, rows, scale, f"{caption}; {test:.2%} of the test images.")


def draw_skin(parameters: Mapping[str, Any], extras: Mapping[str, Any]) -> str:
    """An SVG of one trial of `boosting`: its two kinds of error."""
    del parameters
    wrong, missed, alarms = (float(extras[name]) for name in ("value", "skin_missed", "false_alarms"))
    rows = [
        Row("all pixels", [wrong], f"{wrong:.3%}"),
        Row("skin missed", [missed], f"{missed:.3%}", ORANGE),
        Row("others taken for skin", [alarms], f"{alarms:.3%}", ORANGE),
    ]
    caption = f"{wrong:.3%} of the test pixels classified wrongly"
    return _drawn(caption, rows, Scale(0.0, _reach(wrong, missed, alarms), _per_cent), f"{caption}.")


def draw_proteins(parameters: Mapping[str, Any], extras: Mapping[str, Any]) -> str:
    """An SVG of one trial of `pic`: the error of each fold, and that on the proteins held back."""
    del parameters
    folds, test = [float(value) for value in extras["fold_rmse"]], float(extras["test_rmse"])
    mean = sum(folds) / len(folds)
    rows = [Row("each fold", folds, f"{mean:.2f} Å"), _unseen("held back", test, f"{test:.2f} Å")]
    caption = f"Root mean square error {mean:.2f} Å"
    scale = Scale(0.0, _reach(*folds, test), lambda value: f"{value:.4g} Å")
    return _drawn(caption, rows, scale, f"{caption}; {test:.2f} Å where held back.")


def _unseen(words: str, value: float, said: str = "") -> Row:
    return Row(words, [value], said or f"{value:.2%}", GREEN)


def _reach(*values: float) -> float:
    """The end of the scale: beyond all values, and round when it is quartered."""
    largest = max(*values, 1e-9) * 1.1
    power = 10.0 ** math.floor(math.log10(largest))
    return next(power * factor for factor in (1, 2, 4, 6, 8, 10) if power * factor >= largest)


def _per_cent(share: float) -> str:
    return f"{100.0 * share:.4g}%"


def _drawn(caption: str, rows: Sequence[Row], scale: Scale, described: str) -> str:
    # One unit of the plane is a pixel.
    top = float(_ROW * len(rows) + 26)
    drawing = Drawing(0.0, float(_WIDTH), 0.0, top, width=_WIDTH + 80)

    def place(value: float) -> float:
        return _LEFT + (_RIGHT - _LEFT) * scale.share(value)

    for quarter in range(5):
        value = scale.low + (scale.high - scale.low) * quarter / 4
        x = place(value)
        drawing.line([(x, 24.0), (x, top)], f'stroke="{FAINT}"')
        drawing.text((x, 8.0), scale.said(value), size=11, anchor="middle", style=f'fill="{SOFT}"')
    for number, row in enumerate(rows):
        y = top - _ROW * (number + 0.5)
        drawing.text((0.0, y - 4), row.words, size=13)
        drawing.line([(_LEFT, y), (place(max(row.values)), y)], f'stroke="{row.colour}" stroke-width="2"')
        for value in row.values:
            drawing.dot((place(value), y), 5, f'fill="{row.colour}" fill-opacity="0.8"')
        bold = f'fill="{row.colour}" font-weight="600"'
        drawing.text((_RIGHT + 18, y - 4), row.said, size=13, style=bold)
    drawing.caption(caption)
    return drawing.svg(described)
