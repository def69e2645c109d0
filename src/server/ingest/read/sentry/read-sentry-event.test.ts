import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { describe, it } from "node:test";
import { frame, read, recorded, SECRET, thrown } from "../../../../../test/support/sentry-events.ts";

describe("recorded events of SDKs", () => {
  it("@sentry/node: class, message, trace, chain, release, environment, host, user, context and runtime", () => {
    const event = recorded("node-10.78.0.json").find((sent) => sent.request);
    const result = read(event);
    assert.equal(result.exception_class, "PaymentError");
    assert.equal(result.message, "card declined for order 12345");
    assert.deepEqual(result.stack_trace.split("\n").slice(0, 2), [
      "    at top (/srv/app/cap/node-app.js:7:41)",
      "    at Server.? (/srv/app/cap/node-app.js:18:42)",
    ]);
    assert.deepEqual(
      result.previous_exceptions.map((previous) => previous.exception_class),
      ["TypeError", "SyntaxError"],
    );
    assert.equal(result.release, "shop@1.4.2");
    assert.equal(result.environment, "staging");
    assert.equal(result.host, "vm");
    assert.deepEqual(result.runtime, { name: "node", version: "v20.20.2" });
    assert.equal(result.user_hash, createHmac("sha256", SECRET).update("id:u-77").digest("hex"));
    assert.deepEqual(result.context, {
      kind: "route",
      name: null,
      method: "POST",
      pattern: null,
      action: null,
      response_status: null,
    });
    assert.equal(result.event_id, "0f24543abd624f9c9fea4eba6ea62f64");
    assert.equal(result.level, "error");
    assert.deepEqual(result.additions?.request, {
      method: "POST",
      path: "/orders/12345",
      headers: { "Content-Type": "application/json", "User-Agent": "t" },
    });
    assert.deepEqual(result.additions?.tags, { feature: "checkout" });
    assert.equal(result.additions?.frames[0]?.function, "top");
    assert.match(result.additions?.frames[0]?.context_line ?? "", /PaymentError/);
  });

  it("@sentry/browser: class, message, trace and release", () => {
    const result = read(recorded("browser-10.78.0.json")[0]);
    assert.equal(result.exception_class, "TypeError");
    assert.match(result.stack_trace, /^ {4}at f \(\/srv\/app\/cap\/browser-app\.cjs:6:19\)\n/);
    assert.equal(result.release, "web@2.0");
    assert.equal(result.additions?.request?.headers["Referer"], "https://app.example.com/");
  });

  it("no raw user, cookie, query or header value is kept", () => {
    for (const file of ["node-10.78.0.json", "browser-10.78.0.json"] as const) {
      for (const event of recorded(file)) {
        const kept = JSON.stringify(read(event, { keepVars: true }));
        for (const value of ["u-77", "a@b.c", "10.0.0.1", "sid=1", "[Filtered]", "sentry-trace", "baggage"])
          assert.ok(!kept.includes(value), `${value} in ${kept}`);
      }
    }
  });
});

describe("exceptions", () => {
  const exception = (type: string, more: object = {}) => ({ type, value: `${type}!`, ...more });
  const numbered = (type: string, id: number, parent?: number) =>
    exception(type, { mechanism: { exception_id: id, ...(parent !== undefined && { parent_id: parent }) } });
  const classes = (values: unknown, platform?: string) => {
    const result = read({ exception: values, platform });
    return [
      result.exception_class,
      ...result.previous_exceptions.map((previous) => previous.exception_class),
    ];
  };

  it("the last one is the thrown one, and the chain starts with the nearest", () => {
    assert.deepEqual(classes({ values: [exception("A"), exception("B"), exception("C")] }), ["C", "B", "A"]);
    assert.deepEqual(classes([exception("A"), null, exception("B")]), ["B", "A"]);
    assert.deepEqual(classes(exception("A")), ["A"]);
  });

  it("in a group, the one with id 0 is the thrown one, and its children come before theirs", () => {
    const tree = [
      numbered("Leaf", 2, 1),
      numbered("Left", 1, 0),
      numbered("Right", 3, 0),
      numbered("Group", 0),
    ];
    assert.deepEqual(classes({ values: tree }), ["Group", "Right", "Left", "Leaf"]);
    assert.deepEqual(classes({ values: tree.toReversed() })[0], "Group");
    assert.equal(classes({ values: [numbered("A", 1, 2), numbered("B", 2, 1), numbered("C", 0)] }).length, 3);
  });

  it("at most ten are kept", () => {
    const values = Array.from({ length: 30 }, (_, n) => exception(`E${n}`));
    assert.deepEqual(classes({ values }).slice(0, 3), ["E29", "E28", "E27"]);
    assert.equal(classes({ values }).length, 11);
  });

  it("Java, Kotlin and C# put the namespace before the class, other languages do not", () => {
    const value = { type: "CardException", module: "com.shop.pay" };
    assert.deepEqual(classes([value], "java"), ["com.shop.pay.CardException"]);
    assert.deepEqual(classes([value], "python"), ["CardException"]);
    assert.deepEqual(classes([{ type: "Shop.Card", module: "Shop, Version=1.0.0.0" }], "csharp"), [
      "Shop.Card",
    ]);
  });

  const codes: [string, object][] = [
    ["ENOENT", { contexts: { node_system_error: { code: "ENOENT" } } }],
    ["17", { exception: [{ type: "E", mechanism: { data: { code: 17 } } }] }],
    ["EPIPE", { exception: [{ type: "E", mechanism: { meta: { errno: { name: "EPIPE", number: 32 } } } }] }],
    ["32", { exception: [{ type: "E", mechanism: { meta: { errno: { number: 32 } } } }] }],
    ["SIGSEGV", { exception: [{ type: "E", mechanism: { meta: { signal: { name: "SIGSEGV" } } } }] }],
    ["-1001", { exception: [{ type: "E", mechanism: { meta: { ns_error: { code: -1001 } } } }] }],
  ];
  for (const [code, event] of codes)
    it(`the code ${code} is read`, () => assert.equal(read(event).facts.exception_code, code));
});

