import assert from "node:assert/strict";
import { test } from "node:test";
import { Secret, TOTP } from "otpauth";
import {
  makeCookie,
  makePersonalToken,
  makeUser,
  makeWorkspace,
  makeWorkspaceMember,
} from "../../../../test/support/make.ts";
import { makePerson, PASSWORD, type Person } from "../../../../test/support/person.ts";
import { useTestApp } from "../../../../test/support/test-app.ts";
import type { AuditEvent } from "../../../shared/audit.ts";
import { queuePasswordResets } from "../../account/password/queue-password-resets.ts";

const t = await useTestApp({ TRUST_PROXY: "127.0.0.1" });
const workspace = await makeWorkspace(t.db);
const admin = t.http.as(await makePersonalToken(t.db, workspace.admin.id));
const url = `/api/workspaces/${workspace.id}/audit-events`;

const workspaceId = () => Number(url.split("/")[3]);

/** A member of the workspace with a password. */
const member = async (): Promise<Person> => {
  const user = await makePerson(t);
  await makeWorkspaceMember(t.db, workspaceId(), { user });
  return user;
};
/** Kind, actor and details of the entries about a user's account, oldest first. */
const recorded = async (user: { id: number }) => {
  const answer = await admin.get(`${url}?limit=200&subject_type=user&subject_id=${user.id}`);
  assert.equal(answer.status, 200, answer.text);
  const events: AuditEvent[] = answer.body.data.toReversed();
  return events.map(({ kind, actor, details }) => [kind, actor?.id ?? null, details]);
};

test("signing in and out is recorded with address and browser", async () => {
  const user = await member();
  const answer = await t.http.send({
    method: "POST",
    url: "/api/session",
    headers: {
      "content-type": "application/json",
      "user-agent": "Odd browser",
      // Some proxies append the port.
      "x-forwarded-for": "203.0.113.9:41000",
    },
    payload: JSON.stringify({ email: user.email, password: PASSWORD }),
  });
  assert.equal(answer.status, 200);
  const [event] = (await admin.get(`${url}?kind=session.created&actor_id=${user.id}`)).body.data;
  assert.deepEqual([event.ip, event.user_agent], ["203.0.113.9", "Odd browser"]);
  assert.equal((await (await user.signIn()).delete("/api/session")).status, 204);
  assert.deepEqual(await recorded(user), [
    ["session.created", user.id, {}],
    ["session.created", user.id, {}],
    ["session.ended", user.id, { sessions: 1 }],
  ]);
});

test("a wrong password is recorded for the account without an actor, and opens no session", async () => {
  const user = await member();
  assert.equal(await user.canSignIn("wrong password"), false);
  assert.deepEqual(await recorded(user), [["session.refused", null, { wrong: "password" }]]);
});

test("a sign-in with an unknown address is recorded without the address, visible to nobody", async () => {
  const before = (await admin.get(`${url}?kind=session`)).body.data;
  const email = "secret typed into the wrong field";
  assert.equal((await t.http.post("/api/session", { email, password: "wrong password" })).status, 401);
  assert.deepEqual((await admin.get(`${url}?kind=session`)).body.data, before);
  const row = await t.db
    .selectFrom("audit_events")
    .selectAll()
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirstOrThrow();
  assert.deepEqual(
    [row.kind, row.workspace_id, row.actor_id, row.subject_id, row.ip],
    ["session.refused", null, null, null, "127.0.0.1"],
  );
  assert.ok(!JSON.stringify(row).includes(email));
});

test("ending other sessions is recorded with their number, and not at all if there were none", async () => {
  const user = await member();
  const [browser] = [await user.signIn(), await user.signIn(), await user.signIn()];
  const { data } = (await browser.get("/api/profile/sessions")).body;
  const other = data.find((session: { current: boolean }) => !session.current);
  assert.equal((await browser.delete(`/api/profile/sessions/${other.id}`)).status, 204);
  assert.equal((await browser.delete("/api/profile/sessions")).status, 204);
  assert.equal((await browser.delete("/api/profile/sessions")).status, 204);
  assert.deepEqual((await recorded(user)).slice(3), [
    ["session.ended", user.id, { sessions: 1 }],
    ["session.ended", user.id, { sessions: 1 }],
  ]);
});

