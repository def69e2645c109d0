import assert from "node:assert/strict";
import { test } from "node:test";
import { parseTrace, type TraceEntry } from "./parse-trace.ts";

/** `+` for an app frame, `-` for a library frame: function, location. */
const line = (entry: TraceEntry) => {
  if (entry.kind === "text") return `= ${entry.text}`;
  const at = [entry.file ?? "?", entry.line, entry.column].filter((part) => part !== null).join(":");
  return `${entry.in_app ? "+" : "-"} ${entry.function ?? "?"} ${at}`;
};

const TABLE: Record<string, { trace: string; reads: string[]; order?: "oldest-first" }> = {
  PHP: {
    trace: `#0 /var/www/shop/app/Checkout/Total.php(88): App\\Checkout\\Total->of(Object(App\\Cart), 'EUR')
#1 [internal function]: App\\Checkout\\{closure}(Object(App\\Line))
#2 /var/www/shop/vendor/laravel/framework/src/Illuminate/Collections/Arr.php(605): array_map(Object(Closure), Array)
#3 C:\\apps (x86)\\shop\\Order.php(12): App\\Order::{closure:App\\Order::run():10}()
#4 {main}`,
    reads: [
      "+ App\\Checkout\\Total->of /var/www/shop/app/Checkout/Total.php:88",
      "- App\\Checkout\\{closure} ?",
      "- array_map /var/www/shop/vendor/laravel/framework/src/Illuminate/Collections/Arr.php:605",
      "+ App\\Order::{closure:App\\Order::run():10} C:\\apps (x86)\\shop\\Order.php:12",
      "- {main} ?",
    ],
  },
  V8: {
    trace: `TypeError: Cannot read properties of undefined (reading 'total')
    at Cart.total (/srv/shop/src/cart.js:41:17)
    at async Promise.all (index 0)
    at Array.map (<anonymous>)
    at new Order (webpack-internal:///(rsc)/./src/order.ts:10:5)
    at /srv/shop/node_modules/express/lib/router/layer.js:95:5
    at async file:///srv/shop/server.mjs:7:3
    at Object.handle [as next] (C:\\shop\\route.js:3:1)
    at node:internal/process/task_queues:105:5`,
    reads: [
      "= TypeError: Cannot read properties of undefined (reading 'total')",
      "+ Cart.total /srv/shop/src/cart.js:41:17",
      "- Promise.all ?",
      "- Array.map ?",
      "+ new Order webpack-internal:///(rsc)/./src/order.ts:10:5",
      "- ? /srv/shop/node_modules/express/lib/router/layer.js:95:5",
      "+ ? file:///srv/shop/server.mjs:7:3",
      "+ Object.handle [as next] C:\\shop\\route.js:3:1",
      "- ? node:internal/process/task_queues:105:5",
    ],
  },
  Firefox: {
    trace: `total@https://shop.example/static/cart.js:41:17
@https://shop.example/static/main.js:3:1
setTimeout handler*start@https://shop.example/static/main.js:9:3`,
    reads: [
      "+ total https://shop.example/static/cart.js:41:17",
      "+ ? https://shop.example/static/main.js:3:1",
      "+ setTimeout handler*start https://shop.example/static/main.js:9:3",
    ],
  },
  Safari: {
    trace: `total@https://shop.example/static/cart.js:41:17
map@[native code]
global code@https://shop.example/static/main.js:3:1`,
    reads: [
      "+ total https://shop.example/static/cart.js:41:17",
      "- map ?",
      "+ global code https://shop.example/static/main.js:3:1",
    ],
  },
  Python: {
    order: "oldest-first",
    trace: `Traceback (most recent call last):
  File "/usr/lib/python3.13/site-packages/django/core/handlers/exception.py", line 55, in inner
    response = get_response(request)
  File "/srv/shop/cart/views.py", line 31, in checkout
    total = cart.total(currency)
            ~~~~~~~~~~^^^^^^^^^^
  File "<frozen importlib._bootstrap>", line 488, in _call_with_frames_removed
KeyError: 'EUR'`,
    reads: [
      "= Traceback (most recent call last):",
      "- inner /usr/lib/python3.13/site-packages/django/core/handlers/exception.py:55",
      "+ checkout /srv/shop/cart/views.py:31",
      "- _call_with_frames_removed <frozen importlib._bootstrap>:488",
      "= KeyError: 'EUR'",
    ],
  },
  "Java and Kotlin": {
    trace: `java.lang.IllegalStateException: no price
\tat com.example.shop.Cart.total(Cart.java:41)
\tat com.example.shop.CheckoutKt$main$1.invoke(Checkout.kt:12)
\tat org.springframework.web.servlet.FrameworkServlet.service(FrameworkServlet.java:885) ~[spring-web.jar:6.2]
\tat java.base/java.lang.Thread.run(Thread.java:1583)
\tat jdk.internal.misc.Unsafe.park(Native Method)
Caused by: java.sql.SQLException: timeout
\tat com.example.shop.Prices.load(Unknown Source)
\t... 23 more`,
    reads: [
      "= java.lang.IllegalStateException: no price",
      "+ com.example.shop.Cart.total Cart.java:41",
      "+ com.example.shop.CheckoutKt$main$1.invoke Checkout.kt:12",
      "- org.springframework.web.servlet.FrameworkServlet.service FrameworkServlet.java:885",
      "- java.lang.Thread.run Thread.java:1583",
      "- jdk.internal.misc.Unsafe.park ?",
      "= Caused by: java.sql.SQLException: timeout",
      "+ com.example.shop.Prices.load ?",
      "= \t... 23 more",
    ],
  },
  Ruby: {
    trace: `/srv/shop/app/models/cart.rb:41:in 'Cart#total': undefined method '+' for nil (NoMethodError)
\tfrom /srv/shop/app/controllers/checkout_controller.rb:12:in \`block in create'
\tfrom /usr/lib/ruby/gems/3.4.0/gems/rack-3.1.8/lib/rack/head.rb:15:in 'Rack::Head#call'
<internal:kernel>:187:in 'loop'
from bin/shop.rb:3`,
    reads: [
      "+ Cart#total /srv/shop/app/models/cart.rb:41",
      "+ block in create /srv/shop/app/controllers/checkout_controller.rb:12",
      "- Rack::Head#call /usr/lib/ruby/gems/3.4.0/gems/rack-3.1.8/lib/rack/head.rb:15",
      "- loop <internal:kernel>:187",
      "+ ? bin/shop.rb:3",
    ],
  },
  Go: {
    trace: `panic: runtime error: index out of range [3] with length 2

goroutine 1 [running]:
main.(*Cart).Total(0xc000012345, {0x4b0f2e, 0x3})
\t/srv/shop/cart.go:41 +0x1d
net/http.(*ServeMux).ServeHTTP(0x0?, {0x6a1})
\t/usr/local/go/src/net/http/server.go:2688 +0x1ad
github.com/go-chi/chi/v5.(*Mux).routeHTTP(0xc0)
\t/home/build/go/pkg/mod/github.com/go-chi/chi/v5@v5.1.0/mux.go:459 +0x2d
created by main.serve in goroutine 7
\t/srv/shop/main.go:12 +0x35`,
    reads: [
      "= panic: runtime error: index out of range [3] with length 2\ngoroutine 1 [running]:",
      "+ main.(*Cart).Total /srv/shop/cart.go:41",
      "- net/http.(*ServeMux).ServeHTTP /usr/local/go/src/net/http/server.go:2688",
      "- github.com/go-chi/chi/v5.(*Mux).routeHTTP /home/build/go/pkg/mod/github.com/go-chi/chi/v5@v5.1.0/mux.go:459",
      "+ main.serve /srv/shop/main.go:12",
    ],
  },
  ".NET": {
    trace: `System.InvalidOperationException: No price
   at Shop.Cart.Total(String currency) in /srv/shop/Cart.cs:line 41
   at Shop.Checkout.<RunAsync>d__5.MoveNext()
--- End of stack trace from previous location ---
   at Microsoft.AspNetCore.Routing.EndpointMiddleware.Invoke(HttpContext httpContext)
   at System.Collections.Generic.Dictionary\`2.get_Item(TKey key)
  at Shop.Order.Total () [0x00012] in /srv/shop/Order.cs:7`,
    reads: [
      "= System.InvalidOperationException: No price",
      "+ Shop.Cart.Total /srv/shop/Cart.cs:41",
      "+ Shop.Checkout.<RunAsync>d__5.MoveNext ?",
      "= --- End of stack trace from previous location ---",
      "- Microsoft.AspNetCore.Routing.EndpointMiddleware.Invoke ?",
      "- System.Collections.Generic.Dictionary`2.get_Item ?",
      "+ Shop.Order.Total /srv/shop/Order.cs:7",
    ],
  },
  "Sentry SDKs": {
    trace: `    at place_order (shop/cart.py:7)
    at full_dispatch_request (/srv/venv/lib/python3.13/site-packages/flask/app.py:917)
    at charge (main:12)
    at placeOrder (C:\\Program Files (x86)\\shop\\order.php:3)
    at place (Orders.java:12)
    at run (node:internal/main:28:49)
    at ? (/app/express.cjs:12:8)
    at <lambda> (shop.py)
    at ?
    … 3 more frames`,
    reads: [
      "+ place_order shop/cart.py:7",
      "- full_dispatch_request /srv/venv/lib/python3.13/site-packages/flask/app.py:917",
      "+ charge main:12",
      "+ placeOrder C:\\Program Files (x86)\\shop\\order.php:3",
      "+ place Orders.java:12",
      "- run node:internal/main:28:49",
      "+ ? /app/express.cjs:12:8",
      "+ <lambda> shop.py",
      "- ? ?",
      "=     … 3 more frames",
    ],
  },
  Rust: {
    trace: `thread 'main' panicked at src/cart.rs:41:17:
stack backtrace:
   0: rust_begin_unwind::h0123456789abcdef
             at /rustc/90b35a6239c3d8bdabc530a6a0816f7ff89a0aaf/library/std/src/panicking.rs:665:5
   1: shop::cart::total
             at ./src/cart.rs:41:17
   2: <shop::Order as core::fmt::Display>::fmt
             at ./src/order.rs:3:5
   3: main
   4: __libc_start_main`,
    reads: [
      "= thread 'main' panicked at src/cart.rs:41:17:\nstack backtrace:",
      "- rust_begin_unwind /rustc/90b35a6239c3d8bdabc530a6a0816f7ff89a0aaf/library/std/src/panicking.rs:665:5",
      "+ shop::cart::total ./src/cart.rs:41:17",
      "+ <shop::Order as core::fmt::Display>::fmt ./src/order.rs:3:5",
      "- main ?",
      "- __libc_start_main ?",
    ],
  },
};

