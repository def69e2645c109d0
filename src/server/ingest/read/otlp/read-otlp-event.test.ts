import assert from "node:assert/strict";
import { test } from "node:test";
import { codePoints, SECRET } from "../../../../../test/support/sentry-events.ts";
import { keyedHash } from "../sentry/event/keyed-hash.ts";
import { additionsOf } from "../read-event.ts";
import { readOtlpEvent } from "./read-otlp-event.ts";
import type { SentException } from "./sent-exception.ts";

const SENT: SentException = {
  type: "PaymentError",
  message: "the card was declined",
  stacktrace: "PaymentError: the card was declined\n    at pay (/app/shop.js:4:9)",
  severity: 17,
  traceId: null,
  spanId: null,
  attributes: {},
  resource: {},
  scope: { name: null, version: null },
};

function read(sent: Partial<SentException> = {}) {
  const options = { keepVars: false, privacyRules: null, userHashSecret: SECRET };
  const event = readOtlpEvent({ ...SENT, ...sent }, options);
  return { ...event, additions: additionsOf(event) };
}

test("the user is hashed like the user of a Sentry SDK, and removed wherever the event names them", () => {
  const expected = keyedHash(SECRET, "id:user-4711");
  for (const name of ["enduser.id", "user.id"]) {
    const event = read({
      message: "user-4711 has no card",
      stacktrace: "Error: user-4711 has no card\n    at pay (/app/user-4711.js:4:9)",
      attributes: { [name]: "user-4711", "user.full_name": "Ann Archer", note: "of Ann Archer, user-4711" },
    });
    assert.equal(event.user_hash, expected);
    assert.equal(event.message, "[removed: user] has no card");
    assert.doesNotMatch(JSON.stringify(event), /4711|Archer/);
  }
  assert.equal(read({ attributes: { "user.id": "203.0.113.9" } }).user_hash, null);
});

test("headers, queries, bodies, arguments, environments and addresses are not kept", () => {
  const canary = "canary-value";
  const keys = [
    "http.request.header.x-custom",
    "http.response.header.set-cookie",
    "http.request.body",
    "rpc.grpc.request.metadata.x-custom",
    "url.query",
    "client.address",
    "net.peer.ip",
    "network.peer.address",
    "process.command_args",
    "process.command_line",
    "process.owner",
    "process.environment_variable.HOME",
    "db.query.parameter.0",
    "db.operation.parameter.name",
    "session.id",
    "app.password",
  ];
  const attributes = Object.fromEntries(keys.map((key) => [key, canary]));
  for (const part of ["attributes", "resource"] as const)
    assert.doesNotMatch(JSON.stringify(read({ [part]: attributes })), new RegExp(canary));
  const { additions } = read({
    attributes: {
      "url.full": "https://shop.example.com/pay?card=canary-value",
      contact: "ann@example.com",
      nested: { token: canary, list: ["Bearer canary-value-0123456789"] },
    },
    resource: { "host.name": "ann@example.com", "service.name": "shop of ann@example.com" },
    message: "mail to ann@example.com failed",
    type: "Failure of ann@example.com",
  });
  assert.doesNotMatch(JSON.stringify(additions), /canary|ann@/);
});

test("without a trace, messages are grouped by their template", () => {
  const [one, other] = [17, 18].map((order) => read({ stacktrace: null, message: `Order ${order} failed` }));
  assert.deepEqual(one?.fingerprint, other?.fingerprint);
  assert.equal(one?.stack_trace, "Order <number> failed");
});

test("older names of attributes are understood", () => {
  const event = read({
    attributes: {
      "http.route": "/a/{id}",
      "http.method": "GET",
      "http.status_code": 502,
      "http.user_agent": "curl/8",
    },
    resource: { "deployment.environment": "staging" },
  });
  assert.equal(event.environment, "staging");
  assert.equal(event.context_label, "GET /a/{id}");
  assert.deepEqual(event.context?.kind === "route" && event.context.response_status, 502);
  assert.deepEqual(event.additions?.request?.headers, { "User-Agent": "curl/8" });
});

test("a route that may be the address of a request is not stored", () => {
  const { context } = read({ attributes: { "http.route": "/find?q=ann", "http.request.method": "GET" } });
  assert.deepEqual(context?.kind === "route" && [context.method, context.pattern], ["GET", null]);
});

const VALUES: unknown[] = [
  null, true, 0, -1, 1e308, "", " ", "\0", "\ud800", "x".repeat(70_000), "a\nb".repeat(90_000), "__proto__", [], [[]], {}, { toString: 1 },
  JSON.parse('{"__proto__": {"a": 1}, "constructor": 1, "hasOwnProperty": null}'),
  Object.fromEntries(Array.from({ length: 3_000 }, (_, n) => [`k${n}`, n])),
]; // prettier-ignore

const NAMES = [
  "service.name", "service.version", "deployment.environment.name", "host.name", "process.runtime.name", "process.runtime.version",
  "http.route", "http.request.method", "http.response.status_code", "messaging.destination.name", "enduser.id", "user_agent.original",
  "__proto__", "other",
]; // prettier-ignore

for (const name of NAMES)
  test(`any value of ${name} is stored within the limits or left out`, () => {
    for (const value of VALUES)
      for (const part of ["attributes", "resource"]) {
        const given = Object.fromEntries([[name, value]]);
        const texts = typeof value === "string" ? { type: value, message: value, stacktrace: value } : {};
        const event = read({ [part]: given, ...texts });
        assert.ok(JSON.stringify(event).isWellFormed());
        assert.doesNotMatch(JSON.stringify(event), /\\u0000/);
        assert.ok(codePoints(event.stack_trace) <= 131_072);
        assert.ok(Buffer.byteLength(event.message) <= 65_535);
        const names = [
          event.environment,
          event.exception_class,
          event.release,
          event.host,
          event.runtime.name,
        ];
        for (const each of [...names, ...Object.values(event.context ?? {})])
          if (typeof each === "string") assert.ok(codePoints(each) <= 255);
        assert.notEqual(event.environment.trim(), "");
        assert.notEqual(event.exception_class.trim(), "");
      }
  });