test("a password change is recorded, a rejected one is not", async () => {
  const user = await member();
  const browser = await user.signIn();
  const change = (current_password: string) =>
    browser.post("/api/profile/password", { current_password, password: "battery staple" });
  assert.equal((await change("wrong password")).status, 422);
  assert.equal((await change(PASSWORD)).status, 204);
  assert.deepEqual((await recorded(user)).slice(1), [
    ["password.changed", user.id, {}],
    ["session.created", user.id, {}],
  ]);
});

test("requesting and using a password reset are recorded, but nothing for an unknown address", async () => {
  const user = await member();
  for (const email of [user.email, "nobody@example.com"])
    assert.equal((await t.http.post("/api/password/forgot", { email })).status, 204);
  const count = async () => (await t.db.selectFrom("audit_events").select("id").execute()).length;
  const before = await count();
  await queuePasswordResets(t.db);
  assert.equal(await count(), before + 1);
  const { button_path } = await t.db
    .selectFrom("mails")
    .select("button_path")
    .where("user_id", "=", user.id)
    .executeTakeFirstOrThrow();
  const token = button_path?.split("token=")[1];
  const reset = await t.http.post("/api/password/reset", { token, password: "battery staple" });
  assert.equal(reset.status, 204);
  assert.deepEqual(await recorded(user), [
    ["password.reset_requested", null, {}],
    ["password.reset", user.id, {}],
  ]);
});

test("enabling, renewing and disabling the second factor are recorded, and so is a wrong code at sign-in", async () => {
  const user = await member();
  const browser = await user.signIn();
  const path = "/api/profile/second-factor";
  const { secret } = (await browser.post(path, { current_password: PASSWORD })).body;
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  const confirmed = await browser.post(`${path}/confirm`, { code });
  assert.equal(confirmed.status, 200, confirmed.text);
  const { email } = user;
  const signIn = (more: object) => t.http.post("/api/session", { email, password: PASSWORD, ...more });
  assert.equal((await signIn({})).status, 401);
  assert.equal((await signIn({ code: "wrong" })).status, 401);
  const [first] = confirmed.body.recovery_codes;
  const renewed = await browser.post(`${path}/recovery-codes`, { code: first });
  assert.equal(renewed.status, 200, renewed.text);
  const [last] = renewed.body.recovery_codes;
  assert.equal((await browser.send(withBody("DELETE", path, { code: last }))).status, 204);
  assert.deepEqual((await recorded(user)).slice(1), [
    ["second_factor.enabled", user.id, {}],
    ["session.refused", null, { wrong: "code" }],
    ["second_factor.recovery_codes_renewed", user.id, {}],
    ["second_factor.disabled", user.id, {}],
  ]);
});

const withBody = (method: string, path: string, body: object) => ({
  method,
  url: path,
  headers: { "content-type": "application/json" },
  payload: JSON.stringify(body),
});

test("a changed email address is recorded with the old one, an unchanged one is not", async () => {
  const user = await member();
  const browser = await user.signIn();
  const change = (email: string) => browser.patch("/api/profile", { email, current_password: PASSWORD });
  assert.equal((await change(user.email)).status, 200);
  assert.equal((await browser.patch("/api/profile", { first_name: "Bea" })).status, 200);
  assert.equal((await change("new@example.com")).status, 200);
  assert.deepEqual((await recorded(user)).slice(1), [
    ["profile.email_changed", user.id, { email: "new@example.com", email_before: user.email }],
  ]);
});

test("an unlinked identity is recorded with its provider", async () => {
  const user = await member();
  const issuer = "https://login.example.com";
  const { id } = await t.db
    .insertInto("identities")
    .values({ user_id: user.id, issuer, subject: "1" })
    .returning("id")
    .executeTakeFirstOrThrow();
  const browser = await user.signIn();
  assert.equal((await browser.delete(`/api/profile/identities/${id}`)).status, 204);
  assert.deepEqual((await recorded(user)).slice(1), [["identity.unlinked", user.id, { issuer }]]);
});

test("account changes of a user without workspaces are recorded, visible to nobody", async () => {
  const user = await makeUser(t.db);
  await makeCookie(t.db, user.id);
  const row = await t.db
    .selectFrom("audit_events")
    .select(["kind", "workspace_id"])
    .where("actor_id", "=", user.id)
    .executeTakeFirst();
  assert.deepEqual(row, { kind: "session.created", workspace_id: null });
});