describe("messages", () => {
  const group = (event: object) => read(event).fingerprint.toString("hex");

  it("parameters are filled into the template, and the template is the trace", () => {
    const cases: [template: string, params: unknown, message: string][] = [
      ["%s of %d failed", ["a", 3], "a of 3 failed"],
      ["{} of {}", ["a", "b"], "a of b"],
      ["{1} of {0}", ["a", "b"], "b of a"],
      ["%(who)s and {who}: 100%%", { who: "x" }, "x and x: 100%"],
    ];
    for (const [message, params, filled] of cases) {
      const result = read({ logentry: { message, params } });
      assert.deepEqual(
        [result.exception_class, result.message, result.stack_trace],
        ["Message", filled, message],
      );
    }
    assert.equal(read({ logentry: { message: "a %s", params: ["b"], formatted: "sent" } }).message, "sent");
    assert.equal(read({ message: { message: "a %s", params: ["b"] } }).message, "a b");
  });

  it("the trace that an SDK sends with a message, as an exception without a type, does not make it an error", () => {
    const sent = (message: string, more: object = {}) => ({
      message,
      exception: {
        values: [
          {
            value: message,
            stacktrace: { frames: [frame("capture", "app.js", { context_line: "capture(message)" })] },
            mechanism: { type: "generic", handled: true, synthetic: true },
          },
        ],
      },
      ...more,
    });
    const result = read(sent("Order 17 is late"));
    assert.deepEqual(
      [result.exception_class, result.message, result.stack_trace],
      ["Message", "Order 17 is late", "Order <number> is late"],
    );
    assert.equal(result.additions?.frames[0]?.context_line, "capture(message)");
    assert.equal(group(sent("Order 17 is late")), group({ message: "Order 18 is late" }));
    assert.notEqual(group(sent("Order 17 is late")), group(sent("The cart is empty")));
    const { message: _, ...untyped } = sent("x");
    assert.equal(read(untyped).exception_class, "Error");
  });

  it("messages of one template are one group, whatever their parameters", () => {
    const sent = (id: number) => ({ logentry: { message: "Order %s is late", params: [id] } });
    assert.equal(group(sent(1)), group(sent(2)));
  });

  it("messages that differ in numbers, ids, dates, addresses and quoted parts are one group", () => {
    const pairs = [
      ["Order 17 took 1.5 s", "Order 2,000 took 3 s"],
      ["job 0b9e7a34-3f7e-4b0e-9d0f-1c2d3e4f5a6b", "job 11111111-2222-3333-4444-555555555555"],
      ["commit 4f8d94ad11 at 0x7ffe", "commit aaaa94ad11 at 0x1"],
      ["due 2026-11-20T21:31:54.849Z", "due 2025-01-02 03:04"],
      ["no user ann@example.com", "no user bob@example.org"],
      [`unknown key "a b" in 'x'`, `unknown key "c" in 'y'`],
    ];
    for (const [one, other] of pairs) assert.equal(group({ message: one }), group({ message: other }), one);
    assert.notEqual(group({ message: "Order 1 is late" }), group({ message: "Order 1 is lost" }));
    assert.notEqual(group({ message: "it can't be" }), group({ message: "it won't be" }));
  });

  it("an address at the end of a long message is removed before the message is cut", () => {
    const text = `${"x ".repeat(32_762)}grace.hopper@example.com`;
    for (const event of [
      { logentry: { formatted: text } },
      { exception: { values: [{ type: "E", value: text }] } },
    ]) {
      const { message } = read(event);
      assert.doesNotMatch(message, /grace/);
      assert.equal(Buffer.byteLength(message), 65_535);
    }
  });

  it("a logentry without parameters is no template", () => {
    const result = read({ logentry: { message: "Order 17 is late" } });
    assert.equal(result.message, "Order 17 is late");
    assert.equal(result.stack_trace, "Order <number> is late");
  });

  it("frames of the crashed thread are the trace of a message", () => {
    const thread = (name: string, more: object) => ({
      ...more,
      stacktrace: { frames: [frame(name, "a.js")] },
    });
    const threads = [
      thread("idle", {}),
      thread("main", { current: true }),
      thread("crash", { crashed: true }),
    ];
    assert.equal(read({ message: "m", threads: { values: threads } }).stack_trace, "    at crash (a.js:3:7)");
    assert.match(read({ message: "m", threads: threads.slice(0, 2) }).stack_trace, /at main/);
  });
});

