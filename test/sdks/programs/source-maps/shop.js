const TAX = 0.2;

/** The price of all items, in cents. */
export function total(items) {
  let sum = 0;
  for (const { price, quantity } of items) {
    sum += price * quantity;
  }
  const isValid = Number.isInteger(sum) && sum >= 0;
  if (!isValid) {
    throw new RangeError(`the total is ${sum}`);
  }
  return sum;
}

function withTax(items) {
  const net = total(items);
  const tax = Math.round(net * TAX);
  return { net, tax, gross: net + tax };
}

export function checkout(cart) {
  const id = `order-${cart.items.length}`;
  const { net, gross } = withTax(cart.items);
  const saved = cart.coupon ? net / 10 : 0;
  return { id, due: gross - saved };
}

class Desk {
  items = [{ price: 450, quantity: 2 }];

  placeOrder() {
    const refund = { price: -1_000, quantity: 1 };
    const order = checkout({ items: [...this.items, refund] });
    // Never reached.
    this.order = order;
    return order;
  }
}

/** Fails with an uncaught error, in a timer so that each frame is a function with a name. */
export function start() {
  const desk = new Desk();
  setTimeout(desk.placeOrder.bind(desk));
}
