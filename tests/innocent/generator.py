"""Documents made of the building blocks, the same ones each time."""

from __future__ import annotations

import re
from random import Random

from tests.innocent.blocks import BLOCKS, FRONT_MATTER, INTRODUCTIONS, TITLES

SEED = 20
_ATX = re.compile(r"^(#{1,5})(?= )", re.MULTILINE)
_FENCED = re.compile(r"^(?:```|~~~)", re.MULTILINE)


def documents(count: int) -> dict[str, str]:
    """Documents by a name that tells what they are."""
    random = Random(SEED)
    order = list(BLOCKS)
    found: dict[str, str] = {}
    for number in range(count):
        if not order:
            order = list(BLOCKS)
        random.shuffle(order)
        # Each block is used before any is used again.
        blocks = [order.pop() for _ in range(min(len(order), random.randint(3, 9)))]
        content = _composed(random, blocks)
        name, content = _dressed(number, content)
        found[f"{number:03} {name}"] = content
    return found


def _composed(random: Random, blocks: list[str]) -> str:
    matter = random.choice(FRONT_MATTER)
    parts = [random.choice(TITLES), random.choice(INTRODUCTIONS), *(_deeper(random, block) for block in blocks)]
    gap = random.choice(("\n", "\n", "\n\n"))
    return matter + gap.join(part for part in parts if part)


def _deeper(random: Random, block: str) -> str:
    """A block as it is, or with its headings one level deeper, closed, or numbered; code stays as it is."""
    if _FENCED.search(block):
        return block
    way = random.randrange(5)
    if way == 0:
        return _ATX.sub(r"\1#", block)
    if way == 1:
        return re.sub(r"^(## .+)$", r"\1 ##", block, flags=re.MULTILINE)
    if way == 2:
        return re.sub(r"^## ", f"## {random.randint(1, 9)}. ", block, flags=re.MULTILINE)
    return block


def _dressed(number: int, content: str) -> tuple[str, str]:
    way = number % 6
    if way == 1:
        return "CRLF", content.replace("\n", "\r\n")
    if way == 2:
        return "BOM", "\ufeff" + content
    if way == 3:
        return "BOM and CRLF", "\ufeff" + content.replace("\n", "\r\n")
    if way == 4:
        return "open end", content.rstrip("\n")
    return "plain", content
