import assert from "node:assert/strict";
import { test } from "node:test";
import { sql, type RawBuilder } from "kysely";
import { makeUser, makeWorkspace } from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import { deleteOldAuditEvents } from "./delete-old-audit-events.ts";
import { recordAudit } from "../../record/audit.ts";

const t = await useTestApp();
const workspaceId = (await makeWorkspace(t.db)).id;

const rows = () => t.db.selectFrom("audit_events").selectAll().orderBy("id").execute();
const record = (actor_id: number | null) =>
  recordAudit(t.db, { kind: "export.made", workspace_id: workspaceId, actor_id });

/** Inserts an entry that is this many days old. */
async function recordedDaysAgo(days: number): Promise<number> {
  const row = await t.db
    .insertInto("audit_events")
    .values({
      workspace_id: workspaceId,
      kind: "export.made",
      created_at: sql`clock_timestamp() - make_interval(days => ${days}) - interval '1 minute'`,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return row.id;
}

test("the database rejects changing, deleting and truncating entries", async () => {
  await record((await makeUser(t.db)).id);
  await recordedDaysAgo(400);
  const before = await rows();
  const refused: RawBuilder<unknown>[] = [
    sql`update audit_events set kind = 'token.created'`,
    sql`update audit_events set actor_id = null`,
    sql`update audit_events set details = '{"forged": true}', actor_id = null`,
    sql`update audit_events set created_at = created_at - interval '500 days'`,
    sql`delete from audit_events`,
    sql`truncate audit_events`,
  ];
  for (const statement of refused)
    await assert.rejects(statement.execute(t.db), /audit_events is append-only/);
  const switchedOn = t.db.transaction().execute(async (tx) => {
    await sql`set local signalbox.audit_retention = 'on'`.execute(tx);
    await sql`delete from audit_events`.execute(tx);
  });
  await assert.rejects(switchedOn, /audit_events is append-only/);
  assert.deepEqual(await rows(), before);
});

test("when a user is deleted, the entry keeps only their name", async () => {
  const user = await makeUser(t.db);
  await record(user.id);
  const before = (await rows()).at(-1);
  assert.ok(before);
  assert.deepEqual([before.actor_id, before.actor_name], [user.id, "Ada Moss"]);
  await t.db.deleteFrom("users").where("id", "=", user.id).execute();
  assert.deepEqual((await rows()).at(-1), { ...before, actor_id: null });
});

test("entries are deleted after 400 days if the last retention run succeeded", async () => {
  const [old, young] = [await recordedDaysAgo(400), await recordedDaysAgo(399)];
  const left = async () => (await rows()).map((row) => row.id).filter((id) => id === old || id === young);
  const run = (outcome: string, hoursAgo: number) =>
    sql`insert into retention_runs (started_at, outcome)
      values (clock_timestamp() - make_interval(hours => ${hoursAgo}), ${outcome})`.execute(t.db);
  await deleteOldAuditEvents(t.db);
  assert.deepEqual(await left(), [old, young], "no run yet");
  await run("done", 26);
  await deleteOldAuditEvents(t.db);
  assert.deepEqual(await left(), [old, young], "the last run was more than a day ago");
  await run("refused", 1);
  await deleteOldAuditEvents(t.db);
  assert.deepEqual(await left(), [old, young], "the last run was refused");
  await run("done", 0);
  const gone = await deleteOldAuditEvents(t.db);
  assert.deepEqual(await left(), [young]);
  assert.ok(gone >= 1);
  assert.equal(await deleteOldAuditEvents(t.db), 0);
});
