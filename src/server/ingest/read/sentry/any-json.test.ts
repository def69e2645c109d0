import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { codePoints, recorded, options } from "../../../../../test/support/sentry-events.ts";
import { readSentryEvent } from "./read-sentry-event.ts";

describe("any JSON in any field", () => {
  const FIELDS = [
    "exception", "exception.values", "exception.values.0", "exception.values.0.type", "exception.values.0.value", "exception.values.0.mechanism",
    "exception.values.0.mechanism.exception_id", "exception.values.0.mechanism.parent_id", "exception.values.0.mechanism.meta",
    "exception.values.0.stacktrace", "exception.values.0.stacktrace.frames", "exception.values.0.stacktrace.frames.0",
    "exception.values.0.stacktrace.frames.0.function", "exception.values.0.stacktrace.frames.0.filename",
    "exception.values.0.stacktrace.frames.0.lineno", "exception.values.0.stacktrace.frames.0.in_app",
    "exception.values.0.stacktrace.frames.0.pre_context", "exception.values.0.stacktrace.frames.0.vars", "threads", "threads.values.0",
    "logentry", "logentry.message", "logentry.params", "message", "release", "environment", "server_name", "level", "fingerprint",
    "fingerprint.0", "event_id", "user", "user.id", "request", "request.headers", "request.url", "request.method", "transaction",
    "contexts", "contexts.runtime", "contexts.trace", "contexts.trace.op", "contexts.response", "contexts.device", "tags", "tags.a", "extra",
    "extra.celery-job", "breadcrumbs", "breadcrumbs.values", "breadcrumbs.values.0", "breadcrumbs.values.0.data", "modules", "sdk", "sdk.name",
    "platform", "type", "timestamp", "",
  ]; // prettier-ignore
  const VALUES: unknown[] = [
    null, true, false, 0, -1, 1e308, "", " ", "\0", "\ud800", "x".repeat(70_000), "a\nb", "__proto__", [], [[]], [null], [1, "a", {}], {},
    { values: 1 }, { values: [null, 1, "a", [], {}] }, { length: 5 }, { toString: 1 }, { constructor: { prototype: 1 } },
    JSON.parse('{"__proto__": {"a": 1}, "constructor": 1, "hasOwnProperty": null}'),
    Array.from({ length: 3_000 }, (_, n) => ({ type: `T${n}`, function: `f${n}`, mechanism: { exception_id: n, parent_id: n } })),
    Object.fromEntries(Array.from({ length: 3_000 }, (_, n) => [`k${n}`, n])),
  ]; // prettier-ignore

  const EVENT = JSON.stringify(recorded("node-10.78.0.json").at(-2));

  /** An event in which every field is set, with the value at the path. */
  function eventWith(path: string, value: unknown): unknown {
    const event = JSON.parse(EVENT) as Record<string, unknown>;
    const keys = path.split(".").filter(Boolean);
    if (keys.length === 0) return value;
    let inner = event;
    for (const key of keys.slice(0, -1)) {
      if (typeof inner[key] !== "object" || inner[key] === null) inner[key] = {};
      inner = inner[key] as Record<string, unknown>;
    }
    inner[keys.at(-1) ?? ""] = value;
    return event;
  }

  for (const path of FIELDS) {
    it(`${path || "the event"}: the event is stored or skipped, within the limits of the columns`, () => {
      for (const value of VALUES) {
        const result = readSentryEvent(eventWith(path, value), options);
        if (!result) continue;
        assert.match(result.stack_trace, /^[^\0]*$/);
        assert.ok(JSON.stringify(result).isWellFormed());
        assert.ok(!JSON.stringify(result).includes("\\u0000"));
        assert.ok(codePoints(result.stack_trace) <= 131_072);
        assert.ok(Buffer.byteLength(result.message) <= 65_535);
        assert.equal(result.fingerprint.length, 32);
        const names = [
          result.environment,
          result.exception_class,
          result.facts.exception_code,
          result.host,
          result.release,
        ];
        for (const name of [
          ...names,
          result.runtime.name,
          result.framework.name,
          ...Object.values(result.context ?? {}),
        ])
          if (typeof name === "string") assert.ok(codePoints(name) <= 255);
        assert.notEqual(result.environment.trim(), "");
        assert.notEqual(result.exception_class.trim(), "");
      }
    });
  }
});
