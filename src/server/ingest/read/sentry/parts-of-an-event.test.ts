import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { describe, it } from "node:test";
import {
  codePoints,
  frame,
  read,
  SECRET,
  options,
  thrown,
} from "../../../../../test/support/sentry-events.ts";
import { readSentryEvent } from "./read-sentry-event.ts";

describe("where it happened", () => {
  const context = (event: object) => read({ message: "m", ...event }).context;
  const label = (event: object) => read({ message: "m", ...event }).context_label;

  const labels: [string | null, object][] = [
    ["GET /users/{id}", { transaction: "GET /users/{id}" }],
    ["POST /users/:id", { transaction: "/users/:id", request: { method: "post" } }],
    ["GET /blog/[slug]", { transaction: "GET /blog/[slug]", request: {} }],
    ["GET /users/<int:pk>", { transaction: "GET /users/<int:pk>" }],
    ["GET", { transaction: "GET /users/17" }],
    ["GET", { transaction: "GET /users/:id?email=a" }],
    ["GET", { transaction: "GET /users/ann@example.com/*" }],
    ["", { transaction: "checkout", request: {} }],
    [null, { transaction: "checkout" }],
  ];
  for (const [expected, event] of labels)
    it(`${JSON.stringify(event)} has the label ${expected}`, () => assert.equal(label(event), expected));

  it("a route has a method, an action and the status of the response", () => {
    const event = {
      transaction: "shop.views.checkout",
      request: { method: "GET" },
      contexts: { response: { status_code: 503 } },
    };
    assert.deepEqual(context(event), {
      kind: "route",
      name: null,
      method: "GET",
      pattern: null,
      action: "shop.views.checkout",
      response_status: 503,
    });
  });

  it("jobs are recognized by their operation and by the marks of their frameworks", () => {
    const op = { trace: { op: "queue.process", data: { "messaging.destination.name": "mail" } } };
    assert.deepEqual(context({ transaction: "send", contexts: op }), {
      kind: "job",
      name: "send",
      queue: "mail",
      attempt: null,
    });
    assert.equal(
      label({ extra: { "celery-job": { task_name: "app.tasks.pay", args: [] } } }),
      "app.tasks.pay",
    );
    assert.deepEqual(context({ contexts: { sidekiq: { class: "Pay", queue: "low", retry_count: 2 } } }), {
      kind: "job",
      name: "Pay",
      queue: "low",
      attempt: 3,
    });
    const bullmq = {
      exception: { values: [{ type: "E", mechanism: { type: "auto.queue.nestjs.bullmq" } }] },
    };
    assert.equal(context({ ...bullmq, transaction: "pay" })?.kind, "job");
  });

  it("commands are recognized by their operation", () => {
    assert.deepEqual(context({ transaction: "db:migrate", contexts: { trace: { op: "console.command" } } }), {
      kind: "command",
      name: "db:migrate",
      class: null,
    });
  });
});

