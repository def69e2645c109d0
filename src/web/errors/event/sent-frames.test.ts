import assert from "node:assert/strict";
import { test } from "node:test";
import type { KeptFrame } from "../../../shared/kept-events.ts";
import { parseTrace } from "../../../shared/stack-trace/parse-trace.ts";
import { framesOutside, withSentFrames } from "./sent-frames.ts";

/** `+` or `-` for each frame: whether it belongs to the app. */
function own(trace: string, sent: KeptFrame[]): string {
  const { entries, appFrames } = withSentFrames(parseTrace(trace), sent);
  const marks = entries.map((entry) => (entry.kind === "text" ? "=" : entry.in_app ? "+" : "-")).join("");
  assert.equal(appFrames, marks.replaceAll(/[^+]/g, "").length);
  return marks;
}

const TRACE = ["    at pay (shop/cart.py:7)", "    at inner (flask/app.py:12)", "    at ?"].join("\n");

test("frames belong to the app if the client says so, else by their path", () => {
  assert.equal(own(TRACE, []), "++-");
  const inner = { function: "inner", filename: "flask/app.py", line: 12, in_app: false };
  const pay = { function: "pay", filename: "shop/cart.py", line: 7, in_app: false };
  assert.equal(own(TRACE, [inner]), "+--");
  assert.equal(own(TRACE, [pay, { ...inner, in_app: true }]), "-+-");
  assert.equal(own(TRACE, [{ filename: "shop/cart.py", line: 7 }]), "++-");
  assert.equal(own(TRACE, [{ function: "?", in_app: true }]), "+++");
});

test("a frame of a cause, whose own frames were not sent, counts as other frames of its file, unless two of them disagree", () => {
  const run = { function: "run", filename: "flask/app.py", line: 1, in_app: false };
  assert.equal(own(TRACE, [run]), "+--");
  assert.equal(own(TRACE, [run, { ...run, line: 2, in_app: true }]), "++-");
});

test("a frame keeps what was sent of it, also if only the module or the full path names its file", () => {
  const sent = [
    { function: "charge", module: "main", abs_path: "/src/shop/main.go", line: 3, in_app: true },
    { function: "send", abs_path: "/src/shop/mail.go", line: 4, in_app: true },
  ];
  const { entries } = withSentFrames(
    parseTrace(
      "    at charge (main:3)\n    at send (/src/shop/mail.go:4)\n    at send (/src/shop/mail.go:9)",
    ),
    sent,
  );
  assert.deepEqual(
    entries.map((entry) => entry.kind === "frame" && [entry.file, entry.sent?.abs_path]),
    [
      ["/src/shop/main.go", "/src/shop/main.go"],
      ["/src/shop/mail.go", "/src/shop/mail.go"],
      ["/src/shop/mail.go", undefined],
    ],
  );
});

test("a method on the JVM is shown with its class", () => {
  const sent = [{ function: "place", module: "shop.Orders", filename: "Orders.java", line: 12 }];
  const shown = (trace: string) =>
    withSentFrames(parseTrace(trace), sent).entries.map((entry) => entry.kind === "frame" && entry.function);
  assert.deepEqual(shown("    at place (Orders.java:12)"), ["shop.Orders.place"]);
  assert.deepEqual(shown("    at charge (Orders.java:16)"), ["shop.Orders.charge"]);
  assert.deepEqual(shown("    at pay (Payments.java:16)"), ["pay"]);
  assert.deepEqual(shown("\tat shop.Orders.place(Orders.java:12)"), ["shop.Orders.place"]);
});

test("each call of a recursive function gets its own frame, in the order of the trace", () => {
  const walk = (depth: number) => ({ function: "walk", filename: "shop/tree.py", line: 4, vars: { depth } });
  const sent = [walk(2), walk(1)];
  const depths = (trace: string) =>
    withSentFrames(parseTrace(trace), sent).entries.flatMap((entry) =>
      entry.kind === "frame" ? [entry.sent?.vars?.["depth"]] : [],
    );
  assert.deepEqual(depths("    at walk (shop/tree.py:4)\n    at walk (shop/tree.py:4)"), [2, 1]);
  const call = '  File "shop/tree.py", line 4, in walk';
  assert.deepEqual(depths(`Traceback (most recent call last):\n${call}\n${call}`), [1, 2]);
});

test("frames that are not in a trace are listed separately", () => {
  const pay = { function: "pay", filename: "shop/cart.py", line: 7 };
  const other = { ...pay, line: 8 };
  const sent = [pay, other];
  assert.deepEqual(framesOutside(withSentFrames(parseTrace(TRACE), sent), sent), [other]);
  assert.deepEqual(framesOutside(parseTrace(""), sent), [pay, other]);
});

test("a frame is found although trace and client name its function and its file differently", () => {
  const found = (line: string, frame: KeptFrame) =>
    withSentFrames(parseTrace(line), [frame]).entries.some(
      (entry) => entry.kind === "frame" && entry.sent === frame,
    );
  const place = { function: "async place", filename: "/app/order.ts", line: 24 };
  assert.ok(found("    at place (/app/order.ts:24:17)", place));
  assert.ok(found("    at /app/order.ts:24:17", { ...place, function: "async <anonymous>" }));
  assert.ok(
    found("#0 /srv/app/Cart.php(7): App\\Cart->total()", {
      function: "total",
      filename: "app/Cart.php",
      line: 7,
    }),
  );
  assert.ok(
    found('  File "/app/shop/cart.py", line 7, in pay', {
      function: "pay",
      filename: "shop/cart.py",
      line: 7,
    }),
  );
  assert.ok(!found("    at place (/app/order.ts:24:17)", { ...place, function: "replace" }));
  assert.ok(!found("    at place (/app/reorder.ts:24:17)", place));
  assert.ok(!found("    at place (/app/order.ts:24:17)", { ...place, column: 18 }));
  assert.ok(!found("    at https://example.com/app.js:1:99", { filename: "/app.js", line: 1, column: 7 }));
});
