import assert from "node:assert/strict";
import { test } from "node:test";
import {
  makePersonalToken,
  makeUser,
  makeWorkspace,
  makeWorkspaceMember,
} from "../../../../test/support/make.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import { resetPassword } from "./reset-password.ts";

const t = await useTestApp();

test("resetting a password is recorded in the audit log without an actor", async () => {
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

test("the second factor is kept unless its removal is requested, which is recorded in the audit log", async () => {
  const workspace = await makeWorkspace(t.db);
  const user = await makeWorkspaceMember(t.db, workspace.id);
  const signIn = (password: string) => t.http.post("/api/session", { email: user.email, password });
  await t.db
    .insertInto("second_factors")
    .values({ user_id: user.id, secret: "JBSWY3DPEHPK3PXP", confirmed_at: "2026-01-01T00:00:00Z" })
    .execute();

  const kept = await resetPassword(t.db, user.email);
  assert.equal(kept.second_factor, "kept");
  assert.equal((await signIn(kept.password)).status, 401);

  const removed = await resetPassword(t.db, user.email, true);
  assert.equal(removed.second_factor, "removed");
  assert.equal((await signIn(removed.password)).status, 200);
  const admin = t.http.as(await makePersonalToken(t.db, workspace.admin.id));
  const events = await admin.get(`/api/workspaces/${workspace.id}/audit-events?kind=second_factor`);
  assert.deepEqual(
    events.body.data.map(({ kind, actor, subject }: Record<string, { id: number }>) => [
      kind,
      actor,
      subject?.id,
    ]),
    [["second_factor.disabled", null, user.id]],
  );

  assert.equal((await resetPassword(t.db, user.email, true)).second_factor, "none");
});

test("the personal tokens made since the last password are revoked", async () => {
  const user = await makeUser(t.db);
  const token = t.http.as(await makePersonalToken(t.db, user.id));
  assert.equal((await resetPassword(t.db, user.email)).tokens, 1);
  assert.equal((await token.get("/api/profile")).status, 401);
  const next = t.http.as(await makePersonalToken(t.db, user.id));
  await t.db
    .updateTable("users")
    .set({ password_set_at: "2100-01-01T00:00:00Z" })
    .where("id", "=", user.id)
    .execute();
  assert.equal((await resetPassword(t.db, user.email)).tokens, 0);
  assert.equal((await next.get("/api/profile")).status, 200);
});

test("an unknown email address is rejected and nothing is recorded", async () => {
  const { email } = await makeUser(t.db);
  const count = () => t.db.selectFrom("audit_events").select("id").execute();
  const before = await count();
  await assert.rejects(resetPassword(t.db, `not-${email}`), { message: /^No user has the email address / });
  assert.deepEqual(await count(), before);
});