describe("runtime, framework and user", () => {
  it("a browser is read from its context, else from User-Agent", () => {
    const chrome =
      "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Safari/537.36";
    const safari =
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1";
    const runtime = (event: object, agent?: string) => Object.values(read(event, {}, agent).runtime);
    assert.deepEqual(runtime({ platform: "javascript" }, chrome), ["Chrome", "139.0.0.0"]);
    assert.deepEqual(runtime({ platform: "javascript" }, `${chrome} Edg/139.0`), ["Edge", "139.0"]);
    assert.deepEqual(
      runtime({ platform: "javascript", request: { headers: { "User-Agent": safari } } }, chrome),
      ["Safari", "18.0"],
    );
    assert.deepEqual(runtime({ contexts: { browser: { name: "Firefox", version: "1" } } }, chrome), [
      "Firefox",
      "1",
    ]);
    assert.deepEqual(runtime({ platform: "python" }, chrome), [null, null]);
  });

  it("a runtime is named by its language, and its version does not repeat the name", () => {
    const runtime = (platform: string, name: string, version: string) =>
      Object.values(read({ platform, contexts: { runtime: { name, version } } }).runtime);
    assert.deepEqual(runtime("go", "go", "go1.26.1"), ["go", "1.26.1"]);
    assert.deepEqual(runtime("go", "go", "devel go1.27-3f0a1c"), ["go", "devel go1.27-3f0a1c"]);
    const ruby = "ruby 3.4.1 (2024-12-25 revision 48d4efcb85) +PRISM [x86_64-linux]";
    assert.deepEqual(runtime("ruby", "ruby", ruby), ["ruby", "3.4.1"]);
    assert.deepEqual(runtime("java", "Debian", "17.0.18"), ["Java", "17.0.18"]);
    assert.deepEqual(runtime("node", "node", "v24.1.0"), ["node", "v24.1.0"]);
    assert.deepEqual(runtime("python", "CPython", "3.13.5"), ["CPython", "3.13.5"]);
  });

  it("frames of Go's libraries are not part of the application, whatever the SDK says", () => {
    const frame = (sent: object) => ({ function: "f", in_app: true, ...sent });
    const isInApp = (sent: object) =>
      read({
        platform: "go",
        exception: { values: [{ type: "E", stacktrace: { frames: [frame(sent)] } }] },
      }).additions?.frames[0]?.in_app;
    assert.equal(isInApp({ module: "main", abs_path: "/srv/shop/main.go" }), true);
    assert.equal(isInApp({ module: "example.com/shop", filename: "example.com/shop/pay.go" }), true);
    for (const library of [
      {
        module: "github.com/gin-gonic/gin",
        abs_path: "/root/go/pkg/mod/github.com/gin-gonic/gin@v1.10.0/gin.go",
      },
      { module: "github.com/gin-gonic/gin", filename: "github.com/gin-gonic/gin@v1.10.0/gin.go" },
      { module: "github.com/getsentry/sentry-go/http", abs_path: "/srv/shop/vendor-copy/sentryhttp.go" },
    ])
      assert.equal(isInApp(library), false, JSON.stringify(library));
  });

  const frameworks: [string | null, string | null, object][] = [
    ["nextjs", "16.0.0", { sdk: { name: "sentry.javascript.nextjs" }, modules: { next: "16.0.0" } }],
    ["django", "5.2", { sdk: { name: "sentry.python.django" }, modules: { Django: "5.2" } }],
    ["flask", "3.1", { sdk: { name: "sentry.python.flask" }, modules: { flask: "3.1" } }],
    ["spring-boot", null, { sdk: { name: "sentry.java.spring-boot.jakarta" } }],
    ["express", null, { exception: [{ type: "E", mechanism: { type: "auto.middleware.express" } }] }],
    [
      "flask",
      null,
      { sdk: { name: "sentry.python.django" }, exception: [{ type: "E", mechanism: { type: "flask" } }] },
    ],
    [null, null, { sdk: { name: "sentry.javascript.node" } }],
    [null, null, { sdk: { name: "sentry.go" } }],
  ];
  for (const [framework, version, event] of frameworks)
    it(`${JSON.stringify(event)} comes from ${framework} ${version}`, () =>
      assert.deepEqual(read(event).framework, { name: framework, version }));

  it("a user is hashed by id, else by email, else by name, and never by IP address", () => {
    const hashed = (text: string) => createHmac("sha256", SECRET).update(text).digest("hex");
    const user = (sent: unknown) => read({ user: sent }).user_hash;
    assert.equal(user({ id: 17, email: "a@b.example" }), hashed("id:17"));
    assert.equal(user({ email: "a@b.example", username: "ann" }), hashed("email:a@b.example"));
    assert.equal(user({ username: "ann" }), hashed("username:ann"));
    assert.equal(user({ id: "203.0.113.7", ip_address: "203.0.113.7" }), null);
    assert.equal(user("ann"), null);
  });

  it("what the event says about its user is removed from its texts", () => {
    const result = read({
      message: "customer k_8817 left",
      user: { id: "k_8817" },
      extra: { note: "for k_8817" },
    });
    assert.equal(result.message, "customer [removed: user] left");
    assert.deepEqual(result.additions?.extra, { note: "for [removed: user]" });
    assert.deepEqual(result.additions?.removed, { user: 2 });
  });
});

