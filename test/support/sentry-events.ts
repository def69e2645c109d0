import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { JsonRecord } from "../../src/server/ingest/read/coerce.ts";
import type { EventAdditions } from "../../src/server/ingest/read/event-additions.ts";
import { additionsOf, type ReadEvent } from "../../src/server/ingest/read/read-event.ts";
import {
  readSentryEvent,
  type SentryOptions,
} from "../../src/server/ingest/read/sentry/read-sentry-event.ts";

export const SECRET = Buffer.from("secret of the project");

export const options: SentryOptions = {
  userAgent: undefined,
  origin: undefined,
  userHashSecret: SECRET,
  keepDebugEvents: false,
  keepVars: false,
  privacyRules: null,
  inboundRules: null,
};

export function read(
  event: unknown,
  settings: Partial<SentryOptions> = {},
  userAgent?: string,
): ReadEvent & { additions: EventAdditions | null } {
  const result = readSentryEvent(event, { ...options, userAgent, ...settings });
  assert.ok(result);
  return { ...result, additions: additionsOf(result) };
}

/** The events of a recorded file. */
export function recorded(file: "node-10.78.0.json" | "browser-10.78.0.json"): JsonRecord[] {
  const path = new URL(`../fixtures/sentry/${file}`, import.meta.url);
  const requests = JSON.parse(readFileSync(path, "utf8")) as { body: string }[];
  return requests
    .map(({ body }) => body.split("\n"))
    .filter(([, header]) => header === '{"type":"event"}')
    .map(([, , payload]) => JSON.parse(payload ?? "") as JsonRecord);
}

export const frame = (name: string, filename: string, more: object = {}) => ({
  function: name,
  filename,
  lineno: 3,
  colno: 7,
  ...more,
});

export const thrown = (...frames: object[]) => ({
  exception: { values: [{ type: "E", value: "v", stacktrace: { frames } }] },
});

export const codePoints = (text: string): number => Array.from(text).length;
