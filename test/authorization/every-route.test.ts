import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { RouteOptions } from "fastify";
import { collectRoutes } from "../support/routes.ts";
import { openTestApp, type TestApp } from "../support/test-app.ts";
import { areaOf } from "./areas.ts";
import { createPrincipals } from "./create-principals.ts";
import { dump } from "./dump.ts";
import { THROW_AWAY, type Principal } from "./principals.ts";
import { ROWS } from "./route-requirements.ts";
import { ask, cellsOf, describe, isHarmless, walk, type Cell } from "./send-requests.ts";
import { makeFixture, type Fixture } from "./fixture.ts";

/** Checks every route with every principal, on own, foreign and unknown objects. */

let t: TestApp;
let routes: RouteOptions[];
let fixture: Fixture;
let principals: Principal[];
let cells: Cell[];
const complaints = new Map<string, string[]>();
/** The tables before and after all rejected and read-only requests. */
let untouched: Record<string, string>[];
/** The tables of projects B and C before and after the destructive requests on A. */
let foreign: Record<string, string>[];
/** Requests that were not rejected although their feature was off. */
const unrestricted: string[] = [];
let restricted = 0;

before(async () => {
  [t, routes] = await collectRoutes(() => openTestApp());
  fixture = await makeFixture(t);
  principals = await createPrincipals(t, fixture);
  cells = cellsOf(fixture, principals);
  await walkHarmless();
  await walkWithoutFeatures();
  await walk(
    cells.filter((cell) => cell.row.effect === "repeated" && cell.expected < 400),
    complaints,
  );
  await walkOnce();
});
after(() => t.close());

async function walkHarmless() {
  const earlier = await dump(t.db);
  await walk(cells.filter(isHarmless), complaints);
  untouched = [earlier, await dump(t.db)];
}

/** With the features of A's workspace off, requests that would otherwise succeed return 403. C's workspace is not affected. */
async function walkWithoutFeatures() {
  const workspace = `/api/workspaces/${fixture.one.id}`;
  const turn = async (on: boolean) => {
    const features = { reports: on, error_tracking: on };
    assert.equal((await fixture.clients.A.patch(workspace, { features })).status, 200);
  };
  await turn(false);
  const passed = cells.filter(
    ({ row, expected, target, who }) =>
      row.feature &&
      who.kind !== "nobody" &&
      ![401, 403, 404].includes(expected) &&
      target.name !== "C's own",
  );
  for (const cell of passed) {
    restricted++;
    const { status, body } = await ask(cell);
    if (status !== 403 || body.feature_restricted !== true) unrestricted.push(`${describe(cell)}: ${status}`);
  }
  await walk(
    cells.filter((cell) => cell.row.feature && cell.target.name === "C's own" && isHarmless(cell)),
    complaints,
  );
  await turn(true);
}

/** Sends requests that only work once, from one permitted principal each, innermost objects first. */
async function walkOnce() {
  const others = [Number(fixture.B["projectId"]), Number(fixture.C["projectId"])];
  const earlier = await dump(t.db, others);
  // Remove a user or team from the project before removing it from the workspace.
  const depth = ({ route, row }: Cell) => route.split("/").length - (row.need === "administrator" ? 0.5 : 0);
  const once = cells
    .filter(({ row, expected, target }) => row.effect === "once" && expected < 400 && target.name === "own")
    .filter(({ row, who }) => who.name === doer(row.need))
    .sort((one, other) => depth(other) - depth(one));
  // The workspace contains B.
  const isWorkspace = ({ route }: Cell) => route === "DELETE /api/workspaces/:workspaceId";
  for (const cell of once) if (!isWorkspace(cell)) await walk([cell], complaints);
  foreign = [earlier, await dump(t.db, others)];
  await walk(once.filter(isWorkspace), complaints);
}

function doer(need: string): string {
  if (need === "session") return THROW_AWAY;
  return need === "administrator" ? "an administrator" : "the project's owner";
}

const named = () =>
  routes.flatMap((route) =>
    [route.method]
      .flat()
      .filter((method) => method !== "HEAD")
      .map((method) => ({ name: `${method} ${route.url}`, config: route.config ?? {} })),
  );

test("every route has a row and every row a route", () => {
  const have = new Set(named().map(({ name }) => name));
  const rows = new Set(Object.keys(ROWS));
  assert.deepEqual([...have].filter((name) => !rows.has(name)).sort(), [], "routes without a row");
  assert.deepEqual([...rows].filter((name) => !have.has(name)).sort(), [], "rows without a route");
});

test("every route declares what its row requires", () => {
  for (const { name, config } of named()) {
    const { needs, feature, projectToken, ingestKey, tokenOnly, area } = config;
    const row = ROWS[name];
    assert.deepEqual(
      { needs, feature, projectToken, ingestKey, tokenOnly, area },
      {
        needs: row?.need,
        feature: row?.feature,
        projectToken: row?.projectToken,
        ingestKey: row?.ingestKey,
        tokenOnly: row?.tokenOnly,
        area: row?.need === "nothing" ? undefined : areaOf(name),
      },
      name,
    );
  }
});

test("every route was called, permits at least one principal and rejects at least one", (context) => {
  context.diagnostic(
    `${cells.length} cells: ${Object.keys(ROWS).length} routes, ${principals.length} principals`,
  );
  for (const [route, row] of Object.entries(ROWS)) {
    const own = cells.filter((cell) => cell.route === route && cell.target.name === "own");
    const isDone = own.some(({ expected }) => expected === (row.status ?? 200));
    assert.ok(isDone, `no principal may ${route}`);
    if (row.need !== "nothing")
      assert.ok(
        own.some(({ expected }) => expected === 401 || expected === 403),
        route,
      );
    assert.ok(complaints.has(route), `${route} was not called`);
  }
});

for (const route of Object.keys(ROWS))
  test(`${route} returns the expected status to every principal and leaks nothing`, () => {
    assert.deepEqual(complaints.get(route), []);
  });

test("turning a feature off rejects all requests that need it, in that workspace only", () => {
  assert.ok(restricted > 100, String(restricted));
  assert.deepEqual(unrestricted, []);
});

test("rejected and read-only requests change nothing", () => {
  assert.deepEqual(untouched[1], untouched[0]);
});

test("requests to one project change nothing in others", () => {
  assert.deepEqual(foreign[1], foreign[0]);
});
