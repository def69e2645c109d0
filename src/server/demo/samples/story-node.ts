import { source, type Story } from "./story.ts";

export const NODE_STORY: Story = {
  fate: "frequent",
  event: {
    environment: "production",
    exception_class: "TypeError",
    level: "error",
    stack_trace: [
      "TypeError: Cannot read properties of undefined (reading 'amount')",
      "    at applyVoucher (/app/src/checkout/apply-voucher.ts:31:47)",
      "    at priceOf (/app/src/checkout/price.ts:58:12)",
      "    at async placeOrder (/app/src/checkout/place-order.ts:24:17)",
      "    at async /app/src/routes/orders.ts:42:19",
      "    at async Layer.handleRequest (/app/node_modules/router/lib/layer.js:152:5)",
      "    at async next (/app/node_modules/router/lib/route.js:157:7)",
      "    at process.processTicksAndRejections (node:internal/process/task_queues:105:5)",
    ].join("\n"),
    previous_exceptions: [
      {
        exception_class: "VoucherExpired",
        message: "Voucher SPRING26 expired on 2026-10-31",
        stack_trace: [
          "VoucherExpired: Voucher SPRING26 expired on 2026-10-31",
          "    at findVoucher (/app/src/vouchers/find-voucher.ts:17:11)",
          "    at async applyVoucher (/app/src/checkout/apply-voucher.ts:28:21)",
        ].join("\n"),
      },
    ],
    runtime: { name: "node", version: "24.11.1" },
    framework: { name: "express", version: "5.2.0" },
    memory_peak_bytes: 187_432_960,
    memory_limit_bytes: 536_870_912,
    context: {
      kind: "route",
      name: "orders.create",
      method: "POST",
      pattern: "/orders",
      response_status: 500,
    },
  },
  messages: ["Cannot read properties of undefined (reading 'amount')"],
  frames: [
    {
      function: "applyVoucher",
      filename: "/app/src/checkout/apply-voucher.ts",
      lineno: 31,
      colno: 47,
      in_app: true,
      ...source(`
 export async function applyVoucher(cart: Cart, code: string): Promise<Cart> {
   const voucher = await findVoucher(code).catch(noVoucher);
   const total = totalOf(cart.lines);
   // A voucher never makes the cart negative.
>  const discount = Math.min(total.amount, voucher.value.amount);
   return {
     ...cart,
     voucher: code,
     lines: spread(cart.lines, { amount: discount, currency: total.currency }),
   };`),
    },
    {
      function: "priceOf",
      filename: "/app/src/checkout/price.ts",
      lineno: 58,
      colno: 12,
      in_app: true,
      ...source(`
 export async function priceOf(cart: Cart): Promise<Money> {
   const withDelivery = addDelivery(cart);
   if (cart.voucher === null) return totalOf(withDelivery.lines);
>  return totalOf((await applyVoucher(withDelivery, cart.voucher)).lines);
 }`),
    },
    {
      function: "async placeOrder",
      filename: "/app/src/checkout/place-order.ts",
      lineno: 24,
      colno: 17,
      in_app: true,
      ...source(`
   const cart = await lockCart(tx, cartId);
   if (cart.lines.length === 0) throw new EmptyCart(cartId);
>  const price = await priceOf(cart);
   const payment = await authorize(price, request.payment);
   return insertOrder(tx, cart, price, payment);`),
    },
    {
      function: "async <anonymous>",
      filename: "/app/src/routes/orders.ts",
      lineno: 42,
      colno: 19,
      in_app: true,
      ...source(`
 orders.post("/orders", requireCart, async (request, response) => {
   const body = orderBody.parse(request.body);
>  const order = await inTransaction((tx) => placeOrder(tx, request.cartId, body));
   response.status(201).location(\`/orders/\${order.number}\`).json(order);
 });`),
    },
    {
      function: "async Layer.handleRequest",
      filename: "/app/node_modules/router/lib/layer.js",
      lineno: 152,
      colno: 5,
      in_app: false,
    },
    {
      function: "async next",
      filename: "/app/node_modules/router/lib/route.js",
      lineno: 157,
      colno: 7,
      in_app: false,
    },
  ],
  breadcrumbs: [
    {
      before: 9.4,
      category: "http",
      type: "http",
      message: "GET /cart",
      data: { method: "GET", status_code: 200, duration_ms: 41 },
    },
    {
      before: 3.1,
      category: "query",
      message: "select * from carts where id = $1 for update",
      data: { rows: 1, duration_ms: 3 },
    },
    {
      before: 3.0,
      category: "query",
      message: "select code, value, expires_on from vouchers where code = $1",
      data: { rows: 1, duration_ms: 2 },
    },
    {
      before: 2.9,
      category: "console",
      level: "warning",
      message: "Voucher SPRING26 is no longer valid, continuing without it",
      data: { cart: 88_214, customer_email: "ines@example.com" },
    },
    {
      before: 0.2,
      category: "http",
      type: "http",
      message: "POST https://delivery.northwind.example/v2/quotes",
      data: { method: "POST", status_code: 200, duration_ms: 184 },
    },
  ],
  tags: {
    checkout: ["one-page", "one-page", "one-page", "classic"],
    country: ["NL", "DE", "DE", "BE", "DK"],
    payment: ["card", "ideal", "paypal"],
    handled: ["no"],
  },
  contexts: [
    {
      os: { name: "Linux", version: "6.12.48", build: "Debian 13" },
      runtime: { name: "node", version: "v24.11.1" },
      app: { app_start_time: "2026-11-09T06:12:44.120Z", app_memory: 187_432_960 },
      trace: { trace_id: "7d3c6f0e3f6a4f0b9d0c1a5be2f48a17", span_id: "b1f2c9407d1e44aa" },
    },
  ],
  requests: [
    {
      method: "POST",
      url: "https://www.northwind.example/orders?utm_source=newsletter",
      headers: {
        "Content-Type": "application/json",
        "User-Agent":
          "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15",
        "Accept-Language": "de-DE,de;q=0.9",
        Referer: "https://www.northwind.example/checkout",
        Cookie: "sid=5f2a",
      },
    },
    {
      method: "POST",
      url: "https://www.northwind.example/orders",
      headers: {
        "Content-Type": "application/json",
        "User-Agent":
          "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
        "Accept-Language": "nl-NL,nl;q=0.9,en;q=0.8",
        Referer: "https://www.northwind.example/checkout",
      },
    },
  ],
  extra: {
    cart: { lines: 3, voucher: "SPRING26", total: { amount: 24_890, currency: "EUR" } },
    loyalty_number: "NW-2217-4410",
    retries: 0,
  },
  reports: [
    {
      title: "My voucher breaks the checkout",
      description:
        "I entered SPRING26 and pressed “Order now”. The page said that something went wrong, and my cart was still full. It works without the voucher.",
      author: "Elif Kaya",
    },
    {
      title: "Order button does nothing with a discount code",
      description: "Tried it twice with two cards. The bank says that nothing arrived.",
      author: "Tim Bauer",
    },
  ],
  comments: [
    "`findVoucher` rejects for expired vouchers, and `noVoucher` returns a voucher without `value`. It started with the one-page checkout, which sends the code again on every order.",
    "Then the fix is in `noVoucher`. I'd rather return `null` and skip the discount. @{name}, do you agree?",
    "Yes. Let's also remove expired codes from the cart when it is loaded.",
  ],
};
