import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { makePersonalToken, makeWorkspace } from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import { recordBackup } from "./record-backup.ts";

const t = await useTestApp();

test("a backup is in every workspace's audit log, without an actor", async () => {
  const workspaces = [await makeWorkspace(t.db), await makeWorkspace(t.db)];
  await recordBackup(t.database.url);
  for (const { id, admin } of workspaces) {
    const client = t.http.as(await makePersonalToken(t.db, admin.id));
    const { data } = (await client.get(`/api/workspaces/${id}/audit-events?kind=export`)).body;
    assert.equal(data.length, 1);
    assert.deepEqual([data[0].actor, data[0].details, data[0].ip], [null, { of: "backup" }, null]);
  }
});

test("a schema without an audit log does not prevent a backup", async () => {
  await sql`alter table audit_events rename to audit_events_aside`.execute(t.db);
  try {
    await recordBackup(t.database.url);
  } finally {
    await sql`alter table audit_events_aside rename to audit_events`.execute(t.db);
  }
});
