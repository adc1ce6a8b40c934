from shop.cart import Cart


def check_total() -> None:
    cart = Cart()
    cart.add("tea", 2)
    assert cart.total({"tea": 450}) == 900
