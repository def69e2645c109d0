import assert from "node:assert/strict";
import { sql } from "kysely";
import { verifyFixes } from "../../src/server/errors/groups/verify-fixes.ts";
import type { ErrorGroup } from "../../src/shared/error-groups.ts";
import type { Db } from "../../src/server/db/connect.ts";
import type { Report } from "../../src/shared/reports.ts";
import type { Client } from "../support/client.ts";

/** Follows feedback from triage to the release with the fix of its error. The clock is moved instead of waited for. */
export async function checkLife(db: Db, admin: Client, projectId: number, title: string) {
  const api = `/api/projects/${projectId}`;
  const ok = ({ status, text, body }: Awaited<ReturnType<Client["get"]>>) => {
    assert.ok(status < 300, text);
    return body;
  };
  const report = (ok(await admin.get(`${api}/reports`)) as Report[]).find((one) => one.title === title);
  assert.equal(report?.error_group_ids.length, 1, "the report knows its error");
  const [groupId] = report.error_group_ids as [number];
  const readGroup = async () => ok(await admin.get(`${api}/error-groups/${groupId}`)) as ErrorGroup;

  ok(await admin.patch(api, { lifecycle: { close_resolves: true } }));
  const promotion = { report_ids: [report.id], error_group_ids: [groupId], title, description: title };
  const [promoted] = ok(await admin.post(`${api}/reports/promote`, promotion)) as [Report];
  const lanes = ok(await admin.get(`${api}/lanes`)).data as { id: number; kind: string }[];
  const lane_id = lanes.find(({ kind }) => kind === "done")?.id;
  ok(await admin.patch(`${api}/issues/${promoted.promoted_issue_id}`, { lane_id }));
  assert.deepEqual((await readGroup()).resolved_in, { mode: "next_release", release: null });

  ok(await admin.post(`${api}/releases`, { version: "shop@1.5.0", environment: "production" }));
  const past = sql`interval '48 hours'`;
  await sql`update releases set first_seen_at = first_seen_at - ${past} where project_id = ${projectId}`.execute(
    db,
  );
  await sql`update error_groups set resolved_at = resolved_at - ${past} where id = ${groupId}`.execute(db);
  await verifyFixes(db);
  await verifyFixes(db);
  assert.notEqual((await readGroup()).verified_at, null, "verified");
  const notices = ok(await admin.get("/api/notifications?include=all&type=13")) as {
    notifiable: { id: number };
  }[];
  assert.deepEqual(
    notices.map(({ notifiable }) => notifiable.id),
    [groupId],
    "the resolver is notified once",
  );
}
