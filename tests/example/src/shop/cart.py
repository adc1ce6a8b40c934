"""The cart: what a customer is about to buy."""

from dataclasses import dataclass, field


@dataclass
class Cart:
    lines: dict[str, int] = field(default_factory=dict)

    def add(self, article: str, count: int = 1) -> None:
        self.lines[article] = self.lines.get(article, 0) + count

    def total(self, prices: dict[str, int]) -> int:
        return sum(prices[article] * count for article, count in self.lines.items())