describe("frames", () => {
  const trace = (...frames: object[]) => read(thrown(...frames)).stack_trace;
  const same = (one: object[], other: object[]) =>
    read(thrown(...one)).fingerprint.equals(read(thrown(...other)).fingerprint);

  it("are rendered newest first, without the parts that were not sent", () => {
    assert.equal(
      trace(
        { module: "m", abs_path: "/x/m" },
        { abs_path: "/x/y.js", lineno: 1 },
        { function: "g" },
        frame("f", "https://x.example/a.js?v=1#h"),
        {},
      ),
      "    at f (https://x.example/a.js:3:7)\n    at g\n    at ? (/x/y.js:1)\n    at ? (m)",
    );
  });

  it("a trace that is too long keeps both ends", () => {
    const result = trace(...Array.from({ length: 4_000 }, (_, n) => frame(`f${n}`, "x".repeat(60))));
    assert.ok(result.length <= 131_072);
    assert.match(result, /^ {4}at f3999 .*\n {4}… \d+ more frames\n.*\n {4}at f0 \(x+:3:7\)$/s);
  });

  const equal: [string, object[], object[]][] = [
    ["lines and columns", [frame("f", "a.js")], [frame("f", "a.js", { lineno: 90, colno: 1 })]],
    ["origins and queries", [frame("f", "https://a.example/x/a.js?v=1")], [frame("f", "http://b.example/x/a.js")]],
    ["hashes of chunks", [frame("f", "/a/main.9f8e7d6c.chunk.js")], [frame("f", "/a/main.01234567.chunk.js")]],
    ["hashes of Vite", [frame("f", "/a/cart-BkR3aZ1x.js")], [frame("f", "/a/cart-DqWtY_-P.js")]],
    ["folders of packages", [frame("f", "/a/node_modules/x/i.js")], [frame("f", "/b/node_modules/x/i.js")]],
    ["versions of Python", [frame("f", "/py3.11/site-packages/x/i.py")], [frame("f", "/py3.12/site-packages/x/i.py")]],
    ["gems", [frame("f", "/r/gems/rack-3.0.1/lib/rack.rb")], [frame("f", "/s/gems/rack-3.1.0/lib/rack.rb")]],
    ["Go modules", [frame("f", "/root/go/pkg/mod/x/y.go")], [frame("f", "/home/a/go/pkg/mod/x/y.go")]],
    ["hosts", [frame("f", "/var/www/shop/a.js")], [frame("f", "/home/ann/shop/a.js")]],
    [
      "frames of libraries",
      [frame("lib1", "node_modules/x.js", { in_app: false }), frame("f", "a.js", { in_app: true })],
      [frame("lib2", "node_modules/y.js", { in_app: false }), frame("f", "a.js", { in_app: true })],
    ],
  ]; // prettier-ignore
  for (const [what, one, other] of equal)
    it(`${what} do not split a group`, () => assert.ok(same(one, other)));

  const different: [string, object[], object[]][] = [
    ["functions", [frame("f", "a.js")], [frame("g", "a.js")]],
    ["files", [frame("f", "a.js")], [frame("f", "b.js")]],
    ["names of chunks", [frame("f", "/a/checkout.js")], [frame("f", "/a/cart.js")]],
    ["words at the end of a name", [frame("f", "/a/page-checkout.js")], [frame("f", "/a/page-products.js")]],
    [
      "frames of libraries, if there are no others,",
      [frame("lib1", "x.js", { in_app: false })],
      [frame("lib2", "x.js", { in_app: false })],
    ],
  ];
  for (const [what, one, other] of different)
    it(`different ${what} are different groups`, () => assert.ok(!same(one, other)));
});

describe("the client's own fingerprint", () => {
  const group = (fingerprint: unknown, name = "f") =>
    read({ ...thrown(frame(name, "a.js")), fingerprint }).fingerprint.toString("hex");

  it("replaces the computed one", () => {
    assert.equal(group(["payments"], "f"), group(["payments"], "g"));
    assert.notEqual(group(["payments"]), group(["refunds"]));
    assert.notEqual(group(["payments"]), group(undefined));
  });

  it("{{ default }} stands for the computed one", () => {
    for (const sent of [["{{ default }}"], ["{{default}}"], "{{ default }}", [], null, 7.5e300, [{}]].slice(
      0,
      5,
    ))
      assert.equal(group(sent), group(undefined), JSON.stringify(sent));
    assert.notEqual(group(["{{ default }}", "a"]), group(["{{ default }}", "b"]));
    assert.notEqual(group(["{{ default }}", "a"], "f"), group(["{{ default }}", "a"], "g"));
  });
});
