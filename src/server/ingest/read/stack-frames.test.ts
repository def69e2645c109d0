import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { hasStackFrame } from "./stack-frames.ts";

// Any UTF-16 code unit, including lone surrogates.
const anyText = fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)) });

const FRAMES: Record<string, string[]> = {
  PHP: [
    "#0 /var/www/app/src/Order.php(12): App\\Order->total('/home/..')",
    "#1 [internal function]: App\\{closure}(Object(App\\Order))",
    "#2 {main}",
    "#0 app/my files/x.php(3) : eval()'d code(1): f()",
    "#3 C:\\app\\x.php(12): f()",
  ],
  JavaScript: [
    "    at total (/home/u/app/order.js:10:5)",
    "    at file:///app/order.mjs:10:5",
    "    at async Promise.all (index 0)",
    "    at Array.map (<anonymous>)",
    "    at new Order (webpack-internal:///(rsc)/./src/order.ts:10:5)",
    "    at eval (eval at run (/app/a.js:1:2), <anonymous>:1:1)",
    "    at C:\\app\\order.js:10:5",
    "    at node:internal/main/run_main_module:28:49",
    "    at f (wasm://wasm/00ab:wasm-function[3]:0x1a2b)",
    "total@https://example.com/static/order.js:10:5",
    "@https://example.com/static/order.js:10:5",
    "global code@https://example.com/static/order.js:10:5",
    "map@[native code]",
    "total@order.js:10:5",
  ],
  Python: [
    '  File "/app/order.py", line 12, in total',
    'File "<stdin>", line 1, in <module>',
    '  |   File "my files/order.py", line 12, in total',
  ],
  "Java and Kotlin": [
    "\tat com.example.Order.total(Order.java:12)",
    "\tat com.example.OrderKt.main(Order.kt)",
    "\tat java.base/java.lang.Thread.run(Thread.java:829)",
    "\tat sun.misc.Unsafe.park(Native Method)",
    "\tat com.example.Order$$Lambda/0x00007f.run(Unknown Source)",
    "\tat com.example.OrderTest.adds two numbers(OrderTest.kt:5)",
    "\tat com.example.Order.total(Order.java:12) ~[order.jar:1.0]",
  ],
  Ruby: [
    "/app/order.rb:3:in 'Order#total'",
    "\tfrom /app/order.rb:3:in `block in total'",
    "<internal:kernel>:187:in 'loop'",
    "app/views/order.html.erb:7:in `_order'",
    "from app/order.rb:3",
  ],
  Go: [
    "\t/home/u/order/main.go:12 +0x1d",
    "\t/usr/local/go/src/runtime/asm_amd64.s:1700 +0x1",
    "\t/home/u/my order/main.go:12 +0x1d",
    "\torder/main.go:12",
  ],
  ".NET": [
    "   at Shop.Order.Total(String currency) in /home/u/Order.cs:line 12",
    "   at Shop.Order.<TotalAsync>d__5.MoveNext()",
    "   at System.Collections.Generic.Dictionary`2.get_Item(TKey key)",
    "  at Shop.Order.Total () [0x00012] in <1a2b>:0",
  ],
  Rust: [
    "             at /home/u/src/main.rs:3:5",
    "             at ./src/main.rs:3:5",
    "   4: order::total",
    "   5: 0x55d0f8a1 - order::total::h0123456789abcdef",
    "   6: <order::Order as core::fmt::Display>::fmt",
  ],
};

for (const [runtime, frames] of Object.entries(FRAMES)) {
  test(`a frame of ${runtime} is recognized, alone and after a message`, () => {
    for (const frame of frames) {
      assert.equal(hasStackFrame(frame), true, frame);
      assert.equal(hasStackFrame(`Something failed\n\n${frame}\nand so on`), true, frame);
    }
  });
}

test("prose, messages and data are not stack frames", () => {
  const lines = [
    "",
    "   ",
    "Something failed",
    "Order failed at 10:20:30",
    "at 10:20:30",
    "at 2026-01-01 10:20:30",
    "at noon (local time)",
    "#1 reason to fail (404)",
    "#0",
    "1: first, check the disk",
    "a@example.com wrote: failed",
    "open /home/u/order.txt: no such file",
    "panic: runtime error: index out of range",
    "goroutine 1 [running]:",
    "Traceback (most recent call last):",
    'File "order.txt" is missing',
    "thread 'main' panicked at src/main.rs:3:5:",
    "Caused by: java.lang.IllegalStateException: at rest",
    "... 12 more",
    '{"error": "failed", "line": 12}',
  ];
  for (const line of lines) assert.equal(hasStackFrame(line), false, line);
  assert.equal(hasStackFrame(lines.join("\n")), false);
});

test("a frame does not span two lines", () => {
  for (const frame of ["#0\n{main}", "at a\n.b(C.java:1)", 'File "a\n.py", line 3', "a:3\n:in 'f'"]) {
    assert.equal(hasStackFrame(frame), false, frame);
  }
});

test("no text makes the check throw", () => {
  fc.assert(fc.property(anyText, (text) => typeof hasStackFrame(text) === "boolean"));
});
