import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  makePersonalToken,
  makeUser,
  makeWorkspace,
  makeWorkspaceMember,
} from "../../../test/support/make.ts";
import { openTestApp, type TestApp } from "../../../test/support/test-app.ts";
import { resetPassword } from "./reset-password.ts";

let t: TestApp;
before(async () => {
  t = await openTestApp();
});
after(() => t.close());

test("a password that the command gives is recorded for the administrators, by nobody", async () => {
  const workspace = await makeWorkspace(t.db);
  const user = await makeWorkspaceMember(t.db, workspace.id);
  await resetPassword(t.db, user.email.toUpperCase());
  const admin = t.http.as(await makePersonalToken(t.db, workspace.admin.id));
  const events = await admin.get(`/api/workspaces/${workspace.id}/audit-events?kind=password`);
  assert.equal(events.status, 200, events.text);
  assert.deepEqual(
    events.body.data.map(({ kind, actor, subject }: Record<string, { id: number }>) => [
      kind,
      actor,
      subject?.id,
    ]),
    [["password.reset", null, user.id]],
  );
});

test("for an address that nobody has nothing is recorded", async () => {
  const { email } = await makeUser(t.db);
  const count = () => t.db.selectFrom("audit_events").select("id").execute();
  const before = await count();
  await assert.rejects(resetPassword(t.db, `not-${email}`), { message: /^Nobody here has the address / });
  assert.deepEqual(await count(), before);
});
