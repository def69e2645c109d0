import assert from "node:assert/strict";
import { test } from "node:test";
import { fingerprint } from "../fingerprint.ts";
import { bothEnds, comparableTrace, originOf, qualifiedClass, traceWithoutMessage } from "./stack-trace.ts";

const PYTHON = `Traceback (most recent call last):
  File "/app/shop.py", line 9, in place_order
    pay(order)
  File "/app/shop.py", line 4, in pay
    raise PaymentError("the card was declined")
shop.PaymentError: the card was declined
`;

/** A trace, what it is about, and the trace without the line that repeats it. */
const TRACES: [name: string, trace: string, about: { type: string; message: string }, expected: string][] = [
  [
    "Node",
    "PaymentError: the card\nwas declined\n    at pay (/app/shop.js:4:9)",
    { type: "PaymentError", message: "the card\nwas declined" },
    "    at pay (/app/shop.js:4:9)",
  ],
  [
    "Node, with a code",
    "TypeError [ERR_INVALID_URL]: Invalid URL\n    at new URL (node:internal/url:806:29)",
    { type: "ERR_INVALID_URL", message: "Invalid URL" },
    "    at new URL (node:internal/url:806:29)",
  ],
  [
    "Java",
    "shop.PaymentException: the card was declined\r\n\tat shop.Orders.place(Orders.java:9)\r\n",
    { type: "shop.PaymentException", message: "the card was declined" },
    "\tat shop.Orders.place(Orders.java:9)",
  ],
  [
    "Java, without a message",
    "java.lang.NullPointerException\n\tat shop.Orders.place(Orders.java:9)",
    { type: "java.lang.NullPointerException", message: "" },
    "\tat shop.Orders.place(Orders.java:9)",
  ],
  [
    "Python, where the line is the last one",
    PYTHON,
    { type: "shop.PaymentError", message: "the card was declined" },
    PYTHON.split("\n").slice(0, 5).join("\n"),
  ],
  [
    "Python, without a message",
    'Traceback (most recent call last):\n  File "/app/shop.py", line 4, in pay\n    raise KeyError\nKeyError\n',
    { type: "KeyError", message: "" },
    'Traceback (most recent call last):\n  File "/app/shop.py", line 4, in pay\n    raise KeyError',
  ],
  [
    "a trace that does not repeat it",
    "    at pay (/app/shop.js:4:9)",
    { type: "Error", message: "at" },
    "    at pay (/app/shop.js:4:9)",
  ],
];

for (const [name, trace, about, expected] of TRACES)
  test(`the line that repeats class and message is left out: ${name}`, () => {
    assert.equal(traceWithoutMessage(trace, about), expected);
  });

test("a class in Python gets its module from the trace", () => {
  assert.equal(qualifiedClass("PaymentError", PYTHON), "shop.PaymentError");
  for (const type of ["shop.PaymentError", "Error", "ymentError"])
    assert.equal(qualifiedClass(type, PYTHON), type);
  assert.equal(qualifiedClass("A", "x.A: failed\n    at f (/app/a.js:1:1)"), "A");
});

const groupOf = (trace: string) => fingerprint("Error", comparableTrace(trace)).toString("hex");

test("in Go, numbers of goroutines, arguments and offsets do not affect the group", () => {
  const trace = (goroutine: number, hex: string) => `goroutine ${goroutine} [running]:
main.placeOrder({0xc000${hex}, 0x5}, 0x1)
\t/app/main.go:12 +0x${hex}
created by main.main in goroutine ${goroutine}
\t/app/main.go:30 +0x${hex}
`;
  assert.equal(groupOf(trace(1, "1d")), groupOf(trace(274, "2f8a")));
  assert.notEqual(groupOf(trace(1, "1d")), groupOf(trace(1, "1d").replace(":12", ":13")));
});

test("the messages of causes do not affect the group", () => {
  const java = (order: number) => `\tat shop.Orders.place(Orders.java:9)
Caused by: java.sql.SQLException: duplicate key ${order}
\tat shop.Database.insert(Database.java:40)
\t... 5 more`;
  assert.equal(groupOf(java(1)), groupOf(java(2)));
  const python = (order: number) => `Traceback (most recent call last):
  File "/app/db.py", line 4, in insert
    execute(sql)
sqlite3.IntegrityError: duplicate key ${order}

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "/app/shop.py", line 9, in place_order
    raise OrderError from error`;
  assert.equal(groupOf(python(1)), groupOf(python(2)));
});

test("an exception in Python has one origin, however many spans it has left", () => {
  const outer = PYTHON.replace(
    "last):\n",
    'last):\n  File "/app/otel/trace.py", line 589, in use_span\n    yield span\n',
  );
  assert.equal(originOf(PYTHON), originOf(outer));
  assert.notEqual(originOf(PYTHON), originOf(PYTHON.replace("line 4", "line 5")));
});

test("a trace that is too long keeps whole lines at both ends", () => {
  const lines = Array.from({ length: 1_000 }, (_, n) => `    at f${n} (/app/a.js:${n}:1)`);
  const cut = bothEnds(lines.join("\n"), 5_000);
  assert.ok(cut.length <= 5_000);
  assert.ok(cut.length > 4_800);
  const kept = cut.split("\n");
  assert.equal(kept[0], lines[0]);
  assert.equal(kept.at(-1), lines.at(-1));
  assert.deepEqual(
    kept.filter((line) => !lines.includes(line)),
    ["…"],
  );
  assert.equal(bothEnds("x".repeat(6_000), 5_000).length <= 5_000, true);
});

test("reading a trace takes linear time", () => {
  for (const part of [
    "A".repeat(50),
    "\n",
    ": ",
    "Caused by: a",
    "(",
    "goroutine 1 [",
    '  File "',
    "a: b\n\n",
  ]) {
    const trace = part.repeat(1_000_000 / part.length);
    const start = performance.now();
    comparableTrace(traceWithoutMessage(trace, { type: "A", message: part }));
    comparableTrace(`goroutine 1 [running]:\n${trace}`);
    originOf(trace);
    assert.ok(performance.now() - start < 10_000, part);
  }
});