describe("coercion", () => {
  it("names are cut to 255 characters, and blank ones get their default", () => {
    const result = read({
      environment: "  ",
      release: "r".repeat(300),
      server_name: "\u{1f600}".repeat(300),
      exception: [{ type: "", value: 17 }],
    });
    assert.equal(result.environment, "production");
    assert.equal(result.release?.length, 255);
    assert.equal(codePoints(result.host ?? ""), 255);
    assert.deepEqual([result.exception_class, result.message], ["Error", "17"]);
  });

  it("levels, event ids and messages of other forms are understood", () => {
    assert.equal(read({ level: "critical" }).level, "fatal");
    assert.equal(read({ level: 7 }).level, "error");
    assert.equal(
      read({ event_id: "0F24543A-BD62-4F9C-9FEA-4EBA6EA62F64" }).event_id,
      "0f24543abd624f9c9fea4eba6ea62f64",
    );
    assert.equal(read({ event_id: "x" }).event_id, null);
    assert.equal(Buffer.byteLength(read({ message: "é".repeat(65_535) }).message), 65_534);
    assert.equal(read({ message: "a\0b\ud800" }).message, "a\uFFFDb\uFFFD");
    assert.equal(read({ exception: [{ type: "E", value: { a: 1 } }] }).message, '{"a":1}');
  });

  it("debug events are skipped unless the project keeps them, and so are values that are not events", () => {
    assert.equal(readSentryEvent({ level: "debug" }, options), undefined);
    assert.equal(read({ level: "debug" }, { keepDebugEvents: true }).level, "debug");
    for (const value of [null, 1, "a", [], { type: "transaction" }])
      assert.equal(readSentryEvent(value, options), undefined);
  });
});

describe("additions", () => {
  it("variables of frames are kept only if the project keeps them", () => {
    const event = thrown(frame("f", "a.py", { vars: { order: 7, password: "x" } }));
    assert.equal(read(event).additions?.frames[0]?.vars, undefined);
    assert.deepEqual(read(event, { keepVars: true }).additions?.frames[0]?.vars, {
      order: 7,
      password: "[removed: password]",
    });
  });

  it("tags, breadcrumbs and requests in all forms of SDKs are read", () => {
    const { additions } = read({
      tags: [["a", 1], ["b", true], ["c", null], "d", ["k".repeat(300), "v".repeat(300)]],
      breadcrumbs: { values: Array.from({ length: 150 }, (_, n) => ({ message: `m${n}`, timestamp: n })) },
      request: { url: "https://a.example/x?token=1#y", headers: [["referer", "https://a.example/?q=1"], ["Cookie", "a=b"]] },
    }); // prettier-ignore
    assert.deepEqual(additions?.tags, { a: "1", b: "true", ["k".repeat(200)]: "v".repeat(200) });
    assert.equal(additions?.breadcrumbs.length, 100);
    assert.equal(additions?.breadcrumbs[99]?.message, "m149");
    assert.deepEqual(additions?.request, {
      method: null,
      path: "/x",
      headers: { Referer: "https://a.example/" },
    });
  });

  it("contexts of traces and responses keep only ids and states, and those of feedback nothing", () => {
    const { additions } = read({
      message: "m",
      contexts: {
        trace: { trace_id: "1", data: { "http.request.header.x_foo": "bar" } },
        response: { status_code: 500, headers: { a: "b" }, cookies: "c", data: "d" },
        feedback: { contact_email: "a@b.example" },
        order: { id: 7 },
      },
    });
    assert.deepEqual(additions?.contexts, {
      trace: { trace_id: "1" },
      response: { status_code: 500 },
      order: { id: 7 },
    });
  });

  it("an event without additions has none", () => assert.equal(read({ message: "m" }).additions, null));

  it("a deeply nested value is cut instead of failing", () => {
    const deep = JSON.parse(`${'{"a":['.repeat(10_000)}1${"]}".repeat(10_000)}`) as object;
    for (const key of [
      "extra",
      "contexts",
      "tags",
      "breadcrumbs",
      "exception",
      "request",
      "message",
      "logentry",
      "user",
      "threads",
      "fingerprint",
    ]) {
      const result = readSentryEvent({ message: "m", [key]: deep }, options);
      assert.ok(JSON.stringify(result), key);
      assert.ok(readSentryEvent({ exception: [{ type: deep, value: deep, mechanism: deep, stacktrace: { frames: [deep] } }] }, options)); // prettier-ignore
    }
  });
});
