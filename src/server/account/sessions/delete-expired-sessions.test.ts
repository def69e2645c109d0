import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { sql } from "kysely";
import type { Client } from "../../../../test/support/client.ts";
import {
  makeCookie,
  makePersonalToken,
  makeWorkspace,
  makeWorkspaceMember,
} from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import { resetPassword } from "../../commands/reset-password/reset-password.ts";
import { deleteExpiredSessions } from "./delete-expired-sessions.ts";

let user: { id: number; email: string };
let admin: Client;
let url: string;
let browser: Client;
const t = await useTestApp();
/** The session in use, another open one, and two expired ones. */
beforeEach(async () => {
  const workspace = await makeWorkspace(t.db);
  admin = t.http.as(await makePersonalToken(t.db, workspace.admin.id));
  user = await makeWorkspaceMember(t.db, workspace.id);
  url = `/api/workspaces/${workspace.id}/audit-events?kind=session.ended`;
  for (let n = 0; n < 2; n++) await makeCookie(t.db, user.id);
  await sql`update sessions set expires_at = now() where user_id = ${user.id}`.execute(t.db);
  browser = t.http.withCookie(await makeCookie(t.db, user.id));
  await makeCookie(t.db, user.id);
});

const ids = async () => {
  const rows = await t.db
    .selectFrom("sessions")
    .select("id")
    .where("user_id", "=", user.id)
    .orderBy("id")
    .execute();
  return rows.map((row) => row.id);
};

test("only expired sessions are deleted", async () => {
  const all = await ids();
  assert.equal(await deleteExpiredSessions(t.db), 2);
  assert.deepEqual(await ids(), all.slice(2));
  assert.equal((await browser.get("/api/profile")).status, 200);
  assert.equal(await deleteExpiredSessions(t.db), 0);
});

test("ending all other sessions counts only unexpired ones in the audit log", async () => {
  assert.equal((await browser.delete("/api/profile/sessions")).status, 204);
  assert.equal((await browser.delete("/api/profile/sessions")).status, 204);
  const { data } = (await admin.get(url)).body;
  assert.deepEqual(
    data.map((event: { details: unknown }) => event.details),
    [{ sessions: 1 }],
  );
});

test("an expired session cannot be ended", async () => {
  const [expired] = await ids();
  assert.equal((await browser.delete(`/api/profile/sessions/${expired}`)).status, 404);
});

test("the reset-password command reports the number of sessions it ended", async () => {
  assert.equal((await resetPassword(t.db, user.email)).sessions, 2);
  assert.deepEqual(await ids(), []);
});
