import assert from "node:assert/strict";
import { test } from "node:test";
import { sourcesText } from "./sources-text.ts";

const created_at = "2026-11-20T10:00:00.000000Z";
const source = { linked_at: "2026-11-20T10:00:00.000000+00:00" };
const later = { linked_at: "2026-11-20T10:00:01.000000+00:00" };

test("an issue names what it was created from and, separately, the errors linked later", () => {
  const text = (reports: number, ...groups: { linked_at: string | null }[]) =>
    sourcesText({ report_ids: Array.from({ length: reports }, (_, id) => id + 1), created_at }, groups);
  assert.equal(text(0), "");
  assert.equal(text(1), ", from a report");
  assert.equal(text(2, source), ", from 2 reports and an error");
  assert.equal(text(0, source, { linked_at: null }), ", from 2 errors");
  assert.equal(text(0, later), ", linked to an error");
  assert.equal(text(1, later, later), ", from a report, linked to 2 errors");
  assert.equal(text(1, source, later), ", from a report and an error, linked to an error");
});
