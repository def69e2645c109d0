import assert from "node:assert/strict";
import { after, test } from "node:test";
import { waitUntil } from "../../../test/support/eventually.ts";
import { useTestApp } from "../../../test/support/test-app.ts";
import { openPool } from "./connect.ts";

const t = await useTestApp();

const pool = openPool({
  ...t.database,
  onError: () => {},
  name: "short-lived",
  max: 1,
  lifetimeSeconds: 0.1,
  settings: {},
});
after(() => pool.end());

const connectionOf = async () =>
  (await pool.query<{ pid: number }>("select pg_backend_pid() as pid")).rows[0]?.pid;

test("a connection that is always in use is replaced after its lifetime", async () => {
  const first = await connectionOf();
  await waitUntil(async () => (await connectionOf()) !== first);
});

test("connections beyond those that are kept are closed when they are no longer used", async () => {
  const burst = openPool({
    ...t.database,
    onError: () => {},
    name: "burst",
    max: 3,
    kept: 1,
    idleMs: 50,
    settings: {},
  });
  after(() => burst.end());
  const used = await Promise.all([1, 2, 3].map(() => burst.connect()));
  assert.equal(burst.totalCount, 3);
  for (const client of used) client.release();
  await waitUntil(() => burst.totalCount === 1);
});