for (const [runtime, { trace, reads, order = "newest-first" }] of Object.entries(TABLE))
  test(`a trace of ${runtime} is parsed into frames`, () => {
    const parsed = parseTrace(trace);
    assert.deepEqual(parsed.entries.map(line), reads);
    assert.equal(parsed.order, order);
    assert.equal(parsed.frames, reads.filter((one) => !one.startsWith("=")).length);
    assert.equal(parsed.appFrames, reads.filter((one) => one.startsWith("+")).length);
    // With Windows line endings.
    assert.deepEqual(parseTrace(trace.replaceAll("\n", "\r\n")).entries.map(line), reads);
  });

test("a source line in a Python trace is attached to its frame", () => {
  const { entries } = parseTrace(TABLE["Python"]?.trace ?? "");
  const codes = entries.flatMap((entry) => (entry.kind === "frame" ? [entry.code] : []));
  assert.deepEqual(codes, ["response = get_response(request)", "total = cart.total(currency)", null]);
});

test("text without frames has only text entries, and an empty trace has no entries", () => {
  const prose = parseTrace("Order failed at 10:20:30\nask ada@example.com\n#1 reason to fail");
  assert.equal(prose.frames, 0);
  assert.equal(prose.entries.length, 1);
  assert.deepEqual(parseTrace("").entries, []);
});

test("a trace of the maximum size has one frame per line", () => {
  const frame = "#0 /srv/a.php(1): f()\n";
  const count = Math.floor(131_072 / frame.length);
  assert.equal(parseTrace(frame.repeat(count)).frames, count);
});

test("a single line of the maximum size that would be expensive to match is text", () => {
  for (const piece of [
    "at ",
    ":1:in '",
    "(1): ",
    "@http",
    'File "',
    "#0 a(1",
    "::",
    ".go:1",
    "at a(",
    "a:1:1",
  ]) {
    const { entries, frames } = parseTrace(piece.repeat(131_072 / piece.length));
    assert.deepEqual([entries.length, frames], [1, 0], piece);
  }
});
