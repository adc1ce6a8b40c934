"""Draws `images/icon.png`: a shield with a list of rules, two allowed and one denied. Standard library alone.

python python/draw_icon.py images/icon.png
"""

from __future__ import annotations

import struct
import sys
import zlib
from pathlib import Path

SIZE, SAMPLES = 256, 4
Color = tuple[int, int, int, int]
CLEAR: Color = (0, 0, 0, 0)
RIM: Color = (23, 52, 84, 255)
FIELD: Color = (38, 84, 132, 255)
LINE: Color = (233, 240, 248, 255)
ALLOWED: Color = (110, 204, 140, 255)
DENIED: Color = (240, 112, 100, 255)
ROWS = ((0.34, ALLOWED), (0.50, ALLOWED), (0.66, DENIED))


def half_width(y: float) -> float:
    """Half the width of the shield at a height; both from 0 to 1."""
    if not 0.06 <= y <= 0.96:
        return 0.0
    return 0.38 if y < 0.5 else 0.38 * max(0.0, 1 - ((y - 0.5) / 0.46) ** 2.2)


def color_at(x: float, y: float) -> Color:
    """The colour of a point."""
    inside = half_width(y) - abs(x - 0.5)
    if inside <= 0:
        return CLEAR
    if inside < 0.035 or y < 0.095 or half_width(y + 0.035) - abs(x - 0.5) <= 0:
        return RIM
    for row, mark in ROWS:
        if (x - 0.30) ** 2 + (y - row) ** 2 < 0.045**2:
            return mark
        length = 0.74 if row < 0.6 else 0.66
        if abs(y - row) < 0.022 and 0.38 < x < length:
            return LINE
    return FIELD


def pixel(column: int, row: int) -> bytes:
    """A pixel as the mean of its samples, weighted by how much they cover."""
    steps = [(index + 0.5) / SAMPLES for index in range(SAMPLES)]
    samples = [color_at((column + dx) / SIZE, (row + dy) / SIZE) for dy in steps for dx in steps]
    cover = sum(sample[3] for sample in samples)
    if not cover:
        return bytes(4)
    mean = [sum(sample[band] * sample[3] for sample in samples) // cover for band in range(3)]
    return bytes([*mean, cover // len(samples)])


def png() -> bytes:
    """The whole picture."""
    rows = b"".join(b"\0" + b"".join(pixel(column, row) for column in range(SIZE)) for row in range(SIZE))
    header = struct.pack(">IIBBBBB", SIZE, SIZE, 8, 6, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )


if __name__ == "__main__":
    Path(sys.argv[1]).write_bytes(png())
