import assert from "node:assert/strict";
import { test } from "node:test";
import type { Report } from "../../shared/reports.ts";
import { countViews, searchReports, viewNamed, viewOf } from "./report-views.ts";

const report = (changes: Partial<Report>) =>
  ({
    id: 1,
    title: "Cart",
    description: "Empty",
    promoted_at: null,
    dismissed_at: null,
    ...changes,
  }) as Report;
const at = "2026-11-01T10:00:00.000000Z";

test("a report is active until it is promoted or dismissed", () => {
  const all = [report({}), report({ promoted_at: at }), report({ dismissed_at: at }), report({})];
  assert.deepEqual(all.map(viewOf), ["active", "promoted", "dismissed", "active"]);
  assert.deepEqual(countViews(all), { active: 2, promoted: 1, dismissed: 1 });
});

test("an unknown view in the address falls back to active", () => {
  assert.equal(viewNamed("dismissed"), "dismissed");
  assert.equal(viewNamed("all"), "active");
  assert.equal(viewNamed(undefined), "active");
});

test("a search must match every word in title, description or author; # matches the report number", () => {
  const all = [
    report({ id: 1, title: "Cart empties", description: "After signing in" }),
    report({ id: 12, title: "Prices wrong", description: "In the cart" }),
  ];
  const found = (query: string) =>
    searchReports(all, query, ({ id }) => (id === 12 ? "Kim Vale" : "")).map(({ id }) => id);
  assert.deepEqual(found("CART"), [1, 12]);
  assert.deepEqual(found("cart signing"), [1]);
  assert.deepEqual(found("vale"), [12]);
  assert.deepEqual(found("#1"), [1]);
  assert.deepEqual(found("  "), [1, 12]);
  assert.deepEqual(found("nothing"), []);
});
