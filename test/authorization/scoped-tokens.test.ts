import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openTestApp, type TestApp } from "../support/test-app.ts";
import { makeFixture } from "./fixture.ts";
import { ROWS } from "./route-requirements.ts";
import { createScopedPrincipals } from "./scoped-principals.ts";
import { cellsOf, isHarmless, walk } from "./send-requests.ts";

/** Checks every route with tokens that are limited to areas and projects, on own, foreign and unknown objects. */

let t: TestApp;
const complaints = new Map<string, string[]>();

before(async () => {
  t = await openTestApp();
  const fixture = await makeFixture(t);
  const cells = cellsOf(fixture, await createScopedPrincipals(t, fixture));
  await walk(cells.filter(isHarmless), complaints);
  await walk(
    cells.filter(({ row, expected }) => row.effect === "repeated" && expected < 400),
    complaints,
  );
});
after(() => t.close());

// The test of scopes covers live updates, whose response does not end.
for (const [route] of Object.entries(ROWS).filter(([, row]) => !row.endless))
  test(`${route} returns the expected status to every scoped token and leaks nothing`, () => {
    assert.deepEqual(complaints.get(route), []);
  });
