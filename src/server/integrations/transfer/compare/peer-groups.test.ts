import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { serveAnswers, type Answers } from "../../../../../test/support/answering-server.ts";
import { openSentryApi } from "../sentry-api.ts";
import { readPeerGroups } from "./peer-groups.ts";

const since = new Date("2026-11-23T00:00:00Z");

const issue = (changes: object = {}) => ({
  id: "1",
  title: "Error: x",
  type: "error",
  metadata: { type: "Error", value: "x" },
  count: "1000",
  firstSeen: "2026-01-01T00:00:00Z",
  lastSeen: "2026-11-28T00:00:00Z",
  ...changes,
});

async function countOf(context: TestContext, issues: unknown[], answers: Answers = {}) {
  const server = await serveAnswers({ "/api/0/organizations/acme/issues/": { body: issues }, ...answers });
  context.after(() => server.close());
  const url = new URL("/api/0/organizations/acme/issues/", server.origin);
  const api = openSentryApi(url, null, { signal: new AbortController().signal, backoffMs: 1 });
  const counts: (number | null)[] = [];
  for await (const page of readPeerGroups(api, { since, days: 7, privacyRules: null }))
    counts.push(...page.map(({ count }) => count));
  return counts;
}

test("an issue that was first seen on the compared days is counted by its total", async (context) => {
  const recent = issue({ firstSeen: "2026-11-23T00:00:00Z", count: "12" });
  assert.deepEqual(await countOf(context, [recent]), [12]);
});

test("an older issue is counted by Sentry's counts per hour since then", async (context) => {
  const before = Date.parse("2026-11-22T23:00:00Z") / 1_000;
  const stats = {
    auto: [
      [before, 500],
      [before + 3_600, 3],
      [before + 7_200, 4],
    ],
  };
  assert.deepEqual(await countOf(context, [issue({ stats })]), [7]);
});

test("without such counts, the events since then are counted", async (context) => {
  const at = (dateCreated: string) => ({ dateCreated });
  const events = [at("2026-11-28T00:00:00Z"), at("2026-11-24T00:00:00Z"), at("2026-11-22T23:59:59Z")];
  assert.deepEqual(await countOf(context, [issue()], { "/api/0/issues/1/events/": { body: events } }), [2]);
});

test("issues that were last seen before, and values that are no issues, are not compared", async (context) => {
  const old = issue({ lastSeen: "2026-11-22T23:59:59Z" });
  assert.deepEqual(await countOf(context, [old, null, 7, { lastSeen: "2026-11-28T00:00:00Z" }]), []);
});
