import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { importFixture, readAnswers, serveAnswers, type Answers } from "./answering-server.ts";
import { makeIngestKey } from "./make.ts";
import type { TestApp } from "./test-app.ts";

/** The envelopes whose events the recorded GlitchTip had received, by the exception class. */
const ENVELOPES = {
  PaymentError: "payment-error",
  KeyError: "key-error",
  TimeoutError: "timeout",
  Message: "message",
};

type Issue = { id: string; count: string; metadata: { type?: string } };

/** The API of a GlitchTip as a recording of a real one, with these alert rules. Also returns the events of each of its issues. */
export async function openPeer(context: { after(work: () => Promise<void>): void }, answers: Answers = {}) {
  const recorded = readAnswers("glitchtip");
  const issues = Object.entries(recorded).flatMap(([path, { body }]) =>
    path.includes("/issues/?") ? (body as Issue[]) : [],
  );
  const server = await serveAnswers({
    ...recorded,
    "/api/0/organizations/shop/issues/": { body: issues },
    "/api/0/organizations/shop/projects/": { body: [{ id: "1", slug: "checkout" }] },
    "/api/0/projects/shop/checkout/alerts/": { body: [] },
    ...answers,
  });
  context.after(() => server.close());
  const counts = issues.map(({ count, metadata }) => [metadata.type ?? "Message", Number(count)] as const);
  const url = new URL("/api/0/organizations/shop/issues/?project=1", server.origin);
  return { server, url, counts: Object.fromEntries(counts) as Record<keyof typeof ENVELOPES, number> };
}

/** Sends the events that the other server has received, as often as `counts` says. */
export async function sendEvents(t: TestApp, projectId: number, counts: Partial<Record<string, number>>) {
  const key = await makeIngestKey(t.db, projectId);
  for (const [name, envelope] of Object.entries(ENVELOPES))
    for (let n = 0; n < (counts[name] ?? 0); n++) {
      const sent = readFileSync(importFixture(`envelopes/${envelope}.envelope`), "utf8");
      // Events with a known id are not counted again.
      const id = /"event_id":\s*"([0-9a-f]{32})"/.exec(sent)?.[1] ?? "";
      const payload = sent.replaceAll(id, randomBytes(16).toString("hex"));
      const url = `/api/${projectId}/envelope/?sentry_key=${key}`;
      const answer = await t.http.send({ method: "POST", url, payload });
      assert.equal(answer.status, 200, answer.text);
    }
}
