class PaymentError(Exception):
    pass


def place_order():
    raise PaymentError("the card was declined")
